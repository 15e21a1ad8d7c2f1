/** `_search_shards`: which shards a search would ask, and by which aliases it would be narrowed. */
import type { Index } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { aliasesOfIndex } from "../indices/aliases.js";
import { nameOptions, searchRouting, searchTargets, wildcard } from "../indices/names.js";
import { chosenShards, readShardChoice } from "../indices/shards.js";
import { printQuery } from "../query/print-query.js";
import { checkSlice, readSlice } from "../search/slice.js";

export const SEARCH_SHARDS_SHAPE = shape("search_shards", "object", { slice: "object" });

export function searchShards(request: ApiRequest, body: BodyOf<typeof SEARCH_SHARDS_SHAPE>): Reply {
  const { node, parameters, captured } = request;
  const { engine } = node;
  const expression = captured.index ?? "_all";
  const options = nameOptions(parameters);
  const targets = searchTargets(engine, expression, options);
  const slice = body.slice === undefined ? undefined : readSlice(body.slice);
  if (slice !== undefined) checkSlice(engine, targets, slice);
  const choice = { ...readShardChoice(parameters, node), ...(slice === undefined ? {} : { slice }) };
  const indices: Record<string, unknown> = {};
  const shards: unknown[] = [];
  for (const target of targets) {
    const index = engine.index(target.index);
    if (index === undefined) continue;
    const aliases = namedAliases(request, expression, index);
    indices[index.name] = {
      ...(aliases.length === 0 ? {} : { aliases }),
      ...(target.filter === undefined ? {} : { filter: printQuery(target.filter) }),
    };
    const chosen = chosenShards(index, choice, searchRouting(engine, expression, options, index.name));
    for (const shard of chosen.shards) shards.push([shardCopy(request, index, shard)]);
  }
  return json({ nodes: { [node.id]: describeNode(request) }, indices, shards });
}

/** Aliases of an index that an expression names, itself or by pattern. */
function namedAliases(request: ApiRequest, expression: string, index: Index): string[] {
  const tests = expression.split(",").map((part) => wildcard(part === "_all" ? "*" : part));
  const names = Object.keys(aliasesOfIndex(request.node.engine, index.name));
  return names.filter((name) => tests.some((matches) => matches(name))).sort();
}

function shardCopy({ node }: ApiRequest, index: Index, shard: number): Record<string, unknown> {
  return {
    state: index.damage === undefined ? "STARTED" : "UNASSIGNED",
    primary: true,
    node: index.damage === undefined ? node.id : null,
    relocating_node: null,
    shard,
    index: index.name,
    ...(index.damage === undefined ? { allocation_id: { id: `${index.definition.uuid}-${shard}` } } : {}),
  };
}

function describeNode({ node }: ApiRequest): Record<string, unknown> {
  return { name: node.name, ephemeral_id: node.id, transport_address: node.address(), attributes: {} };
}
