/**
 * What the execution of one search carries around: the readers it looks at, how their fields are analysed, the kernels,
 * the arena's memory, and the pace at which it yields to others.
 */
import type { AnalyzerRegistry } from "../../analysis/index.js";
import type { Clock } from "../../clock.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { IndexReader, Leaf, SegmentReader } from "../../segment/types.js";
import type { Arena } from "../../store/arena.js";
import type { Query } from "../query.js";
import type { Filter, Plan } from "./plan.js";
import { type TextAnalysis, textAnalysis } from "./text-analysis.js";

/** One index to search: its reader, what narrows it (a filtered alias), its analysis. */
export interface SearchReader {
  reader: IndexReader;
  filter?: Query;
  analyzers: AnalyzerRegistry;
}

/** What the engine injects into a search. */
export interface SearchEnvironment {
  clock: Clock;
  kernels: Kernels;
  arena: Arena;
}

/** One index during one search. */
export interface ReaderContext {
  readonly environment: SearchEnvironment;
  readonly reader: IndexReader;
  /** Its number among the readers searched, in the order of index names. */
  readonly number: number;
  readonly analysis: TextAnalysis;
  readonly scratch: Scratch;
  readonly leaves: readonly LeafContext[];
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
}

/** Documents that a window of the disjunction covers; a power of two, so that its accumulators stay in the L1 cache. */
export const WINDOW = 2048;

/** Documents whose bits one call of a range kernel makes in arena memory. */
export const RANGE_CHUNK = 65_536;

/** Arena addresses of one search's working memory. */
export interface Scratch {
  /** 128 u32 each. */
  readonly docs: number;
  readonly freqs: number;
  /** WINDOW f64, zero between uses. */
  readonly accumulators: number;
  /** WINDOW bits, zero between uses. */
  readonly windowBits: number;
  /** RANGE_CHUNK bits. */
  readonly rangeBits: number;
  /** Per term of a disjunction TERM_BYTES: a table of 256 f32, then documents and frequencies of one block. */
  readonly terms: number;
  readonly address: number;
}

/** Terms of a disjunction that may have buffers in the arena at once; longer ones take the slower way. */
export const MAX_BULK_TERMS = 48;

/** Bytes of a block's documents, or of its frequencies. */
export const BLOCK_BYTES = 128 * 4;
const ACCUMULATOR_BYTES = WINDOW * 8;
/** Bytes of a table of 1 / norm. */
export const NORM_TABLE_BYTES = 256 * 4;
/** Arena bytes per term of a disjunction. */
export const TERM_BYTES = NORM_TABLE_BYTES + 2 * BLOCK_BYTES;

/** Allocates the working memory of one search; `free` its `address` afterwards. */
export function allocateScratch(arena: Arena): Scratch {
  const windowBitBytes = WINDOW / 8;
  const total = 2 * BLOCK_BYTES + ACCUMULATOR_BYTES + windowBitBytes + RANGE_CHUNK / 8 + MAX_BULK_TERMS * TERM_BYTES;
  const address = arena.alloc(total);
  const docs = address;
  const freqs = docs + BLOCK_BYTES;
  const accumulators = freqs + BLOCK_BYTES;
  const windowBits = accumulators + ACCUMULATOR_BYTES;
  const rangeBits = windowBits + windowBitBytes;
  const terms = rangeBits + RANGE_CHUNK / 8;
  arena.u8.fill(0, address, address + total);
  return { docs, freqs, accumulators, windowBits, rangeBits, terms, address };
}

/** Puts an index's parts together for one search. */
export function readerContext(
  environment: SearchEnvironment,
  source: Pick<SearchReader, "reader" | "analyzers">,
  number: number,
  scratch: Scratch,
): ReaderContext {
  const leaves: LeafContext[] = [];
  const context: ReaderContext = {
    environment,
    reader: source.reader,
    number,
    analysis: textAnalysis(source.analyzers),
    scratch,
    leaves,
  };
  source.reader.leaves.forEach((leaf, index) => {
    leaves.push({ context, index, leaf, segment: leaf.segment, docCount: leaf.segment.docCount, prepared: new Map() });
  });
  return context;
}
