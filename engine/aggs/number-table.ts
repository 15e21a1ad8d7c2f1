/**
 * Numbers (and pairs of whole numbers) to consecutive ids from 0, in order of first sight: open addressing over typed arrays.
 */
import type { Charge } from "../memory/index.js";

const EMPTY = -1;

const bits = new Float64Array(1);
const halves = new Uint32Array(bits.buffer);

function hash(value: number): number {
  bits[0] = value;
  let h = Math.imul(halves[0] ^ Math.imul(halves[1], 0x9e3779b1), 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 13)) >>> 0;
}

/** A table that only grows. */
export class NumberTable {
  #ids = new Int32Array(64).fill(EMPTY);
  #keys = new Float64Array(32);
  #mask = 63;
  #size = 0;

  constructor(private readonly charge: Charge) {}

  /** Number of different keys. */
  get size(): number {
    return this.#size;
  }

  /** Key of an id. */
  key(id: number): number {
    return this.#keys[id];
  }

  /** Id of a key, a new one when it has none. Negative zero is zero. */
  id(key: number): number {
    const wanted = key + 0;
    let slot = hash(wanted) & this.#mask;
    for (;;) {
      const id = this.#ids[slot];
      if (id === EMPTY) return this.#insert(slot, wanted);
      if (this.#keys[id] === wanted) return id;
      slot = (slot + 1) & this.#mask;
    }
  }

  /** Id of a key, -1 when it has none. */
  find(key: number): number {
    let slot = hash(key + 0) & this.#mask;
    for (;;) {
      const id = this.#ids[slot];
      if (id === EMPTY || this.#keys[id] === key) return id;
      slot = (slot + 1) & this.#mask;
    }
  }

  #insert(slot: number, key: number): number {
    const id = this.#size++;
    if (id === this.#keys.length) {
      this.charge(id * 8);
      const larger = new Float64Array(id * 2);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    this.#keys[id] = key;
    this.#ids[slot] = id;
    if (this.#size * 2 > this.#ids.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    this.charge(this.#ids.length * 4);
    const ids = new Int32Array(this.#ids.length * 2).fill(EMPTY);
    const mask = ids.length - 1;
    for (let id = 0; id < this.#size; id++) {
      let slot = hash(this.#keys[id]) & mask;
      while (ids[slot] !== EMPTY) slot = (slot + 1) & mask;
      ids[slot] = id;
    }
    this.#ids = ids;
    this.#mask = mask;
  }
}
