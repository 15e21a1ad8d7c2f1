import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Query } from "./query.js";
import { executeSearch } from "./search-exec.js";
import { memoryReader, searchRequest, testEnvironment } from "./testing/memory-reader.js";
import type { TestDocument } from "./testing/memory-segment.js";
import { RANDOM_INDEX } from "./testing/random.js";

interface Recorded {
  source: string;
  documents: TestDocument[];
  cases: { query: Query; total: number; hits: [string, number][] }[];
}

const file = new URL("./testing/opensearch-scores.json", import.meta.url);
const recorded = JSON.parse(readFileSync(file, "utf8")) as Recorded;

describe("scores recorded from OpenSearch", () => {
  it.each(["one segment", "three segments"])("are equal bit for bit over %s", async (name) => {
    const environment = testEnvironment();
    const segments = name === "one segment" ? [120] : [30, 1, 89];
    const source = memoryReader(environment, RANDOM_INDEX, recorded.documents, { segments });
    for (const { query, total, hits } of recorded.cases) {
      const request = searchRequest({ query, size: 5, trackTotal: Number.POSITIVE_INFINITY });
      const result = await executeSearch([source], request, environment);
      expect(result.total?.value, JSON.stringify(query)).toBe(total);
      // What OpenSearch prints is the shortest decimal that names the float.
      const expected = hits.map(([id, score]) => [id, Math.fround(score)]);
      expect(
        result.hits.map((hit) => [hit.id, hit.score]),
        JSON.stringify(query),
      ).toEqual(expected);
    }
  });
});
