/**
 * How much text of each leaf may have a line of a pattern, as the grams say: known once for a reader and a pattern. An estimate of
 * cost is followed by the search, a search by its next page, and most leaves have nothing of a rare word.
 */
import type { Field } from "../../mapping/field-table.js";
import type { GramQuery } from "../../regex/index.js";
import type { IndexReader } from "../../segment/types.js";

/** Questions that are remembered of a reader; the least recently asked goes. */
const MOST_KNOWN = 16;

interface Known {
  readonly field: Field;
  readonly grams: GramQuery;
  readonly chunks: readonly number[];
}

/** The latest first. */
const readers = new WeakMap<IndexReader, Known[]>();

/** Chunks at most in each leaf, if that was found out before. */
export function knownChunks(reader: IndexReader, field: Field, grams: GramQuery): readonly number[] | undefined {
  const known = readers.get(reader);
  const at = known?.findIndex((one) => one.grams === grams && one.field === field) ?? -1;
  if (known === undefined || at < 0) return undefined;
  const found = known[at];
  if (at > 0) {
    known.splice(at, 1);
    known.unshift(found);
  }
  return found.chunks;
}

/** The same, found out now if need be; undefined: a segment keeps no grams of the field. Segments must be in use. */
export function candidateChunks(reader: IndexReader, field: Field, grams: GramQuery): readonly number[] | undefined {
  const before = knownChunks(reader, field, grams);
  if (before !== undefined) return before;
  if (!field.trigrams) return undefined;
  const chunks: number[] = [];
  for (const { segment } of reader.leaves) {
    if (segment.trigrams === undefined) return undefined;
    chunks.push(segment.trigrams(field)?.estimate(grams) ?? 0);
  }
  const known = readers.get(reader) ?? [];
  readers.set(reader, known);
  known.unshift({ field, grams, chunks });
  if (known.length > MOST_KNOWN) known.pop();
  return chunks;
}
