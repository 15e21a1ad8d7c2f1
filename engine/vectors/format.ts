/**
 * Vectors of one field.
 *
 *   vectorMeta, 16 bytes
 *   offset  bytes  name        meaning
 *   0       4      dims        numbers of a vector
 *   4       4      rows        vectors
 *   8       4      similarity  1 cosine, 2 dot_product, 3 l2_norm, 4 max_inner_product
 *   12      4      zero
 *
 *   vectorDocs        u32[rows]: documents, ascending; absent where row = document for all
 *   vectorRows        f32[rows * dims]; for cosine each divided by its magnitude
 *   vectorMagnitudes  f32[rows], cosine only: the lengths the vectors had
 *
 * Example: meta of 2 vectors of 3 dimensions, cosine: 03000000 02000000 01000000 00000000
 */
import type { VectorSimilarity } from "../mapping/mapping.js";

export const VECTOR_META_BYTES = 16;

const SIMILARITIES: readonly VectorSimilarity[] = ["cosine", "dot_product", "l2_norm", "max_inner_product"];

export interface VectorMeta {
  dims: number;
  rows: number;
  similarity: VectorSimilarity;
}

export function encodeVectorMeta(meta: VectorMeta): Uint8Array {
  const words = Uint32Array.of(meta.dims, meta.rows, SIMILARITIES.indexOf(meta.similarity) + 1, 0);
  return new Uint8Array(words.buffer);
}

export function decodeVectorMeta(bytes: Uint8Array): VectorMeta {
  const view = new DataView(bytes.buffer, bytes.byteOffset, VECTOR_META_BYTES);
  return {
    dims: view.getUint32(0, true),
    rows: view.getUint32(4, true),
    similarity: SIMILARITIES[view.getUint32(8, true) - 1],
  };
}

/** A field's similarity; Elasticsearch's default is cosine. */
export function similarityOf(mapping: { similarity?: VectorSimilarity }): VectorSimilarity {
  return mapping.similarity ?? "cosine";
}
