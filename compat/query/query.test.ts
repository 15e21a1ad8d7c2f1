import { describe, expect, test } from "vitest";
import { QUERY_KINDS, REFUSED_KINDS, readQuery } from "./index.js";

const read = (json: string) => readQuery(JSON.parse(json));

test("kinds are sorted and none is both built and refused", () => {
  expect(Object.keys(QUERY_KINDS)).toEqual(Object.keys(QUERY_KINDS).sort());
  expect([...REFUSED_KINDS]).toEqual([...REFUSED_KINDS].sort());
  expect(Object.keys(QUERY_KINDS).filter((kind) => REFUSED_KINDS.has(kind))).toEqual([]);
});

describe("reads", () => {
  test.each([
    ['{"match_all":{}}', { kind: "match_all", boost: 1 }],
    ['{"match_none":{"boost":2,"_name":"n"}}', { kind: "match_none", boost: 2, name: "n" }],
    ['{"term":{"a":"x"}}', { kind: "term", field: "a", value: "x", caseInsensitive: false, boost: 1 }],
    [
      '{"term":{"a":{"value":1,"case_insensitive":true,"boost":3}}}',
      { kind: "term", field: "a", value: 1, caseInsensitive: true, boost: 3 },
    ],
    ['{"term":{"_id":"1"}}', { kind: "ids", values: ["1"], boost: 1 }],
    ['{"terms":{"a":[1,true,"x"],"boost":2}}', { kind: "terms", field: "a", values: [1, true, "x"], boost: 2 }],
    ['{"terms":{"a":[]}}', { kind: "terms", field: "a", values: [], boost: 1 }],
    ['{"ids":{"values":["1",2]}}', { kind: "ids", values: ["1", "2"], boost: 1 }],
    ['{"exists":{"field":"a.b"}}', { kind: "exists", field: "a.b", boost: 1 }],
    ['{"prefix":{"a":"x"}}', { kind: "prefix", field: "a", value: "x", caseInsensitive: false, boost: 1 }],
    [
      '{"wildcard":{"a":{"wildcard":"x*"}}}',
      { kind: "wildcard", field: "a", value: "x*", caseInsensitive: false, boost: 1 },
    ],
    [
      '{"range":{"a":{"gte":1,"lt":"now-1d/d","format":"yyyy","time_zone":"+01:00"}}}',
      { kind: "range", field: "a", gte: 1, lt: "now-1d/d", format: "yyyy", timeZone: "+01:00", boost: 1 },
    ],
    [
      '{"range":{"a":{"from":1,"to":5,"include_lower":false,"include_upper":true}}}',
      { kind: "range", field: "a", gt: 1, lte: 5, boost: 1 },
    ],
    ['{"range":{"a":{"gt":1,"gte":2,"lt":9,"to":8}}}', { kind: "range", field: "a", gte: 2, lt: 8, boost: 1 }],
    ['{"range":{"a":{"gte":2,"gt":1}}}', { kind: "range", field: "a", gt: 1, boost: 1 }],
    ['{"range":{"a":{"include_lower":false,"gte":1}}}', { kind: "range", field: "a", gte: 1, boost: 1 }],
    ['{"range":{"a":{"gte":1,"include_lower":false}}}', { kind: "range", field: "a", gt: 1, boost: 1 }],
    ['{"range":{"a":{"gt":1,"gte":null}}}', { kind: "range", field: "a", boost: 1 }],
    ['{"term":{"_index":"i"}}', { kind: "term", field: "_index", value: "i", caseInsensitive: false, boost: 1 }],
    ['{"exists":{"field":"_id","boost":2}}', { kind: "match_all", boost: 2 }],
    ['{"range":{"a":{"gte":null,"lte":2}}}', { kind: "range", field: "a", lte: 2, boost: 1 }],
    [
      '{"match":{"a":"x y"}}',
      { kind: "match", field: "a", query: "x y", operator: "or", zeroTerms: "none", lenient: false, boost: 1 },
    ],
    [
      '{"match":{"a":{"query":"x","operator":"AND","minimum_should_match":2}}}',
      {
        kind: "match",
        field: "a",
        query: "x",
        operator: "and",
        minimumShouldMatch: "2",
        zeroTerms: "none",
        lenient: false,
        boost: 1,
      },
    ],
    [
      '{"match_phrase":{"a":{"query":"x y","slop":1}}}',
      { kind: "match_phrase", field: "a", query: "x y", slop: 1, zeroTerms: "none", lastTermExpansions: 0, boost: 1 },
    ],
    [
      '{"match_phrase_prefix":{"a":"x y"}}',
      { kind: "match_phrase", field: "a", query: "x y", slop: 0, zeroTerms: "none", lastTermExpansions: 50, boost: 1 },
    ],
    [
      '{"multi_match":{"query":"x","fields":["a^2","b"]}}',
      {
        kind: "multi_match",
        fields: [
          { field: "a", boost: 2 },
          { field: "b", boost: 1 },
        ],
        query: "x",
        type: "best_fields",
        operator: "or",
        tieBreaker: 0,
        slop: 0,
        zeroTerms: "none",
        lenient: false,
        boost: 1,
      },
    ],
    ['{"bool":{}}', { kind: "match_all", boost: 1 }],
    [
      '{"bool":{"must":[],"filter":{"match_all":{}}}}',
      { kind: "bool", must: [], should: [], filter: [{ kind: "match_all", boost: 1 }], mustNot: [], boost: 1 },
    ],
    [
      '{"constant_score":{"filter":{"match_all":{}},"boost":5}}',
      { kind: "constant_score", filter: { kind: "match_all", boost: 1 }, boost: 5 },
    ],
    [
      '{"dis_max":{"queries":[{"match_all":{}}],"tie_breaker":0.3}}',
      { kind: "dis_max", queries: [{ kind: "match_all", boost: 1 }], tieBreaker: 0.3, boost: 1 },
    ],
  ])("%s", (json, query) => {
    expect(read(json)).toEqual(query);
  });
});

