import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pin } from "../../reader-pin.js";
import type { SearchRequest } from "../../search.js";
import { ON_WORKERS_ABOVE_US } from "../../searches.js";
import { definitionOf, type EngineFixture, engineFixture, indexOf } from "../../testing/engine-fixture.js";
import type { Query } from "../query.js";
import { countCost, searchCost } from "./cost.js";

const DOCS = 30_000;

let fixture: EngineFixture;
let pin: Pin;
/** Estimates of before anything was in memory. */
let cold: number[];

beforeAll(async () => {
  fixture = await engineFixture();
  const properties = {
    text: { type: "text" },
    tag: { type: "keyword" },
    id: { type: "keyword" },
    n: { type: "long" },
    code: { type: "wildcard" },
  } as const;
  const index = await fixture.engine.createIndex("x", definitionOf({ properties }));
  for (let from = 0; from < DOCS; from += 5000) {
    await index.write(
      Array.from({ length: 5000 }, (_, i) => {
        const n = from + i;
        return indexOf(`d${n}`, {
          text: `common half${n % 2} rare${n}`,
          tag: `t${n % 20}`,
          id: `id-${n}`,
          n,
          code: `call(${n});\n${"filler ".repeat(20)}`,
        });
      }),
    );
  }
  await index.refresh();
  await fixture.reopen();
  pin = fixture.engine.pin([{ index: "x" }]) as Pin;
  cold = [cost(match("rare7")), cost(ALL, { sort: BY_ID })];
  // Brings everything into memory that the tests ask about.
  const aggs = { tags: terms("tag"), ids: terms("id") };
  const asked = [match("common half1"), term("id", "id-7"), wildcard("id", "*7*")];
  for (const query of asked) await fixture.engine.search([{ index: "x" }], request(query, { aggs, sort: BY_ID }));
  await fixture.engine.search([{ index: "x" }], request(match("common half0")));
  await fixture.engine.search([{ index: "x" }], request(lines("call(")));
});
afterAll(async () => {
  pin.release();
  await fixture.remove();
});

function match(query: string, operator: "or" | "and" = "or"): Query {
  return { kind: "match", field: "text", query, operator, zeroTerms: "none", lenient: false, boost: 1 };
}

function request(query: Query, more: Partial<SearchRequest> = {}): SearchRequest {
  return {
    ...{ query, knn: [], from: 0, size: 10, sort: [], trackTotal: 10_000, trackScores: false, terminateAfter: 0 },
    ...{ aggs: {}, source: true, explain: false, highlight: [], docValueFields: [], profile: false },
    ...more,
  };
}

function cost(query: Query, more: Partial<SearchRequest> = {}): number {
  return searchCost(pin.readers, request(query, more));
}

/** Each costs more than the one before it. */
function expectAscending(costs: Record<string, number>): void {
  const names = Object.keys(costs);
  expect([...names].sort((a, b) => costs[a] - costs[b])).toEqual(names);
  expect(new Set(Object.values(costs)).size).toBe(names.length);
}

const BY_ID: SearchRequest["sort"] = [{ field: "id", order: "asc", missing: "_last" }];
const ALL: Query = { kind: "match_all", boost: 1 };
const term = (field: string, value: string): Query => ({
  kind: "term",
  field,
  value,
  caseInsensitive: false,
  boost: 1,
});
const lines = (pattern: string): Query => {
  const options = { caseInsensitive: false, wholeWord: false, multiline: false, boost: 1 };
  return { kind: "matching_lines", field: "code", pattern, syntax: "literal", ...options };
};
const wildcard = (field: string, value: string): Query => {
  return { kind: "wildcard", field, value, caseInsensitive: false, boost: 1 };
};
const terms = (field: string, aggs = {}) => {
  return { kind: "terms", field, size: 10, minDocCount: 1, order: [], aggs } as never;
};

