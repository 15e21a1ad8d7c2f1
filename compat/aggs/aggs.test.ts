import { expect, test } from "vitest";
import type { AggregationResult } from "../../engine/index.js";
import { AGGREGATION_KINDS, REFUSED_AGGREGATIONS, readAggregations, renderAggregations } from "./index.js";

const read = (json: string) => readAggregations(JSON.parse(`{"x":${json}}`)).x;

test("kinds are sorted and none is both built and refused", () => {
  expect(Object.keys(AGGREGATION_KINDS)).toEqual(Object.keys(AGGREGATION_KINDS).sort());
  expect([...REFUSED_AGGREGATIONS]).toEqual([...REFUSED_AGGREGATIONS].sort());
  expect(Object.keys(AGGREGATION_KINDS).filter((kind) => REFUSED_AGGREGATIONS.has(kind))).toEqual([]);
});

test.each([
  ['{"avg":{"field":"n","missing":1}}', { kind: "avg", field: "n", missing: 1, aggs: {} }],
  [
    '{"terms":{"field":"k"},"meta":{"a":1}}',
    {
      kind: "terms",
      field: "k",
      size: 10,
      minDocCount: 1,
      order: [{ by: "_count", direction: "desc" }],
      aggs: {},
      meta: { a: 1 },
    },
  ],
  [
    '{"terms":{"field":"k","size":3,"order":[{"_key":"asc"}],"include":"a.*","exclude":["b"]}}',
    {
      kind: "terms",
      field: "k",
      size: 3,
      minDocCount: 1,
      order: [{ by: "_key", direction: "asc" }],
      include: { pattern: "a.*" },
      exclude: ["b"],
      aggs: {},
    },
  ],
  [
    '{"date_histogram":{"field":"d","fixed_interval":"90m","offset":"-6h"}}',
    {
      kind: "date_histogram",
      field: "d",
      interval: { kind: "fixed", millis: 5_400_000 },
      offsetMillis: -21_600_000,
      minDocCount: 0,
      keyed: false,
      aggs: {},
    },
  ],
  [
    '{"date_histogram":{"field":"d","calendar_interval":"1M","time_zone":"Europe/Vienna"}}',
    {
      kind: "date_histogram",
      field: "d",
      interval: { kind: "calendar", unit: "month" },
      offsetMillis: 0,
      minDocCount: 0,
      keyed: false,
      timeZone: "Europe/Vienna",
      aggs: {},
    },
  ],
  [
    '{"range":{"field":"n","ranges":[{"to":5},{"from":5,"key":"big"}]}}',
    { kind: "range", field: "n", ranges: [{ to: 5 }, { from: 5, key: "big" }], keyed: false, aggs: {} },
  ],
  [
    '{"filter":{"term":{"a":1}},"aggs":{"y":{"max":{"field":"n"}}}}',
    {
      kind: "filter",
      filter: { kind: "term", field: "a", value: 1, caseInsensitive: false, boost: 1 },
      aggs: { y: { kind: "max", field: "n", aggs: {} } },
    },
  ],
])("reads %s", (json, aggregation) => {
  expect(read(json)).toEqual(aggregation);
});

test.each([
  ['{"term":{"field":"a"}}', "Unknown aggregation type [term] did you mean [terms]?"],
  ['{"terms":{"field":"a","sise":1}}', "[terms] unknown field [sise] did you mean [size]?"],
  ['{"terms":{"field":"a","script":{}}}', "[script] in [terms] is not supported by Pinakes"],
  [
    '{"avg":{"field":"a"},"aggs":{"y":{"avg":{"field":"a"}}}}',
    "Aggregator [x] of type [avg] cannot accept sub-aggregations",
  ],
  [
    '{"date_histogram":{"field":"a","calendar_interval":"2d"}}',
    "[date_histogram] failed to parse field [calendar_interval]",
  ],
  ["{}", "Missing definition for aggregation [x]"],
  ['{"date_histogram":{"field":"a","fixed_interval":"1M"}}', "[date_histogram] failed to parse field [fixed_interval]"],
  ['{"terms":{"field":"a","execution_hint":"zzz"}}', "expected any of [map, global_ordinals]"],
  ['{"terms":{"field":"a","collect_mode":"zzz"}}', "[terms] failed to parse field [collect_mode]"],
  ['{"cardinality":{"field":"a","execution_hint":"zzz"}}', "Unknown execution_hint: [zzz]"],
  ['{"terms":{"field":"a"},"meta":"zzz"}', "Expected [START_OBJECT] under [meta], but got a [VALUE_STRING] in [x]"],
  ['{"terms":{"field":["a"]}}', "[terms] field doesn't support values of type: START_ARRAY"],
])("refuses %s", (json, reason) => {
  expect(() => read(json)).toThrow(reason);
});

