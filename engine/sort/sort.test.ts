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

  it("combines longs in Java's arithmetic, each exactly", async () => {
    const index = testIndex({ l: { type: "long" } });
    const [low, high] = ["-9223372036854775808", "9223372036854775807"];
    const values = [[1, 3], low, high, [high, 1], ["9007199254740993", "9007199254740995"], [-3, -2]];
    const documents = values.map((l, i) => ({ id: String(i), source: { l } }));
    const source = memoryReader(environment, index, documents, { segments: [2, 4] });
    const sorted = async (mode: SortKey["mode"]) => {
      const { hits } = await executeSearch([source], searchRequest({ sort: [key("l", { mode })] }), environment);
      return hits.map((hit) => [hit.id, String(hit.sort?.[0])].join(" "));
    };
    expect(await sorted("sum")).toEqual([`1 ${low}`, `3 ${low}`, "5 -5", "0 4", "4 18014398509481988", `2 ${high}`]);
    expect(await sorted("avg")).toEqual([
      `1 ${low}`,
      "3 -4611686018427387904",
      "5 -2",
      "0 2",
      "4 9007199254740994",
      `2 ${high}`,
    ]);
    expect(await sorted("median")).toEqual([
      `1 ${low}`,
      "5 -2",
      "0 2",
      "4 9007199254740994",
      "3 4611686018427387904",
      `2 ${high}`,
    ]);
    expect(await sorted("min")).toEqual([`1 ${low}`, "5 -3", "0 1", "3 1", "4 9007199254740993", `2 ${high}`]);
  });

  it("tells longs apart that round to the same number, however many keys follow", async () => {
    const index = testIndex({ l: { type: "long" }, n: { type: "integer" } });
    const first = 9007199254740992n;
    const documents = Array.from({ length: 64 }, (_, i) => ({
      id: String(i),
      source: { l: String(first + BigInt((i * 37) % 64)), n: i % 7 },
    }));
    const wide = [...documents, { id: "low", source: { l: "-9223372036854775808", n: 0 } }];
    for (const all of [documents, wide]) {
      const source = memoryReader(environment, index, all, { segments: [20, all.length - 20] });
      for (const order of ["asc", "desc"] as const) {
        const request = searchRequest({ sort: [key("l", { order }), key("n")], size: 5 });
        const { hits } = await executeSearch([source], request, environment);
        const exact = all.map(({ source: { l } }) => BigInt(l)).sort((a, b) => (a < b ? -1 : 1));
        const expected = (order === "asc" ? exact : exact.reverse()).slice(0, 5);
        expect(hits.map((hit) => BigInt(hit.sort?.[0] as bigint))).toEqual(expected);
      }
    }
  });

  it("shows floats by their fewest digits, missing values as the type's extremes, and takes both back", async () => {
    const index = testIndex({ f: { type: "float" }, h: { type: "half_float" }, i: { type: "integer" } });
    const documents = [{ f: 831.7, h: 2.3, i: 5 }, { f: 0.1, h: 0.1 }, {}].map((source, i) => ({
      id: String(i),
      source,
    }));
    const source = memoryReader(environment, index, documents);
    const run = async (field: string, change: Partial<SearchRequest> = {}, keyed: Partial<SortKey> = {}) =>
      (await executeSearch([source], searchRequest({ sort: [key(field, keyed)], ...change }), environment)).hits.map(
        (hit) => hit.sort?.[0],
      );
    expect(await run("f")).toEqual([0.1, 831.7, "Infinity"]);
    expect(await run("h", {}, { order: "desc" })).toEqual([2.3007812, 0.099975586, "-Infinity"]);
    expect(await run("i")).toEqual([5, 2147483647, 2147483647]);
    expect(await run("f", { searchAfter: [0.1] })).toEqual([831.7, "Infinity"]);
    expect(await run("f", { searchAfter: ["Infinity"] })).toEqual([]);
    expect(await run("h", { searchAfter: [0.099975586] })).toEqual([2.3007812, "Infinity"]);
    expect(await run("i", { searchAfter: [-3e9] })).toHaveLength(3);
    await expect(run("i", { searchAfter: ["abc"] })).rejects.toThrow(
      "Failed to parse search_after value for field [i].",
    );
    expect(await run("gone", {}, { unmappedType: "integer", missing: "7" })).toEqual([7, 7, 7]);
    await expect(run("gone", {}, { unmappedType: "nonsense" })).rejects.toThrow("No mapper found for type [nonsense]");
  });

  it("gives _doc and _shard_doc values that merges do not change", async () => {
    const before = memoryReader(environment, INDEX, DOCUMENTS, { segments: [1, 3], deleted: new Set(["1"]) });
    // The second segment as a merge leaves it: without the deleted document, the numbers of the others kept.
    const merged = memoryReader(environment, INDEX, DOCUMENTS.slice(2), { firstSeqNo: 2 });
    for (const field of ["_doc", "_shard_doc"]) {
      const request = searchRequest({ sort: [key(field)] });
      const { hits } = await executeSearch([before], request, environment);
      expect(hits.map((hit) => hit.sort)).toEqual([[0], [2], [3]]);
      const after = await executeSearch([merged], { ...request, searchAfter: [2] }, environment);
      expect(after.hits.map((hit) => [hit.id, hit.sort])).toEqual([["3", [3]]]);
    }
  });

  it("scores hits only where the sort or the request asks for it, also when going on from a value", async () => {
    const source = memoryReader(environment, INDEX, DOCUMENTS);
    const of = async (change: Partial<SearchRequest>) =>
      executeSearch(
        [source],
        searchRequest({ query: { kind: "exists", field: "share", boost: 2 }, ...change }),
        environment,
      );
    expect((await of({ sort: [key("size")], searchAfter: [1] })).hits[0].score).toBeNull();
    expect((await of({ sort: [key("size")], searchAfter: [1], trackScores: true })).hits[0].score).toBe(2);
    const byScore = await of({ sort: [key("_score", { order: "desc" })] });
    expect(byScore).toMatchObject({ maxScore: 2, hits: [{ score: 2 }, {}, {}] });
    expect(byScore.hits[0].sort).toBeUndefined();
    expect(await of({ sort: [key("_score")] })).toMatchObject({
      maxScore: null,
      hits: [{ score: 2, sort: [2] }, {}, {}],
    });
  });

  it("has a best score unless the page is empty by its size", async () => {
    const source = memoryReader(environment, INDEX, DOCUMENTS);
    const best = async (from: number, size: number) =>
      (await executeSearch([source], searchRequest({ from, size }), environment)).maxScore;
    expect([await best(0, 0), await best(5, 0), await best(2, 2), await best(100, 10)]).toEqual([null, null, 1, 1]);
  });
});
