import { describe, expect, it } from "vitest";
import { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import { decodeShape, ShapeEncoder } from "./shape.js";
import type { ShownPaths } from "./shown-paths.js";
import { assembleShown, cutShape } from "./shown-shape.js";
import { SlotKind } from "./slots.js";

const text = (value: string) => new TextEncoder().encode(value);

const VALUES: DocumentValues = {
  count: () => 1,
  long: (field) => 100 + field,
  double: () => Number.NaN,
  term: (_field, _index, output) => output.append(text("term"), 0, 4),
  text: () => {},
};

/** A shape from text in which `T`, `V`, `I` stand for kept slots (text, value, items), `#` and `$` for a column's number and term. */
function shapeOf(pattern: string) {
  const kinds: Record<string, number> = {
    T: SlotKind.text,
    V: SlotKind.value,
    I: SlotKind.items,
    "#": SlotKind.long,
    $: SlotKind.term,
  };
  const encoder = new ShapeEncoder();
  encoder.begin();
  const source = text(pattern);
  let from = 0;
  for (const [at, letter] of [...pattern].entries()) {
    if (kinds[letter] === undefined) continue;
    encoder.literal(source, from, at);
    encoder.slot(kinds[letter], 3);
    from = at + 1;
  }
  encoder.literal(source, from, source.length);
  return decodeShape(encoder.bytes.slice());
}

function put(pattern: string, record: string, shown: Partial<ShownPaths>): string {
  const cut = cutShape(shapeOf(pattern), { includes: [], excludes: [], ...shown });
  if (cut === null) return "not cut";
  const output = new ByteOutput(4);
  if (assembleShown(cut, { record: text(record), from: 0, name: "a.seg" }, VALUES, output) === "unlike")
    return "unlike";
  return Buffer.from(output.bytes.subarray(0, output.at)).toString();
}

const PATTERN = '{"a":"T","b":#,"c":[I],"d":{"e":V,"f":"$"},"g":V,"h":true}';
const RECORD = "one two\0" + "1,2\0" + '{"x":1}\0' + "null\0";

describe("a document of which some members are shown", () => {
  it.each([
    [{ includes: ["a"] }, '{"a":"one two"}'],
    [{ includes: ["b"] }, '{"b":103}'],
    [{ includes: ["c", "g"] }, '{"c":[1,2],"g":null}'],
    [{ includes: ["h", "d"] }, '{"d":{"e":{"x":1},"f":"term"},"h":true}'],
    [{ includes: ["nothing"] }, "{}"],
    [{ excludes: ["a", "c", "d"] }, '{"b":103,"g":null,"h":true}'],
    [{ includes: ["a", "b"], excludes: ["a"] }, '{"b":103}'],
    [{ includes: ["*"], excludes: ["a", "d"] }, '{"b":103,"c":[1,2],"g":null,"h":true}'],
  ])("%j", (shown, expected) => {
    expect(put(PATTERN, RECORD, shown)).toBe(expected);
  });

  it("is not cut where what is shown of a member depends on its value", () => {
    expect(put(PATTERN, RECORD, { includes: ["d.e"] })).toBe("not cut");
    expect(put(PATTERN, RECORD, { excludes: ["d.e"] })).toBe("not cut");
    expect(put(PATTERN, RECORD, { excludes: ["*.e"] })).toBe("not cut");
  });

  it("is not cut where a filter would print it otherwise: white space, names with escapes", () => {
    expect(put('{"a": "T"}', "x\0", { includes: ["a"] })).toBe("not cut");
    expect(put('{"\\u0061":"T"}', "x\0", { includes: ["a"] })).toBe("not cut");
    expect(put('{"a":V,"b":[I]}', "[1, 2]\x003\0", { includes: ["a"] })).toBe("unlike");
    expect(put('{"a":V,"b":[I]}', "[1, 2]\x003\0", { includes: ["b"] })).toBe('{"b":[3]}');
    expect(put('{"a b":"T"}', "x y\0", { includes: ["a b"] })).toBe('{"a b":"x y"}');
  });

  it("needs no record where all that is shown lies in columns", () => {
    const shape = shapeOf(PATTERN);
    expect(cutShape(shape, { includes: ["b", "h"], excludes: [] })?.values).toBe("columns");
    expect(cutShape(shape, { includes: ["b", "d"], excludes: [] })?.values).toBe("record");
    expect(put(PATTERN, "", { includes: ["b", "h"] })).toBe('{"b":103,"h":true}');
  });

  it("is refused when its record is too short", () => {
    expect(() => put(PATTERN, "one\0", { includes: ["g"] })).toThrow(/a\.seg/);
  });
});