test("an aggregation may be called __proto__ or constructor", () => {
  const named = readAggregations(JSON.parse('{"__proto__":{"avg":{"field":"a"}},"constructor":{"avg":{"field":"a"}}}'));
  expect(Object.keys(named)).toEqual(["__proto__", "constructor"]);
});

test.each([
  ['{"filters":{"filters":[{"match_all":{}}],"other_bucket":true}}', true],
  ['{"filters":{"filters":[{"match_all":{}}],"other_bucket_key":"rest"}}', true],
  ['{"filters":{"filters":[{"match_all":{}}],"other_bucket":false,"other_bucket_key":"rest"}}', false],
])("anonymous filters have no key for the others either: %s", (json, other) => {
  const { filters, otherKey } = read(json) as never as { filters: { key: string }[]; otherKey?: string };
  expect(otherKey !== undefined).toBe(other);
  if (otherKey === undefined) return;
  const buckets = [...filters.map(({ key }) => key), otherKey].map((key) => ({ key, docCount: 1, aggs: {} }));
  expect(renderAggregations({ x: { kind: "filters", keyed: false, buckets } }, false)).toBe(
    '{"x":{"buckets":[{"doc_count":1},{"doc_count":1}]}}',
  );
});

test("buckets of a keyed histogram have Java's names", () => {
  const buckets = [{ key: -1.6e9, docCount: 1, aggs: {} }];
  expect(renderAggregations({ x: { kind: "histogram", keyed: true, buckets } }, false)).toBe(
    '{"x":{"buckets":{"-1.6E9":{"key":-1.6E9,"doc_count":1}}}}',
  );
});

const bucket = { docCount: 2, aggs: {} };

test.each<[string, AggregationResult, string]>([
  ["avg#x", { kind: "avg", value: 3 }, '{"value":3.0}'],
  ["max#x", { kind: "max", value: null }, '{"value":null}'],
  ["cardinality#x", { kind: "cardinality", value: 3 }, '{"value":3}'],
  [
    "lterms#x",
    {
      kind: "terms",
      keyType: "boolean",
      sumOtherDocCount: 0,
      docCountErrorUpperBound: 0,
      buckets: [{ ...bucket, key: 1, keyAsString: "true" }],
    },
    '{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":1,"key_as_string":"true","doc_count":2}]}',
  ],
  [
    "dterms#x",
    {
      kind: "terms",
      keyType: "double",
      sumOtherDocCount: 0,
      docCountErrorUpperBound: 0,
      buckets: [{ ...bucket, key: 1 }],
    },
    '{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":1.0,"doc_count":2}]}',
  ],
  [
    "date_histogram#x",
    { kind: "date_histogram", keyed: false, buckets: [{ ...bucket, key: 0, keyAsString: "1970" }] },
    '{"buckets":[{"key_as_string":"1970","key":0,"doc_count":2}]}',
  ],
  [
    "histogram#x",
    { kind: "histogram", keyed: true, buckets: [{ ...bucket, key: 5 }] },
    '{"buckets":{"5.0":{"key":5.0,"doc_count":2}}}',
  ],
  [
    "range#x",
    { kind: "range", keyed: false, buckets: [{ ...bucket, key: "*-3.0", to: 3 }] },
    '{"buckets":[{"key":"*-3.0","to":3.0,"doc_count":2}]}',
  ],
  [
    "filter#x",
    { kind: "filter", docCount: 1, aggs: { y: { kind: "sum", value: 0 } } },
    '{"doc_count":1,"sum#y":{"value":0.0}}',
  ],
])("prints %s", (name, result, text) => {
  expect(renderAggregations({ x: result }, true)).toBe(`{"${name}":${text}}`);
});

test("extended statistics follow from the sums", () => {
  const stats: AggregationResult = {
    kind: "extended_stats",
    count: 2,
    min: 1,
    max: 3,
    avg: 2,
    sum: 4,
    sumOfSquares: 10,
  };
  expect(JSON.parse(renderAggregations({ x: stats }, false)).x).toMatchObject({
    variance: 1,
    variance_sampling: 2,
    std_deviation: 1,
    std_deviation_bounds: { upper: 4, lower: 0 },
  });
});
