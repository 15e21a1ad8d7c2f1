/** Statistics of one shard. One physical shard holds all documents of an index: the first of its shards shows them. */
import { createHash } from "node:crypto";
import path from "node:path";
import type { Index, IndexStats } from "../../engine/index.js";
import type { Node } from "../node.js";
import { type GroupOptions, printGroups } from "./groups.js";
import { totalsOf } from "./totals.js";

/** Which shard, and which groups of it. */
export interface AskedShard {
  readonly shard: number;
  readonly names: readonly string[];
  readonly options: GroupOptions;
}

/** Where a shard is, as `_stats` and `_segments` say it. */
export function shardRouting(node: Node): Record<string, unknown> {
  return { state: "STARTED", primary: true, node: node.id };
}

/** One entry of `shards`. */
export function shardStats(node: Node, index: Index, { shard, names, options }: AskedShard): Record<string, unknown> {
  const totals = totalsOf(node, shard === 0 ? [index] : []);
  const stats = index.stats();
  const folder = path.join(node.engine.dataFolder, "indices", index.definition.uuid);
  const maxSeqNo = shard === 0 ? stats.maxSeqNo : -1;
  return {
    routing: { ...shardRouting(node), relocating_node: null },
    ...printGroups(totals, names, options),
    commit: commitOf(index, stats, shard),
    seq_no: { max_seq_no: maxSeqNo, local_checkpoint: maxSeqNo, global_checkpoint: maxSeqNo },
    retention_leases: { primary_term: 1, version: 0, leases: [] },
    shard_path: { state_path: folder, data_path: folder, is_custom_data_path: false },
  };
}

/** A commit has no id of its own: index, shard and generation tell it from all others. */
function commitOf(index: Index, stats: IndexStats, shard: number): Record<string, unknown> {
  const { generation, maxSeqNo, docCount } = stats.commit;
  const first = shard === 0;
  const name = `${index.definition.uuid}/${shard}/${first ? generation : 0}`;
  return {
    id: createHash("sha256").update(name).digest().subarray(0, 16).toString("base64"),
    generation: first ? generation : 0,
    user_data: {
      history_uuid: index.definition.uuid,
      max_seq_no: String(first ? maxSeqNo : -1),
      local_checkpoint: String(first ? maxSeqNo : -1),
    },
    num_docs: first ? docCount : 0,
  };
}
