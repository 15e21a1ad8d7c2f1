import { bigEndian } from "../kernels/write-terms.js";
import type { Arena } from "../store/arena.js";
import { MAX_TERM_BYTES, TERMS_PER_BLOCK } from "./format.js";
import { type MutableTermState, StateReader } from "./states.js";

/** Walks a dictionary in order. Before the first `next` there is no term. Makes no objects while it walks. */
export class TermCursor {
  /** Bytes of the term, the first `length` of them; changed by `next`. */
  readonly bytes = new Uint8Array(MAX_TERM_BYTES);
  length = 0;
  /** The first four bytes as a number, zero behind a shorter term: decides most comparisons. */
  key = 0;
  ordinal = -1;
  readonly #u8: Uint8Array;
  readonly #states: StateReader;
  readonly #statesAt: number;
  readonly #size: number;
  #at: number;

  constructor(arena: Arena, sections: { data: number; states: number }, terms: { size: number; withFreqs: boolean }) {
    this.#u8 = arena.u8;
    this.#at = sections.data;
    this.#states = new StateReader(arena, terms.withFreqs);
    this.#statesAt = sections.states;
    this.#size = terms.size;
  }

  /** The term's state; changed by `next`. */
  get state(): MutableTermState {
    return this.#states.state;
  }

  get atEnd(): boolean {
    return this.ordinal === this.#size;
  }

  /** Goes to the next term; false at the end, where `ordinal` is the dictionary's size. */
  next(): boolean {
    if (this.ordinal + 1 >= this.#size) {
      this.ordinal = this.#size;
      return false;
    }
    this.ordinal++;
    const shared = this.#varint();
    const rest = this.#varint();
    for (let i = 0; i < rest; i++) this.bytes[shared + i] = this.#u8[this.#at++];
    this.length = shared + rest;
    if (shared < 4) this.key = bigEndian(this.bytes, 0, this.length);
    if (this.ordinal === 0) this.#states.beginBlock(this.#statesAt);
    else if (this.ordinal % TERMS_PER_BLOCK === 0) this.#states.beginNext();
    this.#states.next();
    return true;
  }

  #varint(): number {
    let byte = this.#u8[this.#at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.#u8[this.#at++];
      value |= (byte & 127) << shift;
    }
    return value;
  }
}
