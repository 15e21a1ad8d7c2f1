/** Filling a write buffer from words, for tests. */
import type { Field } from "../mapping/field-table.js";
import type { Storage } from "../store/storage.js";
import type { Posting } from "../text/testing.js";
import { InvertedBuffer } from "./inverted.js";
import { RECORD_HEADER_BYTES, TOKEN_ENTRY_BYTES, TOKENS_HEADER_BYTES } from "./prepared.js";

/** A word at a position. */
export type Word = readonly [term: string, position: number];

/** A buffer with what it must have become. Terms are latin-1. */
export class FilledBuffer {
  readonly buffer: InvertedBuffer;
  /** Per field ordinal, per term. */
  readonly expected = new Map<number, Map<string, Posting[]>>();
  readonly lengths = new Map<number, number[]>();
  readonly termIds = new Map<number, Map<string, number>>();
  readonly #record: number;

  constructor(
    readonly storage: Storage,
    recordBytes = 1 << 20,
  ) {
    this.buffer = new InvertedBuffer(storage.arena, storage.kernels);
    this.#record = storage.arena.alloc(recordBytes);
  }

  addText(field: Field, doc: number, words: readonly Word[]): void {
    const { arena, kernels } = this.storage;
    const header = this.#record + RECORD_HEADER_BYTES;
    const tokens = header + TOKENS_HEADER_BYTES;
    const text = tokens + TOKEN_ENTRY_BYTES * words.length;
    let start = 0;
    words.forEach(([term, position], i) => {
      const bytes = Buffer.from(term, "latin1");
      arena.u8.set(bytes, text + start);
      arena.u32.set([start, bytes.length, position, 0], (tokens + TOKEN_ENTRY_BYTES * i) / 4);
      start += bytes.length;
    });
    arena.u32.set([words.length, words.length, start, 0], header / 4);
    kernels.hashTokens(text, tokens, words.length);
    this.buffer.addTokens(field, this.#record, doc);
    this.#note(field, doc).push(words.length);
    for (const [term, position] of words) {
      const postings = this.#postings(field, term);
      const last = postings.at(-1);
      if (last?.[0] === doc) {
        last[1]++;
        last[2].push(position);
      } else {
        postings.push([doc, 1, [position]]);
      }
    }
  }

  addTerm(field: Field, doc: number, term: string): void {
    const { arena } = this.storage;
    const bytes = Buffer.from(term, "latin1");
    arena.u32[(this.#record + RECORD_HEADER_BYTES) / 4] = bytes.length;
    arena.u8.set(bytes, this.#record + RECORD_HEADER_BYTES + 4);
    const id = this.buffer.addTerm(field, this.#record, doc);
    const ids = this.termIds.get(field.ordinal) ?? new Map<string, number>();
    this.termIds.set(field.ordinal, ids.set(term, id));
    const postings = this.#postings(field, term);
    if (postings.at(-1)?.[0] !== doc) postings.push([doc, 1, []]);
  }

  close(): void {
    this.buffer.close();
    this.storage.arena.free(this.#record);
  }

  #note(field: Field, doc: number): number[] {
    const lengths = this.lengths.get(field.ordinal) ?? [];
    this.lengths.set(field.ordinal, lengths);
    while (lengths.length < doc) lengths.push(0);
    return lengths;
  }

  #postings(field: Field, term: string): Posting[] {
    const terms = this.expected.get(field.ordinal) ?? new Map<string, Posting[]>();
    this.expected.set(field.ordinal, terms);
    const postings = terms.get(term) ?? [];
    terms.set(term, postings);
    return postings;
  }
}
