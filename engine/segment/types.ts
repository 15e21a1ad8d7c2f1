/**
 * What a segment offers to those who ask it: the contract between the five data structures and query execution.
 *
 * Documents of a segment are numbered from 0 in ascending `_seq_no`. Addresses are byte offsets into the arena. They
 * (and everything reached through a TermDictionary, column or postings) are valid only between `beginUse` and `endUse`
 * of the segment, because extents of unused segments may be evicted.
 */

import type { Field } from "../mapping/field-table.js";
import type { ReaderCache } from "../memory/index.js";
import type { ShownPaths } from "../source/shown-paths.js";
import type { TrigramField } from "../trigrams/index.js";

/** After the last document of any iterator. */
export const NO_MORE_DOCS = 0x7fffffff;

/** Where one term's postings lie and how many there are; plain numbers, made by TermDictionary. Deleted documents count. */
export interface TermState {
  docFreq: number;
  totalTermFreq: number;
  /** If docFreq is 1 the posting itself, and no address is meant. */
  singletonDoc: number;
  /** Opaque to all but postings/. */
  headerOffset: number;
  dataOffset: number;
  positionOffset: number;
}

/** Sorted distinct terms (unsigned byte order) of one field of one segment; a term's rank is its ordinal. */
export interface TermDictionary {
  readonly size: number;
  /** Ordinal of the term or -1. */
  find(term: Uint8Array): number;
  /** Ordinal of the first term that is not less; `size` at the end. */
  seek(term: Uint8Array): number;
  /** A copy of the term's bytes. */
  term(ordinal: number): Uint8Array;
  state(ordinal: number): TermState;
}

/**
 * Iterates one term's documents, ascending. Before the first call `doc` is -1; at the end it is NO_MORE_DOCS and
 * `next`/`advance` keep returning it. `advance(target)`: target must be greater than `doc`; lands on the first
 * document >= target. Deleted documents are included: who iterates checks the live docs.
 */
export interface PostingsIterator {
  readonly docFreq: number;
  readonly doc: number;
  next(): number;
  advance(target: number): number;
  /** Occurrences in the current document; 1 where frequencies are not kept. */
  freq(): number;
  /** Fills `into` with the current document's positions, ascending, growing nothing: `into` must hold freq() numbers. Returns freq(). */
  positions(into: Uint32Array): number;

  /** Block-wise access for bulk scoring: blocks of up to 128 documents. */
  readonly blockCount: number;
  /** Last document of a block. */
  blockLastDoc(block: number): number;
  /** First block from `from` on whose last document is not less than `target`; `blockCount`: none. */
  findBlock(from: number, target: number): number;
  /** Upper bound's inputs of a block: pairs (freq, norm byte) such that no document's (freq, norm) scores above the best of them. */
  blockImpacts(block: number, freqs: Uint32Array, norms: Uint8Array): number;
  /** Decodes a block's documents and frequencies into the arena at two addresses of 128 u32 each; returns the count. */
  decodeBlock(block: number, docsAddress: number, freqsAddress: number): number;
  /**
   * Tells a cursor of the phrase kernel (kernels/phrase.ts) where the positions of a block's documents lie; of the cursor
   * `freqs`, `places`, `offset` and `decoded` are the caller's. The iterator must have been made with positions.
   */
  placeCursor(block: number, cursor: number): void;
}

/** Presence of a field per document: either everywhere, or a bitset (bit i of 32-bit words). */
export interface Presence {
  /** null: every document has the field. */
  readonly bits: Uint32Array | null;
  readonly count: number;
}

/** Single-valued: `offsets` null and document d's value is `values[d]` (meaningless where absent). Multi-valued: d's values are values[offsets[d]..offsets[d+1]), ascending. */
interface ColumnShape {
  readonly docCount: number;
  readonly presence: Presence;
  readonly offsets: Uint32Array | null;
}

/** Whole numbers as `base + raw * step`: long, integer, short, byte, date (epoch millis), boolean (0 and 1). */
export interface LongColumn extends ColumnShape {
  readonly kind: "long";
  readonly raw: Uint8Array | Uint16Array | Uint32Array | BigUint64Array;
  readonly base: bigint;
  readonly step: bigint;
  /** True when every value is a safe integer, so that `number` arithmetic is exact. */
  readonly safe: boolean;
  readonly min: bigint;
  readonly max: bigint;
  /**
   * Per block of 128 rows of `raw`: smallest and largest raw value; null when the raw array is 64-bit. Rows of documents
   * without a value don't count; a block of none has 0xffffffff and 0.
   */
  readonly blockMin: Uint32Array | null;
  readonly blockMax: Uint32Array | null;
  /** Address of `raw` in the arena, for kernels. */
  readonly rawAddress: number;
}

