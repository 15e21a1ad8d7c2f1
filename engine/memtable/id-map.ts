import { compareBytes, firstSlot } from "../source/id-format.js";
import type { IdKey } from "../source/id-key.js";
import type { Arena } from "../store/arena.js";
import { Growing } from "../store/growing.js";

const FIRST_SLOTS = 1024;

/** Ids of a write buffer by document, and the newest document by id: open addressing, at most half full. */
export class IdMap {
  /** UTF-8 bytes of all ids, one after the other. */
  readonly text: Growing<"u8">;
  /** Where each id ends in `text`. */
  readonly ends: Growing<"u32">;
  readonly #hashes: Growing<"u32">;
  /** 0 empty, else document + 1. */
  #slots: Growing<"u32">;
  #used = 0;

  constructor(readonly arena: Arena) {
    this.text = new Growing(arena, "u8");
    this.ends = new Growing(arena, "u32");
    this.#hashes = new Growing(arena, "u32");
    this.#slots = emptySlots(arena, FIRST_SLOTS);
  }

  get bytes(): number {
    return this.text.bytes + this.ends.bytes + this.#hashes.bytes + this.#slots.bytes;
  }

  /** Adds the next document's id; it is what `find` finds from now on. */
  add(key: IdKey): void {
    // What may throw for want of room comes first: an id is added wholly or not at all.
    if (2 * (this.#used + 1) > this.#slots.length) this.#rehash();
    const at = this.text.length;
    this.text.reserve(at + key.bytes.length);
    this.ends.reserve(this.ends.length + 1);
    this.#hashes.reserve(this.#hashes.length + 1);
    const slot = this.#slotOf(key);
    if (this.#slots.view[slot] === 0) this.#used++;
    this.text.view.set(key.bytes, at);
    this.text.length = at + key.bytes.length;
    this.ends.push(this.text.length);
    this.#hashes.push(key.hash);
    this.#slots.view[slot] = this.ends.length;
  }

  /** Newest document with this id, or -1. */
  find(key: IdKey): number {
    return this.#slots.view[this.#slotOf(key)] - 1;
  }

  id(doc: number): string {
    const from = this.#start(doc);
    return Buffer.from(this.text.view.buffer, this.text.address + from, this.ends.view[doc] - from).toString("utf8");
  }

  /** The id's bytes are text[start, end). */
  range(doc: number): { from: number; to: number } {
    return { from: this.#start(doc), to: this.ends.view[doc] };
  }

  close(): void {
    for (const list of [this.text, this.ends, this.#hashes, this.#slots]) list.close();
  }

  #start(doc: number): number {
    return doc === 0 ? 0 : this.ends.view[doc - 1];
  }

  /** The id's slot, or the empty one where it belongs. */
  #slotOf(key: IdKey): number {
    const slots = this.#slots.view;
    const count = this.#slots.length;
    let slot = firstSlot(key.hash, count);
    for (; slots[slot] !== 0; slot = slot + 1 === count ? 0 : slot + 1) {
      const doc = slots[slot] - 1;
      if (this.#hashes.view[doc] === key.hash && this.#equals(key, doc)) return slot;
    }
    return slot;
  }

  #equals(key: IdKey, doc: number): boolean {
    const { from, to } = this.range(doc);
    if (to - from !== key.bytes.length) return false;
    return compareBytes({ bytes: this.text.view, from, to }, { bytes: key.bytes, from: 0, to: key.bytes.length }) === 0;
  }

  /** Only the newest document of an id is in the table, so each finds an empty slot. */
  #rehash(): void {
    const old = this.#slots;
    this.#slots = emptySlots(this.arena, 2 * old.length); // may throw: nothing has changed then
    const slots = this.#slots.view;
    for (const word of old.filled()) {
      if (word === 0) continue;
      let slot = firstSlot(this.#hashes.view[word - 1], this.#slots.length);
      while (slots[slot] !== 0) slot = slot + 1 === this.#slots.length ? 0 : slot + 1;
      slots[slot] = word;
    }
    old.close();
  }
}

function emptySlots(arena: Arena, count: number): Growing<"u32"> {
  const slots = new Growing(arena, "u32");
  slots.reserve(count);
  slots.length = count;
  slots.view.fill(0, 0, count);
  return slots;
}
