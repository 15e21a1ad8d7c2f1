import { expect, test } from "vitest";
import type { Mapping } from "../../engine/index.js";
import { double, printJson } from "../json/print.js";
import { printMapping, readMapping } from "./index.js";
import { DEFAULT_ONLY, MAPPING_PARAMETERS } from "./parameters.js";

const roundTrip = (json: unknown) => printMapping({ properties: {}, ...readMapping(json as never) } as Mapping);

test("parameters are sorted by name", () => {
  for (const table of [MAPPING_PARAMETERS, DEFAULT_ONLY]) {
    const names = table.map((row) => row.name);
    expect(names).toEqual([...names].sort());
  }
});

test("what Elasticsearch prints is read back to the same", () => {
  const mapping = {
    dynamic: "strict",
    _meta: { owner: { a: [1] } },
    _routing: { required: true },
    dynamic_templates: [
      {
        strings: {
          match_mapping_type: "string",
          path_match: ["a.*", "b.*"],
          mapping: { type: "keyword", ignore_above: 64 },
        },
      },
    ],
    properties: {
      body: { type: "text", analyzer: "standard", fields: { raw: { type: "keyword", ignore_above: 256 } } },
      code: {
        type: "wildcard",
        ignore_above: 9000,
        null_value: "none",
        meta: { a: "b" },
        copy_to: ["body"],
        fields: { lines: { type: "wildcard" } },
      },
      embedding: { type: "dense_vector", dims: 3, similarity: "cosine", index_options: { type: "hnsw", m: 16 } },
      n: { type: "long", index: false, null_value: 0 },
      user: { dynamic: "false", properties: { name: { type: "keyword", doc_values: false } } },
    },
  };
  expect(roundTrip(mapping)).toEqual(mapping);
});

test("defaults are not printed and properties are in order", () => {
  expect(
    JSON.stringify(
      roundTrip({ properties: { b: { type: "long", index: true, doc_values: "true" }, a: { type: "object" } } }),
    ),
  ).toBe('{"properties":{"a":{"type":"object"},"b":{"type":"long"}}}');
});

test("dotted names become objects", () => {
  expect(roundTrip({ properties: { "a.b": { type: "long" }, a: { properties: { c: { type: "ip" } } } } })).toEqual({
    properties: { a: { properties: { b: { type: "long" }, c: { type: "ip" } } } },
  });
});

test("a template's type may be a placeholder", () => {
  const templates = [{ all: { match: "*", mapping: { type: "{dynamic_type}", index: false } } }];
  expect(roundTrip({ dynamic_templates: templates })).toEqual({ dynamic_templates: templates });
});

test("a flat vector index is never searched by a graph, and is printed as it came", () => {
  const mapping = { properties: { v: { type: "dense_vector", dims: 3, index_options: { type: "int8_flat" } } } };
  expect(readMapping(mapping as never)?.properties?.v).toMatchObject({ vectorSearch: "exact" });
  expect(roundTrip(mapping)).toEqual(mapping);
});

test.each([
  [
    { properties: { v: { type: "dense_vector", dims: 3, index_options: { type: "annoy" } } } },
    "Unknown vector index options type [annoy] for field [v]",
  ],
  [
    { properties: { a: { type: "keywrod" } } },
    "No handler for type [keywrod] declared on field [a] did you mean [keyword]?",
  ],
  [{ properties: { a: { type: "long", analyzer: "x" } } }, "unknown parameter [analyzer] on mapper [a] of type [long]"],
  [
    { properties: { a: { type: "wildcard", doc_values: true } } },
    "unknown parameter [doc_values] on mapper [a] of type [wildcard]",
  ],
  [
    { properties: { a: { type: "wildcard", normalizer: "x" } } },
    "unknown parameter [normalizer] on mapper [a] of type [wildcard]",
  ],
  [
    { properties: { a: { type: "text", index_phrases: true } } },
    "[index_phrases] with value [true] on field [a] is not supported by Pinakes",
  ],
  [
    { properties: { a: { type: "keyword", fields: { b: { type: "zzz" } } } } },
    "No handler for type [zzz] declared on field [b]",
  ],
  [{ properties: { a: { index: false } } }, "No type specified for field [a]"],
  [{ runtime: {} }, "[runtime] in [_doc] is not supported by Pinakes"],
  [{ propertis: {} }, "Root mapping definition has unsupported parameters:  [propertis : {}]"],
  [{ dynamic: "runtime" }, "[dynamic: runtime] on [_doc] is not supported by Pinakes"],
])("refuses %j", (mapping, reason) => {
  expect(() => readMapping(mapping as never)).toThrow(reason);
});

test("defaults that were said are printed where Elasticsearch prints them", () => {
  const properties = {
    d: { type: "date", ignore_malformed: false, format: "strict_date_optional_time||epoch_millis", locale: "ROOT" },
    k: { type: "keyword", similarity: "BM25", norms: false, ignore_above: 2147483647, eager_global_ordinals: false },
    l: { type: "long", coerce: true, ignore_malformed: false, index: true, doc_values: true, copy_to: [], meta: {} },
    n: { type: "double", null_value: 5 },
    t: { type: "text", analyzer: "standard", search_analyzer: "standard", norms: true, position_increment_gap: 100 },
  };
  expect(printJson(roundTrip({ properties }))).toBe(
    printJson({
      properties: {
        d: { type: "date" },
        k: { type: "keyword", similarity: "BM25" },
        l: { type: "long", coerce: true, ignore_malformed: false },
        n: { type: "double", null_value: double(5) },
        t: { type: "text", analyzer: "standard", position_increment_gap: 100 },
      },
    }),
  );
});

test("a field and a multi-field may be called __proto__", () => {
  const mapping = JSON.parse(
    '{"properties":{"__proto__":{"type":"text","fields":{"__proto__":{"type":"keyword"}}}}}',
  ) as unknown;
  expect(JSON.stringify(roundTrip(mapping))).toBe(JSON.stringify(mapping));
});

test("a parameter called __proto__ is refused like any other unknown one", () => {
  const mapping = JSON.parse('{"properties":{"a":{"type":"long","__proto__":1}}}') as unknown;
  expect(() => roundTrip(mapping)).toThrow("unknown parameter [__proto__]");
});
