/** The node's condition in numbers that `_cluster`, `_nodes` and `_cat` share. All shards are primaries on this node. */
import type { EngineFace, Index } from "../../engine/index.js";
import { replicasOf, shardsOf } from "../indices/settings.js";
import type { ShardTarget } from "../indices/shards.js";

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

/** `_shards` of requests to whole indices: every copy that should be there, the primaries that are. */
export function shardTotals(indices: readonly Index[]): { total: number; successful: number; failed: number } {
  const { primaries, unassigned } = sumShards(indices);
  return { total: primaries + unassigned, successful: primaries, failed: 0 };
}

/** Shards that a search of these indices asks: one copy of each. */
export function searchedShards(engine: EngineFace, targets: readonly ShardTarget[]): number {
  let all = 0;
  for (const { index, shards } of targets) all += shards ?? shardsOf(engine.index(index)?.definition.settings ?? {});
  return all;
}

/** Percent of wanted shards that are active, 100 when none is wanted. */
export function activePercent({ primaries, unassigned }: ShardCounts): number {
  const wanted = primaries + unassigned;
  return wanted === 0 ? 100 : (primaries / wanted) * 100;
}
