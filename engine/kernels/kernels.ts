import type { TokenRun } from "./accumulate.js";
import type { CodeWords } from "./code-words.js";
import type { PostingsBlock } from "./decode-postings.js";
import type { TermRun } from "./flush-terms.js";
import type { Intersection } from "./matches.js";
import type { Phrase } from "./phrase.js";
import type { Harvest, ScoreBlock, ScoreRow, ScoreWanted } from "./score.js";
import type { TermsRun } from "./write-terms.js";

export type { Phrase } from "./phrase.js";
export type { Harvest, ScoreBlock, ScoreRow, ScoreWanted } from "./score.js";

/**
 * The hot loops, as functions of numbers: addresses into the arena, lengths, counts. The WebAssembly module and its
 * plain TypeScript twin offer exactly this; the twin is the specification. Kernels allocate nothing and keep no state.
 */
export interface Kernels extends GramKernels {
  /**
   * Standard tokenizer (UAX #29 words, as far as ASCII goes) plus lower-casing over `length` ASCII bytes at `source`.
   * Writes the lower-cased bytes at `lower` (same length, 16 bytes of slack) and token entries (16 bytes each: start,
   * length, position counted from `firstPosition`, hash) at `tokens`, which must have room for length / 2 + 1 of them; 16 bytes
   * behind the source must be readable. Returns the token count, or -1 at the first byte >= 0x80: then the
   * caller analyses the value itself. Tokens longer than 255 are cut into pieces of 255, as Lucene does.
   */
  tokenizeStandard(source: number, length: number, lower: number, tokens: number, firstPosition: number): number;
  /**
   * The identifiers of code and their parts, lower-cased (code-words.ts). Returns `end`; or the address of the identifier
   * it stopped at, because entries might run out or because it has code points beyond ASCII.
   */
  codeWords(run: CodeWords): number;
  /**
   * How far a JSON string goes on from `address` before its end, or before what has to be looked at: a control character,
   * a byte >= 0x80, `\u`, an escape that is none. Returns twice the bytes, plus 1 when escapes were among them. Ends at
   * any zero byte; 16 bytes behind the end must be readable.
   */
  plainText(address: number): number;
  /**
   * Writes the meaning of the checked JSON string [source, end) at `target`, not overlapping, where there must be room
   * for 16 bytes more than the string has. Never longer than the string; lone surrogates become U+FFFD, as Lucene stores
   * them. Returns the number of bytes.
   */
  unescapeText(source: number, end: number, target: number): number;
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
  /** The same, but stops behind the sequence that gives the last of `wanted` bytes: what follows is neither read nor checked. */
  lz4DecompressPart(source: number, length: number, out: number, capacity: number, wanted: number): number;
  /** Packs 128 u32 at `values` with `width` bits in 4 interleaved lanes; 16 * width bytes at `out`. */
  pack128(values: number, width: number, out: number): void;
  unpack128(packed: number, width: number, out: number): void;
  /** Turns 128 gaps at `values` into running sums from `base`, in place. */
  prefixSum128(values: number, base: number): void;
  /**
   * Adds to f64 accumulators: acc[docs[i] - windowBase] += fround(weight - weight / (1 + freq * normInverse[norm(doc)]))
   * in 32-bit float arithmetic as Lucene computes it, and sets byte docs[i] - windowBase of `marks` to 255, for i in [from, count) while docs[i] < windowEnd.
   * `norms` 0: the norm byte is 1 for all. Returns the index it stopped at.
   */
  scoreBlock(args: ScoreBlock): number;
  /** The same without a window: adds document i's contribution to sums[i]. */
  addScores(row: ScoreRow): void;
  /** The same, over whatever the sums were. */
  setScores(row: ScoreRow): void;
  /**
   * Adds contributions to the sums of those documents of `wanted` that the block has. Returns the first place of `wanted`
   * that lies behind the block's last document.
   */
  addScoresOf(row: ScoreWanted): number;
  /** Writes at `out` (count u32) the places i with fround(sums[i] + bound) > threshold, a float32. Returns how many. */
  keepAbove(sums: number, count: number, bound: number, threshold: number, out: number): number;
  /**
   * Takes the marked documents out of a window's accumulators: their numbers and sums, where fround(sum + bound) > threshold
   * (a float32). Leaves accumulators and marks zero. Returns hits << 16 | candidates: how many were
   * marked (and accepted), and taken out.
   */
  harvest(work: Harvest): number;
  /** Documents that two lists have in common. Returns how many. */
  intersect(lists: Intersection): number;
  /** out[i] = values[places[i]] for i in [0, count); in place where places ascend. */
  gather(values: number, places: number, count: number, out: number): void;
  /** The same for f64. */
  gatherSums(sums: number, places: number, count: number, out: number): void;
  /** values[i] = min(values[i], others[i]), unsigned, for i in [0, count); both have room for the next multiple of four. */
  keepLesser(values: number, others: number, count: number): void;
  /** Sets bit i in `bits` for every i in [0, count) with low <= raw[i] <= high; raw of 1, 2, 4 bytes unsigned. Overwrites whole 32-bit words. */
  rangeToBits(raw: number, width: 1 | 2 | 4, count: number, low: number, high: number, bits: number): void;
  /** The same for f64 (width 8) or f32 (width 4) values. */
  rangeToBitsDouble(values: number, width: 4 | 8, count: number, low: number, high: number, bits: number): void;
  /** Sum over dims of a[i] * b[i]; f32 inputs. */
  dot(a: number, b: number, dims: number): number;
  squaredDistance(a: number, b: number, dims: number): number;

