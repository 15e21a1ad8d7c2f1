import type { TermState } from "../segment/types.js";
import type { Storage } from "../store/storage.js";
import { BLOCK } from "./format.js";

const BLOCK_SHIFT = 7;

/**
 * Reads a term's positions. Knows the group it decoded last and where it lies, so that documents in order cost one walk
 * and a document far on skips whole groups by their width byte.
 */
export class PositionReader {
  readonly #storage: Storage;
  /** Address of the term's first group. */
  readonly #address: number;
  readonly #fullGroups: number;
  readonly #rest: number;
  /** Deltas of `#decoded`. */
  readonly #deltas = new Uint32Array(BLOCK);
  #decoded = -1;
  /** A group whose address is known. */
  #group = 0;
  #groupAt: number;
  /** First group of the documents' block, and where it lies. */
  #firstGroup = 0;
  #firstGroupAt: number;
  /** Positions of the term before the block's first document. */
  #before = 0;
  /** Sum of the frequencies of the block's first `#summed` documents. */
  #sum = 0;
  #summed = 0;

  constructor(storage: Storage, address: number, state: TermState) {
    this.#storage = storage;
    this.#address = address;
    this.#groupAt = address;
    this.#firstGroupAt = address;
    this.#fullGroups = Math.floor(state.totalTermFreq / BLOCK);
    this.#rest = state.totalTermFreq % BLOCK;
  }

  /** Begins a block of documents: offset of its first group, positions of the term before its first document. */
  beginBlock(groupOffset: number, positionsBefore: number): void {
    this.#before = positionsBefore;
    this.#sum = 0;
    this.#summed = 0;
    this.#firstGroup = positionsBefore >>> BLOCK_SHIFT;
    this.#firstGroupAt = this.#address + groupOffset;
  }

  /** Positions of document `index` of the block with these frequencies; returns how many. */
  read(freqs: Uint32Array, index: number, into: Uint32Array): number {
    if (index < this.#summed) {
      this.#sum = 0;
      this.#summed = 0;
    }
    for (; this.#summed < index; this.#summed++) this.#sum += freqs[this.#summed];
    const freq = freqs[index];
    let at = this.#before + this.#sum;
    let position = 0;
    for (let done = 0; done < freq; ) {
      const inGroup = at & (BLOCK - 1);
      this.#decode(at >>> BLOCK_SHIFT);
      const many = Math.min(freq - done, BLOCK - inGroup);
      for (let i = 0; i < many; i++) {
        position += this.#deltas[inGroup + i];
        into[done + i] = position;
      }
      done += many;
      at += many;
    }
    return freq;
  }

  #decode(group: number): void {
    if (group === this.#decoded) return;
    const { arena, kernels, scratch } = this.#storage;
    if (this.#group < this.#firstGroup || this.#group > group) {
      this.#group = this.#firstGroup;
      this.#groupAt = this.#firstGroupAt;
    }
    for (; this.#group < group; this.#group++) this.#groupAt += 1 + 16 * arena.u8[this.#groupAt];
    const out = scratch.region("postings", 8 * BLOCK);
    const count = group < this.#fullGroups ? BLOCK : this.#rest;
    kernels.decodePositions(this.#groupAt, count, out);
    for (let i = 0, at = out >>> 2; i < count; i++) this.#deltas[i] = arena.u32[at + i];
    this.#decoded = group;
  }
}
