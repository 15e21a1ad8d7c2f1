import { afterAll, describe, expect, it } from "vitest";
import type { SearchReader } from "./exec/context.js";
import { executeCount, executeSearch } from "./search-exec.js";
import { BruteForce } from "./testing/brute-force.js";
import { memoryReader, searchRequest, testEnvironment } from "./testing/memory-reader.js";
import { RANDOM_INDEX, random, randomDocuments, randomQuery } from "./testing/random.js";
import { realSegments } from "./testing/real-segment.js";

const SEGMENTS = [100, 1, 150, 49];
const DOCUMENTS = 300;
const QUERIES = 150;

const real = realSegments();
afterAll(() => real.close());

const KINDS = [
  {
    name: "segments in memory",
    make: () => {
      const environment = testEnvironment();
      return {
        environment,
        reader: (...args: Parameters<typeof real.reader>): SearchReader => memoryReader(environment, ...args),
      };
    },
  },
  { name: "real segments", make: () => real },
];

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= 2e-6 * Math.max(1, Math.abs(a), Math.abs(b));
}

describe.each(KINDS)("executeSearch over $name", ({ make }) => {
  it("finds and scores what brute force over the live documents does", async () => {
    const r = random();
    const { environment, reader } = make();
    const documents = randomDocuments(r, DOCUMENTS);
    const deleted = new Set(documents.filter(() => r.next() < 0.2).map(({ id }) => id));
    const brute = new BruteForce(
      RANDOM_INDEX,
      documents.filter(({ id }) => !deleted.has(id)),
    );
    const source = reader(RANDOM_INDEX, documents, { segments: SEGMENTS, deleted });
    for (let i = 0; i < QUERIES; i++) {
      const query = randomQuery(r, 2);
      const label = `PINAKES_SEED=${r.seed} ${JSON.stringify(query)}`;
      const request = searchRequest({ query, size: DOCUMENTS, trackTotal: Number.POSITIVE_INFINITY });
      const { hits, total } = await executeSearch([source], request, environment);
      const expected = new Map(brute.search(query).map((hit) => [hit.id, hit.score]));
      expect(hits.map((hit) => hit.id).sort(), label).toEqual([...expected.keys()].sort());
      expect(total, label).toEqual({ value: expected.size, relation: "eq" });
      for (const { id, score } of hits) expect(close(score ?? -1, expected.get(id) ?? -2), `${label} ${id}`).toBe(true);
      expect(await executeCount([source], query, environment), label).toBe(expected.size);
    }
  });

  it("answers the same however documents are cut into segments, whatever is skipped, page by page", async () => {
    const r = random();
    const { environment, reader } = make();
    const documents = randomDocuments(r, DOCUMENTS);
    const one = reader(RANDOM_INDEX, documents, {});
    const many = reader(RANDOM_INDEX, documents, { segments: SEGMENTS });
    for (let i = 0; i < QUERIES; i++) {
      const query = randomQuery(r, 2);
      const label = `PINAKES_SEED=${r.seed} ${JSON.stringify(query)}`;
      const whole = await executeSearch([one], searchRequest({ query, size: 50 }), environment);
      const cut = await executeSearch([many], searchRequest({ query, size: 50 }), environment);
      expect(cut, label).toEqual(whole);
      const skipping = await executeSearch([many], searchRequest({ query, size: 10, trackTotal: 1 }), environment);
      expect(skipping.hits, label).toEqual(whole.hits.slice(0, 10));
      const page = await executeSearch(
        [many],
        searchRequest({ query, from: 10, size: 10, trackTotal: 0 }),
        environment,
      );
      expect(page.hits, label).toEqual(whole.hits.slice(10, 20));
      expect(page.total).toBeUndefined();
    }
  });

  it("scores live documents alone: as if the deleted had never been", async () => {
    const r = random();
    const { environment, reader } = make();
    const documents = randomDocuments(r, DOCUMENTS);
    const deleted = new Set(documents.filter(() => r.next() < 0.5).map(({ id }) => id));
    const kept = documents.filter(({ id }) => !deleted.has(id));
    const marked = reader(RANDOM_INDEX, documents, { segments: SEGMENTS, deleted });
    const merged = reader(RANDOM_INDEX, kept, {});
    for (let i = 0; i < QUERIES; i++) {
      const query = randomQuery(r, 2);
      const of = async (source: SearchReader) => {
        const { hits, total } = await executeSearch([source], searchRequest({ query, size: 20 }), environment);
        return { total, hits: hits.map(({ id, score }) => [id, score]) };
      };
      expect(await of(marked), `PINAKES_SEED=${r.seed} ${JSON.stringify(query)}`).toEqual(await of(merged));
    }
  });
});
