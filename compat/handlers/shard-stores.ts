/** `_shard_stores`: which node has a copy of each shard on its disk. */
import type { Index } from "../../engine/index.js";
import { oneOf } from "../body/shape.js";
import { allocationId } from "../cluster/routing.js";
import { healthOf } from "../cluster/state.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { indicesOf, nameOptions, STRICT } from "../indices/names.js";
import { shardsOf } from "../indices/settings.js";

/** What is asked for unless said: what may need care. */
const USUAL = ["yellow", "red"];

/** `GET /_shard_stores` */
export function shardStores(request: ApiRequest): Reply {
  const { node, captured, parameters } = request;
  const asked = parameters.list("status") ?? USUAL;
  for (const word of asked) oneOf(word, ["green", "yellow", "red", "all"] as const, "[status]");
  const options = nameOptions(parameters, { ...STRICT, closed: true });
  const indices = unblocked(indicesOf(node.engine, captured.index ?? "_all", options), "metadata_read");
  const chosen = indices.filter((index) => asked.includes("all") || asked.includes(healthOf(index)));
  return json({
    indices: Object.fromEntries(chosen.map((index) => [index.name, { shards: storesOf(request, index) }])),
  });
}

function storesOf(request: ApiRequest, index: Index): Record<string, unknown> {
  const shards = Array.from({ length: shardsOf(index.definition.settings) }, (_, shard) => shard);
  return Object.fromEntries(shards.map((shard) => [shard, { stores: [store(request, index, shard)] }]));
}

function store({ node }: ApiRequest, index: Index, shard: number): Record<string, unknown> {
  const { id, name, attributes } = node;
  const { damage } = index;
  return {
    [id]: { name, ephemeral_id: id, transport_address: node.address(), attributes },
    allocation_id: allocationId(index, shard),
    // A copy that can't be used is held by nobody.
    allocation: damage === undefined ? "primary" : "unused",
    ...(damage === undefined ? {} : { store_exception: { type: "corrupt_index_exception", reason: damage.message } }),
  };
}
