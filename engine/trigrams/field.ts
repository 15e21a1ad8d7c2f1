import type { GramQuery } from "../regex/index.js";
import { setBit } from "../store/bits.js";
import { type CellSource, SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { Candidates, numbersOf, setBits } from "./candidates.js";
import { GramLists } from "./gram-lists.js";
import { TextReader } from "./text-reader.js";

/** Chunks of a query that are remembered at most, and such queries. */
const MOST_KNOWN_CHUNKS = 4096;
const MOST_KNOWN = 8;

/** A part of one value in a chunk. */
export interface ChunkPiece {
  doc: number;
  value: number;
  /** Bytes [from, to) of the value. */
  from: number;
  to: number;
  /** Line feeds of the value before `from`: its lines begin with line number `line` (counted from 0). */
  line: number;
  /** Where its bytes are from the chunk's beginning. */
  at: number;
}

/**
 * The text of one field of a segment, and the index of its grams: what is searched by lines. Numbers of documents are the
 * segment's, deleted ones included. Values are numbered from 0 in the order of documents and within them; text is UTF-8.
 *
 * Everything is valid between `beginUse` and `endUse` of the segment. Addresses of text are valid until this thread loads
 * other text of any field or segment, or a `_source`; at least 16 readable bytes follow.
 */
export interface TrigramField {
  readonly chunkCount: number;
  readonly valueCount: number;
  /** Bytes of all values. */
  readonly textBytes: number;
  /**
   * Chunks, ascending, that hold every line which may satisfy the query: for what is matched line by line. What satisfies
   * `all` are all chunks; a value without a byte is in none.
   */
  chunks(query: GramQuery): Uint32Array;
  /** The same if they are at hand, as after an estimate of few. */
  knownChunks(query: GramQuery): Uint32Array | undefined;
  /**
   * Documents, ascending, of which a value may satisfy the query with all its lines together: for what is matched against whole
   * values or over several lines. What satisfies `all` are all documents of the segment.
   */
  documents(query: GramQuery): Uint32Array;
  /** How many chunks a query lets through at most, where these are many from the dictionary alone: for estimates of cost. */
  estimate(query: GramQuery): number;
  /** Bytes of a chunk. */
  chunkLength(chunk: number): number;
  /** The parts of values in a chunk, in order, into `into`; returns how many. Objects in `into` are used again. */
  pieces(chunk: number, into: ChunkPiece[]): number;
  /** Address of the text of chunks [first, last], which lies together. Those up to `ahead` will be asked for next. */
  loadChunks(first: number, last: number, ahead?: number): number;
  /** Values [first, end) of a document. */
  firstValue(doc: number): number;
  endValue(doc: number): number;
  valueLength(value: number): number;
  /** Address of bytes [from, to) of a value. */
  loadValue(value: number, from: number, to: number): number;
}

/** The field of a segment file; null: no document has text in it. */
export function openTrigrams(
  source: SectionSource,
  cells: CellSource,
  storage: Storage,
  field: number,
): SegmentTrigrams | null {
  if (source.sectionSize(SectionKind.textTable, field) < 0) return null;
  return new SegmentTrigrams(source, cells, storage, field);
}

export class SegmentTrigrams implements TrigramField {
  readonly text: TextReader;
  readonly #source: SectionSource;
  readonly #cells: CellSource;
  readonly #storage: Storage;
  readonly #field: number;
  #lists: GramLists | null = null;
  /** Few chunks that were found lately: an estimate is followed by the search, a search by its next page. The oldest first. */
  readonly #known = new Map<GramQuery, Uint32Array>();

  constructor(source: SectionSource, cells: CellSource, storage: Storage, field: number) {
    this.#source = source;
    this.#cells = cells;
    this.#storage = storage;
    this.#field = field;
    this.text = new TextReader(source, cells, storage, field);
  }

  get chunkCount(): number {
    return this.text.chunkCount;
  }

  get valueCount(): number {
    return this.text.valueCount;
  }

  get textBytes(): number {
    return this.text.length;
  }

  /** The index of grams; it is looked at only when somebody asks, putting `_source` together needs none. */
  lists(): GramLists {
    this.#lists ??= new GramLists(this.#source, this.#cells, this.#storage, this.#field, this.chunkCount);
    return this.#lists;
  }

  chunks(query: GramQuery): Uint32Array {
    const known = this.#known.get(query);
    if (known !== undefined) return known;
    const found = this.#findChunks(query);
    if (found.length > MOST_KNOWN_CHUNKS) return found;
    this.#known.set(query, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN) this.#known.delete(oldest);
    return found;
  }

  knownChunks(query: GramQuery): Uint32Array | undefined {
    return this.#known.get(query);
  }

  #findChunks(query: GramQuery): Uint32Array {
    const { u32 } = this.#storage.arena;
    const mark = (chunks: number, count: number, bits: Uint32Array) => {
      const from = chunks >>> 2;
      for (let i = from; i < from + count; i++) setBit(bits, u32[i]);
    };
    const size = this.chunkCount;
    return numbersOf(new Candidates(this.lists(), { size, mark }).bits(query), size);
  }

  documents(query: GramQuery): Uint32Array {
    const { u32 } = this.#storage.arena;
    const mark = (chunks: number, count: number, bits: Uint32Array) => {
      const from = chunks >>> 2;
      for (let i = from; i < from + count; i++) this.#markDocuments(u32[i], bits);
    };
    const size = this.text.docCount;
    return numbersOf(new Candidates(this.lists(), { size, mark }).bits(query), size);
  }

  estimate(query: GramQuery): number {
    const known = this.#known.get(query);
    if (known !== undefined) return known.length;
    const most = new Candidates(this.lists(), { size: 0, mark: () => {} }).estimate(query);
    // Where the rarest gram is in few chunks, all of them together are in far fewer, and soon found.
    return most <= MOST_KNOWN_CHUNKS ? this.chunks(query).length : most;
  }

  chunkLength(chunk: number): number {
    return this.text.chunkStart(chunk + 1) - this.text.chunkStart(chunk);
  }

  pieces(chunk: number, into: ChunkPiece[]): number {
    const { text } = this;
    const length = this.chunkLength(chunk);
    let value = text.chunkValue(chunk);
    let from = text.chunkOffset(chunk);
    let line = text.chunkLine(chunk);
    let count = 0;
    for (let at = 0; at < length; value++) {
      const taken = Math.min(length - at, text.valueLength(value) - from);
      if (taken > 0) {
        into[count] ??= { doc: 0, value: 0, from: 0, to: 0, line: 0, at: 0 };
        Object.assign(into[count++], { doc: text.documentOf(value), value, from, to: from + taken, line, at });
      }
      at += taken;
      from = 0;
      line = 0;
    }
    return count;
  }

  loadChunks(first: number, last: number, ahead = last): number {
    const { text } = this;
    return text.load(text.chunkStart(first), text.chunkStart(last + 1), text.chunkStart(ahead + 1));
  }

  firstValue(doc: number): number {
    return this.text.firstValue(doc);
  }

  endValue(doc: number): number {
    return this.text.firstValue(doc + 1);
  }

  valueLength(value: number): number {
    return this.text.valueLength(value);
  }

  loadValue(value: number, from: number, to: number): number {
    const start = this.text.valueStart(value);
    return this.text.load(start + from, start + to);
  }

  #markDocuments(chunk: number, bits: Uint32Array): void {
    const { text } = this;
    const first = text.documentOf(text.chunkValue(chunk));
    setBits(bits, first, text.documentOf(this.#lastValue(chunk)) + 1);
  }

  /** The value in which a chunk ends. */
  #lastValue(chunk: number): number {
    const { text } = this;
    if (chunk + 1 === this.chunkCount) return text.valueCount - 1;
    const next = text.chunkValue(chunk + 1);
    return text.chunkOffset(chunk + 1) > 0 ? next : next - 1;
  }
}
