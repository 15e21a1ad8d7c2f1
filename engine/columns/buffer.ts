/**
 * Values of one field as the write buffer gathers them: entries of three words (document, low, high word of the
 * value; ordinals: document, term number, unused), documents ascending, in the order they were added.
 */
import { InternalError } from "../errors.js";
import type { Arena } from "../store/arena.js";
import { setBit } from "../store/bits.js";
import { Growing } from "../store/growing.js";
import type { SectionSink } from "../store/section.js";
import { encodeDoubles, encodeLongs, encodeOrdinals, type TermOrdinals } from "./writer.js";

/** Words of an entry. */
export const ENTRY_WORDS = 3;

export class ColumnBuffer {
  readonly #entries: Growing<"u32">;

  constructor(
    arena: Arena,
    readonly kind: "long" | "double" | "ordinals",
  ) {
    this.#entries = new Growing(arena, "u32");
  }

  get bytes(): number {
    return this.#entries.bytes;
  }

  /** Adds a value of `doc`, which is not less than any document before: two words of an i64 or f64, or a term number and 0. */
  add(doc: number, low: number, high: number): void {
    const list = this.#entries;
    const at = list.length;
    if (at + ENTRY_WORDS > list.view.length) list.reserve(at + ENTRY_WORDS);
    const { view } = list;
    view[at] = doc;
    view[at + 1] = low;
    view[at + 2] = high;
    list.length = at + ENTRY_WORDS;
  }

  /** Sets the bits of documents that have a value. */
  addPresence(bits: Uint32Array): void {
    const entries = this.#entries.filled();
    for (let at = 0; at < entries.length; at += ENTRY_WORDS) setBit(bits, entries[at]);
  }

  /** Writes the column's sections. */
  flush(sink: SectionSink, field: number, docCount: number, ordinals: TermOrdinals | null): void {
    const entries = this.#entries.filled();
    if (entries.length === 0) return;
    if (this.kind === "long") encodeLongs(sink, field, docCount, entries);
    else if (this.kind === "double") encodeDoubles(sink, field, docCount, entries);
    else if (ordinals !== null) encodeOrdinals(sink, field, docCount, { entries, ...ordinals });
    else throw new InternalError(`field ${field} has ordinals but no dictionary`);
  }

  close(): void {
    this.#entries.close();
  }
}
