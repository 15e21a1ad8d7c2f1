import { describe, expect, test } from "vitest";
import { IngestDocument } from "./ingest-document.js";
import { parsePath } from "./path.js";
import { compileTemplate, compileValue } from "./template.js";
import { parseValue, printValue, type ValueObject } from "./values.js";

const document = (source: string) =>
  new IngestDocument(parseValue(source) as ValueObject, { _index: "i", _id: "1" }, "2024-05-01T10:00:00.000Z");
const sample = () => document('{"a":{"b":[1,{"c":"x"}],"n":null},"s":"text","d":1.0}');

describe("a field is read by its path, or the words of Elasticsearch say why it is not there", () => {
  test.each([
    ["a.b.1.c", '"x"'],
    ["_source.s", '"text"'],
    ["_index", '"i"'],
    ["_ingest.timestamp", '"2024-05-01T10:00:00.000Z"'],
    ["d", "1.0"],
    ["x.y", "field [x] not present as part of path [x.y]"],
    ["a.b.7", "[7] is out of bounds for array with length [2] as part of path [a.b.7]"],
    ["a.b.z", "[z] is not an integer, cannot be used as an index as part of path [a.b.z]"],
    ["a.n.z", "cannot resolve [z] from null as part of path [a.n.z]"],
    ["s.z", "cannot resolve [z] from object of type [java.lang.String] as part of path [s.z]"],
    ["", "path cannot be null nor empty"],
    [".", "path [.] is not valid"],
  ])("%s", (path, expected) => {
    const read = () => printValue(sample().get(parsePath(path)));
    if (/^["\d]/.test(expected)) expect(read()).toBe(expected);
    else expect(read).toThrow(expected);
  });
});

describe("a field is written by its path", () => {
  test.each([
    ["x.y.z", '{"a":{"b":[1,{"c":"x"}],"n":null},"s":"text","d":1.0,"x":{"y":{"z":7}}}'],
    ["a.b.0", '{"a":{"b":[7,{"c":"x"}],"n":null},"s":"text","d":1.0}'],
    ["s.z", "cannot set [z] with parent object of type [java.lang.String] as part of path [s.z]"],
    ["a.n.z", "cannot set [z] with null parent as part of path [a.n.z]"],
    ["a.b.2", "[2] is out of bounds for array with length [2] as part of path [a.b.2]"],
  ])("%s", (path, expected) => {
    const changed = sample();
    const write = () => changed.set(parsePath(path), 7);
    if (!expected.startsWith("{")) return expect(write).toThrow(expected);
    write();
    expect(printValue(changed.source)).toBe(expected);
  });

  test("a member called __proto__ is a member like any other", () => {
    const changed = document("{}");
    changed.set(parsePath("__proto__.x"), 1);
    expect(printValue(changed.source)).toBe('{"__proto__":{"x":1}}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

test("values are appended to lists, to single values, and to nothing", () => {
  const changed = document('{"one":"a","list":["a"]}');
  changed.append(parsePath("one"), ["b"], "kept");
  changed.append(parsePath("list"), ["a", "c"], "left out");
  changed.append(parsePath("none"), ["a"], "kept");
  expect(printValue(changed.source)).toBe('{"one":["a","b"],"list":["a","c"],"none":["a"]}');
});

test("numbers keep their type and their digits", () => {
  const source = '{"a":1.0,"b":1,"c":12345678901234567890,"d":-0.5,"e":1.0E21,"f":9007199254740993}';
  expect(printValue(document(source).source)).toBe(source);
});

describe("templates", () => {
  test.each([
    ["{{s}} and {{{a.b.0}}}", "text and 1"],
    ["{{_ingest.timestamp}}", "2024-05-01T10:00:00.000Z"],
    ["{{none}}|{{a.n}}", "|"],
    ["{{! a comment }}x{{&q}}", 'x"'],
    ["{{q}}", '\\"'],
    ["{{{a.b}}}", "{0=1, 1={c=x}}"],
  ])("%s", (text, expected) => {
    const given = document('{"s":"text","q":"\\"","a":{"b":[1,{"c":"x"}],"n":null}}');
    expect(compileTemplate(text).render(given)).toBe(expected);
  });

  test("reach into lists and objects", () => {
    const value = compileValue({ k: ["{{s}}", 1, true], "n{{s}}": null });
    expect(printValue(value(sample()))).toBe('{"k":["text",1,true],"ntext":null}');
  });

  test("that want more of mustache are refused by name", () => {
    expect(() => compileTemplate("{{#list}}x{{/list}}")).toThrow(
      "mustache tag [{{#list}}] is not supported by Pinakes",
    );
  });
});
