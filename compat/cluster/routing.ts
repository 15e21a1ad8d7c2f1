/** Copies of shards as Elasticsearch's routing tables list them: primaries on this node, replicas nowhere. */
import type { Index } from "../../engine/index.js";
import { replicasOf, shardsOf } from "../indices/settings.js";

/** One copy of one shard. */
export interface ShardCopy {
  readonly state: "STARTED" | "UNASSIGNED";
  readonly primary: boolean;
  readonly node: string | null;
  readonly relocating_node: null;
  readonly shard: number;
  readonly index: string;
  readonly allocation_id?: { readonly id: string };
  readonly recovery_source?: { readonly type: string };
  readonly unassigned_info?: Readonly<Record<string, unknown>>;
}

/** Copies of an index, by shard. */
export function shardCopies(index: Index, nodeId: string): Record<string, ShardCopy[]> {
  const { settings } = index.definition;
  const replicas = replicasOf(settings);
  return Object.fromEntries(
    Array.from({ length: shardsOf(settings) }, (_, shard) => [
      shard,
      [primary(index, shard, nodeId), ...Array.from({ length: replicas }, () => replica(index, shard))],
    ]),
  );
}

function primary(index: Index, shard: number, nodeId: string): ShardCopy {
  const place = { primary: true, relocating_node: null, shard, index: index.name } as const;
  const { damage } = index;
  if (damage === undefined) {
    return { state: "STARTED", ...place, node: nodeId, allocation_id: { id: allocationId(index, shard) } };
  }
  return {
    state: "UNASSIGNED",
    ...place,
    node: null,
    recovery_source: { type: "EXISTING_STORE" },
    unassigned_info: {
      reason: "ALLOCATION_FAILED",
      at: new Date(damage.foundAtMs).toISOString(),
      failed_attempts: 1,
      delayed: false,
      details: damage.message,
      allocation_status: "no_valid_shard_copy",
    },
  };
}

function replica(index: Index, shard: number): ShardCopy {
  return {
    state: "UNASSIGNED",
    primary: false,
    node: null,
    relocating_node: null,
    shard,
    index: index.name,
    recovery_source: { type: "PEER" },
    unassigned_info: {
      reason: "INDEX_CREATED",
      at: new Date(index.definition.createdAt).toISOString(),
      delayed: false,
      allocation_status: "no_attempt",
    },
  };
}

/** A copy that is there is told by its index: there is one of each shard, and it stays. */
export function allocationId({ definition: { uuid } }: Index, shard: number): string {
  return `${uuid}${shard === 0 ? "" : `-${shard}`}`;
}
