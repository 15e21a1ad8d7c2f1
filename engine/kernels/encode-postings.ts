/**
 * Writing one term's postings after the other: documents, frequencies and positions go in, blocks come out. The bytes of
 * a block are described in postings/format.ts; here is how an encoder looks in memory.
 *
 * Encoder:
 *
 *   offset  bytes  name                meaning
 *   0       8      dataNext, dataEnd   where block data goes, and the end of the room there
 *   8       8      headersNext, -End   the same for block headers
 *   16      8      positionsNext, -End the same for positions
 *   24      4      withFreqs           1: frequencies and positions are kept, 0: documents alone
 *   28      4      norms               address of a norm byte per document; 0: all are 1
 *   32      4      waitingDocs         documents waiting for their block
 *   36      4      waitingPositions    positions waiting for their group
 *   40      4      blockBase           last document of the block before, -1 at first
 *   44      4      docFreq             documents so far, waiting ones included
 *   48      4      totalTermFreq
 *   52      12     data-, headers-, positionsStart   where this term's bytes begin; moves back when a buffer is drained
 *   64      4      blockGroup          offset of the position group in which the waiting block's positions begin
 *   68      4      blockPositions      positions of this term before the waiting block's
 *   72      4      presence            address of a bitset in which every document is noted; 0: none
 *   76      8      stream, -End        scratch for a term's stream
 *   128     512    doc                 128 u32
 *   640     512    freq
 *   1152    512    position            deltas
 *   1664    512    packing             scratch
 *
 * A row says what became of a term, 24 bytes: u32 docFreq, totalTermFreq, singletonDoc (0xffffffff: none), header bytes,
 * data bytes, position bytes.
 */
import type { MemoryViews } from "./memory.js";
import { pack128 } from "./pack.js";
import { writeVarint } from "./varint.js";

export const Encoder = {
  dataNext: 0,
  dataEnd: 4,
  headersNext: 8,
  headersEnd: 12,
  positionsNext: 16,
  positionsEnd: 20,
  withFreqs: 24,
  norms: 28,
  waitingDocs: 32,
  waitingPositions: 36,
  blockBase: 40,
  docFreq: 44,
  totalTermFreq: 48,
  dataStart: 52,
  headersStart: 56,
  positionsStart: 60,
  blockGroup: 64,
  blockPositions: 68,
  presence: 72,
  stream: 76,
  streamEnd: 80,
  doc: 128,
  freq: 640,
  position: 1152,
  packing: 1664,
  bytes: 2176,
} as const;

export const TermRow = {
  docFreq: 0,
  totalTermFreq: 4,
  singletonDoc: 8,
  headerBytes: 12,
  dataBytes: 16,
  positionBytes: 20,
  bytes: 24,
} as const;

/** Numbers in a full block. */
export const BLOCK = 128;
/** Bytes of a header with frequencies and positions, and without. */
export const FULL_HEADER_BYTES = 24;
export const DOCS_HEADER_BYTES = 8;
/** Most (freq, norm) pairs that bound a block. */
export const MAX_IMPACTS = 3;
/** `singletonDoc` of a term with several documents. */
export const NO_SINGLETON = 0xffffffff;
/** Frequencies up to these fall into the first and second class of impacts; all others into the third. */
const FIRST_CLASS = 1;
const SECOND_CLASS = 4;

/**
 * One byte for a frequency, rounded up, so that a bound made from it holds: Lucene's SmallFloat.intToByte4 (exact below
 * 24, then three bits of mantissa), one more where that rounds down.
 */
export function freqToByte(freq: number): number {
  if (freq < 24) return freq;
  const over = freq - 24;
  const bits = 32 - Math.clz32(over);
  if (bits < 4) return 24 + over;
  const shift = bits - 4;
  const code = 24 + (((over >>> shift) & 7) | ((shift + 1) << 3));
  return over & ((1 << shift) - 1) ? code + 1 : code;
}

/** A term encoder on memory that holds the struct above. */
export class PostingsEncoder {
  readonly #view: DataView;

  constructor(
    private readonly memory: MemoryViews,
    private readonly at: number,
  ) {
    this.#view = memory.view;
  }

  get(offset: number): number {
    return this.#view.getUint32(this.at + offset, true);
  }

