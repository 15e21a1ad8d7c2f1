/**
 * The documents of a leaf with a line that a pattern matches: chunks of text that have the pattern's grams are scanned, as far as
 * they belong to documents that may still be hits. Found in steps.
 */
import type { FoundLines } from "../../regex/index.js";
import type { ChunkPiece, TrigramField } from "../../trigrams/index.js";
import { allBits, hasBit, intersect, noBits, setBit } from "../exec/bits.js";
import type { LeafContext, LinesEffort, MetLines } from "../exec/context.js";
import type { Steps } from "../exec/pace.js";
import type { LinesFilter } from "../exec/plan.js";
import { candidateChunks } from "./candidate-chunks.js";
import { type LineText, openLineText } from "./line-text.js";
import { giveScanner, type PatternScanner, takeScanner } from "./scanner-pool.js";
import { termLinesBits, termsAsText } from "./term-lines.js";

/** Chunks of a block, about. */
const NEAR = 2;

/** What is wanted of a set. */
export interface Wanted {
  /** Documents that matter, null: all that are alive. */
  readonly within: Uint32Array | null;
  /** How many documents are enough: the first ones. */
  readonly enough: number;
}

/** The set. Deleted documents are never in it. */
export function* linesBits(leaf: LeafContext, filter: LinesFilter, wanted: Wanted): Steps<Uint32Array> {
  const found = noBits(leaf.docCount);
  if (wanted.enough <= 0 || hasNoCandidates(leaf, filter)) return found;
  const text = openLineText(leaf, filter);
  if (text === null) return found;
  const { environment } = leaf.context;
  const scanner = takeScanner(environment, filter.pattern);
  try {
    const within = inRange(leaf, wanted.within ?? leaf.leaf.live ?? allBits(leaf.docCount));
    const effort = { candidates: 0, scanned: 0, documents: 0 };
    const terms = text.index === null ? termsAsText(leaf, filter) : null;
    const byTerms = terms && (yield* termLinesBits(leaf, filter, terms, { scanner, within }));
    if (byTerms) return byTerms;
    const met = leaf.context.met.get(filter) ?? null;
    const end = (leaf.context.docs?.to ?? Number.POSITIVE_INFINITY) - leaf.leaf.base;
    const search = { leaf, filter, scanner, within, found, enough: wanted.enough, end, effort, met };
    if (text.index !== null && scanner.lines !== null) yield* scanChunks(text.index, search);
    else yield* scanDocuments(leaf, text, search);
    noteEffort(leaf, filter, effort);
  } finally {
    giveScanner(environment.arena, scanner);
    text.close();
  }
  return found;
}

/** Whether it is known, from the grams alone, that no document of a leaf matches: most segments have nothing of a rare word, or are another part's. */
export function hasNoCandidates(leaf: LeafContext, filter: LinesFilter): boolean {
  const { docs } = leaf.context;
  const { base } = leaf.leaf;
  if (docs !== null && (docs.to <= base || docs.from >= base + leaf.docCount)) return true;
  const chunks = candidateChunks(leaf.context.reader, filter.field, filter.pattern.grams);
  if (chunks === undefined || chunks[leaf.index] > 0) return false;
  noteEffort(leaf, filter, { candidates: 0, scanned: 0, documents: 0 });
  return true;
}

/** Documents of a set that the search is about. */
function inRange(leaf: LeafContext, within: Uint32Array): Uint32Array {
  const { docs } = leaf.context;
  if (docs === null) return within;
  const { base } = leaf.leaf;
  const range = noBits(leaf.docCount);
  const end = Math.min(leaf.docCount, docs.to - base);
  for (let doc = Math.max(0, docs.from - base); doc < end; doc++) setBit(range, doc);
  intersect(range, within);
  return range;
}

function noteEffort(leaf: LeafContext, filter: LinesFilter, effort: LinesEffort): void {
  const { efforts } = leaf.context;
  const sum = efforts.get(filter) ?? { candidates: 0, scanned: 0, documents: 0 };
  sum.candidates += effort.candidates;
  sum.scanned += effort.scanned;
  sum.documents += effort.documents;
  efforts.set(filter, sum);
}

interface Search {
  readonly leaf: LeafContext;
  readonly filter: LinesFilter;
  readonly scanner: PatternScanner;
  readonly within: Uint32Array;
  readonly found: Uint32Array;
  readonly enough: number;
  /** Documents from here on are not looked at. */
  readonly end: number;
  readonly effort: LinesEffort;
  /** Takes all lines that are met; null: one of each document is enough. */
  readonly met: MetLines | null;
}

