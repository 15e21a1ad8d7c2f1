import { expect, test } from "vitest";
import { parseBody } from "./body.js";
import { byteWriter } from "./byte-writer.js";
import { JsonSyntaxError, MAX_DEPTH, parseJson } from "./parse.js";
import { printDouble, printFloat, printJson } from "./print.js";
import { memberTexts, parseTree, printPretty, printTree } from "./tree.js";

test.each(['{"a":[1,-2.5e3,true,false,null,"x\\n\\u00e9"],"b":{}}', " [ ] ", '"\\\\"', "0", '{"__proto__":{"x":1}}'])(
  "reads %s as JSON.parse does",
  (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  },
);

test.each([
  ["{", 1, 2, "Unexpected end-of-input"],
  ['{"a":}', 1, 6, "Unexpected character ('}' (code 125))"],
  ['{"a":1,\n"a":2}', 2, 1, "Duplicate field 'a'"],
  ["[1,]", 1, 4, "Unexpected character (']' (code 93))"],
  ["[01]", 1, 2, "Leading zeroes not allowed"],
  ['"a', 1, 3, "Unexpected end-of-input in a string"],
  ['"\\q"', 1, 1, "Unrecognized character escape"],
  ["{} x", 1, 4, "after the end of the value"],
  ["nul", 1, 1, "expected a valid value"],
])("says where %s is wrong", (text, line, column, message) => {
  try {
    parseJson(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(JsonSyntaxError);
    expect(error).toMatchObject({ line, column });
    expect((error as Error).message).toContain(message);
  }
});

test("whole numbers beyond 2^53 keep every digit", () => {
  expect(parseJson("[9007199254740993,-9223372036854775808]")).toEqual([9007199254740993n, -9223372036854775808n]);
  expect(printJson({ a: 9007199254740993n })).toBe('{"a":9007199254740993}');
});

test("nesting beyond the limit is refused, at the limit it is read", () => {
  expect(() => parseJson("[".repeat(MAX_DEPTH + 1) + "]".repeat(MAX_DEPTH + 1))).toThrow(
    "exceeds the maximum allowed (1000)",
  );
  expect(() => parseJson("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH))).not.toThrow();
  expect(() => parseJson('{"a":'.repeat(200_000))).toThrow("exceeds the maximum allowed (1000)");
});

test("doubles keep their fraction, floats their shortest digits", () => {
  expect([printDouble(1), printDouble(0.5), printDouble(Number.NaN)]).toEqual(["1.0", "0.5", '"NaN"']);
  expect([printFloat(Math.fround(0.2876821)), printFloat(1), printFloat(Math.fround(13.123457))]).toEqual([
    "0.2876821",
    "1.0",
    "13.123457",
  ]);
});

test.each([
  [-0, "-0.0", "-0.0"],
  [-1535066200.5, "-1.5350662005E9", "-1.5350662E9"],
  [1e21, "1.0E21", "1.0E21"],
  [1e7, "1.0E7", "1.0E7"],
  [9999999, "9999999.0", "9999999.0"],
  [0.001, "0.001", "0.001"],
  [0.0001, "1.0E-4", "1.0E-4"],
  [150.55, "150.55", "150.55"],
  [Number.NEGATIVE_INFINITY, '"-Infinity"', '"-Infinity"'],
])("%d is printed as Java prints it", (value, asDouble, asFloat) => {
  expect([printDouble(value), printFloat(Math.fround(value))]).toEqual([asDouble, asFloat]);
});

test("an object's members as text keep the spelling of numbers", () => {
  expect([...memberTexts('{"a" : {"b": [1.0, 2e3]}, "c":"\\u00e9"}')]).toEqual([
    ["a", '{"b":[1.0,2e3]}'],
    ["c", '"\\u00e9"'],
  ]);
});

test("a byte order mark before JSON is skipped", () => {
  expect(parseBody(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
});

test("a tree keeps the text of its numbers", () => {
  const text = '{"a":1.0,"b":[1e3,{"c":"\\u0041"}],"d":12345678901234567890}';
  expect(printTree(parseTree(text))).toBe(text);
});

test("pretty is Elasticsearch's style", () => {
  expect(printPretty(parseTree('{"a":{"b":[1,{}],"c":[]}}'))).toBe(
    '{\n  "a" : {\n    "b" : [\n      1,\n      { }\n    ],\n    "c" : [ ]\n  }\n}',
  );
});

test("bytes are spliced between texts, however large", () => {
  const out = byteWriter();
  const large = Buffer.alloc(50_000, "x");
  out.text("é[");
  out.bytes(large);
  out.text("]ü");
  expect(out.finish().toString()).toBe(`é[${large.toString()}]ü`);
});
