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
  return kept(leaf, field, {
    what: "frequencies",
    bytes: dictionary.size * 4,
    make: () => {
      const frequencies = new Uint32Array(dictionary.size);
      for (let ordinal = 0; ordinal < frequencies.length; ordinal++) {
        frequencies[ordinal] = dictionary.state(ordinal).docFreq;
      }
      return frequencies;
    },
  });
}

/** Smallest and largest value of each block of rows. */
export interface BlockRanges {
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/**
 * The blocks of a field's column in which every document has exactly one value; kept with the reader. null: it has not,
 * or there are no block ranges.
 */
export function blockRanges(leaf: LeafContext, field: Field): BlockRanges | null {
  const column = leaf.segment.column(field);
  if (field.type === "date_nanos") return null;
  if (column?.kind !== "long" || column.presence.bits !== null || column.offsets !== null) return null;
  const { blockMin, blockMax } = column;
  if (blockMin === null || blockMax === null || !fitsNumbers(column)) return null;
  return kept(leaf, field, {
    what: "blocks",
    bytes: blockMin.length * 16,
    make: () => ({ min: valuesOf(column, blockMin), max: valuesOf(column, blockMax) }),
  });
}

function valuesOf(column: LongColumn, raw: Uint32Array): Float64Array {
  const base = Number(column.base);
  const step = Number(column.step);
  const values = new Float64Array(raw.length);
  for (let i = 0; i < raw.length; i++) values[i] = base + raw[i] * step;
  return values;
}

/** What was made once for a leaf and field; readers do not change. */
function kept<T>(leaf: LeafContext, field: Field, of: { what: string; bytes: number; make: () => T }): T {
  const { cache } = leaf.context.reader;
  const key = `${of.what}:${leaf.segment.name}:${field.ordinal}`;
  const known = cache.get(key) as T | undefined;
  if (known !== undefined) return known;
  const made = of.make();
  cache.set(key, made, { bytes: of.bytes, field: field.path });
  return made;
}
