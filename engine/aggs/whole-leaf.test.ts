import { afterAll, describe, expect, it } from "vitest";
import type { Query } from "../query/query.js";
import { executeSearch } from "../query/search-exec.js";
import { searchRequest, testIndex } from "../query/testing/memory-reader.js";
import { realSegments } from "../query/testing/real-segment.js";
import type { Aggregation } from "./aggregation.js";

const index = testIndex({ host: { type: "keyword" }, time: { type: "date" }, size: { type: "long" } });
const real = realSegments();
afterAll(() => real.close());

const HOUR = 3_600_000;
/** Times that ascend, with a jump back now and then; hosts of which some documents have two and some none. */
const documents = Array.from({ length: 3000 }, (_, i) => ({
  id: String(i),
  source: {
    time: 1_700_000_000_000 + i * 97_000 - (i % 251 === 0 ? 5 * HOUR : 0),
    size: (i * 7919) % 1000,
    ...(i % 13 === 0 ? {} : { host: i % 17 === 0 ? [`web-${i % 5}`, `web-${i % 7}`] : `web-${i % 11}` }),
  },
}));

const AGGS: Record<string, Aggregation> = {
  hosts: {
    kind: "terms",
    field: "host",
    size: 5,
    minDocCount: 1,
    order: [{ by: "_count", direction: "desc" }],
    aggs: {},
  },
  hours: {
    kind: "date_histogram",
    field: "time",
    interval: { kind: "fixed", millis: HOUR },
    offsetMillis: 0,
    minDocCount: 0,
    keyed: false,
    aggs: {},
  },
  months: {
    kind: "date_histogram",
    field: "time",
    interval: { kind: "calendar", unit: "day" },
    timeZone: "America/New_York",
    offsetMillis: 0,
    minDocCount: 0,
    keyed: false,
    aggs: {},
  },
  sizes: { kind: "histogram", field: "size", interval: 50, offset: 0, minDocCount: 0, keyed: false, aggs: {} },
};
const EVERYTHING: Query = { kind: "match_all", boost: 1 };
/** Matches everything too, but by looking at each document. */
const BY_DOCUMENT: Query = {
  kind: "bool",
  boost: 1,
  must: [],
  should: [],
  mustNot: [],
  filter: [{ kind: "range", field: "size", gte: 0, lte: 500, boost: 1 }],
};
const REST: Query = { kind: "range", field: "size", gt: 500, boost: 1 };

async function aggregate(query: Query, deleted?: ReadonlySet<string>) {
  const reader = real.reader(index, documents, { segments: [1500, 300, 1200], deleted });
  const request = searchRequest({ query, size: 0, aggs: AGGS });
  return (await executeSearch([reader], request, real.environment)).aggregations;
}

/** Keys and counts, added up over results. */
function sums(results: Record<string, unknown>[], name: string): [unknown, number][] {
  const total = new Map<unknown, number>();
  for (const result of results) {
    const { buckets } = result[name] as { buckets: { key: unknown; docCount: number }[] };
    for (const { key, docCount } of buckets) total.set(key, (total.get(key) ?? 0) + docCount);
  }
  return [...total].filter(([, count]) => count > 0).sort((a, b) => Number(a[0]) - Number(b[0]));
}

describe("aggregations over everything", () => {
  it("count by dictionaries and blocks what reading every document counts", async () => {
    const whole = await aggregate(EVERYTHING);
    const parts = [await aggregate(BY_DOCUMENT), await aggregate(REST)];
    for (const name of ["hours", "months", "sizes"]) expect(sums([whole], name)).toEqual(sums(parts, name));
    const expected = new Map<string, number>();
    for (const { source } of documents)
      for (const host of new Set([(source as { host?: string | string[] }).host ?? []].flat()))
        expected.set(host, (expected.get(host) ?? 0) + 1);
    const top = [...expected].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5);
    const { buckets, sumOtherDocCount } = whole.hosts as {
      buckets: { key: string; docCount: number }[];
      sumOtherDocCount: number;
    };
    expect(buckets.map(({ key, docCount }) => [key, docCount])).toEqual(top);
    expect(sumOtherDocCount).toBe(
      [...expected.values()].reduce((a, b) => a + b, 0) - top.reduce((a, [, count]) => a + count, 0),
    );
  });

  it("leave out deleted documents, which dictionaries and blocks still count", async () => {
    const deleted = new Set(documents.filter((_, i) => i % 3 === 0).map(({ id }) => id));
    const whole = await aggregate(EVERYTHING, deleted);
    const parts = [await aggregate(BY_DOCUMENT, deleted), await aggregate(REST, deleted)];
    for (const name of ["hours", "months", "sizes"]) expect(sums([whole], name)).toEqual(sums(parts, name));
    const total = sums([whole], "sizes").reduce((sum, [, count]) => sum + count, 0);
    expect(total).toBe(documents.length - deleted.size);
  });
});
