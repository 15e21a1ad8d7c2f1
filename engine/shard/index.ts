/**
 * One index: its write side, its read side, its recovery. Knows segments and the log, and nothing of queries; used by
 * engine.ts alone. Start reading at index-shard.ts, then shard-parts.ts; a write passes write-plan.ts, intake.ts,
 * prepare.ts, sequencer.ts, the log, publisher.ts, write-buffer.ts.
 */
export { createIdGenerator } from "./auto-id.js";
export { newCounters } from "./counters.js";
export { type ChangeableSettings, DefinitionStore, firstTable, type StoredDefinition } from "./definition.js";
export { IndexShard } from "./index-shard.js";
export { checkFolderThere, committedIn, gap, missingPart } from "./missing-parts.js";
export { Preparer } from "./prepare.js";
export type { FinishedSearch } from "./search-counts.js";
export { type HeldCommit, SegmentFolder } from "./segment-folder.js";
export type { ReaderHandle } from "./segment-set.js";
export type { ShardEnvironment } from "./shard-parts.js";
