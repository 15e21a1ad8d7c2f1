/**
 * Which documents have any value of a field, for fields whose column does not tell (text, vectors, keyword without a
 * column, or values that are in no structure). One section, all u32:
 *
 *   word  meaning
 *   0     documents of the segment
 *   1     documents with a value
 *   2..   bitset as in columnPresence; absent when all have one
 *
 * Example: documents 0 and 2 of three: 03000000 02000000 05000000
 */
import type { Presence } from "../segment/types.js";
import type { Arena } from "../store/arena.js";
import { bitWords, countBits, setBit } from "../store/bits.js";
import { Growing } from "../store/growing.js";
import { SectionKind, type SectionSink, type SectionSource } from "../store/section.js";

/** Gathers documents of one field, ascending; costs nothing while every document so far has it. */
export class ExistsBuffer {
  readonly #docs: Growing<"u32">;
  /** Documents 0 to this have the field. */
  #prefix = 0;
  #last = -1;

  constructor(arena: Arena) {
    this.#docs = new Growing(arena, "u32");
  }

  get bytes(): number {
    return this.#docs.bytes;
  }

  /** Adding a document twice is harmless. */
  add(doc: number): void {
    if (doc === this.#last) return;
    this.#last = doc;
    if (doc === this.#prefix) this.#prefix++;
    else this.#docs.push(doc);
  }

  /** Bits of the documents added. */
  bits(docCount: number): Uint32Array {
    const bits = new Uint32Array(bitWords(docCount));
    for (let doc = 0; doc < this.#prefix; doc++) setBit(bits, doc);
    for (const doc of this.#docs.filled()) setBit(bits, doc);
    return bits;
  }

  close(): void {
    this.#docs.close();
  }
}

/** Writes the section; nothing when no document has the field. */
export function writeExists(sink: SectionSink, field: number, docCount: number, bits: Uint32Array): void {
  const count = countBits(bits);
  if (count === 0) return;
  const words = new Uint32Array(count === docCount ? 2 : 2 + bits.length);
  words[0] = docCount;
  words[1] = count;
  if (count < docCount) words.set(bits, 2);
  sink.begin(SectionKind.exists, field);
  sink.append(new Uint8Array(words.buffer));
  sink.end();
}

/** What the section says; null: there is none. */
export function readExists(source: SectionSource, arena: Arena, field: number): Presence | null {
  const extent = source.pin(SectionKind.exists, field);
  if (extent === null) return null;
  const words = new Uint32Array(arena.memory.buffer, extent.address, extent.length / 4);
  return { bits: words.length > 2 ? words.subarray(2) : null, count: words[1] };
}
