/**
 * What a segment knows of all its documents without looking at them: how many have a term, and between which values the
 * rows of a block lie. Good for leaves where everything matches and nothing is deleted.
 */
import type { Field } from "../mapping/field-table.js";
import type { LeafContext } from "../query/exec/context.js";
import type { LongColumn } from "../segment/types.js";
import { fitsNumbers } from "../sort/index.js";

/** A dictionary with fewer documents per term than this is slower read than the column. */
const DOCS_PER_TERM = 8;

/** Rows per entry of a long column's blockMin and blockMax. */
export const BLOCK_ROWS = 128;

/** Number of documents with each term, by ordinal; kept with the reader. null: the dictionary does not tell. */
export function documentFrequencies(leaf: LeafContext, field: Field): Uint32Array | null {
  if (!field.inverted) return null;
  const dictionary = leaf.segment.terms(field);
  if (dictionary === null || dictionary.size * DOCS_PER_TERM > leaf.docCount) return null;
  const { cache } = leaf.context.reader;
  const key = `frequencies:${leaf.segment.name}:${field.ordinal}`;
  let frequencies = cache.get(key) as Uint32Array | undefined;
  if (frequencies === undefined) {
    frequencies = Uint32Array.from({ length: dictionary.size }, (_, ordinal) => dictionary.state(ordinal).docFreq);
    cache.set(key, frequencies);
  }
  return frequencies;
}

/** Smallest and largest value of each block of rows. */
export interface BlockRanges {
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** The blocks of a column in which every document has exactly one value; null: it has not, or keeps no block ranges. */
export function blockRanges(column: LongColumn): BlockRanges | null {
  const { blockMin, blockMax, presence, offsets } = column;
  if (blockMin === null || blockMax === null || presence.bits !== null || offsets !== null) return null;
  if (!fitsNumbers(column)) return null;
  const base = Number(column.base);
  const step = Number(column.step);
  return {
    min: Float64Array.from(blockMin, (raw) => base + raw * step),
    max: Float64Array.from(blockMax, (raw) => base + raw * step),
  };
}