  set(offset: number, value: number): void {
    this.#view.setUint32(this.at + offset, value, true);
  }

  begin(): void {
    for (const field of ["waitingDocs", "waitingPositions", "docFreq", "totalTermFreq"] as const) {
      this.set(Encoder[field], 0);
    }
    this.set(Encoder.blockBase, -1);
    this.set(Encoder.dataStart, this.get(Encoder.dataNext));
    this.set(Encoder.headersStart, this.get(Encoder.headersNext));
    this.set(Encoder.positionsStart, this.get(Encoder.positionsNext));
  }

  /** Before a document's positions. */
  startDoc(): void {
    if (this.get(Encoder.waitingDocs) > 0) return;
    this.set(Encoder.blockGroup, this.get(Encoder.positionsNext) - this.get(Encoder.positionsStart));
    this.set(Encoder.blockPositions, this.get(Encoder.totalTermFreq));
  }

  position(delta: number): void {
    const waiting = this.get(Encoder.waitingPositions);
    this.set(Encoder.position + 4 * waiting, delta);
    this.set(Encoder.waitingPositions, waiting + 1);
    if (waiting + 1 < BLOCK) return;
    const width = this.#width(Encoder.position);
    this.#put(Encoder.positionsNext, [width]);
    this.#pack(Encoder.position, width, Encoder.positionsNext);
    this.set(Encoder.waitingPositions, 0);
  }

  /** Behind a document's positions. */
  endDoc(doc: number, freq: number): void {
    const waiting = this.get(Encoder.waitingDocs);
    this.set(Encoder.doc + 4 * waiting, doc);
    this.set(Encoder.freq + 4 * waiting, freq);
    this.set(Encoder.waitingDocs, waiting + 1);
    this.set(Encoder.docFreq, this.get(Encoder.docFreq) + 1);
    this.set(Encoder.totalTermFreq, this.get(Encoder.totalTermFreq) + freq);
    const presence = this.get(Encoder.presence);
    if (presence !== 0) this.memory.u8[presence + (doc >>> 3)] |= 1 << (doc & 7);
    if (waiting + 1 === BLOCK) this.#fullBlock();
  }

  finish(row: number): void {
    const docFreq = this.get(Encoder.docFreq);
    const waiting = this.get(Encoder.waitingDocs);
    const isSingle = docFreq === 1;
    if (waiting > 0 && !isSingle) {
      if (docFreq >= BLOCK) this.#header();
      else if (this.get(Encoder.withFreqs) === 1) this.#put(Encoder.dataNext, this.#impacts());
      this.#lastBlock();
    }
    for (let i = 0; i < this.get(Encoder.waitingPositions); i++) {
      this.#varint(Encoder.positionsNext, this.get(Encoder.position + 4 * i));
    }
    const values = {
      docFreq,
      totalTermFreq: this.get(Encoder.totalTermFreq),
      singletonDoc: isSingle ? this.get(Encoder.doc) : NO_SINGLETON,
      headerBytes: this.get(Encoder.headersNext) - this.get(Encoder.headersStart),
      dataBytes: this.get(Encoder.dataNext) - this.get(Encoder.dataStart),
      positionBytes: this.get(Encoder.positionsNext) - this.get(Encoder.positionsStart),
    };
    for (const name of Object.keys(values) as (keyof typeof values)[]) {
      this.#view.setUint32(row + TermRow[name], values[name], true);
    }
  }

