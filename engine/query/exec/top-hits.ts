import type { Charge } from "../../memory/index.js";

/** What a kept document takes: its place in the heap, and the object it is handed out as. */
const HIT_BYTES = 128;

/**
 * The best k documents by score. One total order: score descending, then the order in which documents are offered, which is
 * index name, then document number; so a document that ties with the worst kept one comes after it and stays out.
 */
export class TopHits {
  /** Score that a document must exceed to be kept; -Infinity while there is room. */
  threshold = Number.NEGATIVE_INFINITY;
  #size = 0;
  readonly #limit: number;
  /** A binary heap, the worst at the root: parallel arrays of score, rank in order of offering, reader and document. */
  #scores: Float64Array;
  #order: Float64Array;
  #readers: Uint32Array;
  #docs: Float64Array;
  #offered = 0;

  /** `charge` throws when there is no memory for more documents. */
  constructor(
    limit: number,
    private readonly charge: Charge,
  ) {
    this.#limit = limit;
    const capacity = Math.min(limit, 1024);
    charge(capacity * HIT_BYTES);
    this.#scores = new Float64Array(capacity);
    this.#order = new Float64Array(capacity);
    this.#readers = new Uint32Array(capacity);
    this.#docs = new Float64Array(capacity);
    if (limit === 0) this.threshold = Number.POSITIVE_INFINITY;
  }

  get full(): boolean {
    return this.#size === this.#limit;
  }

  /** Offers a document; documents must come in ascending (reader, doc). */
  offer(score: number, reader: number, doc: number): void {
    if (score <= this.threshold) return;
    const order = this.#offered++;
    if (this.#size < this.#limit) {
      if (this.#size === this.#scores.length) this.#grow();
      this.#up(this.#size++, score, order, reader, doc);
    } else {
      this.#down(score, order, reader, doc);
    }
    if (this.#size === this.#limit) this.threshold = this.#scores[0];
  }

  #grow(): void {
    const capacity = Math.min(this.#limit, this.#scores.length * 2);
    this.charge((capacity - this.#scores.length) * HIT_BYTES);
    this.#scores = enlarged(this.#scores, new Float64Array(capacity));
    this.#order = enlarged(this.#order, new Float64Array(capacity));
    this.#readers = enlarged(this.#readers, new Uint32Array(capacity));
    this.#docs = enlarged(this.#docs, new Float64Array(capacity));
  }

  /** Whether the entry at `at` is worse than (score, order). */
  #worse(at: number, score: number, order: number): boolean {
    return this.#scores[at] < score || (this.#scores[at] === score && this.#order[at] > order);
  }

  #up(from: number, score: number, order: number, reader: number, doc: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#worse(parent, score, order)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, score, order, reader, doc);
  }

  #down(score: number, order: number, reader: number, doc: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#worse(child + 1, this.#scores[child], this.#order[child])) child++;
      if (!this.#worse(child, score, order)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, score, order, reader, doc);
  }

  #move(from: number, to: number): void {
    this.#scores[to] = this.#scores[from];
    this.#order[to] = this.#order[from];
    this.#readers[to] = this.#readers[from];
    this.#docs[to] = this.#docs[from];
  }

  #put(at: number, score: number, order: number, reader: number, doc: number): void {
    this.#scores[at] = score;
    this.#order[at] = order;
    this.#readers[at] = reader;
    this.#docs[at] = doc;
  }

  /** The kept documents, best first. `doc` counts over all leaves of its reader. */
  sorted(): { score: number; reader: number; doc: number }[] {
    const entries = Array.from({ length: this.#size }, (_, i) => i);
    entries.sort((a, b) => this.#scores[b] - this.#scores[a] || this.#order[a] - this.#order[b]);
    return entries.map((i) => ({ score: this.#scores[i], reader: this.#readers[i], doc: this.#docs[i] }));
  }
}

function enlarged<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
