/**
 * One index: its write side, its read side, its recovery. Knows segments and the log, and nothing of queries; used by
 * engine.ts alone. Start reading at index-shard.ts, then shard-parts.ts; a write passes write-plan.ts, prepare.ts,
 * sequencer.ts, the log, publisher.ts, write-buffer.ts.
 */
export { createIdGenerator } from "./auto-id.js";
export { DefinitionStore } from "./definition.js";
export { IndexShard } from "./index-shard.js";
export { Preparer } from "./prepare.js";
export type { ReaderHandle } from "./segment-set.js";
export type { ShardEnvironment } from "./shard-parts.js";
