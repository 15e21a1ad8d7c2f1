import { describe, expect, test } from "vitest";
import { createFieldTable, growFieldTable, loadFieldTable, storeFieldTable } from "./field-table.js";
import type { Mapping } from "./mapping.js";
import { DEFAULT_LIMITS } from "./merge.js";
import { expandFieldPatterns, matchesPattern } from "./patterns.js";

const grow = (mapping: Mapping, change: Partial<Mapping>) =>
  growFieldTable(growFieldTable(createFieldTable({ properties: {} }), mapping, DEFAULT_LIMITS), change, DEFAULT_LIMITS);

describe("field table", () => {
  test("fields keep their ordinals as the mapping grows, and through storing", () => {
    const first = createFieldTable({
      properties: { b: { type: "long" }, a: { type: "text", fields: { raw: { type: "keyword" } } } },
    });
    const change: Mapping["properties"] = {
      a: { type: "text", fields: { len: { type: "integer" } } },
      "o.x": { type: "ip" },
    };
    const grown = growFieldTable(first, { properties: change }, DEFAULT_LIMITS);
    expect(grown.byOrdinal.map((field) => field.path)).toEqual(["b", "a", "a.raw", "a.len", "o.x"]);
    expect([...grown.objects.keys()]).toEqual(["o"]);
    const stored = JSON.parse(JSON.stringify(storeFieldTable(grown)));
    expect(loadFieldTable(stored).byOrdinal).toEqual(grown.byOrdinal);
  });

  test("a change that says nothing new gives the same table", () => {
    const table = createFieldTable({ properties: { a: { type: "long" } } });
    expect(growFieldTable(table, { properties: { a: { type: "long" } } }, DEFAULT_LIMITS)).toBe(table);
  });

  test("structures follow from type and parameters", () => {
    const { fields } = createFieldTable({
      properties: {
        x: { type: "text", norms: false },
        k: { type: "keyword", docValues: false },
        n: { type: "long", docValues: false },
        off: { type: "date", index: false, docValues: false },
        v: { type: "dense_vector" },
      },
    });
    expect(fields.get("x")).toMatchObject({ inverted: true, positions: true, norms: false, column: null });
    expect(fields.get("k")).toMatchObject({ inverted: true, positions: false, column: null });
    expect(fields.get("n")).toMatchObject({ inverted: false, column: "long" });
    expect(fields.get("off")).toMatchObject({ inverted: false, column: null });
    expect(fields.get("v")).toMatchObject({ inverted: false, column: null });
  });
});

describe("null_value", () => {
  const create = (entry: Mapping["properties"][string]) => grow({ properties: {} }, { properties: { o: entry } });
  test.each([
    ["long", "zzz", 'For input string: "zzz"'],
    ["long", "1.5", "Value [1.5] has a decimal part"],
    ["long", " 5", 'For input string: " 5"'],
    ["integer", true, 'For input string: "true"'],
    ["short", 40_000, "Value [40000] is out of range for a short"],
    ["byte", 200, "Value [200] is out of range for a byte"],
    ["double", "", "empty String"],
    ["float", 1e39, "[float] supports only finite values, but got [Infinity]"],
    ["half_float", 70_000, "[half_float] supports only finite values, but got [70000.0]"],
    ["boolean", 1, "Failed to parse value [1] as only [true] or [false] are allowed."],
    ["date", "zzz", /^Error parsing \[null_value\] on field \[f\]: failed to parse date field \[zzz\]/],
    ["ip", "zzz", "Error parsing [null_value] on field [f]: 'zzz' is not an IP string literal."],
  ] as const)("%s: %j is refused when the mapping is made", (type, nullValue, why) => {
    const message = typeof why === "string" ? `Failed to parse mapping: ${why}` : new RegExp(`${why.source.slice(1)}`);
    for (const entry of [
      { type: "object", properties: { f: { type, nullValue } } },
      { type: "keyword", fields: { f: { type, nullValue } } },
    ] as const) {
      expect(() => create(entry)).toThrow(expect.objectContaining({ code: "mapping_invalid" }));
      expect(() => create(entry)).toThrow(message);
    }
  });

  test("a change is checked as well as a new field", () => {
    const change = { f: { type: "long", nullValue: "x" } } as const;
    expect(() => grow({ properties: { f: { type: "long" } } }, { properties: change })).toThrow(
      expect.objectContaining({ code: "mapping_invalid" }),
    );
  });

  test.each([
    ["integer", "1d"],
    ["boolean", "true"],
    ["date", "2020"],
    ["ip", "::1"],
    ["keyword", 5],
  ] as const)("%s: %j is taken", (type, nullValue) => {
    expect(create({ type, nullValue }).fields.get("o")?.mapping.nullValue).toBe(nullValue);
  });
});

