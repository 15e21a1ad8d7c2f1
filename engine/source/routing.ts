/**
 * Routing values: few documents have one. One section, absent when none has:
 *
 *   u32 words: count, then the documents ascending, then where each value ends; then the values in UTF-8
 *
 * Example: document 3 has "ab": 01000000 03000000 02000000 6162
 */
import type { Arena } from "../store/arena.js";
import { NO_FIELD, SectionKind, type SectionSink, type SectionSource } from "../store/section.js";

/** Writes the routing values of documents, given in ascending order. */
export function writeRouting(sink: SectionSink, docs: readonly number[], values: readonly string[]): void {
  if (docs.length === 0) return;
  const encoder = new TextEncoder();
  const encoded = values.map((value) => encoder.encode(value));
  const words = new Uint32Array(1 + 2 * docs.length);
  words[0] = docs.length;
  words.set(docs, 1);
  let end = 0;
  for (let i = 0; i < encoded.length; i++) {
    end += encoded[i].length;
    words[1 + docs.length + i] = end;
  }
  sink.begin(SectionKind.routing, NO_FIELD);
  sink.append(new Uint8Array(words.buffer));
  for (const value of encoded) sink.append(value);
  sink.end();
}

/** Routing values by document. Holds views of the arena: valid while the segment is in use. */
export class RoutingReader {
  readonly #docs: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #text: number;

  private constructor(
    readonly arena: Arena,
    address: number,
  ) {
    const count = arena.u32[address / 4];
    this.#docs = new Uint32Array(arena.memory.buffer, address + 4, count);
    this.#ends = new Uint32Array(arena.memory.buffer, address + 4 + 4 * count, count);
    this.#text = address + 4 + 8 * count;
  }

  /** null: no document has one. */
  static open(source: SectionSource, arena: Arena): RoutingReader | null {
    const extent = source.pin(SectionKind.routing, NO_FIELD);
    return extent && new RoutingReader(arena, extent.address);
  }

  get(doc: number): string | undefined {
    let [low, high] = [0, this.#docs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#docs[middle] < doc) low = middle + 1;
      else high = middle;
    }
    if (this.#docs[low] !== doc) return undefined;
    const from = low === 0 ? 0 : this.#ends[low - 1];
    return Buffer.from(this.arena.memory.buffer, this.#text + from, this.#ends[low] - from).toString("utf8");
  }
}
