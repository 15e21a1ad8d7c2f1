/** The node's condition in numbers that `_cluster`, `_nodes` and `_cat` share. All shards are primaries on this node. */
import type { Index } from "../../engine/index.js";
import { replicasOf, shardsOf } from "../indices/settings.js";

export type Health = "green" | "yellow";

/** Yellow as long as an index asks for copies: there is no other node to hold them. */
export function healthOf(index: Index): Health {
  return replicasOf(index.definition.settings) > 0 ? "yellow" : "green";
}

export interface ShardCounts {
  primaries: number;
  unassigned: number;
}

/** Shards as an index's settings ask for them; one physical shard holds them all. */
export function shardCounts(index: Index): ShardCounts {
  const primaries = shardsOf(index.definition.settings);
  return { primaries, unassigned: primaries * replicasOf(index.definition.settings) };
}

export function sumShards(indices: readonly Index[]): ShardCounts {
  const sum = { primaries: 0, unassigned: 0 };
  for (const index of indices) {
    const counts = shardCounts(index);
    sum.primaries += counts.primaries;
    sum.unassigned += counts.unassigned;
  }
  return sum;
}

export function worst(indices: readonly Index[]): Health {
  return indices.some((index) => healthOf(index) === "yellow") ? "yellow" : "green";
}

/** Percent of wanted shards that are active, 100 when none is wanted. */
export function activePercent({ primaries, unassigned }: ShardCounts): number {
  const wanted = primaries + unassigned;
  return wanted === 0 ? 100 : (primaries / wanted) * 100;
}
