/** The node's condition in numbers that `_cluster`, `_nodes` and `_cat` share. All shards are primaries on this node. */
import type { EngineFace, Index } from "../../engine/index.js";
import { replicasOf, shardsOf } from "../indices/settings.js";
import type { ShardTarget } from "../indices/shards.js";

export type Health = "green" | "yellow" | "red";

/** Red when it is damaged; yellow as long as an index asks for copies: there is no other node to hold them. */
export function healthOf(index: Index): Health {
  if (index.damage !== undefined) return "red";
  return replicasOf(index.definition.settings) > 0 ? "yellow" : "green";
}

export interface ShardCounts {
  /** Primaries that work. */
  primaries: number;
  /** Copies that are wanted and not there, those of damaged indices included. */
  unassigned: number;
  unassignedPrimaries: number;
}

/** Shards as an index's settings ask for them; one physical shard holds them all. */
export function shardCounts({ definition: { settings }, damage }: Index): ShardCounts {
  const wanted = shardsOf(settings);
  const unassignedPrimaries = damage === undefined ? 0 : wanted;
  const unassigned = wanted * replicasOf(settings) + unassignedPrimaries;
  return { primaries: wanted - unassignedPrimaries, unassigned, unassignedPrimaries };
}

export function sumShards(indices: readonly Index[]): ShardCounts {
  const sum = { primaries: 0, unassigned: 0, unassignedPrimaries: 0 };
  for (const index of indices) {
    const counts = shardCounts(index);
    sum.primaries += counts.primaries;
    sum.unassigned += counts.unassigned;
    sum.unassignedPrimaries += counts.unassignedPrimaries;
  }
  return sum;
}

export function worst(indices: readonly Index[]): Health {
  const all = new Set(indices.map(healthOf));
  return (["red", "yellow"] as const).find((health) => all.has(health)) ?? "green";
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
