/**
 * What the execution of one search carries around: the readers it looks at, how their fields are analysed, the kernels,
 * the arena's memory, and the pace at which it yields to others.
 */
import type { AnalyzerRegistry } from "../../analysis/index.js";
import type { Clock } from "../../clock.js";
import type { Kernels } from "../../kernels/kernels.js";
import { CURSOR_BYTES } from "../../kernels/phrase.js";
import { WINDOW } from "../../kernels/score.js";
import type { Ledger } from "../../memory/index.js";
import type { DocRange } from "../../search.js";
import type { IndexReader, Leaf, SegmentReader } from "../../segment/types.js";
import type { Arena } from "../../store/arena.js";
import type { Query } from "../query.js";
import { BatchBuffers } from "./batch-buffers.js";
import type { FilterCache } from "./filter-cache.js";
import type { Filter, LinesFilter, Plan } from "./plan.js";
import { type TextAnalysis, textAnalysis } from "./text-analysis.js";

/** One index to search: its reader, what narrows it (a filtered alias), its analysis. */
export interface SearchReader {
  reader: IndexReader;
  filter?: Query;
  analyzers: AnalyzerRegistry;
}

export { WINDOW };

/** What the engine injects into a search. */
export interface SearchEnvironment {
  clock: Clock;
  kernels: Kernels;
  arena: Arena;
  /** Bitsets of filters, kept from search to search. */
  filters: FilterCache;
  /** Takes charges for what this search holds. */
  memory: Ledger;
  /** Told how long finding the hits and fetching them took, in milliseconds, once a search is done. */
  phases?: (queryMs: number, fetchMs: number) => void;
}

/** One index during one search. */
export interface ReaderContext {
  /** Documents [from, to) of the reader that the search is about; null: all. Lines alone are split so (split-search.ts). */
  readonly docs: DocRange | null;
  readonly environment: SearchEnvironment;
  readonly reader: IndexReader;
  /** Its number among the readers searched, in the order of index names. */
  readonly number: number;
  readonly analysis: TextAnalysis;
  readonly scratch: Scratch;
  readonly leaves: readonly LeafContext[];
  /** What finding lines has taken so far, for `profile`. */
  readonly efforts: Map<LinesFilter, LinesEffort>;
  /** Takes the lines that are met on the way; for filters that are not in it they are read again when hits are shown. */
  readonly met: Map<LinesFilter, MetLines>;
}

/** A part of a value, made of whole lines, of which some match: offsets in it, without what ends lines. */
export interface PieceLines {
  /** Valid until the next is read; where it lies in the arena. */
  readonly text: Uint8Array;
  readonly address: number;
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  /** Bytes and lines of the value before. */
  readonly byte: number;
  readonly line: number;
}

/** Keeps lines of documents while these are looked for. */
export interface MetLines {
  /** Whether it takes lines of a document that it has none of yet. */
  readonly open: boolean;
  has(leaf: LeafContext, doc: number): boolean;
  /** All lines that match, of documents and pieces in their order. */
  add(leaf: LeafContext, doc: number, piece: PieceLines): void;
}

/** What finding documents by their lines took. */
export interface LinesEffort {
  /** Chunks (of a field without an index of its text: documents) that the grams left over. */
  candidates: number;
  /** Those of them that were looked at: they belong to documents that could still be hits. */
  scanned: number;
  documents: number;
}

/** One segment during one search. */
export interface LeafContext {
  readonly context: ReaderContext;
  /** Number of the leaf in its reader. */
  readonly index: number;
  readonly leaf: Leaf;
  readonly segment: SegmentReader;
  readonly docCount: number;
  /** Documents of plans and filters that took long to find (prepare-bits.ts), for this search. */
  readonly prepared: Map<Plan | Filter, Uint32Array>;
  /** What collecting the leaf in batches borrows. */
  readonly buffers: BatchBuffers;
}

/** Documents whose bits one call of a range kernel makes in arena memory. */
export const RANGE_CHUNK = 65_536;

/** Arena addresses of one search's working memory. */
export interface Scratch {
  /** 128 u32 each. */
  readonly docs: number;
  readonly freqs: number;
  /** WINDOW f64, zero between uses. */
  readonly accumulators: number;
  /** WINDOW bytes, zero between uses. */
  readonly marks: number;
  /** WINDOW bits. */
  readonly accept: number;
  /** Candidates of a window or a block: WINDOW u32 documents, WINDOW f64 sums, WINDOW u32 places. */
  readonly candidates: number;
  readonly sums: number;
  readonly places: number;
  /** 128 f64: scores of the documents of a run that several lists have in common. */
  readonly matchSums: number;
  /** 128 u32 each: documents of an intersection's leader, and their places in its block. */
  readonly leading: { readonly docs: number; readonly places: number };
  /** A cursor of the phrase kernel for each of MAX_BULK_TERMS words. */
  readonly cursors: number;
  /** RANGE_CHUNK bits. */
  readonly rangeBits: number;
  /** TERM_BYTES per term: see TermBuffers. */
  readonly terms: number;
  readonly address: number;
}

