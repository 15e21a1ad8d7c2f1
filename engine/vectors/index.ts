/**
 * Vectors: rows of f32 with an exact scan by kernels (format.ts, writer.ts, reader.ts, merge.ts), and the thread that
 * owns graphs over them (graph-host.ts here, graph-worker.ts there).
 */
export { similarityOf, type VectorMeta } from "./format.js";
export { GraphHost } from "./graph-host.js";
export { mergeVectors, type VectorInput } from "./merge.js";
export { type GraphSearch, readVectors, SegmentVectors } from "./reader.js";
export { normalise, VectorBuffer } from "./writer.js";
