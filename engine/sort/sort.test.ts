import { describe, expect, it } from "vitest";
import { executeSearch } from "../query/search-exec.js";
import { memoryReader, searchRequest, testEnvironment, testIndex } from "../query/testing/memory-reader.js";
import { RANDOM_INDEX, random, randomDocuments } from "../query/testing/random.js";
import type { SearchRequest, SortKey, SortValue } from "../search.js";

const environment = testEnvironment();
const INDEX = testIndex({
  name: { type: "keyword" },
  size: { type: "long" },
  share: { type: "double" },
  made: { type: "date" },
  on: { type: "boolean" },
  text: { type: "text" },
});
const SOURCES = [
  { name: "b", size: [4, 9], share: 0.5, made: "2024-01-02", on: true },
  { name: ["a", "z"], size: 7, made: "2024-01-01", on: false },
  { share: 0.25 },
  { name: "C", size: "9007199254740993", share: -1, made: "2023-12-31", on: true },
];
const DOCUMENTS = SOURCES.map((source, i) => ({ id: String(i), source }));

function key(field: string, change: Partial<SortKey> = {}): SortKey {
  return { field, order: "asc", missing: "_last", ...change };
}

async function search(
  sort: SortKey[],
  change: Partial<SearchRequest> = {},
): Promise<{ ids: string; values: SortValue[] }> {
  const source = memoryReader(environment, INDEX, DOCUMENTS, { segments: [2, 2] });
  const { hits } = await executeSearch([source], searchRequest({ sort, ...change }), environment);
  return { ids: hits.map((hit) => hit.id).join(""), values: hits.map((hit) => hit.sort?.[0] ?? null) };
}

describe("sorting by fields", () => {
  it("compares terms by their bytes across segments; the least counts ascending, the greatest descending", async () => {
    expect(await search([key("name")])).toEqual({ ids: "3102", values: ["C", "a", "b", null] });
    expect(await search([key("name", { order: "desc" })])).toEqual({ ids: "1032", values: ["z", "b", "C", null] });
  });

  it("puts documents without a value last, first, or where a value would stand", async () => {
    expect((await search([key("share", { missing: "_first" })])).ids).toBe("1320");
    expect((await search([key("share", { missing: 0.3 })])).ids).toBe("3210");
    expect((await search([key("name", { missing: "bb" })])).ids).toBe("3102");
  });

  it("shows longs beyond 2^53 exactly and missing ones as the extremes", async () => {
    const sorted = await search([key("size", { order: "desc" })]);
    expect(sorted).toEqual({ ids: "3012", values: [9007199254740993n, 9, 7, -(2n ** 63n)] });
  });

  it.each([
    ["min", "01"],
    ["max", "10"],
    ["sum", "10"],
    ["avg", "01"],
    ["median", "01"],
  ] as const)("takes the %s of several values", async (mode, expected) => {
    const { ids } = await search([key("size", { mode })], { size: 2 });
    expect(ids).toBe(expected);
  });

  it("shows dates as milliseconds, or printed, and booleans as numbers", async () => {
    expect((await search([key("made")])).values[0]).toBe(Date.parse("2023-12-31"));
    expect((await search([key("made", { format: "yyyy/MM/dd" })])).values[0]).toBe("2023/12/31");
    expect((await search([key("on")])).values).toEqual([0, 1, 1, 2 ** 31 - 1]);
  });

  it("refuses texts, and unknown fields that have no assumed type", async () => {
    await expect(search([key("text")])).rejects.toMatchObject({ code: "fielddata_disabled" });
    await expect(search([key("absent")])).rejects.toThrow("No mapping found for [absent] in order to sort on");
    expect((await search([key("absent", { unmappedType: "long" })])).ids).toBe("0123");
  });

  it("gives scores only when they are tracked", async () => {
    const source = memoryReader(environment, INDEX, DOCUMENTS);
    const of = async (trackScores: boolean) =>
      executeSearch([source], searchRequest({ sort: [key("size")], trackScores }), environment);
    expect((await of(false)).hits[0].score).toBeNull();
    expect(await of(true)).toMatchObject({ maxScore: 1, hits: [{ score: 1 }, {}, {}, {}] });
  });

  it("walks through all documents page by page with searchAfter, whatever ties", async () => {
    const r = random();
    const documents = randomDocuments(r, 300);
    const source = memoryReader(environment, RANDOM_INDEX, documents, { segments: [100, 200] });
    for (const field of ["count", "price", "tag", "date", "flag", "address", "_score", "_doc"]) {
      for (const order of ["asc", "desc"] as const) {
        const sort = [key(field, { order }), key("_shard_doc")];
        const request = searchRequest({ query: { kind: "exists", field: "body", boost: 1 }, sort, size: 300 });
        const whole = (await executeSearch([source], request, environment)).hits.map((hit) => hit.id);
        const walked: string[] = [];
        let searchAfter: SortValue[] | undefined;
        for (let page = 0; page < 10; page++) {
          const { hits } = await executeSearch([source], { ...request, size: 37, searchAfter }, environment);
          if (hits.length === 0) break;
          walked.push(...hits.map((hit) => hit.id));
          searchAfter = hits.at(-1)?.sort;
        }
        expect(walked, `PINAKES_SEED=${r.seed} ${field} ${order}`).toEqual(whole);
      }
    }
  });
});
