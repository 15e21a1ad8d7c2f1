/**
 * The documents of an exact phrase of single words, and the best of them: those that have all the words are found run by
 * run, and their positions compared by a kernel. Longer, sloppy and synonymous phrases are left to the scorer.
 */
import type { Phrase, ScoreRow } from "../../../kernels/kernels.js";
import { CURSOR_BYTES, Cursor, NOT_DECODED } from "../../../kernels/phrase.js";
import { noBits, setBit } from "../bits.js";
import { type LeafContext, MAX_BULK_TERMS } from "../context.js";
import { termsKey } from "../filter-key.js";
import { HitCounter } from "../hit-counter.js";
import type { Steps } from "../pace.js";
import type { PhrasePlan, PlannedTerm } from "../plan.js";
import { TopHits } from "../top-hits.js";
import { offerRun } from "./conjunction.js";
import { Intersection } from "./intersection.js";
import { maySkip, type Target } from "./target.js";
import { TermList } from "./term-list.js";

/** Whether a phrase can be collected here. */
export function isBulkPhrase(plan: PhrasePlan): boolean {
  return (
    plan.slop === 0 &&
    plan.positions.length <= MAX_BULK_TERMS &&
    plan.positions.every(({ terms }) => terms.length === 1)
  );
}

/** Collects the documents of one leaf that have the phrase. */
export function* collectPhrase(leaf: LeafContext, plan: PhrasePlan, target: Target): Steps {
  const run = PhraseRun.open(leaf, plan, target);
  if (run !== null) yield* run.collect();
}

/** The documents of one leaf that have the phrase, deleted ones included. */
export function* phraseDocuments(leaf: LeafContext, plan: PhrasePlan): Steps<Uint32Array> {
  const bits = noBits(leaf.docCount);
  // A counter that is never satisfied: nothing is passed over.
  const counter = new HitCounter(Number.POSITIVE_INFINITY);
  const run = PhraseRun.open(leaf, plan, { top: new TopHits(0, () => undefined), counter, reader: 0, accept: null });
  if (run !== null) yield* run.mark(bits);
  return bits;
}

/** A word of the phrase: its list, and its cursor over the positions. */
interface Word {
  readonly list: TermList;
  readonly cursor: number;
  /** Block that the cursor stands in. */
  block: number;
}

class PhraseRun {
  readonly #leaf: LeafContext;
  readonly #target: Target;
  readonly #lists: readonly TermList[];
  readonly #words: readonly Word[];
  readonly #intersection: Intersection;
  readonly #phrase: Phrase;
  /** How the run's documents are scored, and their number. */
  readonly #row: ScoreRow;

  private constructor(leaf: LeafContext, plan: PhrasePlan, lists: ReadonlyMap<string, TermList>, target: Target) {
    const { cursors, places, freqs, candidates, matchSums } = leaf.context.scratch;
    this.#leaf = leaf;
    this.#target = target;
    this.#lists = [...lists.values()];
    this.#words = plan.positions.map(({ offset, terms }, i) => {
      const list = lists.get(termsKey(terms)) as TermList;
      return openWord(leaf, list, { cursor: cursors + i * CURSOR_BYTES, offset });
    });
    this.#intersection = new Intersection(leaf, this.#lists, target, "least");
    this.#phrase = { cursors, words: this.#words.length, count: 0, kept: places, freqs };
    this.#row = { ...this.#lists[0].row, docs: candidates, freqs, sums: matchSums };
  }

  /** null: a word is missing in the leaf. */
  static open(leaf: LeafContext, plan: PhrasePlan, target: Target): PhraseRun | null {
    const lists = new Map<string, TermList>();
    for (const { terms } of plan.positions) {
      const key = termsKey(terms);
      if (lists.has(key)) continue;
      const list = openList(leaf, plan, terms, lists.size);
      if (list === null) return null;
      lists.set(key, list);
    }
    return new PhraseRun(leaf, plan, lists, target);
  }

  *collect(): Steps {
    const { counter } = this.#target;
    yield* this.#intersection.run((count) => {
      const found = this.#matching(maySkip(this.#target) ? this.#competitive(count) : count);
      if (found === 0) return;
      counter.count += found;
      this.#score(found);
      offerRun(this.#leaf, this.#target, found);
    });
  }

  /** Sets the bits of the documents that have the phrase. */
  *mark(bits: Uint32Array): Steps {
    const { arena } = this.#leaf.context.environment;
    const first = this.#leaf.context.scratch.candidates >>> 2;
    yield* this.#intersection.run((count) => {
      const found = this.#matching(count);
      for (let i = first; i < first + found; i++) setBit(bits, arena.u32[i]);
    });
  }

  /**
   * Keeps those of the run's documents that may still be among the best: a phrase occurs at most as often as its rarest
   * word, which needs no positions to be known.
   */
  #competitive(count: number): number {
    const { kernels } = this.#leaf.context.environment;
    const { freqs, docs: others, matchSums, places } = this.#leaf.context.scratch;
    this.#lists.forEach(({ buffers }, k) => {
      kernels.gather(buffers.freqs, buffers.places, count, k === 0 ? freqs : others);
      if (k > 0) kernels.keepLesser(freqs, others, count);
    });
    this.#score(count);
    const kept = kernels.keepAbove(matchSums, count, 0, this.#target.top.threshold, places);
    if (kept < count) this.#intersection.narrow(kept);
    return kept;
  }

  /** Sums of `count` documents of the run, by what lies in `scratch.freqs`. */
  #score(count: number): void {
    this.#row.count = count;
    this.#leaf.context.environment.kernels.setScores(this.#row);
  }

  /** Keeps those of the run's documents that have the phrase; how often lies in `scratch.freqs` then. */
  #matching(count: number): number {
    if (count === 0) return 0;
    const { kernels } = this.#leaf.context.environment;
    const { candidates, places } = this.#leaf.context.scratch;
    for (const word of this.#words) {
      if (word.block === word.list.block) continue;
      word.list.postings.placeCursor(word.list.block, word.cursor);
      word.block = word.list.block;
    }
    this.#phrase.count = count;
    const found = kernels.phraseMatches(this.#phrase);
    if (found < count) kernels.gather(candidates, places, found, candidates);
    return found;
  }
}

function openList(leaf: LeafContext, plan: PhrasePlan, terms: readonly PlannedTerm[], number: number): TermList | null {
  const { field, weight } = plan;
  return TermList.open(leaf, { field, weight, terms }, number, { positions: true });
}

function openWord(leaf: LeafContext, list: TermList, at: { cursor: number; offset: number }): Word {
  const { view } = leaf.context.environment.arena;
  view.setUint32(at.cursor + Cursor.freqs, list.buffers.freqs, true);
  view.setUint32(at.cursor + Cursor.places, list.buffers.places, true);
  view.setUint32(at.cursor + Cursor.offset, at.offset, true);
  view.setUint32(at.cursor + Cursor.decoded, NOT_DECODED, true);
  return { list, cursor: at.cursor, block: -1 };
}
