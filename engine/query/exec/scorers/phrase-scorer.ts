/**
 * BM25 of a phrase: documents that have all its terms, kept when their positions agree. Frequencies are counted by
 * phrase-matchers.ts.
 */
import type { Field } from "../../../mapping/field-table.js";
import type { PostingsIterator } from "../../../segment/types.js";
import { bm25 } from "../bm25.js";
import type { LeafContext } from "../context.js";
import type { PhrasePlan, PlannedTerm } from "../plan.js";
import { NO_MORE_DOCS, type Scorer } from "../scorer.js";
import { exactFrequency, PhrasePlace, sloppyFrequency } from "./phrase-matchers.js";
import { type Norms, normInverse } from "./term-scorer.js";

/** The scorer of a phrase in one leaf; null when a term is missing there. */
export function phraseScorer(leaf: LeafContext, plan: PhrasePlan): PhraseScorer | null {
  const places: PhrasePlace[] = [];
  for (const { offset, terms } of plan.positions) {
    const postings = openAll(leaf, plan.field, terms);
    if (postings.length === 0) return null;
    places.push(new PhrasePlace(offset, postings, groupOf(plan, terms)));
  }
  return new PhraseScorer(places, plan, fieldNorms(leaf, plan.field));
}

function openAll(leaf: LeafContext, field: Field, terms: readonly PlannedTerm[]): PostingsIterator[] {
  const opened: PostingsIterator[] = [];
  for (const term of terms) {
    const state = term.states[leaf.index];
    if (state !== null) opened.push(leaf.segment.postings(field, state, { positions: true }));
  }
  return opened;
}

/** Places with the same single term form a group: no two may use the same occurrence. -1: a place of its own. */
function groupOf(plan: PhrasePlan, terms: readonly PlannedTerm[]): number {
  if (terms.length !== 1) return -1;
  const same = plan.positions.filter(
    (p) => p.terms.length === 1 && Buffer.compare(p.terms[0].bytes, terms[0].bytes) === 0,
  );
  return same.length === 1 ? -1 : plan.positions.indexOf(same[0]);
}

/** Norm bytes of a field of a leaf. */
export function fieldNorms(leaf: LeafContext, field: Field): Norms {
  return { bytes: leaf.context.environment.arena.u8, address: field.norms ? leaf.segment.norms(field) : 0 };
}

/** Finds the documents of a phrase; `places` in the order of the words. */
export class PhraseScorer implements Scorer {
  doc = -1;
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly cost: number;
  /** By cost, for finding documents; matchers take the phrase's own order. */
  readonly #byCost: readonly PhrasePlace[];
  readonly #places: readonly PhrasePlace[];
  readonly #plan: PhrasePlan;
  readonly #norms: Norms;
  #freq = 0;

  constructor(places: readonly PhrasePlace[], plan: PhrasePlan, norms: Norms) {
    this.#places = places;
    this.#byCost = [...places].sort((a, b) => a.cost - b.cost);
    this.#plan = plan;
    this.#norms = norms;
    this.cost = this.#byCost[0].cost;
  }

  /** Occurrences in the current document; a fraction for sloppy ones. */
  get freq(): number {
    return this.#freq;
  }

  next(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    let doc = target;
    while (doc !== NO_MORE_DOCS) {
      doc = this.#agree(doc);
      if (doc === NO_MORE_DOCS) break;
      if (this.#mayCompete(doc)) {
        this.#freq =
          this.#plan.slop === 0 ? exactFrequency(this.#places) : sloppyFrequency(this.#places, this.#plan.slop);
        if (this.#freq > 0) break;
      }
      doc++;
    }
    this.doc = doc;
    return doc;
  }

  /** First document >= target that has all terms. */
  #agree(target: number): number {
    let doc = target;
    search: for (;;) {
      for (const place of this.#byCost) {
        const at = place.doc < doc ? place.advance(doc) : place.doc;
        if (at === NO_MORE_DOCS) return NO_MORE_DOCS;
        if (at !== doc) {
          doc = at;
          continue search;
        }
      }
      return doc;
    }
  }

  /** An exact phrase occurs at most as often as its rarest term: a bound that needs no positions. Sloppy ones may exceed it. */
  #mayCompete(doc: number): boolean {
    if (this.minCompetitive === Number.NEGATIVE_INFINITY || this.#plan.slop > 0) return true;
    let freq = this.#places[0].freq();
    for (const place of this.#places) freq = Math.min(freq, place.freq());
    return this.#scoreOf(freq, doc) > this.minCompetitive;
  }

  score(): number {
    return this.#scoreOf(this.#freq, this.doc);
  }

  #scoreOf(freq: number, doc: number): number {
    const { weight, normInverse: table } = this.#plan.weight;
    return bm25(weight, freq, normInverse(this.#norms, table, doc));
  }
}
