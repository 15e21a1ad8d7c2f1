import { NO_MORE_DOCS, type Scorer } from "../scorer.js";

/** How the scores of the parts that match become one. */
export type Combine = { kind: "sum" } | { kind: "max"; tieBreaker: number };

/**
 * Documents that at least `minimum` parts match. Scores are combined in the order of the clauses: summed in double and
 * rounded once (Lucene `DisjunctionSumScorer`), or the best plus a share of the others (`DisjunctionMaxScorer`).
 */
export class DisjunctionScorer implements Scorer {
  doc = -1;
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly cost: number;
  readonly #parts: readonly Scorer[];
  readonly #minimum: number;
  readonly #combine: Combine;

  constructor(parts: readonly Scorer[], minimum: number, combine: Combine) {
    this.#parts = parts;
    this.#minimum = Math.max(1, minimum);
    this.#combine = combine;
    this.cost = parts.reduce((sum, part) => sum + part.cost, 0);
  }

  next(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    if (this.doc === NO_MORE_DOCS) return NO_MORE_DOCS;
    let wanted = target;
    for (;;) {
      let first = NO_MORE_DOCS;
      let matching = 0;
      for (const part of this.#parts) {
        const at = part.doc < wanted ? part.advance(wanted) : part.doc;
        if (at < first) {
          first = at;
          matching = 1;
        } else if (at === first) matching++;
      }
      if (first === NO_MORE_DOCS || matching >= this.#minimum) {
        this.doc = first;
        return first;
      }
      wanted = first + 1;
    }
  }

  score(): number {
    return this.#combine.kind === "sum" ? this.#sum() : this.#max(this.#combine.tieBreaker);
  }

  #sum(): number {
    let sum = 0;
    for (const part of this.#parts) if (part.doc === this.doc) sum += part.score();
    return Math.fround(sum);
  }

  #max(tieBreaker: number): number {
    let best = 0;
    let others = 0;
    for (const part of this.#parts) {
      if (part.doc !== this.doc) continue;
      const score = part.score();
      if (score >= best) {
        others += best;
        best = score;
      } else others += score;
    }
    return Math.fround(best + others * tieBreaker);
  }
}
