/**
 * Statistics that scores rest on, of live documents only: what a leaf counts, less what was deleted from it. So a merge,
 * which drops the deleted, changes no score (Lucene counts deleted documents until they merge away).
 * Computed on first use and kept in the reader's cache.
 */
import type { Field } from "../../mapping/field-table.js";
import type { IndexReader, Leaf, Presence, SegmentReader, TermDictionary, TermState } from "../../segment/types.js";
import { NO_MORE_DOCS } from "../../segment/types.js";
import { hasBit } from "./bits.js";
import type { FieldStatistics } from "./bm25.js";

/** Documents with terms, and number of tokens, of a field over the live documents of an index. */
export function fieldStatistics(reader: IndexReader, field: Field): FieldStatistics {
  const key = `field-statistics:${field.ordinal}`;
  const known = reader.cache.get(key) as FieldStatistics | undefined;
  if (known !== undefined) return known;
  const total = { docCount: 0, sumTotalTermFreq: 0 };
  for (const leaf of reader.leaves) {
    const stats = leaf.segment.fieldStats(field);
    const deleted = deletedStatistics(leaf, field);
    total.docCount += stats.docCount - deleted.docCount;
    total.sumTotalTermFreq += stats.sumTotalTermFreq - deleted.sumTotalTermFreq;
  }
  reader.cache.set(key, total);
  return total;
}

function deletedStatistics(leaf: Leaf, field: Field): FieldStatistics {
  const deleted = { docCount: 0, sumTotalTermFreq: 0 };
  if (leaf.live === null) return deleted;
  const count = termCounter(leaf.segment, field);
  if (count === null) return deletedPostings(leaf, field);
  forEachDeleted(leaf, leaf.live, (doc) => {
    const terms = count(doc);
    if (terms > 0) deleted.docCount++;
    deleted.sumTotalTermFreq += terms;
  });
  return deleted;
}

/** Number of terms a document gave to a field; null: only the postings tell. */
function termCounter(segment: SegmentReader, field: Field): ((doc: number) => number) | null {
  if (field.type === "text") return (doc) => segment.fieldLength(field, doc);
  const presence = segment.presence(field);
  const column = segment.column(field);
  if (column === null) return null;
  const { offsets } = column;
  if (offsets === null) return (doc) => (isPresent(presence, doc) ? 1 : 0);
  if (column.kind === "ordinals") return (doc) => offsets[doc + 1] - offsets[doc];
  // Numbers keep every value, ascending; equal ones are one term.
  const values = column.kind === "long" ? column.raw : column.values;
  return (doc) => {
    let terms = 0;
    for (let row = offsets[doc]; row < offsets[doc + 1]; row++) {
      if (row === offsets[doc] || values[row] !== values[row - 1]) terms++;
    }
    return terms;
  };
}

/** Without a column (`doc_values: false`) every term's postings are looked at, once per reader. */
function deletedPostings(leaf: Leaf, field: Field): FieldStatistics {
  const deleted = { docCount: 0, sumTotalTermFreq: 0 };
  const presence = leaf.segment.presence(field);
  forEachDeleted(leaf, leaf.live as Uint32Array, (doc) => {
    if (isPresent(presence, doc)) deleted.docCount++;
  });
  const dictionary = leaf.segment.terms(field);
  for (let ordinal = 0; ordinal < (dictionary?.size ?? 0); ordinal++) {
    const state = (dictionary as TermDictionary).state(ordinal);
    deleted.sumTotalTermFreq += state.docFreq - livePostings(leaf, field, state);
  }
  return deleted;
}

function isPresent(presence: Presence | null, doc: number): boolean {
  return presence !== null && (presence.bits === null || hasBit(presence.bits, doc));
}

function forEachDeleted(leaf: Leaf, live: Uint32Array, visit: (doc: number) => void): void {
  const docCount = leaf.segment.docCount;
  for (let w = 0; w < live.length; w++) {
    let word = ~live[w];
    while (word !== 0) {
      const doc = (w << 5) + 31 - Math.clz32(word & -word);
      if (doc >= docCount) return;
      visit(doc);
      word &= word - 1;
    }
  }
}

/** Live documents of an index that contain a term; `states` has the term's place in each leaf. */
export function liveDocFreq(
  reader: IndexReader,
  field: Field,
  term: Uint8Array,
  states: readonly (TermState | null)[],
): number {
  if (reader.leaves.every((leaf) => leaf.live === null)) {
    return states.reduce((sum, state) => sum + (state?.docFreq ?? 0), 0);
  }
  const key = `doc-freq:${field.ordinal}:${Buffer.from(term.buffer, term.byteOffset, term.byteLength).toString("latin1")}`;
  const known = reader.cache.get(key) as number | undefined;
  if (known !== undefined) return known;
  let count = 0;
  reader.leaves.forEach((leaf, i) => {
    const state = states[i];
    if (state !== null) count += livePostings(leaf, field, state);
  });
  reader.cache.set(key, count);
  return count;
}

/** Counts the smaller side: the term's postings, or the leaf's deleted documents. */
function livePostings(leaf: Leaf, field: Field, state: TermState): number {
  const live = leaf.live;
  if (live === null) return state.docFreq;
  const postings = leaf.segment.postings(field, state, { positions: false });
  if (state.docFreq < leaf.segment.docCount - leaf.liveCount) {
    let count = 0;
    for (let doc = postings.next(); doc !== NO_MORE_DOCS; doc = postings.next()) if (hasBit(live, doc)) count++;
    return count;
  }
  let deleted = 0;
  forEachDeleted(leaf, live, (doc) => {
    if (postings.doc < doc) postings.advance(doc);
    if (postings.doc === doc) deleted++;
  });
  return state.docFreq - deleted;
}

/** Places of a term in every leaf of a reader; null where the leaf lacks it. */
export function termStates(reader: IndexReader, field: Field, term: Uint8Array): (TermState | null)[] {
  return reader.leaves.map((leaf) => {
    const dictionary = leaf.segment.terms(field);
    const ordinal = dictionary === null ? -1 : dictionary.find(term);
    return dictionary === null || ordinal < 0 ? null : dictionary.state(ordinal);
  });
}
