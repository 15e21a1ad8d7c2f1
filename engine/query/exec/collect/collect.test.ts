import { afterAll, describe, expect, it } from "vitest";
import { compileQuery } from "../../compile/compile.js";
import type { Bool, Query } from "../../query.js";
import { executeSearch } from "../../search-exec.js";
import { memoryReader, searchRequest, testEnvironment, testIndex } from "../../testing/memory-reader.js";
import type { TestDocument } from "../../testing/memory-segment.js";
import { type Random, random } from "../../testing/random.js";
import { realSegments } from "../../testing/real-segment.js";
import { hasBit } from "../bits.js";
import { buildScorer } from "../build-scorer.js";
import { allocateScratch, readerContext, type SearchEnvironment, type SearchReader } from "../context.js";
import { NO_MORE_DOCS } from "../scorer.js";

/** Lists of many blocks, of one block and of one document; some of the blocks have no document of the others. */
const DOCUMENTS = 12_000;
const SEGMENTS = [7000, 130, 4870];
const QUERIES = 48;
const INDEX = testIndex({ t: { type: "text" }, k: { type: "keyword" } });
const WORDS = ["ba", "ze", "qu", "or", "an", "el", "ix", "up", "da", "go", "fe", "wy", "co", "ka", "to"];

const real = realSegments();
afterAll(() => real.close());

/** Words by Zipf's law; some only in a stretch of the documents; some said many times over. */
function documents(r: Random): TestDocument[] {
  const word = (doc: number) => {
    const rank = Math.floor(WORDS.length * r.next() ** 3);
    return rank === 5 && Math.floor(doc / 900) % 3 > 0 ? "else" : WORDS[rank];
  };
  return Array.from({ length: DOCUMENTS }, (_, doc) => {
    const length = r.next() < 0.01 ? 200 : 1 + r.below(9);
    const words = Array.from({ length }, () => word(doc));
    if (doc % 4001 === 17) words.push("once");
    return { id: String(doc), source: { t: words.join(" "), k: r.pick(["x", "y", "y", "z"]) } };
  });
}

function bool(change: Partial<Bool>): Query {
  return { kind: "bool", must: [], should: [], filter: [], mustNot: [], boost: 1, ...change };
}

function match(text: string, operator: "or" | "and"): Query {
  return { kind: "match", field: "t", query: text, operator, zeroTerms: "none", lenient: false, boost: 1 };
}

function phrase(text: string, slop: number): Query {
  return { kind: "match_phrase", field: "t", query: text, slop, zeroTerms: "none", lastTermExpansions: 0, boost: 1 };
}

function query(r: Random): Query {
  const text = Array.from({ length: 1 + r.below(4) }, () =>
    r.next() < 0.1 ? r.pick(["once", "else"]) : WORDS[Math.floor(WORDS.length * r.next() ** 2)],
  ).join(" ");
  const scoring = r.pick([match(text, "or"), match(text, "and"), phrase(text, r.next() < 0.1 ? 1 : 0)]);
  const tag: Query = { kind: "term", field: "k", value: r.pick(["x", "z"]), caseInsensitive: false, boost: 1 };
  const narrowed = r.next();
  if (narrowed < 0.2) return bool({ must: [scoring], filter: [tag] });
  if (narrowed < 0.3) return bool({ must: [scoring], mustNot: [tag] });
  return narrowed < 0.4 ? bool({ should: [scoring, tag] }) : scoring;
}

/** Every document with its score, by the scorers that collecting in bulk does without; best first. */
function byScorers(environment: SearchEnvironment, source: SearchReader, asked: Query): [string, number][] {
  const scratch = allocateScratch(environment.arena);
  const context = readerContext(environment, source, 0, { scratch, docs: null });
  const found: { id: string; score: number; doc: number }[] = [];
  for (const leaf of context.leaves) leaf.segment.beginUse();
  const plan = compileQuery(context, asked);
  for (const leaf of context.leaves) {
    const scorer = buildScorer(leaf, plan);
    for (let doc = scorer?.next() ?? NO_MORE_DOCS; doc !== NO_MORE_DOCS; doc = scorer?.next() ?? NO_MORE_DOCS) {
      if (leaf.leaf.live !== null && !hasBit(leaf.leaf.live, doc)) continue;
      found.push({ id: leaf.segment.id(doc), score: scorer?.score() ?? 0, doc: leaf.leaf.base + doc });
    }
  }
  for (const leaf of context.leaves) leaf.segment.endUse();
  environment.arena.free(scratch.address);
  return found.sort((a, b) => b.score - a.score || a.doc - b.doc).map(({ id, score }) => [id, score]);
}

const KINDS = [
  {
    name: "segments in memory, twin kernels",
    queries: QUERIES / 4,
    make: () => {
      const environment = testEnvironment("twin", 128 << 20);
      return {
        environment,
        reader: (...args: Parameters<typeof real.reader>): SearchReader => memoryReader(environment, ...args),
      };
    },
  },
  { name: "real segments", queries: QUERIES, make: () => real },
];

describe.each(KINDS)("collecting over $name", ({ make, queries }) => {
  it.each(["nothing deleted", "a third deleted"])(
    "gives the scorers' documents, scores and number, whatever is skipped: %s",
    { timeout: 120_000 },
    async (deletions) => {
      const r = random();
      const { environment, reader } = make();
      const made = documents(r);
      const share = deletions === "nothing deleted" ? 0 : 1 / 3;
      const deleted = new Set(made.filter(() => r.next() < share).map(({ id }) => id));
      const source = reader(INDEX, made, { segments: SEGMENTS, deleted, name: deletions });
      for (let i = 0; i < queries; i++) {
        const asked = query(r);
        const label = `PINAKES_SEED=${r.seed} ${JSON.stringify(asked)}`;
        const expected = byScorers(environment, source, asked);
        for (const [size, trackTotal] of [
          [DOCUMENTS, Number.POSITIVE_INFINITY],
          [10, 0],
          [3, 100],
          [50, 1000],
        ]) {
          const result = await executeSearch([source], searchRequest({ query: asked, size, trackTotal }), environment);
          const hits = result.hits.map(({ id, score }) => [id, score]);
          expect(hits, label).toEqual(expected.slice(0, size));
          if (trackTotal > 0) expect(result.total?.value, label).toBe(Math.min(expected.length, trackTotal));
        }
      }
    },
  );
});
