/** From a raw similarity to a score, as Lucene's `VectorSimilarityFunction` does it; float32. */
import type { VectorSimilarity } from "../../mapping/mapping.js";

const f32 = Math.fround;

/** Score of a raw similarity: a dot product, or a squared distance for `l2_norm`. */
export function similarityScore(kind: VectorSimilarity, raw: number): number {
  switch (kind) {
    case "cosine":
    case "dot_product":
      return Math.max(f32(f32(1 + raw) / 2), 0);
    case "l2_norm":
      return f32(1 / f32(1 + raw));
    case "max_inner_product":
      return raw < 0 ? f32(1 / f32(1 - raw)) : f32(raw + 1);
  }
}

/** Whether a raw similarity reaches what was asked for: at least a product, at most a distance. */
export function isSimilar(kind: VectorSimilarity, raw: number, wanted: number | undefined): boolean {
  if (wanted === undefined) return true;
  return kind === "l2_norm" ? Math.sqrt(raw) <= wanted : raw >= wanted;
}

/** The query vector as columns hold theirs: of length 1 for cosine. */
export function prepareVector(kind: VectorSimilarity, vector: readonly number[]): Float32Array {
  const prepared = Float32Array.from(vector);
  if (kind !== "cosine") return prepared;
  let squares = 0;
  for (const value of prepared) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? prepared : prepared.map((value) => value / length);
}
