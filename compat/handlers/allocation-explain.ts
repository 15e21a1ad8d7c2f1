/**
 * `_cluster/allocation/explain`: why a shard is not assigned, or that it is. There is one node, so a primary is missing
 * only when its index is damaged, and a replica always is. Forms as OpenSearch 2.19 gave them for a shard whose files had
 * been damaged and for a replica without a second node; words that differ are Elasticsearch 8's.
 */
import type { Damage, Index } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { shardCounts } from "../cluster/state.js";
import { ApiError, illegalArgument, indexNotFound, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { EVERY, indicesOf } from "../indices/names.js";
import { replicasOf, shardsOf } from "../indices/settings.js";
import { double } from "../json/print.js";
import { diskSpace } from "../process/fs-stats.js";

export const ALLOCATION_EXPLAIN_SHAPE = shape("cluster/allocation/explain", "object", {
  index: "string",
  shard: "integer",
  primary: "boolean",
  current_node: "string",
});

type Body = BodyOf<typeof ALLOCATION_EXPLAIN_SHAPE>;

/** One copy of one shard. */
interface Copy {
  readonly index: Index;
  readonly shard: number;
  readonly primary: boolean;
}

/** `GET /_cluster/allocation/explain` */
export function allocationExplain(request: ApiRequest, body: Body): Reply {
  checkNode(request, body.current_node);
  const asked = body.index !== undefined || body.shard !== undefined || body.primary !== undefined;
  const copy = asked ? askedCopy(request, body) : anyUnassigned(request);
  const { index, shard, primary } = copy;
  const note = asked || isOpenSearch(request) ? {} : { note: NOTE };
  const disk = request.parameters.boolean("include_disk_info", false) ? { cluster_info: diskInfo(request) } : {};
  const { current_state, unassigned_info, current_node, ...rest } = explain(request, copy);
  const state = { current_state, unassigned_info, current_node };
  return json({ ...note, index: index.name, shard, primary, ...state, ...disk, ...rest });
}

const NOTE =
  "No shard was specified in the explain API request, so this response explains a randomly chosen unassigned shard. There may be other unassigned shards in this cluster which cannot be assigned for different reasons. It may not be possible to assign this shard until one of the other shards is assigned correctly. To explain the allocation of other shards (whether assigned or unassigned) you must specify the target shard in the request to this API.";

/** How full the node's disk is and how large its shards are. */
function diskInfo({ node }: ApiRequest): Record<string, unknown> {
  const { total, available } = diskSpace(node.engine.dataFolder);
  const usage = {
    path: node.engine.dataFolder,
    total_bytes: total,
    used_bytes: total - available,
    free_bytes: available,
    free_disk_percent: double(Math.round((available / total) * 1_000) / 10),
    used_disk_percent: double(Math.round(((total - available) / total) * 1_000) / 10),
  };
  const sizes = indicesOf(node.engine, "_all", EVERY).flatMap((index) =>
    Array.from({ length: shardsOf(index.definition.settings) }, (_, shard) => [
      `[${index.name}][${shard}][p]_bytes`,
      shard === 0 ? index.stats().storeBytes : 0,
    ]),
  );
  return {
    nodes: { [node.id]: { node_name: node.name, least_available: usage, most_available: usage } },
    shard_sizes: Object.fromEntries(sizes),
    shard_paths: {},
  };
}

function isOpenSearch({ identity }: ApiRequest): boolean {
  return identity.distribution === "opensearch";
}

function checkNode({ node }: ApiRequest, wanted: string | undefined): void {
  if (wanted === undefined || wanted === node.id || wanted === node.name) return;
  throw illegalArgument(`failed to resolve [${wanted}], no matching nodes`);
}

function askedCopy({ node }: ApiRequest, { index: name, shard, primary }: Body): Copy {
  if (name === undefined) throw validationFailed("index must be specified");
  if (shard === undefined) throw validationFailed("shard must be specified");
  if (primary === undefined) throw validationFailed("primary must be specified");
  const index = node.engine.index(name);
  if (index === undefined) throw indexNotFound(name);
  const { settings, uuid } = index.definition;
  if (shard < 0 || shard >= shardsOf(settings)) {
    const fields = { index_uuid: uuid, shard: String(shard), index: name };
    throw new ApiError(404, "shard_not_found_exception", "no such shard", { fields });
  }
  if (!primary && replicasOf(settings) === 0) {
    throw illegalArgument(
      `unable to find any shards to explain [ClusterAllocationExplainRequest[index=${name},shard=${shard},primary?=false,includeYesDecisions?=false] in the routing table`,
    );
  }
  return { index, shard, primary };
}

/** A primary before a replica. Throws ApiError 400 when every copy is where it should be. */
function anyUnassigned(request: ApiRequest): Copy {
  const indices = indicesOf(request.node.engine, "_all", EVERY);
  const primary = indices.find(({ damage }) => damage !== undefined);
  if (primary) return { index: primary, shard: 0, primary: true };
  const replica = indices.find(({ definition }) => replicasOf(definition.settings) > 0);
  if (replica) return { index: replica, shard: 0, primary: false };
  throw illegalArgument(
    isOpenSearch(request)
      ? "unable to find any unassigned shards to explain [ClusterAllocationExplainRequest[useAnyUnassignedShard=true,includeYesDecisions?=false]"
      : "No shard was specified in the request which means the response should explain a randomly-chosen unassigned shard, but there are no unassigned shards in this cluster. To explain the allocation of an assigned shard you must specify the target shard in the request.",
  );
}

function explain(request: ApiRequest, copy: Copy): Record<string, unknown> {
  const { damage } = copy.index;
  if (!copy.primary) return replica(request, copy);
  return damage === undefined ? assigned(request) : damagedPrimary(request, copy.index, damage);
}

/** The node as a place for a copy. */
function place({ node }: ApiRequest) {
  return { name: node.name, transport_address: node.address() };
}

function assigned(request: ApiRequest): Record<string, unknown> {
  const { engine, id } = request.node;
  const unassigned = indicesOf(engine, "_all", EVERY).some((index) => shardCounts(index).unassigned > 0);
  const decisions = [
    decider("rebalance_only_when_active", "rebalancing is not allowed until all replicas in the cluster are active"),
    decider(
      "cluster_rebalance",
      "the cluster has unassigned shards and cluster setting [cluster.routing.allocation.allow_rebalance] is set to [indices_all_active]",
    ),
  ];
  return {
    current_state: "started",
    current_node: { id, ...place(request), attributes: request.node.attributes, weight_ranking: 1 },
    can_remain_on_current_node: "yes",
    can_rebalance_cluster: unassigned ? "no" : "yes",
    ...(unassigned ? { can_rebalance_cluster_decisions: decisions } : {}),
    can_rebalance_to_other_node: "no",
    rebalance_explanation: unassigned
      ? "rebalancing is not allowed"
      : "cannot rebalance as no target node exists that can both allocate this shard and improve the cluster balance",
  };
}

function decider(name: string, explanation: string) {
  return { decider: name, decision: "NO", explanation };
}

function damagedPrimary(request: ApiRequest, index: Index, damage: Damage): Record<string, unknown> {
  const reason = damage.message;
  return {
    current_state: "unassigned",
    unassigned_info: {
      reason: "ALLOCATION_FAILED",
      at: new Date(damage.foundAtMs).toISOString(),
      failed_allocation_attempts: 1,
      details: `failed shard on node [${request.node.id}]: shard failure, reason [file ${damage.file} is damaged at byte ${damage.offset}], failure corrupt_index_exception[${reason}]`,
      last_allocation_status: "no_valid_shard_copy",
    },
    can_allocate: "no_valid_shard_copy",
    allocate_explanation: `the only copy of this shard is damaged. Restore [${index.name}] from a snapshot or index it again; or stop the node and run pinakes verify ${index.name}, then pinakes repair ${index.name}, which says what would be lost`,
    node_allocation_decisions: [
      {
        ...decisionOf(request),
        store: {
          in_sync: true,
          allocation_id: index.definition.uuid,
          store_exception: { type: "corrupt_index_exception", reason },
        },
      },
    ],
  };
}

function decisionOf(request: ApiRequest) {
  const { name, transport_address } = place(request);
  return {
    node_id: request.node.id,
    node_name: name,
    transport_address,
    node_attributes: request.node.attributes,
    node_decision: "no",
  };
}

function replica(request: ApiRequest, { index, shard }: Copy): Record<string, unknown> {
  const why = index.damage
    ? decider("replica_after_primary_active", "primary shard for this replica is not yet active")
    : decider(
        "same_shard",
        `a copy of this shard is already allocated to this node [[${index.name}][${shard}], node[${request.node.id}], [P], s[STARTED], a[id=${index.definition.uuid}]]`,
      );
  return {
    current_state: "unassigned",
    unassigned_info: {
      reason: "INDEX_CREATED",
      at: new Date(index.definition.createdAt).toISOString(),
      last_allocation_status: "no_attempt",
    },
    can_allocate: "no",
    allocate_explanation: isOpenSearch(request)
      ? "cannot allocate because allocation is not permitted to any of the nodes"
      : "Elasticsearch isn't allowed to allocate this shard to any of the nodes in the cluster. Choose a node to which you expect this shard to be allocated, find this node in the node-by-node explanation, and address the reasons which prevent Elasticsearch from allocating this shard there.",
    node_allocation_decisions: [{ ...decisionOf(request), weight_ranking: 1, deciders: [why] }],
  };
}
