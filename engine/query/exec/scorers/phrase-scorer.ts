/**
 * BM25 of a phrase: documents that have all its terms, kept when their positions agree. Frequencies are counted by
 * phrase-matchers.ts.
 */
import type { Field } from "../../../mapping/field-table.js";
import type { PostingsIterator } from "../../../segment/types.js";
import { bm25 } from "../bm25.js";
import type { LeafContext } from "../context.js";
import { termsKey } from "../filter-key.js";
import type { PhrasePlan, PlannedTerm } from "../plan.js";
import { NO_MORE_DOCS, type Scorer } from "../scorer.js";
import { exactFrequency, PhrasePlace, PhraseTerms, sloppyFrequency } from "./phrase-matchers.js";
import { type Norms, normInverse } from "./term-scorer.js";

/** The scorer of a phrase in one leaf; null when a term is missing there. */
export function phraseScorer(leaf: LeafContext, plan: PhrasePlan): PhraseScorer | null {
  const places: PhrasePlace[] = [];
  const shared = new Map<string, PhraseTerms>();
  const groups = groupsOf(plan);
  for (const [i, { offset, terms }] of plan.positions.entries()) {
    const key = termsKey(terms);
    let opened = shared.get(key);
    if (opened === undefined) {
      const postings = openAll(leaf, plan.field, terms);
      if (postings.length === 0) return null;
      opened = new PhraseTerms(postings);
      shared.set(key, opened);
    }
    places.push(new PhrasePlace(offset, opened, groups[i]));
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

/** By place: places with the same single term form a group, no two of which may use the same occurrence; -1: a place of its own. */
function groupsOf(plan: PhrasePlan): number[] {
  const first = new Map<string, { place: number; repeated: boolean }>();
  const keys = plan.positions.map(({ terms }) => (terms.length === 1 ? termsKey(terms) : null));
  keys.forEach((key, place) => {
    if (key === null) return;
    const known = first.get(key);
    if (known === undefined) first.set(key, { place, repeated: false });
    else known.repeated = true;
  });
  return keys.map((key) => {
    const known = key === null ? undefined : first.get(key);
    return known?.repeated ? known.place : -1;
  });
}

/** Norm bytes of a field of a leaf. */
export function fieldNorms(leaf: LeafContext, field: Field): Norms {
  return { bytes: leaf.context.environment.arena.u8, address: field.norms ? leaf.segment.norms(field) : 0 };
}

/** Candidates of a short phrase looked at between two chances to pause. */
const WORK_PER_STEP = 512;

/** What `PhraseScorer.seek` gives when it has not found the next document yet. */
export const PENDING = -2;

/** Finds the documents of a phrase; `places` in the order of the words. */
export class PhraseScorer implements Scorer {
  doc = -1;
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly cost: number;
  /** Different terms by cost, for finding documents; matchers take the phrase's own order. */
  readonly #byCost: readonly PhraseTerms[];
  readonly #places: readonly PhrasePlace[];
  readonly #plan: PhrasePlan;
  readonly #norms: Norms;
  #freq = 0;
  /** Long sloppy phrases take long with each document. */
  readonly #candidateCost: number;
  /** Where the next candidate is looked for. */
  #from = 0;
  #left = WORK_PER_STEP;

  constructor(places: readonly PhrasePlace[], plan: PhrasePlan, norms: Norms) {
    this.#places = places;
    this.#byCost = [...new Set(places.map((place) => place.terms))].sort((a, b) => a.cost - b.cost);
    this.#plan = plan;
    this.#norms = norms;
    this.cost = this.#byCost[0].cost;
    this.#candidateCost = plan.slop === 0 ? Math.ceil(places.length / 16) : places.length;
  }

  /** Occurrences in the current document; a fraction for sloppy ones. */
  get freq(): number {
    return this.#freq;
  }

  next(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    this.#from = target;
    let doc = this.seek();
    while (doc === PENDING) doc = this.seek();
    return doc;
  }

  /** Like `next`, but gives PENDING now and then, when it has looked at many candidates; asked again, it goes on from there. */
  seek(): number {
    while (this.#from !== NO_MORE_DOCS) {
      if (this.#left <= 0) {
        this.#left = WORK_PER_STEP;
        return PENDING;
      }
      const doc = this.#agree(this.#from);
      if (doc === NO_MORE_DOCS) break;
      this.#from = doc + 1;
      this.#left -= this.#candidateCost;
      if (!this.#matches(doc)) continue;
      this.doc = doc;
      return doc;
    }
    this.#from = NO_MORE_DOCS;
    this.doc = NO_MORE_DOCS;
    return NO_MORE_DOCS;
  }

  #matches(doc: number): boolean {
    if (!this.#mayCompete(doc)) return false;
    const { slop } = this.#plan;
    this.#freq = slop === 0 ? exactFrequency(this.#places) : sloppyFrequency(this.#places, slop);
    return this.#freq > 0;
  }

  /** First document >= target that has all terms. */
  #agree(target: number): number {
    let doc = target;
    search: for (;;) {
      for (const terms of this.#byCost) {
        const at = terms.doc < doc ? terms.advance(doc) : terms.doc;
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
    let freq = this.#byCost[0].freq();
    for (const terms of this.#byCost) freq = Math.min(freq, terms.freq());
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