/** Fractions: double, float, half_float, each already rounded to its type. NaN where a single-valued document has none. */
export interface DoubleColumn extends ColumnShape {
  readonly kind: "double";
  readonly values: Float64Array | Float32Array;
  readonly valuesAddress: number;
  readonly min: number;
  readonly max: number;
}

/** Ordinals into the field's term dictionary: keyword, ip. Multi-valued documents hold distinct, ascending ordinals. */
export interface OrdinalColumn extends ColumnShape {
  readonly kind: "ordinals";
  readonly ordinals: Uint8Array | Uint16Array | Uint32Array;
  readonly ordinalsAddress: number;
}

export type Column = LongColumn | DoubleColumn | OrdinalColumn;

/** Statistics of a field in a segment, deleted documents included. */
export interface FieldStats {
  /** Documents with at least one term. */
  docCount: number;
  /** Sum of all term frequencies: total number of tokens. */
  sumTotalTermFreq: number;
}

/** Vectors of one field. Documents without a vector are skipped: row r belongs to document docs[r] (docs null: row = document). */
export interface VectorColumn {
  readonly dims: number;
  readonly rows: number;
  readonly docs: Uint32Array | null;
  /** Row-major f32 values; for cosine already normalised, with magnitudes apart. */
  vector(row: number): Float32Array;
  /** Scores rows against a query vector by raw similarity (dot product, or squared distance for l2_norm) into `out`. */
  similarities(query: Float32Array, rows: Uint32Array | null, out: Float32Array): void;
  /**
   * Approximate search over the segment's graph, null where there is none (yet). Resolves to rows, best first; rejects
   * when the thread that owns the graph died, and then scanning serves.
   */
  readonly graph: { search(query: Float32Array, count: number): Promise<Uint32Array> } | null;
}

/** What of a field's data a question needs. */
export type FieldData = "terms" | "postings" | "positions" | "column" | "grams";

export interface SegmentReader {
  readonly name: string;
  readonly docCount: number;
  readonly sizeBytes: number;
  /** Bytes that must be read from the file before this can be asked for; 0: all is in memory. Absent: always 0. */
  coldBytes?(field: Field, what: FieldData): number;
  /** Pins the segment's extents; calls nest. */
  beginUse(): void;
  endUse(): void;
  terms(field: Field): TermDictionary | null;
  /** A fresh iterator; `withPositions` must be said when positions() will be called. */
  postings(field: Field, state: TermState, options: { positions: boolean }): PostingsIterator;
  fieldStats(field: Field): FieldStats;
  /** Address of one norm byte per document (Lucene's SmallFloat.intToByte4 of the length), 0 where the field has none. */
  norms(field: Field): number;
  /** Exact number of tokens of a document in a text field. */
  fieldLength(field: Field, doc: number): number;
  column(field: Field): Column | null;
  vectors(field: Field): VectorColumn | null;
  /** The text of a field of type wildcard, null: no document has any. Absent: the segment keeps no text. */
  trigrams?(field: Field): TrigramField | null;
  /** Documents that have any value of the field, null: none has. */
  presence(field: Field): Presence | null;
  id(doc: number): string;
  /** Document with this id or -1 (the newest when an id occurs twice). */
  findId(id: string): number;
  seqNo(doc: number): number;
  version(doc: number): number;
  primaryTerm(doc: number): number;
  routing(doc: number): string | undefined;
  /** A copy of the raw `_source` bytes; something shorter may stand in it for what is not shown. */
  source(doc: number, shown?: ShownPaths): Uint8Array;
  /** What is shown of `_source`, as a filter would print it; null, or absent: `source` must be filtered. */
  shownSource?(doc: number, shown: ShownPaths): Uint8Array | null;
}

/** A segment as one reader sees it. */
export interface Leaf {
  readonly segment: SegmentReader;
  /** Bit set: alive. null: all are. Never changes once published. */
  readonly live: Uint32Array | null;
  readonly liveCount: number;
  /** Number of this leaf's document 0 among all documents of the reader. */
  readonly base: number;
}

/** One index at one moment: leaves in ascending `_seq_no`. */
export interface IndexReader {
  readonly index: string;
  readonly leaves: readonly Leaf[];
  readonly liveCount: number;
  readonly fields: ReadonlyMap<string, Field>;
  /** Values computed once per reader (document frequencies of live documents, ...), by key. */
  readonly cache: ReaderCache;
}