  // Pieces of files in shared memory (store/slots.ts): the struct is described in slot.ts.
  /** Sets the thread's bit and the moment of the last use. Returns the slot's `place` as it is after that. */
  pinSlot(slot: number, bit: number, now: number): number;
  /** Clears the thread's bit. */
  unpinSlot(slot: number, bit: number): void;

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
  /** Writes terms [from, count) into a dictionary (write-terms.ts). Returns the index of the first not done: room is short. */
  writeTerms(run: TermsRun): number;
  /** The same for one term; 0: room is short. */
  writeTerm(out: number, address: number, length: number, row: number): number;
  /** Decodes one block. Returns the bytes read. */
  decodePostings(block: PostingsBlock): number;
  /** Decodes one group of positions into `count` u32 deltas at `out` (room for 128). Returns the bytes read. */
  decodePositions(address: number, count: number, out: number): number;
  /** Which of some documents have a phrase, and how often. Returns how many; the cursors (phrase.ts) are moved on. */
  phraseMatches(phrase: Phrase): number;
  /** Begins a term that `mergePostings` will append to, and ends it with a row. */
  beginTerm(encoder: number): void;
  finishTerm(encoder: number, row: number): void;
  /** Appends up to `maxBlocks` blocks of a source. Returns the documents left; more may be appended when room is made. */
  mergePostings(encoder: number, source: number, maxBlocks: number): number;

  /** Goes on with a scan for lines that a pattern matches; the struct is described in scan-lines.ts. Returns one of SCANNED. */
  scanLines(scan: number): number;
  /** Line feeds among `length` bytes. */
  countFeeds(text: number, length: number): number;

  // Shapes of documents (source/shape.ts): structs are described in follow-shape.ts.
  /** Notes which records (memtable/prepared.ts) in [records, end) hold the values of the document with this stamp. */
  noteValues(records: number, end: number, values: number, stamp: number): void;
  /** Follows a document through a shape, as far as it goes. Returns one of Followed. */
  followShape(state: number): number;
}

/** Of grams of text (trigrams/format.ts): the struct and the lists are described in grams.ts. */
export interface GramKernels {
  /**
   * Appends an entry for each gram of the text that the chunk did not have, one entry more may be overwritten. No gram
   * reaches over a line feed or the end. Returns how many.
   */
  gatherGrams(gatherer: number, text: number, length: number): number;
  /** Clears the bits of these entries' grams: the next chunk begins. */
  forgetGrams(seen: number, entries: number, count: number): void;
  /**
   * Sorts entries by gram; equal ones stay in order. `scratch`: room for as many entries, then SORT_GRAMS_TABLE_BYTES.
   */
  sortGrams(entries: number, count: number, scratch: number): void;
  /** Writes base + tag of the entries that have the gram of the first, u32 each. Returns how many. */
  takeGram(entries: number, end: number, base: number, out: number): number;
  /**
   * Writes the list of these ascending chunks, of `total` there are. Returns its bytes; 0: a bitmap is shorter and was
   * written. `out` must hold a bitmap and 512 bytes more.
   */
  encodeChunks(chunks: number, count: number, total: number, out: number): number;
  /** Writes the chunks of a list of gaps, u32 each. */
  decodeChunks(list: number, count: number, out: number): void;
  /** Writes the chunks of a bitmap, u32 each. Returns how many. */
  bitmapChunks(bitmap: number, total: number, out: number): number;
  /** Writes map[chunk] of each chunk but those that are 0xffffffff or that of the one before; in place too. Returns how many. */
  mapChunks(chunks: number, count: number, map: number, out: number): number;
}
