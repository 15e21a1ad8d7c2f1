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

/** Arrays of everything, emptiness, names with dots. */
const ODD = Buffer.from(
  '{"a":{"b":1,"c":{"d":2}},"arr":[{"x":1,"y":2},{"y":3}],"t":"hi",' +
    '"mix":[1,{"x":1},[],{},[{"x":2},3],"s",[[4]]],"user":{"name":"n","more":{"k":1}},' +
    '"e":{},"ea":[],"p.q":{"r":1},"n":null,"deep":[[{"x":1}],[{"y":1}]]}',
);

/** Expected results are OpenSearch 2.19's, in the order of the document's own keys. */
test.each([
  [["mix.x"], [], '{"mix":[{"x":1},[{"x":2}]]}'],
  [["mix"], ["mix.x"], '{"mix":[1,[3],"s",[[4]]]}'],
  [["mix"], ["mix.*"], '{"mix":[1,[3],"s",[[4]]]}'],
  [
    ["*"],
    ["*.x"],
    '{"a":{"b":1,"c":{"d":2}},"arr":[{"y":2},{"y":3}],"t":"hi","mix":[1,[3],"s",[[4]]],"user":{"more":{"k":1},"name":"n"},"e":{},"ea":[],"p.q":{"r":1},"n":null,"deep":[[{"y":1}]]}',
  ],
  [["*.x"], [], '{"arr":[{"x":1}],"mix":[{"x":1},[{"x":2}]],"deep":[[{"x":1}]]}'],
  [["*.x"], ["deep.x"], '{"arr":[{"x":1}],"mix":[{"x":1},[{"x":2}]]}'],
  [["user.name"], ["user.name"], "{}"],
  [["user.*"], ["user.*"], "{}"],
  [["user"], ["user.*"], '{"user":{}}'],
  [["*.k"], ["user.more.k"], "{}"],
  [["user.more.k"], ["user.more.k"], "{}"],
  [
    [],
    ["user.*"],
    '{"a":{"b":1,"c":{"d":2}},"arr":[{"x":1,"y":2},{"y":3}],"t":"hi","mix":[1,{"x":1},[],{},[{"x":2},3],"s",[[4]]],"user":{},"e":{},"ea":[],"p.q":{"r":1},"n":null,"deep":[[{"x":1}],[{"y":1}]]}',
  ],
  [["e.*"], [], "{}"],
  [["e"], ["e.*"], '{"e":{}}'],
  [["ea.*"], ["*"], "{}"],
  [["p.q"], ["p.q.r"], '{"p.q":{}}'],
  [["p"], [], '{"p.q":{"r":1}}'],
  [["n"], ["n.x"], '{"n":null}'],
  [["arr.y"], ["arr.y"], "{}"],
  [["deep.x"], [], '{"deep":[[{"x":1}]]}'],
  [["user.name.x"], [], "{}"],
  [
    [],
    ["ea.*"],
    '{"a":{"b":1,"c":{"d":2}},"arr":[{"x":1,"y":2},{"y":3}],"t":"hi","mix":[1,{"x":1},[],{},[{"x":2},3],"s",[[4]]],"user":{"more":{"k":1},"name":"n"},"e":{},"ea":[],"p.q":{"r":1},"n":null,"deep":[[{"x":1}],[{"y":1}]]}',
  ],
  [
    [],
    ["mix.x"],
    '{"a":{"b":1,"c":{"d":2}},"arr":[{"x":1,"y":2},{"y":3}],"t":"hi","mix":[1,[3],"s",[[4]]],"user":{"more":{"k":1},"name":"n"},"e":{},"ea":[],"p.q":{"r":1},"n":null,"deep":[[{"x":1}],[{"y":1}]]}',
  ],
])(
  "of arrays and what is empty includes %j excludes %j leave what OpenSearch leaves",
  (includes, excludes, expected) => {
    expect(JSON.parse(sourceFilter({ includes, excludes })(ODD).toString())).toEqual(JSON.parse(expected));
  },
);