test("of two boosts for a field the last one counts", () => {
  expect(read('{"multi_match":{"query":"x","fields":["a^2","b","a^3"]}}')).toMatchObject({
    fields: [
      { field: "a", boost: 3 },
      { field: "b", boost: 1 },
    ],
  });
});

describe("refuses", () => {
  test.each([
    ['{"trem":{"a":1}}', "unknown query [trem] did you mean [term]?"],
    ['{"fuzzy":{"a":"x"}}', "[fuzzy] query is not supported by Pinakes"],
    ["{}", "query malformed, empty clause found"],
    ['{"term":{"a":1},"match_all":{}}', "[term] malformed query, expected [END_OBJECT] but found [FIELD_NAME]"],
    ['{"term":{"a":{"valuex":1}}}', "[term] query does not support [valuex]"],
    ['{"term":{"a":1,"b":2}}', "[term] query doesn't support multiple fields, found [a] and [b]"],
    ['{"term":{"a":[1]}}', "[term] query does not support arrays in [a]"],
    [
      '{"terms":{"a":{"index":"i","id":"1","path":"p"}}}',
      "terms lookup (an object in [terms] query on [a]) is not supported by Pinakes",
    ],
    ['{"match":{"a":{"query":"x","fuzziness":"AUTO"}}}', "[fuzziness] in [match] is not supported by Pinakes"],
    ['{"match":{"a":{"query":"x","operator":"xor"}}}', "[operator] must be one of [or, and] but was [xor]"],
    [
      '{"multi_match":{"query":"x","type":"cross_fields"}}',
      "[multi_match] of type [cross_fields] is not supported by Pinakes",
    ],
    ['{"bool":{"shuold":[]}}', "[bool] query does not support [shuold]"],
    [
      '{"range":{"a":{"gte":{"x":1}}}}',
      "[range] failed to parse field [gte]: expected a plain value but found START_OBJECT",
    ],
    ['{"term":{"_version":1}}', "[_version] in [term] is not supported by Pinakes"],
    ['{"exists":{"field":"_source"}}', "The _source field is not searchable"],
    ['{"match_all":{"boost":-1}}', "negative [boost]"],
  ])("%s", (json, reason) => {
    expect(() => read(json)).toThrow(reason);
  });
});