function* scanChunks(index: TrigramField, search: Search): Steps {
  const { filter, effort, leaf } = search;
  const chunks = index.chunks(filter.pattern.grams);
  const pieces: ChunkPiece[] = [];
  effort.candidates += chunks.length;
  const docs = leaf.context.docs;
  for (let i = docs === null ? 0 : firstInRange(index, chunks, docs.from - leaf.leaf.base); i < chunks.length; i++) {
    const place = { chunk: chunks[i], ahead: lastNear(chunks, i) };
    if (scanChunk(index, place, pieces, search) === "done") return;
    yield;
  }
}

/** The first place in a list of chunks from which on documents from `doc` on are in them. */
function firstInRange(index: TrigramField, chunks: Uint32Array, doc: number): number {
  const pieces: ChunkPiece[] = [];
  let [low, high] = [0, chunks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const count = index.pieces(chunks[middle], pieces);
    if (count > 0 && pieces[count - 1].doc < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last of the chunks that are near to one: they lie in the same blocks, which are unpacked from their beginnings. */
function lastNear(chunks: Uint32Array, place: number): number {
  const chunk = chunks[place];
  let last = place;
  while (last + 1 < chunks.length && chunks[last + 1] - chunk < NEAR) last++;
  return chunks[last];
}

interface Place {
  readonly chunk: number;
  /** Up to which chunk text will be read next. */
  readonly ahead: number;
}

/** "done": what follows is of no interest. */
function scanChunk(index: TrigramField, place: Place, pieces: ChunkPiece[], search: Search): "done" | "going" {
  const { chunk, ahead } = place;
  const { effort, met, leaf } = search;
  const count = index.pieces(chunk, pieces);
  if (count > 0 && pieces[0].doc >= search.end) return "done";
  let address = -1;
  for (let i = 0; i < count; i++) {
    if (!isWanted(pieces[i].doc, search)) continue;
    if (address < 0) {
      address = index.loadChunks(chunk, chunk, ahead);
      effort.scanned++;
    }
    scanPiece(pieces[i], address, search);
  }
  if (effort.documents < search.enough) return "going";
  // Lines of the last document may go on in the next chunk.
  return count > 0 && met?.has(leaf, pieces[count - 1].doc) ? "going" : "done";
}

function isWanted(doc: number, { within, found, effort, enough, met, leaf }: Search): boolean {
  if (!hasBit(within, doc)) return false;
  return hasBit(found, doc) ? met?.has(leaf, doc) === true : effort.documents < enough;
}

function scanPiece({ doc, at, from, to, line }: ChunkPiece, chunk: number, search: Search): void {
  const { scanner, found, effort, met, leaf } = search;
  const [address, length] = [chunk + at, to - from];
  const known = hasBit(found, doc);
  if (met !== null && (known || met.open)) {
    const { begins, ends } = allLines(scanner, address, length);
    if (begins.length === 0) return;
    const text = leaf.context.environment.arena.bytes(address, length);
    met.add(leaf, doc, { text, address, begins, ends, byte: from, line });
  } else if (!hasLine(scanner, address, length)) return;
  if (known) return;
  setBit(found, doc);
  effort.documents++;
}

function allLines({ lines }: PatternScanner, address: number, length: number): FoundLines {
  const found: FoundLines = { begins: [], ends: [] };
  lines?.begin(address, length);
  while (lines?.next(found, Number.POSITIVE_INFINITY));
  return found;
}

/** Whether a text in the arena has a line that matches. */
function hasLine({ lines }: PatternScanner, address: number, length: number): boolean {
  const one: FoundLines = { begins: [], ends: [] };
  lines?.begin(address, length);
  // A batch may consist of lines that turned out not to match.
  while (lines?.next(one, 1) && one.begins.length === 0);
  return one.begins.length > 0;
}

function* scanDocuments(leaf: LeafContext, text: LineText, search: Search): Steps {
  const { within, found, effort, filter } = search;
  const candidates = documentsOf(leaf, text, filter);
  for (const doc of candidates) {
    if (!hasBit(within, doc)) continue;
    effort.candidates++;
    effort.scanned++;
    if (documentMatches(leaf, text, search.scanner, doc)) {
      setBit(found, doc);
      effort.documents++;
      if (effort.documents >= search.enough) return;
    }
    yield;
  }
}

function* documentsOf(leaf: LeafContext, { index }: LineText, { pattern }: LinesFilter): Generator<number, void> {
  if (index !== null) yield* index.documents(pattern.grams);
  else for (let doc = 0; doc < leaf.docCount; doc++) yield doc;
}

function documentMatches(leaf: LeafContext, text: LineText, scanner: PatternScanner, doc: number): boolean {
  const { arena } = leaf.context.environment;
  const values = text.valueCount(doc);
  for (let n = 0; n < values; n++) {
    const { address, length } = text.load(doc, n);
    if (scanner.texts?.matches(arena.bytes(address, length)) ?? hasLine(scanner, address, length)) return true;
  }
  return false;
}
