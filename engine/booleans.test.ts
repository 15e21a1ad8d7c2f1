import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Aggregation } from "./aggs/aggregation.js";
import type { Index } from "./engine-types.js";
import type { Query } from "./query/query.js";
import { searchRequest } from "./query/testing/memory-reader.js";
import type { SearchRequest } from "./search.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "./testing/engine-fixture.js";

/** Values as OpenSearch 2.19 answers for the same four documents. */
const DOCUMENTS = [
  { on: [true, true, false], unsearched: [true, true, false], bare: true },
  { on: false, unsearched: false },
  { on: ["true"] },
  { x: 1 },
];
const ALL: Query = { kind: "match_all", boost: 1 };

let fixture: EngineFixture;
let index: Index;

/** Every document in a segment of its own, with one deleted between, so that a merge has something to do. */
beforeEach(async () => {
  fixture = await engineFixture();
  const properties = {
    on: { type: "boolean" },
    unsearched: { type: "boolean", index: false },
    bare: { type: "boolean", docValues: false },
  } as const;
  index = await fixture.engine.createIndex("a", definitionOf({ properties }));
  for (const [i, document] of DOCUMENTS.entries()) {
    good(await index.write([indexOf(`${i}`, document), indexOf("gone", { on: [true, false] })]));
    await index.refresh();
  }
  good(await index.write([{ kind: "delete", id: "gone" }]));
  await index.refresh();
});
afterEach(() => fixture.remove());

const search = (request: Partial<SearchRequest>) =>
  fixture.engine.search([{ index: "a" }], searchRequest({ query: ALL, size: 10, ...request }));

async function ids(query: Query): Promise<string[]> {
  const { hits } = await search({ query });
  return hits.map((hit) => hit.id).sort();
}

async function metrics(): Promise<Record<string, unknown>> {
  const kinds = ["avg", "sum", "min", "max", "value_count", "cardinality"] as const;
  const aggs = Object.fromEntries(kinds.map((kind) => [kind, { kind, field: "on", aggs: {} } as Aggregation]));
  const { aggregations } = await search({ size: 0, aggs });
  return Object.fromEntries(kinds.map((kind) => [kind, (aggregations[kind] as { value: unknown }).value]));
}

const EXPECTED = { avg: 0.6, sum: 3, min: 0, max: 1, value_count: 5, cardinality: 2 };

describe("booleans", () => {
  it("count every value of an array, before and after a merge", async () => {
    expect(await metrics()).toEqual(EXPECTED);
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    expect(await metrics()).toEqual(EXPECTED);
  });

  it("make a bucket of a document once", async () => {
    const terms = { kind: "terms", field: "on", size: 10, minDocCount: 1, order: [], aggs: {} } as const;
    const { aggregations } = await search({ aggs: { terms: terms as unknown as Aggregation } });
    expect(aggregations.terms).toMatchObject({
      keyType: "boolean",
      buckets: [
        { key: 0, keyAsString: "false", docCount: 2 },
        { key: 1, keyAsString: "true", docCount: 2 },
      ],
    });
  });

  it("show all their values and sort as 0 and 1", async () => {
    const { hits } = await search({
      docValueFields: [{ field: "on" }],
      sort: [{ field: "on", order: "asc", missing: "_last", mode: "sum" }],
    });
    expect(hits.map(({ id, fields, sort }) => [id, fields?.on, sort])).toEqual([
      ["1", [false], [0]],
      ["2", [true], [1]],
      ["0", [false, true, true], [2]],
      ["3", undefined, [2147483647]],
    ]);
  });

  it("are found by value, range and existence, with postings or by the column alone", async () => {
    for (const field of ["on", "unsearched"]) {
      const both = field === "on" ? ["0", "2"] : ["0"];
      expect(await ids({ kind: "term", caseInsensitive: false, field, value: true, boost: 1 })).toEqual(both);
      expect(await ids({ kind: "term", caseInsensitive: false, field, value: "false", boost: 1 })).toEqual(["0", "1"]);
      expect(await ids({ kind: "range", field, gt: false, boost: 1 })).toEqual(both);
      expect(await ids({ kind: "range", field, lt: "false", boost: 1 })).toEqual([]);
      expect(await ids({ kind: "terms", field, values: [true, false], boost: 1 })).toHaveLength(both.length + 1);
      expect(await ids({ kind: "exists", field, boost: 1 })).toHaveLength(both.length + 1);
    }
    expect(await ids({ kind: "exists", field: "bare", boost: 1 })).toEqual(["0"]);
    expect(await ids({ kind: "term", caseInsensitive: false, field: "bare", value: true, boost: 1 })).toEqual(["0"]);
  });

  it("are not found by an empty text, which is no boolean", async () => {
    for (const field of ["on", "unsearched"]) {
      await expect(ids({ kind: "term", caseInsensitive: false, field, value: "", boost: 1 })).rejects.toMatchObject({
        code: "invalid_value",
        message: "Can't parse boolean value [], expected [true] or [false]",
      });
    }
  });
});
