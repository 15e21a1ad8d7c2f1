import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MAX_CLAUSES, MAX_NESTED_DEPTH, MAX_TERMS } from "./compile/limits.js";
import { shardOfRouting } from "./exec/virtual-shard.js";
import type { Bool, Match, MultiMatch, Query, Range } from "./query.js";
import { executeSearch } from "./search-exec.js";
import { memoryReader, searchRequest, testEnvironment, testIndex } from "./testing/memory-reader.js";

const environment = testEnvironment();
const INDEX = testIndex({
  k: { type: "keyword" },
  t: { type: "text" },
  u: { type: "text" },
  n: { type: "long" },
  on: { type: "boolean" },
  ip: { type: "ip" },
  made: { type: "date" },
});
const SOURCES = [
  { k: "ÉCOLE", t: "quick fox", u: "quick", n: 1, on: true },
  { k: "école", t: "quick brown fox jumps", on: false },
  { k: "abc", t: "slow", u: "quick fox", on: true },
  { k: ["ABC", ""] },
];
const DOCUMENTS = SOURCES.map((source, i) => ({ id: String(i), source }));
const READER = memoryReader(environment, INDEX, DOCUMENTS, { segments: [2, 2] });

async function search(query: Query): Promise<[string, number][]> {
  const { hits } = await executeSearch([READER], searchRequest({ query }), environment);
  return hits.map((hit) => [hit.id, Number((hit.score ?? Number.NaN).toPrecision(7))]);
}

async function ids(query: Query): Promise<string> {
  return (await search(query)).map(([id]) => id).join("");
}

function bool(change: Partial<Bool>): Bool {
  return { kind: "bool", must: [], should: [], filter: [], mustNot: [], boost: 1, ...change };
}

function term(field: string, value: string | boolean, caseInsensitive = false): Query {
  return { kind: "term", field, value, caseInsensitive, boost: 1 };
}

function match(query: string, change: Partial<Match> = {}): Match {
  return { kind: "match", field: "t", query, operator: "or", zeroTerms: "none", lenient: false, boost: 1, ...change };
}

function multiMatch(fields: Record<string, number> | [string, number][], change: Partial<MultiMatch> = {}): MultiMatch {
  const list = Array.isArray(fields) ? fields : Object.entries(fields);
  return {
    kind: "multi_match",
    fields: list.map(([field, boost]) => ({ field, boost })),
    query: "quick",
    type: "best_fields",
    operator: "or",
    tieBreaker: 0,
    slop: 0,
    zeroTerms: "none",
    lenient: false,
    boost: 1,
    ...change,
  };
}

describe("case-insensitive queries", () => {
  it("fold ASCII letters only", async () => {
    expect(await ids(term("k", "école", true))).toBe("1");
    expect(await ids(term("k", "Abc", true))).toBe("23");
    expect(await ids({ kind: "prefix", field: "k", value: "ÉC", caseInsensitive: true, boost: 1 })).toBe("0");
    expect(await ids({ kind: "wildcard", field: "k", value: "aB?", caseInsensitive: true, boost: 1 })).toBe("23");
  });
});

describe("wildcards", () => {
  it("without any character match nothing, not even the empty term", async () => {
    expect(await ids({ kind: "wildcard", field: "k", value: "", caseInsensitive: false, boost: 1 })).toBe("");
    expect(await ids({ kind: "wildcard", field: "k", value: "*", caseInsensitive: false, boost: 1 })).toBe("0123");
  });
});

describe("minimum_should_match", () => {
  it("means nothing to a bool of exclusions alone", async () => {
    const mustNot = [term("k", "abc")];
    expect(await search(bool({ mustNot, minimumShouldMatch: "1" }))).toEqual([
      ["0", 0],
      ["1", 0],
      ["3", 0],
    ]);
    expect(await ids(bool({ mustNot, filter: [term("on", true)], minimumShouldMatch: "1" }))).toBe("");
  });

  it("cannot be met by a match of required words, which has no optional ones", async () => {
    expect(await ids(match("quick fox", { operator: "and" }))).toBe("01");
    expect(await ids(match("quick fox", { operator: "and", minimumShouldMatch: "1" }))).toBe("");
    expect(await ids(match("quick fox", { operator: "and", minimumShouldMatch: "50%" }))).toBe("01");
    expect(await ids(match("quick", { operator: "and", minimumShouldMatch: "1" }))).toBe("01");
    const both = { query: "quick fox", operator: "and", minimumShouldMatch: "2" } as const;
    expect(await ids(multiMatch({ t: 1, u: 1 }, both))).toBe("");
  });
});

describe("multi_match", () => {
  it("takes the last boost of a name given twice, and multiplies those of a field that several names mean", async () => {
    const [[, once]] = await search(multiMatch({ t: 1 }));
    const first = async (fields: [string, number][]) => (await search(multiMatch(fields)))[0][1] / once;
    expect(
      await first([
        ["t", 2],
        ["t", 3],
      ]),
    ).toBeCloseTo(3, 5);
    expect(
      await first([
        ["t*", 2],
        ["t*", 3],
      ]),
    ).toBeCloseTo(3, 5);
    expect(
      await first([
        ["t", 2],
        ["t*", 3],
      ]),
    ).toBeCloseTo(6, 5);
  });

  it("of phrases passes over values that a field cannot hold, when lenient", async () => {
    for (const field of ["n", "ip", "on", "made"]) {
      const query = multiMatch({ [field]: 1, t: 1 }, { query: "quick fox", type: "phrase" });
      expect(await ids({ ...query, lenient: true }), field).toBe("0");
      await expect(ids(query), field).rejects.toMatchObject({ code: "invalid_value" });
    }
  });
});

