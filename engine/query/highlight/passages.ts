/**
 * Fragments of a text around its marks: whole sentences up to a size, longer sentences cut between words. Source: OpenSearch
 * `BoundedBreakIteratorScanner`, Lucene `FieldHighlighter` and `PassageScorer`. Sentences are those of Intl.Segmenter.
 */

import { wordBoundaries } from "./words.js";

/** A marked stretch of text; UTF-16 offsets. */
export interface Mark {
  start: number;
  end: number;
  /** Equal for marks of the same term. */
  term: string;
}

/** A fragment: [start, end) of a value, with the marks in it. */
export interface Passage {
  start: number;
  end: number;
  marks: Mark[];
  score: number;
}

/** Made when it is first needed: its data takes longer to load than a thread to start. */
let sentences: Intl.Segmenter | undefined;

/** Cuts one value into the passages that hold its marks (ascending, not overlapping); `size` 0: the whole value. */
export function cutPassages(text: string, marks: readonly Mark[], size: number): Passage[] {
  if (size === 0) return marks.length === 0 ? [] : [{ start: 0, end: text.length, marks: [...marks], score: 0 }];
  const cutter = new Cutter(text, size);
  const passages: Passage[] = [];
  for (const mark of marks) {
    const last = passages.at(-1);
    if (last !== undefined && mark.start < last.end) {
      last.marks.push(mark);
      continue;
    }
    passages.push({ ...cutter.around(mark.start), marks: [mark], score: 0 });
  }
  return passages;
}

/** Remembers the sentences it is in, so that what is left of a long one can be the next passage. */
class Cutter {
  #windowStart = -1;
  #windowEnd = -1;
  #innerEnd = 0;
  readonly #breaks: number[];
  readonly #text: string;
  readonly #size: number;

  constructor(text: string, size: number) {
    this.#text = text;
    this.#size = size;
    this.#breaks = [...sentenceBoundaries(text)];
  }

  around(at: number): { start: number; end: number } {
    const offset = at + 1;
    let start: number;
    if (offset > this.#windowStart && offset < this.#windowEnd) {
      start = this.#innerEnd;
      this.#innerEnd = this.#windowEnd;
    } else {
      start = this.#openWindow(offset);
    }
    if (this.#innerEnd - start > this.#size) {
      if (offset - this.#size > start) start = Math.max(start, wordBoundaryBefore(this.#text, offset - this.#size));
      const remaining = Math.max(0, this.#size - (offset - start));
      if (offset + remaining < this.#windowEnd) {
        this.#innerEnd = Math.min(this.#windowEnd, wordBoundaryAfter(this.#text, offset + remaining));
      }
    }
    return { start, end: this.#innerEnd };
  }

  /** The sentence around `offset`, and as many following ones as fit. */
  #openWindow(offset: number): number {
    const breaks = this.#breaks;
    const next = breaks.findIndex((b) => b >= offset);
    let end = next < 0 ? breaks.length - 1 : next;
    const start = breaks[Math.max(0, end - 1)];
    while (end + 1 < breaks.length && breaks[end + 1] - start <= this.#size) end++;
    this.#windowStart = start;
    this.#windowEnd = breaks[end];
    this.#innerEnd = this.#windowEnd;
    return start;
  }
}

/** Offsets where pieces begin, and the end. */
function* sentenceBoundaries(text: string): Generator<number> {
  sentences ??= new Intl.Segmenter("en", { granularity: "sentence" });
  for (const { index } of sentences.segment(text)) yield index;
  yield text.length;
}

/** How far around an offset words are looked for; a longer word is cut. */
const WORD_REACH = 300;

function wordBoundaryBefore(text: string, offset: number): number {
  const from = Math.max(0, offset - WORD_REACH);
  let best = from;
  for (const b of wordBoundaries(text.slice(from, offset + WORD_REACH))) if (from + b < offset) best = from + b;
  return best;
}

/** First word boundary after an offset. */
export function wordBoundaryAfter(text: string, offset: number): number {
  const from = Math.max(0, offset - WORD_REACH);
  for (const b of wordBoundaries(text.slice(from, offset + WORD_REACH))) if (from + b > offset) return from + b;
  return text.length;
}

const K1 = 1.2;
const B = 0.75;
/** Length of a typical passage. */
const PIVOT = 87;

/** Scores passages of a document whose text is `length` long: BM25 with passages as documents, earlier ones a little higher. */
export function scorePassages(passages: readonly Passage[], length: number): void {
  const totals = new Map<string, number>();
  for (const { marks } of passages) for (const { term } of marks) totals.set(term, (totals.get(term) ?? 0) + 1);
  for (const passage of passages) {
    const counts = new Map<string, number>();
    for (const { term } of passage.marks) counts.set(term, (counts.get(term) ?? 0) + 1);
    let score = 0;
    for (const [term, freq] of counts) {
      const norm = K1 * (1 - B + (B * (passage.end - passage.start)) / PIVOT);
      const passagesInText = 1 + length / PIVOT;
      const weight = (K1 + 1) * Math.log(1 + (passagesInText + 0.5) / ((totals.get(term) ?? 0) + 0.5));
      score += (freq / (freq + norm)) * weight;
    }
    passage.score = score * (1 + 1 / Math.log(PIVOT + passage.start));
  }
}
