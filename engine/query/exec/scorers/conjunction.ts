import { NO_MORE_DOCS, type Scorer } from "../scorer.js";

/**
 * Documents that all parts match; the cheapest leads. Scores are summed in the order of the clauses, in double, rounded once
 * (Lucene `ConjunctionScorer`). Parts that only filter do not score.
 */
export class ConjunctionScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  #minCompetitive = Number.NEGATIVE_INFINITY;
  readonly #lead: Scorer;
  readonly #others: readonly Scorer[];
  readonly #scoring: readonly Scorer[];

  constructor(scoring: readonly Scorer[], filtering: readonly Scorer[]) {
    const [lead, ...others] = [...scoring, ...filtering].sort((a, b) => a.cost - b.cost);
    this.#lead = lead;
    this.#others = others;
    this.#scoring = scoring;
    this.cost = lead.cost;
  }

  get minCompetitive(): number {
    return this.#minCompetitive;
  }

  /** The only part that scores may leave out what the whole may. */
  set minCompetitive(score: number) {
    this.#minCompetitive = score;
    if (this.#scoring.length === 1) this.#scoring[0].minCompetitive = score;
  }

  next(): number {
    if (this.doc === NO_MORE_DOCS) return NO_MORE_DOCS;
    return this.#agree(this.#lead.next());
  }

  advance(target: number): number {
    if (this.doc === NO_MORE_DOCS) return NO_MORE_DOCS;
    return this.#agree(this.#lead.advance(target));
  }

  #agree(candidate: number): number {
    let doc = candidate;
    search: while (doc !== NO_MORE_DOCS) {
      for (const other of this.#others) {
        const at = other.doc < doc ? other.advance(doc) : other.doc;
        if (at !== doc) {
          doc = at === NO_MORE_DOCS ? NO_MORE_DOCS : this.#lead.advance(at);
          continue search;
        }
      }
      break;
    }
    this.doc = doc;
    return doc;
  }

  score(): number {
    let sum = 0;
    for (const part of this.#scoring) sum += part.score();
    return Math.fround(sum);
  }
}

/** Required documents less excluded ones (Lucene `ReqExclScorer`). */
export class ExclusionScorer implements Scorer {
  readonly cost: number;
  readonly #required: Scorer;
  readonly #excluded: Scorer;

  constructor(required: Scorer, excluded: Scorer) {
    this.#required = required;
    this.#excluded = excluded;
    this.cost = required.cost;
  }

  get doc(): number {
    return this.#required.doc;
  }

  get minCompetitive(): number {
    return this.#required.minCompetitive;
  }

  set minCompetitive(score: number) {
    this.#required.minCompetitive = score;
  }

  next(): number {
    return this.#skip(this.#required.next());
  }

  advance(target: number): number {
    return this.#skip(this.#required.advance(target));
  }

  #skip(candidate: number): number {
    let doc = candidate;
    while (doc !== NO_MORE_DOCS) {
      if (this.#excluded.doc < doc) this.#excluded.advance(doc);
      if (this.#excluded.doc !== doc) return doc;
      doc = this.#required.next();
    }
    return doc;
  }

  score(): number {
    return this.#required.score();
  }
}

/** Required documents; optional ones add to the score, float + float (Lucene `ReqOptSumScorer`). */
export class OptionalScorer implements Scorer {
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly cost: number;
  readonly #required: Scorer;
  readonly #optional: Scorer;

  constructor(required: Scorer, optional: Scorer) {
    this.#required = required;
    this.#optional = optional;
    this.cost = required.cost;
  }

  get doc(): number {
    return this.#required.doc;
  }

  next(): number {
    return this.#required.next();
  }

  advance(target: number): number {
    return this.#required.advance(target);
  }

  score(): number {
    const doc = this.#required.doc;
    const score = this.#required.score();
    if (this.#optional.doc < doc) this.#optional.advance(doc);
    return this.#optional.doc === doc ? Math.fround(score + this.#optional.score()) : score;
  }
}
