import { describe, expect, it } from "vitest";
import { compileQuery } from "../compile/compile.js";
import { memoryReader, testEnvironment } from "../testing/memory-reader.js";
import { RANDOM_INDEX, random, randomDocuments, randomQuery } from "../testing/random.js";
import { hasBit } from "./bits.js";
import { buildScorer } from "./build-scorer.js";
import { allocateScratch, type LeafContext, readerContext } from "./context.js";
import { planBits } from "./filter-bits.js";
import type { Plan } from "./plan.js";
import { NO_MORE_DOCS, type Scorer } from "./scorer.js";

const DOCUMENTS = 400;
const QUERIES = 200;

/** All documents of a fresh scorer by next(), with their scores asked for twice. */
function walk(scorer: Scorer | null, label: string): Map<number, number> {
  const seen = new Map<number, number>();
  if (scorer === null) return seen;
  expect(scorer.doc, label).toBe(-1);
  let last = -1;
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
    const score: number = scorer.score();
    const sound = doc > last && scorer.doc === doc && scorer.score() === score && score === Math.fround(score);
    if (!sound) expect.fail(`${label}: document ${doc} after ${last}, score ${score}`);
    seen.set(doc, score);
    last = doc;
  }
  expect([scorer.doc, scorer.next(), scorer.next()], label).toEqual([NO_MORE_DOCS, NO_MORE_DOCS, NO_MORE_DOCS]);
  expect(scorer.cost, label).toBeGreaterThanOrEqual(seen.size);
  return seen;
}

/** The same documents by advance() in steps of varying length. */
function jump(leaf: LeafContext, plan: Plan, all: Map<number, number>, label: string, step: () => number): void {
  const scorer = buildScorer(leaf, plan);
  if (scorer === null) return;
  const docs = [...all.keys()];
  for (let target = step(); ; target = scorer.doc + 1 + step()) {
    const expected = docs.find((doc) => doc >= target) ?? NO_MORE_DOCS;
    const found: number = scorer.advance(target);
    if (found !== expected) expect.fail(`${label}: advance(${target}) gave ${found}, not ${expected}`);
    if (expected === NO_MORE_DOCS) break;
    if (scorer.score() !== all.get(expected)) expect.fail(`${label}: another score of document ${expected}`);
  }
  expect(scorer.doc, label).toBe(NO_MORE_DOCS);
}

/** What may be left out once scores at or below `minimum` do not matter. */
function compete(leaf: LeafContext, plan: Plan, all: Map<number, number>, label: string): void {
  const scorer = buildScorer(leaf, plan);
  if (scorer === null || all.size === 0) return;
  const sorted = [...all.values()].sort((a, b) => a - b);
  const minimum = sorted[sorted.length >> 1];
  scorer.minCompetitive = minimum;
  const seen = new Map<number, number>();
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) seen.set(doc, scorer.score());
  for (const [doc, score] of all) if (score > minimum) expect(seen.get(doc), label).toBe(score);
  for (const [doc, score] of seen) expect(all.get(doc), label).toBe(score);
}

describe("every scorer", () => {
  it("keeps the contract, and agrees with the bits of its plan", () => {
    const r = random();
    const environment = testEnvironment();
    const documents = randomDocuments(r, DOCUMENTS);
    const source = memoryReader(environment, RANDOM_INDEX, documents);
    const scratch = allocateScratch(environment.arena);
    const context = readerContext(environment, source, 0, { scratch, docs: null });
    const [leaf] = context.leaves;
    for (let i = 0; i < QUERIES; i++) {
      const query = randomQuery(r, 2);
      const label = `PINAKES_SEED=${r.seed} ${JSON.stringify(query)}`;
      const plan = compileQuery(context, query);
      const all = walk(buildScorer(leaf, plan), label);
      const bits = planBits(leaf, plan);
      const inBits = Array.from({ length: DOCUMENTS }, (_, doc) => doc).filter((doc) => hasBit(bits, doc));
      expect(inBits, label).toEqual([...all.keys()]);
      jump(leaf, plan, all, label, () => r.below(r.pick([1, 5, 100])));
      compete(leaf, plan, all, label);
    }
  });
});
