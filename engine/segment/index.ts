/**
 * The immutable segment: its file (format.ts, file-writer.ts, file.ts), the reader over its data structures
 * (reader.ts, contract in types.ts), merging, live docs, and the commit that says which segments count.
 */
export { ByteCheck } from "./byte-check.js";
export {
  type Commit,
  type CommittedSegment,
  commitFile,
  filesOf,
  readCommit,
  readCommitFile,
  removeUnreferenced,
  writeCommit,
} from "./commit.js";
export { SegmentFile } from "./file.js";
export { SegmentFileWriter } from "./file-writer.js";
export { attachGraphs, dropGraphs, GRAPH_ROWS, type GraphOptions, graphFileName } from "./graphs.js";
export { liveFileName, readLiveDocs, writeLiveDocs } from "./live-docs.js";
export { DROPPED, type MergeInput, type MergeTarget, mergeSegments } from "./merge.js";
export type { SegmentMeta } from "./meta.js";
export { OpenSegment, type SegmentRef, segmentFileName } from "./reader.js";
export type * from "./types.js";
