/** The cluster's state in Elasticsearch's form, part by part: what `_cluster/state` and `_cluster/reroute` answer. */
import { createHash } from "node:crypto";
import type { Index } from "../../engine/index.js";
import { notSupported } from "../errors.js";
import type { ApiRequest } from "../http/request.js";
import { aliasesOfIndex } from "../indices/aliases.js";
import { blocksOf } from "../indices/blocks.js";
import { flatSettings, nest } from "../indices/definition.js";
import { routingShardsOf, shardsOf } from "../indices/settings.js";
import { printMapping } from "../mapping/index.js";
import { allocationId, shardCopies } from "./routing.js";
import { votingExclusions } from "./voting-exclusions.js";

type Part = (request: ApiRequest, indices: readonly Index[]) => Record<string, unknown>;

/** By metric, in the order of the answer. */
const PARTS: Readonly<Record<string, Part>> = {
  version: ({ node }) => ({ version: node.engine.metadata.version, state_uuid: stateUuid(node) }),
  master_node: ({ node }) => ({ master_node: node.id }),
  cluster_manager_node: ({ node, identity }) =>
    identity.distribution === undefined ? {} : { cluster_manager_node: node.id },
  blocks: (_, indices) => ({ blocks: blocks(indices) }),
  nodes: (request) => ({ nodes: nodes(request) }),
  metadata: (request, indices) => ({ metadata: metadata(request, indices) }),
  routing_table: ({ node }, indices) => ({ routing_table: routingTable(node.id, indices) }),
  routing_nodes: ({ node }, indices) => ({ routing_nodes: routingNodes(node.id, indices) }),
};

export const STATE_METRICS: readonly string[] = Object.keys(PARTS);

/** Reads a list of metrics, `_all` being all. Throws ApiError 400 for one that is not there. */
export function readStateMetrics(asked: readonly string[], path: string): readonly string[] {
  for (const metric of asked) {
    if (metric !== "_all" && !Object.hasOwn(PARTS, metric)) throw notSupported(`metric [${metric}] of [${path}]`);
  }
  return asked.includes("_all") ? STATE_METRICS : asked;
}

/** The parts asked for. */
export function describeState(
  request: ApiRequest,
  metrics: readonly string[],
  indices: readonly Index[],
): Record<string, unknown> {
  const chosen = STATE_METRICS.filter((metric) => metrics.includes(metric));
  return Object.assign({}, ...chosen.map((metric) => PARTS[metric](request, indices)));
}

/** The state is told by its version: no two nodes share a cluster's uuid. */
function stateUuid({ engine, clusterUuid }: ApiRequest["node"]): string {
  const named = `${clusterUuid}/${engine.metadata.version}`;
  return createHash("sha256").update(named).digest().subarray(0, 16).toString("base64url");
}

const CLOSED_BLOCK = { 4: { description: "index closed", retryable: false, levels: ["read", "write"] } };

function blocks(indices: readonly Index[]): Record<string, unknown> {
  const blocked = indices.flatMap((index) => {
    const own = blocksOf(index).map(({ id, description, levels }) => [id, { description, retryable: false, levels }]);
    const all = { ...(index.definition.closed === true ? CLOSED_BLOCK : {}), ...Object.fromEntries(own) };
    return Object.keys(all).length === 0 ? [] : [[index.name, all]];
  });
  return blocked.length === 0 ? {} : { indices: Object.fromEntries(blocked) };
}

function nodes({ node }: ApiRequest): Record<string, unknown> {
  const { name, attributes } = node;
  return { [node.id]: { name, ephemeral_id: node.id, transport_address: node.address(), attributes } };
}

function metadata(request: ApiRequest, indices: readonly Index[]): Record<string, unknown> {
  const { node } = request;
  const voters = [node.id];
  return {
    cluster_uuid: node.clusterUuid,
    cluster_uuid_committed: true,
    cluster_coordination: {
      term: 1,
      last_committed_config: voters,
      last_accepted_config: voters,
      voting_config_exclusions: votingExclusions(node.engine),
    },
    indices: Object.fromEntries(indices.map((index) => [index.name, describeIndex(request, index)])),
  };
}

function describeIndex({ node, parameters }: ApiRequest, index: Index): Record<string, unknown> {
  const { settings, mapping, closed } = index.definition;
  const shards = Array.from({ length: shardsOf(settings) }, (_, shard) => shard);
  const flat = flatSettings(index);
  return {
    routing_num_shards: routingShardsOf(settings),
    state: closed === true ? "close" : "open",
    settings: parameters.boolean("flat_settings", false) ? flat : nest(flat),
    mappings: { _doc: printMapping(mapping) },
    aliases: Object.keys(aliasesOfIndex(node.engine, index.name)),
    primary_terms: Object.fromEntries(shards.map((shard) => [shard, 1])),
    in_sync_allocations: Object.fromEntries(shards.map((shard) => [shard, [allocationId(index, shard)]])),
  };
}

function routingTable(nodeId: string, indices: readonly Index[]): Record<string, unknown> {
  return { indices: Object.fromEntries(indices.map((index) => [index.name, { shards: shardCopies(index, nodeId) }])) };
}

function routingNodes(nodeId: string, indices: readonly Index[]): Record<string, unknown> {
  const copies = indices.flatMap((index) => Object.values(shardCopies(index, nodeId)).flat());
  return {
    unassigned: copies.filter(({ node }) => node === null),
    nodes: { [nodeId]: copies.filter(({ node }) => node !== null) },
  };
}
