/**
 * Lists of numbers and bytes in the arena that grow by doubling. In the arena rather than in JavaScript memory because
 * memory given back there is used again without page faults. `close()` gives the memory back.
 */
import { ARENA_PAGE, type Arena } from "./arena.js";

interface Views {
  u8: Uint8Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
}

/** What the elements are. */
export type ElementKind = keyof Views;

interface ViewClass<K extends ElementKind> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): Views[K];
  new (buffer: ArrayBufferLike, offset: number, length: number): Views[K];
}

const CLASSES: { [K in ElementKind]: ViewClass<K> } = {
  u8: Uint8Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
};

/** A growing typed array. `view` and `address` change when it grows: take them anew after every `reserve`. */
export class Growing<K extends ElementKind> {
  view: Views[K];
  /** 0 until something is reserved. */
  address = 0;
  /** Elements in use; the owner's to count. */
  length = 0;

  constructor(
    readonly arena: Arena,
    readonly kind: K,
  ) {
    this.view = new CLASSES[kind](0);
  }

  /** Bytes of arena held. */
  get bytes(): number {
    return this.view.byteLength;
  }

  /** Makes room for `count` elements in all; contents up to `length` are kept. */
  reserve(count: number): void {
    if (count > this.view.length) this.#grow(count);
  }

  /** Appends one number. */
  push(value: number): void {
    const at = this.length;
    if (at === this.view.length) this.#grow(at + 1);
    this.view[at] = value;
    this.length = at + 1;
  }

  /** The elements in use; writes go through. */
  filled(): Views[K] {
    return this.view.subarray(0, this.length) as Views[K];
  }

  close(): void {
    if (this.address !== 0) this.arena.free(this.address);
    this.address = 0;
    this.length = 0;
    this.view = new CLASSES[this.kind](0);
  }

  #grow(count: number): void {
    const size = CLASSES[this.kind].BYTES_PER_ELEMENT;
    const bytes = Math.max(ARENA_PAGE, 2 * this.view.byteLength, count * size);
    const address = this.arena.alloc(bytes);
    const capacity = Math.floor(this.arena.sizeOf(address) / size);
    const view = new CLASSES[this.kind](this.arena.memory.buffer, address, capacity);
    view.set(this.filled());
    if (this.address !== 0) this.arena.free(this.address);
    this.address = address;
    this.view = view;
  }
}
