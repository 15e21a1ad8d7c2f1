/** Postings in plain arrays, for tests: the contract of PostingsIterator without any encoding. */
import { writeVarint } from "../../kernels/index.js";
import { Cursor } from "../../kernels/phrase.js";
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

/** Where lists' positions lie in an arena, for the phrase kernel. */
const encoded = new WeakMap<MemoryList, number>();

/** The positions of a list as postings/format.ts has them, with groups of width 32: those are plain numbers. */
function encodePositions(list: MemoryList, arena: Arena): number {
  const known = encoded.get(list);
  if (known !== undefined) return known;
  const deltas = list.positions.flatMap((own) => own.map((position, i) => position - (i === 0 ? 0 : own[i - 1])));
  const address = arena.alloc(deltas.length * 5 + 16);
  let at = address;
  const whole = deltas.length - (deltas.length % BLOCK);
  for (let i = 0; i < deltas.length; i++) {
    if (i < whole && i % BLOCK === 0) arena.u8[at++] = 32;
    if (i >= whole) at = writeVarint(arena.u8, at, deltas[i]);
    else {
      arena.view.setUint32(at, deltas[i], true);
      at += 4;
    }
  }
  encoded.set(list, address);
  return address;
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

  findBlock(from: number, target: number): number {
    let block = from;
    while (block < this.blockCount && this.blockLastDoc(block) < target) block++;
    return block;
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
      if (freqsAddress !== 0)
        this.#arena.u32[freqsAddress / 4 + i] = Math.max(1, this.#list.positions[from + i].length);
    }
    return count;
  }

  placeCursor(block: number, cursor: number): void {
    const { positions } = this.#list;
    const sum = (lists: number[][]): number => lists.reduce((total, own) => total + own.length, 0);
    const before = sum(positions.slice(0, block * BLOCK));
    const all = sum(positions);
    const group = Math.floor(before / BLOCK);
    const { view } = this.#arena;
    const address = encodePositions(this.#list, this.#arena);
    view.setUint32(cursor + Cursor.group, group, true);
    view.setUint32(cursor + Cursor.groupAt, address + group * (1 + 4 * BLOCK), true);
    view.setUint32(cursor + Cursor.fullGroups, Math.floor(all / BLOCK), true);
    view.setUint32(cursor + Cursor.rest, all % BLOCK, true);
    view.setUint32(cursor + Cursor.before, before, true);
    view.setUint32(cursor + Cursor.summed, 0, true);
  }
}
