/** The lines of one document's values that any of some patterns matches. */
import { type FoundLines, LineRanges } from "../../regex/index.js";
import type { ChunkPiece, TrigramField } from "../../trigrams/index.js";
import type { LeafContext, PieceLines, SearchEnvironment } from "../exec/context.js";
import type { LinesFilter } from "../exec/plan.js";
import { type LineText, openLineText } from "./line-text.js";
import { giveScanner, type PatternScanner, takeScanner } from "./scanner-pool.js";

/** "values": each as a whole, for lines beside those that match; "pieces": only what may match is read, where that is known. */
export type ReadAs = "values" | "pieces";

/** Reads lines for some filters about one field. Holds memory: `close` it. */
export class LinesReader {
  readonly #scanners: readonly PatternScanner[];
  readonly #ranges: readonly LineRanges[];
  readonly #inPieces: boolean;
  #open: OpenText | null = null;

  constructor(
    readonly environment: SearchEnvironment,
    readonly filters: readonly LinesFilter[],
    readAs: ReadAs,
  ) {
    this.#scanners = filters.map((filter) => takeScanner(environment, filter.pattern));
    this.#ranges = filters.map((filter) => new LineRanges(filter.pattern));
    this.#inPieces = readAs === "pieces" && this.#scanners.every((scanner) => scanner.lines !== null);
  }

  /** The matching lines of a document, by the part of its values that they are in; parts without any may be among them. */
  *lines(leaf: LeafContext, doc: number): Generator<PieceLines, void> {
    const { text, chunks } = this.#textOf(leaf);
    if (text === null) return;
    if (text.index !== null && chunks !== null) {
      yield* this.#pieces(text.index, chunks, doc);
      return;
    }
    const count = text.valueCount(doc);
    for (let n = 0; n < count; n++) {
      const { address, length } = text.load(doc, n);
      yield { ...this.#scan(address, length), byte: 0, line: 0 };
    }
  }

  /** Where a line matches: begin and end of each match, within the line, ascending. */
  ranges(text: Uint8Array, begin: number, end: number): readonly number[] {
    if (this.#ranges.length === 1) return this.#ranges[0].of(text, begin, end);
    return sortedPairs(this.#ranges.flatMap((ranges) => ranges.of(text, begin, end)));
  }

  /** Line feeds in [from, to) of a piece. */
  countFeeds({ address }: PieceLines, from: number, to: number): number {
    return this.environment.kernels.countFeeds(address + from, to - from);
  }

  /** Gives its memory back. */
  close(): void {
    this.#open?.text?.close();
    this.#open = null;
    for (const scanner of this.#scanners) giveScanner(this.environment.arena, scanner);
  }

  *#pieces(index: TrigramField, chunks: ChunkCursor, doc: number): Generator<PieceLines, void> {
    for (let run = chunks.first(doc); run !== null; run = chunks.next(doc)) {
      for (const { at, from, to, line } of run.pieces) {
        const address = index.loadChunks(run.first, run.last) + at;
        yield { ...this.#scan(address, to - from), byte: from, line };
      }
    }
  }

  #scan(address: number, length: number): Pick<PieceLines, "text" | "address" | "begins" | "ends"> {
    const text = this.environment.arena.bytes(address, length);
    const found = this.#scanners.map((scanner) => linesOf(scanner, text, address));
    return { text, address, ...(found.length === 1 ? found[0] : merged(found)) };
  }

  #textOf(leaf: LeafContext): OpenText {
    if (this.#open?.leaf !== leaf) {
      this.#open?.text?.close();
      const text = openLineText(leaf, this.filters[0]);
      const index = text?.index ?? null;
      const chunks = this.#inPieces && index !== null ? new ChunkCursor(index, this.#chunksOf(index)) : null;
      this.#open = { leaf, text, chunks };
    }
    return this.#open;
  }

  #chunksOf(index: TrigramField): Uint32Array {
    const lists = this.filters.map((filter) => index.chunks(filter.pattern.grams));
    if (lists.length === 1) return lists[0];
    return Uint32Array.from(new Set(lists.flatMap((list) => [...list]))).sort();
  }
}

interface OpenText {
  readonly leaf: LeafContext;
  readonly text: LineText | null;
  readonly chunks: ChunkCursor | null;
}

/** Chunks [first, last] that follow each other, and what a document has in them, from the beginning of the first. */
interface ChunkRun {
  readonly first: number;
  readonly last: number;
  readonly pieces: readonly Readonly<ChunkPiece>[];
}

/** Longer runs are read in parts: a bound on what must lie in memory at once. */
const MAX_RUN = 32;

/** The chunks, of a list of them, that a document's values lie in. Those that follow each other are read at once: they share blocks. */
class ChunkCursor {
  readonly #pieces: ChunkPiece[] = [];
  #place = 0;

  constructor(
    readonly index: TrigramField,
    readonly chunks: Uint32Array,
  ) {}

  /** The first chunks of a document, null: there are none. */
  first(doc: number): ChunkRun | null {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#lastDoc(middle) < doc) low = middle + 1;
      else high = middle;
    }
    this.#place = low;
    return this.next(doc);
  }

  /** Those after the last that were given. */
  next(doc: number): ChunkRun | null {
    const from = this.#place;
    const pieces: ChunkPiece[] = [];
    let offset = 0;
    for (; this.#place < this.chunks.length && this.#place - from < MAX_RUN; this.#place++) {
      const chunk = this.chunks[this.#place];
      if (this.#place > from && chunk !== this.chunks[this.#place - 1] + 1) break;
      const count = this.index.pieces(chunk, this.#pieces);
      if (count > 0 && this.#pieces[0].doc > doc) break;
      for (let i = 0; i < count; i++) if (this.#pieces[i].doc === doc) joinPiece(pieces, this.#pieces[i], offset);
      offset += this.index.chunkLength(chunk);
    }
    return this.#place === from ? null : { first: this.chunks[from], last: this.chunks[this.#place - 1], pieces };
  }

  #lastDoc(place: number): number {
    const count = this.index.pieces(this.chunks[place], this.#pieces);
    return count === 0 ? -1 : this.#pieces[count - 1].doc;
  }
}

/** Appends a copy of a piece; one that goes on with the last becomes part of it. */
function joinPiece(pieces: ChunkPiece[], piece: ChunkPiece, offset: number): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.value === piece.value && last.to === piece.from) last.to = piece.to;
  else pieces.push({ ...piece, at: offset + piece.at });
}

function sortedPairs(flat: readonly number[]): number[] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i], flat[i + 1]]);
  return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]).flat();
}

function linesOf({ lines, texts }: PatternScanner, bytes: Uint8Array, address: number): FoundLines {
  const found: FoundLines = { begins: [], ends: [] };
  if (texts !== null) {
    if (texts.matches(bytes)) texts.lines(bytes, found);
    return found;
  }
  lines?.begin(address, bytes.length);
  while (lines?.next(found, Number.POSITIVE_INFINITY));
  return found;
}

function merged(found: readonly FoundLines[]): FoundLines {
  const ends = new Map<number, number>();
  for (const one of found) for (const [i, begin] of one.begins.entries()) ends.set(begin, one.ends[i]);
  const begins = [...ends.keys()].sort((a, b) => a - b);
  return { begins, ends: begins.map((begin) => ends.get(begin) as number) };
}