describe("what a search is estimated at", () => {
  it("grows with the documents of its words", () => {
    expectAscending({
      "a rare word": cost(match("rare7")),
      "half of the documents": cost(match("half1")),
      "every document": cost(match("common")),
      "any of two words": cost(match("common half1")),
      "any of three words": cost(match("common half0 half1")),
    });
  });

  it("follows the rarest of words that must all match", () => {
    expect(cost(match("common rare7", "and"))).toBeLessThan(cost(match("common half1", "and")) / 2);
  });

  it("grows with the text that may have a line, as far as the answer needs it", () => {
    const first = { sort: [{ field: "_doc", order: "asc", missing: "_last" }], trackTotal: 0 } as const;
    const page = (query: Query, more: Partial<SearchRequest> = {}) =>
      cost(query, { ...first, sort: [...first.sort], ...more });
    expectAscending({
      "a line that no text has": page(lines("absent")),
      "the first page of one that all have": page(lines("call(")),
      "a page that is further on": page(lines("call("), { from: 50 }),
      "all that have it": page(lines("call("), { trackTotal: Number.POSITIVE_INFINITY }),
    });
    const counted = { matchingLines: { size: 1, before: 0, after: 0, maxLineBytes: 100, totals: true } };
    expect(page(lines("call("), counted)).toBeGreaterThan(2 * page(lines("call(")));
    const absent: Query = {
      kind: "bool",
      must: [],
      should: [],
      filter: [lines("absent")],
      mustNot: [match("common")],
      boost: 1,
    };
    expect(page(absent)).toBeLessThan(page(match("common")));
  });

  it("grows with the terms that a pattern is compared with", () => {
    expectAscending({
      "a term": cost(term("id", "id-7")),
      "a pattern led by much": cost(wildcard("id", "id-2999*")),
      "a pattern led by little": cost(wildcard("id", "id-2*")),
      "a pattern led by nothing": cost(wildcard("id", "*7*")),
    });
  });

  it("grows with what is done with each document", () => {
    expectAscending({
      "counted by the dictionary": cost(ALL, { size: 0, aggs: { x: terms("tag") } }),
      "a bucket for each document": cost(ALL, { size: 0, aggs: { x: terms("id") } }),
      "buckets in buckets": cost(ALL, { size: 0, aggs: { x: terms("tag", { y: terms("id") }) } }),
    });
    expectAscending({
      "by score": cost(ALL),
      "sorted by number": cost(ALL, { sort: [{ field: "n", order: "asc", missing: "_last" }] }),
      "sorted by term": cost(ALL, { sort: BY_ID }),
    });
  });

  it("grows with the page and what its hits show", () => {
    const highlight = [{ field: "text" } as never];
    expectAscending({
      "no hits": cost(ALL, { size: 0 }),
      ids: cost(ALL, { source: false }),
      sources: cost(ALL),
      highlights: cost(ALL, { highlight }),
      "a thousand hits": cost(ALL, { size: 1000 }),
      "a thousand highlights": cost(ALL, { size: 1000, highlight }),
    });
  });

  it("keeps the common and cheap below the way to another thread, and the dear above", () => {
    const cheap = [cost(ALL), cost(match("rare7")), cost(match("common")), cost(term("tag", "t3"))];
    const dear = [
      cost(wildcard("id", "*7*")),
      cost(ALL, { size: 1000 }),
      cost(ALL, { size: 50, highlight: [{ field: "text" } as never] }),
    ];
    expect(Math.max(...cheap)).toBeLessThan(1000);
    expect(Math.min(...dear)).toBeGreaterThan(ON_WORKERS_ABOVE_US);
  });

  it("makes many small indices dear, and stops counting when it knows enough", () => {
    const many = Array.from({ length: 500 }, () => pin.readers[0]);
    expect(searchCost(many, request(ALL))).toBeGreaterThan(10_000);
    const unasked = new Proxy(pin.readers[0], {
      get: () => {
        throw new Error("looked at though enough was known");
      },
    });
    expect(searchCost([...many, unasked], request(match("common")), ON_WORKERS_ABOVE_US)).toBeGreaterThan(
      ON_WORKERS_ABOVE_US,
    );
  });

  it("adds what must be loaded first, without loading it", () => {
    const warm = [cost(match("rare7")), cost(ALL, { sort: BY_ID })];
    expect(cold[0]).toBeGreaterThan(2 * warm[0]);
    expect(cold[1]).toBeGreaterThan(warm[1]);
  });

  it("takes a query that it does not know for expensive", () => {
    expect(cost({ kind: "fuzzy_of_tomorrow", boost: 1 } as never)).toBeGreaterThan(ON_WORKERS_ABOVE_US);
  });

  it("is next to nothing for counts that are known", () => {
    expect(countCost(pin.readers, ALL)).toBeLessThan(100);
    expect(countCost(pin.readers, term("tag", "t3"))).toBeLessThan(100);
    expect(countCost(pin.readers, wildcard("id", "*7*"))).toBeGreaterThan(ON_WORKERS_ABOVE_US);
  });

  it("ends no use of a segment that it did not begin", () => {
    const before = fixture.engine.memory().arenaUsed;
    cost(match("common half1"));
    expect(fixture.engine.memory().arenaUsed).toBe(before);
  });
});
