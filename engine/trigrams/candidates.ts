/** From what is asked of the grams to the chunks, or the documents, that may satisfy it. */
import type { GramQuery } from "../regex/index.js";
import { bitWords, countBits, setBit } from "../store/bits.js";
import type { GramEntry, GramLists } from "./gram-lists.js";

/** Looking at a chunk's text takes as long as decoding so many numbers of lists, about. */
const NUMBERS_PER_CHUNK = 2000;
/**
 * What is left at least of the belief that lists take away what they would if grams were independent of each other. They
 * are not: once a word's rarest grams were looked for the others are there too.
 */
const LEAST_BELIEF = 0.01;

/** What is marked for the chunks of a gram: bits of the chunks themselves, or of the documents that lie in them. */
export interface Marks {
  /** Bits there are. */
  readonly size: number;
  /** Sets the bits of `count` chunks at an address. */
  mark(chunks: number, count: number, bits: Uint32Array): void;
}

/** A part of a query with how many chunks it is expected to let through. */
interface Estimated {
  readonly query: GramQuery;
  readonly chunks: number;
}

/** Evaluates queries on one index. */
export class Candidates {
  readonly #entries = new Map<number, GramEntry | null>();

  constructor(
    private readonly lists: GramLists,
    private readonly marks: Marks,
  ) {}

  /** Bits of what may match; null: all may. */
  bits(query: GramQuery): Uint32Array | null {
    switch (query.kind) {
      case "all":
        return null;
      case "none":
        return this.#none();
      case "gram":
        return this.#gramBits(query.gram);
      case "or":
        return this.#anyBits(query.parts);
      case "and":
        return this.#allBits(query.parts);
    }
  }

  /** Chunks that a query lets through at most, by the dictionary. */
  estimate(query: GramQuery): number {
    switch (query.kind) {
      case "all":
        return this.lists.total;
      case "none":
        return 0;
      case "gram":
        return this.#entry(query.gram)?.count ?? 0;
      case "or":
        return Math.min(
          this.lists.total,
          query.parts.reduce((sum, part) => sum + this.estimate(part), 0),
        );
      case "and":
        return query.parts.reduce((least, part) => Math.min(least, this.estimate(part)), this.lists.total);
    }
  }

  #none(): Uint32Array {
    return new Uint32Array(bitWords(this.marks.size));
  }

  #entry(gram: number): GramEntry | null {
    let entry = this.#entries.get(gram);
    if (entry === undefined) {
      entry = this.lists.find(gram);
      this.#entries.set(gram, entry);
    }
    return entry;
  }

  #gramBits(gram: number): Uint32Array | null {
    const entry = this.#entry(gram);
    if (entry === null) return this.#none();
    if (entry.count === this.lists.total) return null;
    const bits = this.#none();
    this.marks.mark(this.lists.chunks(entry), entry.count, bits);
    return bits;
  }

  #anyBits(parts: readonly GramQuery[]): Uint32Array | null {
    const any = this.#none();
    for (const part of parts) {
      const bits = this.bits(part);
      if (bits === null) return null;
      for (let i = 0; i < any.length; i++) any[i] |= bits[i];
    }
    return any;
  }

  /** The rarest first; a list that takes longer to read than the chunks that it may take away is left out. */
  #allBits(parts: readonly GramQuery[]): Uint32Array | null {
    const sorted = parts.map((query): Estimated => ({ query, chunks: this.estimate(query) }));
    sorted.sort((a, b) => a.chunks - b.chunks);
    const { total } = this.lists;
    let all: Uint32Array | null = null;
    let left = total;
    let belief = 1;
    for (const { query, chunks } of sorted) {
      const expected = 1 - chunks / total;
      if (all !== null && chunks > left * expected * belief * NUMBERS_PER_CHUNK) continue;
      const bits = this.bits(query);
      if (bits === null) continue;
      if (all === null) all = bits;
      else for (let i = 0; i < all.length; i++) all[i] &= bits[i];
      const before = left;
      left = countBits(all);
      if (left === 0) break;
      belief = Math.max(LEAST_BELIEF, (belief + (before - left) / (before * expected)) / 2);
    }
    return all;
  }
}

/** The numbers of the bits that are set; of all `size` where `bits` is null. */
export function numbersOf(bits: Uint32Array | null, size: number): Uint32Array {
  if (bits === null) return Uint32Array.from({ length: size }, (_, i) => i);
  const numbers = new Uint32Array(countBits(bits));
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]; rest !== 0; rest &= rest - 1) {
      numbers[count++] = 32 * word + 31 - Math.clz32(rest & -rest);
    }
  }
  return numbers;
}

/** Sets bits [from, to). */
export function setBits(bits: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) setBit(bits, i);
}