  #fullBlock(): void {
    this.#header();
    const withFreqs = this.get(Encoder.withFreqs) === 1;
    this.#gaps().forEach((gap, i) => {
      this.set(Encoder.packing + 4 * i, gap - 1);
    });
    const docWidth = this.#width(Encoder.packing);
    const freqs = Array.from({ length: BLOCK }, (_, i) => this.get(Encoder.freq + 4 * i) - 1);
    const freqWidth = widthOf(freqs);
    this.#put(Encoder.dataNext, withFreqs ? [docWidth, freqWidth] : [docWidth]);
    this.#pack(Encoder.packing, docWidth, Encoder.dataNext);
    if (withFreqs) {
      freqs.forEach((freq, i) => {
        this.set(Encoder.packing + 4 * i, freq);
      });
      this.#pack(Encoder.packing, freqWidth, Encoder.dataNext);
    }
    this.set(Encoder.blockBase, this.get(Encoder.doc + 4 * (BLOCK - 1)));
    this.set(Encoder.waitingDocs, 0);
  }

  #lastBlock(): void {
    const withFreqs = this.get(Encoder.withFreqs) === 1;
    this.#gaps().forEach((gap, i) => {
      const freq = this.get(Encoder.freq + 4 * i);
      if (!withFreqs) {
        this.#varint(Encoder.dataNext, gap - 1);
        return;
      }
      this.#varint(Encoder.dataNext, 2 * (gap - 1) + (freq === 1 ? 1 : 0));
      if (freq > 1) this.#varint(Encoder.dataNext, freq - 2);
    });
  }

  /** Distances between the waiting documents. */
  #gaps(): number[] {
    let before = this.get(Encoder.blockBase) | 0;
    return Array.from({ length: this.get(Encoder.waitingDocs) }, (_, i) => {
      const doc = this.get(Encoder.doc + 4 * i);
      const gap = doc - before;
      before = doc;
      return gap;
    });
  }

  #header(): void {
    const at = this.get(Encoder.headersNext);
    const view = this.#view;
    const withFreqs = this.get(Encoder.withFreqs) === 1;
    view.setUint32(at, this.get(Encoder.doc + 4 * (this.get(Encoder.waitingDocs) - 1)), true);
    view.setUint32(at + 4, this.get(Encoder.dataNext) - this.get(Encoder.dataStart), true);
    if (withFreqs) {
      view.setUint32(at + 8, this.get(Encoder.blockGroup), true);
      view.setUint32(at + 12, this.get(Encoder.blockPositions), true);
      this.memory.u8.fill(0, at + 16, at + FULL_HEADER_BYTES);
      this.memory.u8.set(this.#impacts(), at + 16);
    }
    this.set(Encoder.headersNext, at + (withFreqs ? FULL_HEADER_BYTES : DOCS_HEADER_BYTES));
  }

  /** Count, then pairs (frequency byte, norm), highest frequency first; none is as good as another in both. */
  #impacts(): number[] {
    const norms = this.get(Encoder.norms);
    const highest = [0, 0, 0];
    const shortest = [256, 256, 256];
    for (let i = 0; i < this.get(Encoder.waitingDocs); i++) {
      const freq = this.get(Encoder.freq + 4 * i);
      const norm = norms === 0 ? 1 : this.memory.u8[norms + this.get(Encoder.doc + 4 * i)];
      const at = freq <= FIRST_CLASS ? 0 : freq <= SECOND_CLASS ? 1 : 2;
      highest[at] = Math.max(highest[at], freq);
      shortest[at] = Math.min(shortest[at], norm);
    }
    const pairs: number[] = [];
    let shortestSoFar = 256;
    for (let at = 2; at >= 0; at--) {
      if (shortest[at] >= shortestSoFar) continue;
      pairs.push(freqToByte(highest[at]), shortest[at]);
      shortestSoFar = shortest[at];
    }
    return [pairs.length / 2, ...pairs];
  }

  #width(offset: number): number {
    return widthOf(Array.from({ length: BLOCK }, (_, i) => this.get(offset + 4 * i)));
  }

  #pack(offset: number, width: number, out: number): void {
    pack128(this.memory, this.at + offset, width, this.get(out));
    this.set(out, this.get(out) + 16 * width);
  }

  #put(out: number, bytes: number[]): void {
    this.memory.u8.set(bytes, this.get(out));
    this.set(out, this.get(out) + bytes.length);
  }

  #varint(out: number, value: number): void {
    this.set(out, writeVarint(this.memory.u8, this.get(out), value));
  }
}

function widthOf(numbers: number[]): number {
  return 32 - Math.clz32(numbers.reduce((all, number) => all | number, 0));
}

/** See Kernels.beginTerm. */
export function beginTerm(memory: MemoryViews, encoder: number): void {
  new PostingsEncoder(memory, encoder).begin();
}

/** See Kernels.finishTerm. */
export function finishTerm(memory: MemoryViews, encoder: number, row: number): void {
  new PostingsEncoder(memory, encoder).finish(row);
}
