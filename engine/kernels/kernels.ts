import type { TokenRun } from "./accumulate.js";
import type { PostingsBlock } from "./decode-postings.js";
import type { TermRun } from "./flush-terms.js";

/**
 * The hot loops, as functions of numbers: addresses into the arena, lengths, counts. The WebAssembly module and its
 * plain TypeScript twin offer exactly this; the twin is the specification. Kernels allocate nothing and keep no state.
 */
export interface Kernels {
  /**
   * Standard tokenizer (UAX #29 words, as far as ASCII goes) plus lower-casing over `length` ASCII bytes at `source`.
   * Writes the lower-cased bytes at `lower` (same length, 16 bytes of slack) and token entries (16 bytes each: start,
   * length, position counted from `firstPosition`, hash) at `tokens`, which must have room for length / 2 + 1 of them; 16 bytes
   * behind the source must be readable. Returns the token count, or -1 at the first byte >= 0x80: then the
   * caller analyses the value itself. Tokens longer than 255 are cut into pieces of 255, as Lucene does.
   */
  tokenizeStandard(source: number, length: number, lower: number, tokens: number, firstPosition: number): number;
  /** Fills the hash of `count` token entries at `tokens` whose text begins at `text`. */
  hashTokens(text: number, tokens: number, count: number): void;
  /** Hash of `length` bytes at `address` (16 readable bytes must follow). */
  hashBytes(address: number, length: number): number;
  /** CRC32C (Castagnoli) of bytes in the arena, continuing from `crc` (0 to begin). */
  crc32c(address: number, length: number, crc: number): number;
  /** LZ4 block format. Returns the compressed size; `table` is 64 KiB of scratch; `out` must hold length + length/255 + 16. */
  lz4Compress(source: number, length: number, out: number, table: number): number;
  /** Returns the decompressed size, or -1 when the bytes are not a valid block or exceed `capacity`. */
  lz4Decompress(source: number, length: number, out: number, capacity: number): number;
  /** Packs 128 u32 at `values` with `width` bits in 4 interleaved lanes; 16 * width bytes at `out`. */
  pack128(values: number, width: number, out: number): void;
  unpack128(packed: number, width: number, out: number): void;
  /** Turns 128 gaps at `values` into running sums from `base`, in place. */
  prefixSum128(values: number, base: number): void;
  /**
   * Adds to f64 accumulators: acc[docs[i] - windowBase] += fround(weight - weight / (1 + freq * normInverse[norm(doc)]))
   * in 32-bit float arithmetic as Lucene computes it, and sets bit docs[i] - windowBase in `bits`, for i in [from, count) while docs[i] < windowEnd.
   * `norms` 0: the norm byte is 1 for all. Returns the index it stopped at.
   */
  scoreBlock(args: ScoreBlock): number;
  /** Sets bit i in `bits` for every i in [0, count) with low <= raw[i] <= high; raw of 1, 2, 4 bytes unsigned. Overwrites whole 32-bit words. */
  rangeToBits(raw: number, width: 1 | 2 | 4, count: number, low: number, high: number, bits: number): void;
  /** The same for f64 (width 8) or f32 (width 4) values. */
  rangeToBitsDouble(values: number, width: 4 | 8, count: number, low: number, high: number, bits: number): void;
  /** Sum over dims of a[i] * b[i]; f32 inputs. */
  dot(a: number, b: number, dims: number): number;
  squaredDistance(a: number, b: number, dims: number): number;

  // The write buffer (memtable/inverted.ts): structs are described in accumulate.ts.
  /** Adds token entries [from, count) to the buffer. Returns the index of the first one not added: room is short. */
  accumulateTokens(run: TokenRun): number;
  /** Adds one term without positions; a repetition in the same document counts once. Returns its id; -1: room is short. */
  accumulateTerm(state: number, field: number, address: number, length: number, doc: number): number;
  /** Fills a fresh hash table from the term records. */
  rebuildTermTable(state: number): void;
  /** Sorts the term ids of one field by their bytes, in place; scratch: SORT_SCRATCH_BASE_BYTES + SORT_SCRATCH_BYTES * count. */
  sortTerms(records: number, ids: number, count: number, scratch: number): void;

  // Postings (postings/format.ts): structs are described in encode-postings.ts, flush-terms.ts and merge-postings.ts.
  /** Encodes the postings of terms [from, count), a row each. Returns the index of the first term not done: room is short. */
  flushTerms(run: TermRun): number;
  /** Decodes one block. Returns the bytes read. */
  decodePostings(block: PostingsBlock): number;
  /** Decodes one group of positions into `count` u32 deltas at `out` (room for 128). Returns the bytes read. */
  decodePositions(address: number, count: number, out: number): number;
  /** Begins a term that `mergePostings` will append to, and ends it with a row. */
  beginTerm(encoder: number): void;
  finishTerm(encoder: number, row: number): void;
  /** Appends up to `maxBlocks` blocks of a source. Returns the documents left; more may be appended when room is made. */
  mergePostings(encoder: number, source: number, maxBlocks: number): number;
}

export interface ScoreBlock {
  docs: number;
  freqs: number;
  from: number;
  count: number;
  windowBase: number;
  windowEnd: number;
  norms: number;
  /** 256 f32: 1 / (k1 * ((1 - b) + b * length / average)) by norm byte. */
  normInverse: number;
  weight: number;
  accumulators: number;
  bits: number;
}
