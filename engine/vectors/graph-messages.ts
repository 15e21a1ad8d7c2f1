/** What the graph worker is asked and what it answers. `key` names a graph: segment and field. */
import type { VectorSimilarity } from "../mapping/mapping.js";

/** Links of a node on each layer above the lowest, as hnswlib counts them (Malkov and Yashunin, 2016: M). */
export const GRAPH_M = 16;
/** Candidates looked at while building. */
export const GRAPH_EF_CONSTRUCTION = 150;

export type GraphRequest =
  | { kind: "begin"; key: string; dims: number; rows: number; similarity: VectorSimilarity }
  /** Row-major values of rows from `first`. */
  | { kind: "add"; key: string; first: number; dims: number; values: Float32Array }
  /** Writes the graph to `file` and its checksum beside it. */
  | { kind: "finish"; key: string; file: string }
  /** Answers false when there is no such file, or it is not what was written. */
  | { kind: "load"; key: string; file: string; dims: number; rows: number; similarity: VectorSimilarity }
  | { kind: "search"; key: string; query: Float32Array; count: number }
  | { kind: "drop"; key: string }
  /** Answers whether the library is there. */
  | { kind: "available" };

export type GraphAnswer = { id: number; value: boolean | Uint32Array } | { id: number; error: string };

/** Suffix of the file that holds a graph file's checksum. */
export const CHECKSUM_SUFFIX = ".sum";