describe("merging", () => {
  const mapping: Mapping = {
    properties: {
      a: { type: "text" },
      o: { type: "object", properties: { k: { type: "keyword" } } },
      d: { type: "date" },
    },
  };
  test.each([
    [{ a: { type: "long" } }, "mapper [a] cannot be changed from type [text] to [long]"],
    [{ o: { type: "keyword" } }, "can't merge a object mapping [o] with a non object mapping"],
    [{ a: { type: "object", properties: {} } }, "can't merge a non object mapping [a] with an object mapping"],
    [{ "a.b": { type: "long" } }, "can't merge a non object mapping [a] with an object mapping"],
    [{ "o.k": { type: "keyword", index: false } }, "Cannot update parameter [index] from [true] to [false]"],
    [
      { d: { type: "date", format: "yyyy" } },
      "Mapper for [d] conflicts with existing mapper:\n\tCannot update parameter [format] from [strict_date_optional_time||epoch_millis] to [yyyy]",
    ],
  ] satisfies [Mapping["properties"], string][])("%j conflicts", (properties, message) => {
    expect(() => grow(mapping, { properties })).toThrow(message);
  });

  test("parameters that may change do", () => {
    const { mapping: merged } = grow(mapping, {
      dynamic: "strict",
      properties: { "o.k": { type: "keyword", ignoreAbove: 5 }, d: { type: "date", ignoreMalformed: true } },
    });
    expect(merged).toMatchObject({
      dynamic: "strict",
      properties: { o: { properties: { k: { ignoreAbove: 5 } } }, d: { ignoreMalformed: true } },
    });
  });

  test.each([
    [{ "": { type: "long" } }, "field name cannot be an empty string"],
    [{ a: { type: "date", format: "bogus!f" } }, "Error parsing [format] on field [a]"],
    [
      { a: { type: "dense_vector", dims: 5000 } },
      "The number of dimensions should be in the range [1, 4096] but was [5000]",
    ],
    [{ a: { type: "text", fields: { b: { type: "long", copyTo: ["c"] } } } }, "copy_to in multi fields is not allowed"],
  ] satisfies [Mapping["properties"], string][])("%j makes no sense", (properties, message) => {
    expect(() => grow({ properties: {} }, { properties })).toThrow(message);
  });

  test("limits count fields, multi-fields and objects", () => {
    const table = createFieldTable({ properties: {} });
    const limits = { totalFields: 3, depth: 2, nestedObjects: 50 };
    const nested: Mapping["properties"] = { "a.b.c": { type: "long" } };
    const many: Mapping["properties"] = {
      a: { type: "text", fields: { raw: { type: "keyword" } } },
      "o.x": { type: "long" },
    };
    expect(() => growFieldTable(table, { properties: many }, limits)).toThrow(
      "Limit of total fields [3] has been exceeded while adding new fields [4]",
    );
    expect(() => growFieldTable(table, { properties: nested }, limits)).toThrow(
      "Limit of mapping depth [2] has been exceeded due to object field [a.b]",
    );
  });
});

describe("patterns", () => {
  test.each([
    ["a*", "abc", true],
    ["*.raw", "a.b.raw", true],
    ["a*b*c", "aXbYc", true],
    ["a*b*c", "acb", false],
    ["ab*ba", "aba", false],
    ["*", "", true],
    ["a", "ab", false],
  ])("%s and %s: %s", (pattern, name, matches) => {
    expect(matchesPattern(pattern, name)).toBe(matches);
  });

  test("expansion keeps plain names and the order of the request", () => {
    expect(expandFieldPatterns(["z", "a*", "ab"], ["ab", "aa", "b"])).toEqual(["z", "aa", "ab"]);
  });
});