/** Terms that may have buffers in the arena at once; of longer queries the rest takes a slower way. */
export const MAX_BULK_TERMS = 48;

/** Bytes of a block's documents, or of its frequencies. */
export const BLOCK_BYTES = 128 * 4;
/** Bytes of a table of 1 / norm. */
const NORM_TABLE_BYTES = 256 * 4;
/** Arena bytes per term. */
const TERM_BYTES = NORM_TABLE_BYTES + 3 * BLOCK_BYTES;

/** One term's part of the working memory: a table of 256 f32, and 128 u32 each of documents, frequencies and places in a block. */
export interface TermBuffers {
  readonly normInverse: number;
  readonly docs: number;
  readonly freqs: number;
  readonly places: number;
}

/** The buffers of term `number`, which is below MAX_BULK_TERMS. */
export function termBuffers(scratch: Scratch, number: number): TermBuffers {
  const normInverse = scratch.terms + number * TERM_BYTES;
  const docs = normInverse + NORM_TABLE_BYTES;
  return { normInverse, docs, freqs: docs + BLOCK_BYTES, places: docs + 2 * BLOCK_BYTES };
}

/** Where each part begins; 16 bytes behind the last are readable. */
const OFFSETS = (() => {
  let total = 0;
  const take = (bytes: number): number => {
    total += bytes;
    return total - bytes;
  };
  const offsets = {
    docs: take(BLOCK_BYTES),
    freqs: take(BLOCK_BYTES),
    accumulators: take(WINDOW * 8),
    marks: take(WINDOW),
    accept: take(WINDOW / 8),
    candidates: take(WINDOW * 4),
    sums: take(WINDOW * 8),
    places: take(WINDOW * 4),
    matchSums: take(2 * BLOCK_BYTES),
    leading: take(2 * BLOCK_BYTES),
    cursors: take(MAX_BULK_TERMS * CURSOR_BYTES),
    rangeBits: take(RANGE_CHUNK / 8),
    terms: take(MAX_BULK_TERMS * TERM_BYTES),
  };
  return { ...offsets, end: total + 16 };
})();

/** Allocates the working memory of one search; `free` its `address` afterwards. Searches get theirs from scratch-pool.ts. */
export function allocateScratch(arena: Arena): Scratch {
  const address = arena.alloc(OFFSETS.end);
  // What must be zero; filling all of it cost more than many a search.
  arena.u8.fill(0, address + OFFSETS.accumulators, address + OFFSETS.marks + WINDOW);
  return {
    docs: address + OFFSETS.docs,
    freqs: address + OFFSETS.freqs,
    accumulators: address + OFFSETS.accumulators,
    marks: address + OFFSETS.marks,
    accept: address + OFFSETS.accept,
    candidates: address + OFFSETS.candidates,
    sums: address + OFFSETS.sums,
    places: address + OFFSETS.places,
    matchSums: address + OFFSETS.matchSums,
    leading: { docs: address + OFFSETS.leading, places: address + OFFSETS.leading + BLOCK_BYTES },
    cursors: address + OFFSETS.cursors,
    rangeBits: address + OFFSETS.rangeBits,
    terms: address + OFFSETS.terms,
    address,
  };
}

/** Puts an index's parts together for one search. */
export function readerContext(
  environment: SearchEnvironment,
  source: Pick<SearchReader, "reader" | "analyzers">,
  number: number,
  { scratch, docs }: Pick<ReaderContext, "scratch" | "docs">,
): ReaderContext {
  const leaves: LeafContext[] = [];
  const context: ReaderContext = {
    docs,
    environment,
    reader: source.reader,
    number,
    analysis: textAnalysis(source.analyzers),
    scratch,
    leaves,
    efforts: new Map(),
    met: new Map(),
  };
  source.reader.leaves.forEach((leaf, index) => {
    const { segment } = leaf;
    const buffers = new BatchBuffers();
    leaves.push({ context, index, leaf, segment, docCount: segment.docCount, prepared: new Map(), buffers });
  });
  return context;
}
