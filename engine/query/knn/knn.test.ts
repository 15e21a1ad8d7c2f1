import { describe, expect, it } from "vitest";
import type { VectorSimilarity } from "../../mapping/mapping.js";
import type { Knn, Query } from "../query.js";
import { executeSearch } from "../search-exec.js";
import { memoryReader, searchRequest, testEnvironment, testIndex } from "../testing/memory-reader.js";

const environment = testEnvironment();
const VECTORS = [[1, 0], [0.6, 0.8], [0, 1], [-1, 0], null, [0.8, 0.6]];
const DOCUMENTS = VECTORS.map((vector, i) => ({
  id: String(i),
  source: { ...(vector === null ? {} : { v: vector }), even: i % 2 === 0, text: `word${i}` },
}));

async function nearest(
  similarity: VectorSimilarity,
  change: Partial<Knn> = {},
  query: Query = { kind: "match_none", boost: 1 },
) {
  const index = testIndex({
    v: { type: "dense_vector", similarity },
    even: { type: "boolean" },
    text: { type: "keyword" },
  });
  const source = memoryReader(environment, index, DOCUMENTS, { segments: [2, 4], deleted: new Set(["2"]) });
  const knn = [{ field: "v", vector: [1, 0], k: 3, numCandidates: 10, boost: 1, ...change }];
  const result = await executeSearch([source], searchRequest({ query, knn, profile: true }), environment);
  return { ...result, found: result.hits.map(({ id, score }) => [id, score]) };
}

const f32 = Math.fround;

describe("nearest neighbours", () => {
  it("are the k best live documents of all segments, scored as Lucene scores each similarity", async () => {
    expect((await nearest("cosine")).found).toEqual([
      ["0", 1],
      ["5", f32(0.9)],
      ["1", f32(0.8)],
    ]);
    expect((await nearest("dot_product")).found[1]).toEqual(["5", f32(0.9)]);
    const l2 = (await nearest("l2_norm")).found;
    expect(l2[0]).toEqual(["0", 1]);
    expect(l2[1][1]).toBeCloseTo(1 / 1.4, 6);
    const inner = (await nearest("max_inner_product", { k: 5 })).found;
    expect(inner.map(([id]) => id)).toEqual(["0", "5", "1", "3"]);
    expect(inner.at(-1)).toEqual(["3", 0.5]);
  });

  it("count no more than k in the total", async () => {
    expect((await nearest("cosine", { k: 2 })).total).toEqual({ value: 2, relation: "eq" });
  });

  it("keep to the filter and to the least similarity", async () => {
    const filter: Query = { kind: "term", field: "even", value: false, caseInsensitive: false, boost: 1 };
    expect((await nearest("cosine", { filter })).found.map(([id]) => id)).toEqual(["5", "1", "3"]);
    expect((await nearest("cosine", { similarity: 0.7 })).found.map(([id]) => id)).toEqual(["0", "5"]);
    expect((await nearest("l2_norm", { similarity: 0.7 })).found.map(([id]) => id)).toEqual(["0", "5"]);
  });

  it("add their scores to the query's hits", async () => {
    const query: Query = {
      kind: "constant_score",
      filter: { kind: "terms", field: "text", values: ["word1", "word4"], boost: 1 },
      boost: 2,
    };
    expect((await nearest("cosine", { boost: 10 }, query)).found).toEqual([
      ["0", 10],
      ["1", f32(f32(f32(0.8) * 10) + 2)],
      ["5", f32(f32(0.9) * 10)],
      ["4", 2],
    ]);
  });

  it("say how they were found", async () => {
    expect((await nearest("cosine")).profile?.knn).toMatchObject([{ path: "exact" }, { path: "exact" }]);
  });

  it("refuse other fields and other dimensions", async () => {
    await expect(nearest("cosine", { field: "text" })).rejects.toThrow(
      "[knn] queries are only supported on [dense_vector] fields",
    );
    await expect(nearest("cosine", { vector: [1, 2, 3] })).rejects.toThrow(
      "different dimension [3] than the index vectors [2]",
    );
  });
});
