import { expect, test } from "vitest";
import { sourceFilter } from "./source-filter.js";

const SOURCE = Buffer.from('{"a":{"b":1.0,"c":{"d":2}},"arr":[{"x":1,"y":2},{"y":3}],"t":"hi"}');

/** Expected results are OpenSearch 2.19's. */
test.each([
  [["a.b"], [], '{"a":{"b":1.0}}'],
  [["a"], [], '{"a":{"b":1.0,"c":{"d":2}}}'],
  [[], ["a.b", "a.c"], '{"a":{},"arr":[{"x":1,"y":2},{"y":3}],"t":"hi"}'],
  [["arr.x"], [], '{"arr":[{"x":1}]}'],
  [["*.d"], [], '{"a":{"c":{"d":2}}}'],
  [["zz"], [], "{}"],
  [["a.b.zz"], [], "{}"],
  [[], ["arr.*"], '{"a":{"b":1.0,"c":{"d":2}},"arr":[],"t":"hi"}'],
  [["a.*"], ["a.b"], '{"a":{"c":{"d":2}}}'],
  [["arr.x", "t"], [], '{"arr":[{"x":1}],"t":"hi"}'],
  [["a*"], [], '{"a":{"b":1.0,"c":{"d":2}},"arr":[{"x":1,"y":2},{"y":3}]}'],
])("includes %j excludes %j", (includes, excludes, expected) => {
  expect(sourceFilter({ includes, excludes })(SOURCE).toString()).toBe(expected);
});
