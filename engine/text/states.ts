/** Reading termStates: where terms' postings lie; bytes as described in format.ts. */
import { BLOCK, DOCS_HEADER_BYTES, FULL_HEADER_BYTES } from "../postings/format.js";
import type { TermState } from "../segment/types.js";
import type { Arena } from "../store/arena.js";

/** A term's place in its postings, decoded into plain numbers; reused by cursors. */
export type MutableTermState = TermState & { dataBytes: number; positionBytes: number };

/** Decodes the states of a block one after the other. */
export class StateReader {
  readonly state: MutableTermState = {
    docFreq: 0,
    totalTermFreq: 0,
    singletonDoc: -1,
    headerOffset: 0,
    dataOffset: 0,
    positionOffset: 0,
    dataBytes: 0,
    positionBytes: 0,
  };
  #at = 0;

  constructor(
    readonly arena: Arena,
    readonly withFreqs: boolean,
  ) {}

  beginBlock(address: number): void {
    const { state } = this;
    this.#at = address;
    state.dataOffset = this.#varint();
    state.headerOffset = this.#varint();
    state.positionOffset = this.#varint();
    state.docFreq = 0;
    state.dataBytes = 0;
    state.positionBytes = 0;
  }

  /** Begins the block that follows in the section. */
  beginNext(): void {
    this.beginBlock(this.#at);
  }

  next(): void {
    const { state } = this;
    state.dataOffset += state.dataBytes;
    state.positionOffset += state.positionBytes;
    if (state.docFreq >= BLOCK) {
      state.headerOffset += Math.ceil(state.docFreq / BLOCK) * (this.withFreqs ? FULL_HEADER_BYTES : DOCS_HEADER_BYTES);
    }
    const head = this.#varint();
    state.docFreq = (this.withFreqs ? head >>> 1 : head) + 1;
    state.totalTermFreq = state.docFreq;
    if (this.withFreqs && (head & 1) === 0) state.totalTermFreq += 1 + this.#varint();
    const value = this.#varint();
    state.singletonDoc = state.docFreq === 1 ? value : -1;
    state.dataBytes = state.docFreq === 1 ? 0 : value;
    state.positionBytes = this.withFreqs ? this.#varint() : 0;
  }

  #varint(): number {
    const { u8 } = this.arena;
    let byte = u8[this.#at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = u8[this.#at++];
      value |= (byte & 127) << shift;
    }
    return value >>> 0;
  }
}
