/** Postings in plain arrays, for tests: the contract of PostingsIterator without any encoding. */
import { NO_MORE_DOCS, type PostingsIterator } from "../../segment/types.js";
import type { Arena } from "../../store/arena.js";

const BLOCK = 128;

/** One term's documents, ascending, with its positions in each. */
export interface MemoryList {
  docs: number[];
  positions: number[][];
  /** Norm byte of each document. */
  norms: number[];
}

/** An iterator over a list; blocks are decoded into the arena. */
export class MemoryPostings implements PostingsIterator {
  doc = -1;
  readonly docFreq: number;
  readonly blockCount: number;
  #at = -1;
  readonly #list: MemoryList;
  readonly #arena: Arena;

  constructor(list: MemoryList, arena: Arena) {
    this.#list = list;
    this.#arena = arena;
    this.docFreq = list.docs.length;
    this.blockCount = Math.ceil(list.docs.length / BLOCK);
  }

  next(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    if (this.doc === NO_MORE_DOCS) return NO_MORE_DOCS;
    if (target <= this.doc) throw new Error(`advance(${target}) from document ${this.doc} goes back`);
    const { docs } = this.#list;
    this.#at = Math.max(this.#at, 0);
    while (this.#at < docs.length && docs[this.#at] < target) this.#at++;
    this.doc = this.#at < docs.length ? docs[this.#at] : NO_MORE_DOCS;
    return this.doc;
  }

  freq(): number {
    return Math.max(1, this.#list.positions[this.#at].length);
  }

  positions(into: Uint32Array): number {
    into.set(this.#list.positions[this.#at]);
    return this.freq();
  }

  blockLastDoc(block: number): number {
    return this.#list.docs[Math.min((block + 1) * BLOCK, this.docFreq) - 1];
  }

  blockImpacts(block: number, freqs: Uint32Array, norms: Uint8Array): number {
    const end = Math.min((block + 1) * BLOCK, this.docFreq);
    let pairs = 0;
    for (let i = block * BLOCK; i < end; i++) {
      freqs[pairs] = Math.max(1, this.#list.positions[i].length);
      norms[pairs++] = this.#list.norms[i];
    }
    return pairs;
  }

  decodeBlock(block: number, docsAddress: number, freqsAddress: number): number {
    const from = block * BLOCK;
    const count = Math.min(BLOCK, this.docFreq - from);
    for (let i = 0; i < count; i++) {
      this.#arena.u32[docsAddress / 4 + i] = this.#list.docs[from + i];
      this.#arena.u32[freqsAddress / 4 + i] = Math.max(1, this.#list.positions[from + i].length);
    }
    return count;
  }
}
