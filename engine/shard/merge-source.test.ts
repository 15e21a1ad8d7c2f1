import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeSource, mergeSource } from "./merge-source.js";

function merged(source: string, doc: Record<string, unknown>): [string, boolean] {
  const { source: bytes, changed } = mergeSource(Buffer.from(source), doc);
  return [Buffer.from(bytes).toString(), changed];
}

const cases: [string, string, Record<string, unknown>, string, boolean][] = [
  ["adds a key at the end", '{"a":1}', { b: 2 }, '{"a":1,"b":2}', true],
  ["replaces a value in place", '{"a":1,"b":2}', { a: "x" }, '{"a":"x","b":2}', true],
  ["merges objects recursively", '{"a":{"x":1,"y":[1]}}', { a: { y: 2 } }, '{"a":{"x":1,"y":2}}', true],
  ["replaces arrays whole", '{"a":[1,2,3]}', { a: [4] }, '{"a":[4]}', true],
  ["replaces an object by a value and back", '{"a":{"x":1},"b":1}', { a: 1, b: {} }, '{"a":1,"b":{}}', true],
  ["sees that nothing changes", '{"a":{"x":[1,{"y":null}]}}', { a: { x: [1, { y: null }] } }, "", false],
  ["counts a new null as a change", '{"a":1}', { b: null }, '{"a":1,"b":null}', true],
  ["fills an empty object", " { } ", { a: "é" }, '{"a":"é"}', true],
  ["reads past spaces, escapes and braces in strings", '{ "a\\"}" : "\\\\" , "b" : [ "]" ] }', { c: 1 }, "", true],
  ["takes keys that objects inherit", '{"constructor":1}', { toString: 2 }, '{"constructor":1,"toString":2}', true],
];

describe("merging a partial document", () => {
  it.each(cases)("%s", (_title, source, doc, expected, changed) => {
    const [text, didChange] = merged(source, doc);
    if (expected) expect(text).toBe(expected);
    expect(didChange).toBe(changed);
  });

  it("keeps the bytes of numbers it does not touch", () => {
    expect(merged('{"big":12345678901234567890,"f":1.0,"n":1}', { n: 2 })[0]).toBe(
      '{"big":12345678901234567890,"f":1.0,"n":2}',
    );
  });

  it("keeps the spelling of numbers in a document that comes as text", () => {
    const doc = Buffer.from('{ "a": {"x": 2.00}, "b": [1.0, 1e3], "c": 3.0 }');
    const { source } = mergeSource(Buffer.from('{"a":{"y":1.50},"b":1}'), doc);
    expect(Buffer.from(source).toString()).toBe('{"a":{"y":1.50,"x":2.00},"b":[1.0, 1e3],"c":3.0}');
  });

  it.each([
    ['{"a":2.0}', '{"a":2}', true],
    ['{"a":2.0}', '{"a":2.00}', false],
    ['{"a":[{"b":1}, "é"]}', '{"a":[{"b":1},"\\u00e9"]}', false],
    ['{"a":12345678901234567890}', '{"a":12345678901234567891}', true],
  ])("tells %s and %s apart as Elasticsearch does: %s", (source, doc, changed) => {
    expect(mergeSource(Buffer.from(source), Buffer.from(doc)).changed).toBe(changed);
  });

  it("writes a bigint's digits", () => {
    expect(Buffer.from(encodeSource({ n: [9007199254740993n] })).toString()).toBe('{"n":[9007199254740993]}');
  });

  it("equals the merge of parsed values, for any documents", () => {
    const object = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    fc.assert(
      fc.property(object, object, fc.constantFrom(undefined, 2), (current, doc, indent) => {
        const plain = JSON.parse(JSON.stringify(doc)) as Record<string, unknown>;
        const [text] = merged(JSON.stringify(current, null, indent), plain);
        expect(JSON.parse(text)).toEqual(mergeValues(JSON.parse(JSON.stringify(current)), plain));
      }),
    );
  });
});

function mergeValues(current: unknown, doc: unknown): unknown {
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(current) || !isObject(doc)) return doc;
  const entries = new Map(Object.entries(current as object));
  for (const [key, value] of Object.entries(doc as object)) {
    entries.set(key, entries.has(key) ? mergeValues(entries.get(key), value) : value);
  }
  return Object.fromEntries(entries);
}