describe("a range of booleans", () => {
  const range = (change: Partial<Range>): Range => ({ kind: "range", field: "on", boost: 1, ...change });

  it("that holds one of them scores like its term", async () => {
    const yes = await search(term("on", true));
    for (const one of [{ gte: true }, { gt: false }, { gte: true, lte: true }]) {
      expect(await search(range(one))).toEqual(yes);
    }
    expect(await search(range({ lt: true }))).toEqual(await search(term("on", false)));
  });

  it("that holds both is every document with a value, and none holds nothing", async () => {
    expect(await search(range({ gte: false, lte: true }))).toEqual([
      ["0", 1],
      ["1", 1],
      ["2", 1],
    ]);
    expect(await ids(range({ gt: true }))).toBe("");
  });
});

describe("exists", () => {
  const exists = (field: string): Query => ({ kind: "exists", field, boost: 1 });

  it("holds of every document for metadata that all have, and refuses what cannot be asked for", async () => {
    for (const field of ["_id", "_index", "_seq_no", "_version"]) expect(await ids(exists(field)), field).toBe("0123");
    expect(await ids(exists("_routing"))).toBe("");
    await expect(ids(exists("_source"))).rejects.toThrow("The _source field is not searchable");
  });
});

describe("virtual shards", () => {
  it("part the documents as their ids are routed", async () => {
    const shards = 3;
    const found = await Promise.all(
      [0, 1, 2].map((wanted) => ids({ kind: "virtual_shard", shards, wanted: [wanted], boost: 1 })),
    );
    const expected = [0, 1, 2].map((wanted) =>
      DOCUMENTS.map(({ id }) => id)
        .filter((id) => shardOfRouting(id, shards) === wanted)
        .join(""),
    );
    expect(found).toEqual(expected);
    expect(await ids({ kind: "virtual_shard", shards, wanted: [0, 1, 2], boost: 1 })).toBe("0123");
  });
});

describe("queries too large", () => {
  it("are refused in Elasticsearch's words", async () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");
    await expect(ids(match(words(MAX_CLAUSES + 1)))).rejects.toThrow(`maxClauseCount is set to ${MAX_CLAUSES}`);
    const phrase: Query = {
      kind: "match_phrase",
      field: "t",
      query: words(MAX_CLAUSES + 1),
      slop: 0,
      zeroTerms: "none",
      lastTermExpansions: 0,
      boost: 1,
    };
    await expect(ids(phrase)).rejects.toThrow("maxClauseCount");
    const many = Array.from({ length: MAX_CLAUSES / 2 + 1 }, (_, i) => term("n", String(i)));
    await expect(
      ids({ kind: "dis_max", tieBreaker: 0, boost: 1, queries: [bool({ should: many }), bool({ must: many })] }),
    ).rejects.toThrow("Query contains too many nested clauses");
    const values = Array.from({ length: MAX_TERMS + 1 }, (_, i) => `v${i}`);
    await expect(ids({ kind: "terms", field: "k", values, boost: 1 })).rejects.toThrow(
      "The number of terms [65537] used in the Terms Query request has exceeded the allowed maximum of [65536]",
    );
    let deep: Query = { kind: "match_all", boost: 1 };
    for (let depth = 1; depth < MAX_NESTED_DEPTH; depth++) deep = bool({ must: [deep] });
    expect(await ids(deep)).toBe("0123");
    await expect(ids(bool({ must: [deep] }))).rejects.toThrow("indices.query.bool.max_nested_depth");
  });
});

describe("a long search", () => {
  it("lets others have the thread, within one segment too", async () => {
    const text = Array.from({ length: 300 }, (_, i) => `w${i % 3}`).join(" ");
    const documents = Array.from({ length: 400 }, (_, i) => ({ id: String(i), source: { t: text } }));
    const reader = memoryReader(environment, INDEX, documents);
    const query: Query = {
      kind: "match_phrase",
      field: "t",
      query: Array.from({ length: 60 }, () => "w1").join(" "),
      slop: 20,
      zeroTerms: "none",
      lastTermExpansions: 0,
      boost: 1,
    };
    const sorted = searchRequest({ query, sort: [{ field: "_doc", order: "asc", missing: "_last" }] });
    // However fast the machine is: each look at the clock finds it a millisecond later.
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
    onTestFinished(() => void clock.mockRestore());
    for (const request of [searchRequest({ query }), sorted]) {
      let done = false;
      let turns = 0;
      const turn = () => {
        turns++;
        if (!done) setImmediate(turn);
      };
      setImmediate(turn);
      await executeSearch([reader], request, environment);
      done = true;
      expect(turns).toBeGreaterThan(3);
    }
  });
});
