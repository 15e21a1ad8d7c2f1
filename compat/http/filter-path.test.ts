import { expect, test } from "vitest";
import { filterPath } from "./filter-path.js";

const JSON_TEXT =
  '{"took":3,"hits":{"total":{"value":1.0},"hits":[{"_id":"1","_score":1.0},{"_id":"2","_score":2.0}]},"a.b":1}';

test.each([
  ["took", '{"took":3}'],
  ["hits.hits._id", '{"hits":{"hits":[{"_id":"1"},{"_id":"2"}]}}'],
  ["hits.total.*", '{"hits":{"total":{"value":1.0}}}'],
  ["**._score", '{"hits":{"hits":[{"_score":1.0},{"_score":2.0}]}}'],
  ["t*", '{"took":3}'],
  ["-hits,-took", '{"a.b":1}'],
  ["hits,-hits.hits", '{"hits":{"total":{"value":1.0}}}'],
  ["a\\.b", '{"a.b":1}'],
  ["nothing", "{}"],
])("filter_path=%s", (filter, expected) => {
  expect(filterPath(JSON_TEXT, filter.split(","))).toBe(expected);
});

test("what is empty is only in the answer when it is named whole", () => {
  const text = '{"a":{"b":{},"c":[]},"d":{"count":1}}';
  expect(filterPath(text, ["**.count"])).toBe('{"d":{"count":1}}');
  expect(filterPath(text, ["a.b"])).toBe('{"a":{"b":{}}}');
  expect(filterPath(text, ["-d"])).toBe('{"a":{"b":{},"c":[]}}');
});

test("names that are skipped in many ways are tried in one", () => {
  const deep = `${'{"a":'.repeat(60)}1${"}".repeat(60)}`;
  expect(filterPath(deep, [`${"**.".repeat(40)}b`])).toBe("{}");
  expect(filterPath(deep, [`${"**.*.".repeat(20)}a`])).toBe(deep);
  expect(filterPath(`{"${"a".repeat(200)}":1}`, [`${"a*".repeat(40)}b`])).toBe("{}");
});
