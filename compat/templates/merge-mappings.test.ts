import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/value.js";
import { mergeLegacyMappings, mergeMappings } from "./merge-mappings.js";

describe("mappings of composable templates", () => {
  test("a field is what the strongest says of it, with nothing of the others", () => {
    const weak = { properties: { a: { type: "keyword", ignore_above: 5 }, b: { type: "long" } } };
    expect(mergeMappings([weak, { properties: { a: { type: "text" } } }])).toEqual({
      properties: { a: { type: "text" }, b: { type: "long" } },
    });
  });

  test("objects are joined, whether their fields are written with dots or not", () => {
    const dotted = { properties: { "o.a": { type: "keyword" }, "o.p.q": { type: "long" } } };
    const nested = { properties: { o: { dynamic: "strict", properties: { b: { type: "text" } } } } };
    expect(mergeMappings([dotted, nested])).toEqual({
      properties: {
        o: {
          dynamic: "strict",
          properties: {
            a: { type: "keyword" },
            b: { type: "text" },
            p: { properties: { q: { type: "long" } } },
          },
        },
      },
    });
  });

  test("an object that meets a field is refused", () => {
    const field = { properties: { a: { type: "long" } } };
    const object = { properties: { "a.b": { type: "long" } } };
    const refused = "can't merge a non object mapping [a] with an object mapping";
    expect(() => mergeMappings([field, object])).toThrow(refused);
    expect(() => mergeMappings([object, field])).toThrow(refused);
  });

  test("dynamic templates go by their names, `_meta` is joined, all else is replaced", () => {
    const weak: JsonObject = {
      dynamic: "strict",
      _meta: { a: 1, b: { c: 1 } },
      dynamic_templates: [{ one: { match: "a*" } }, { two: { match: "b*" } }],
    };
    const strong: JsonObject = {
      dynamic: "false",
      _meta: { b: { d: 2 } },
      dynamic_templates: [{ three: { match: "c*" } }, { one: { match: "d*" } }],
    };
    expect(mergeMappings([weak, { _doc: strong }])).toEqual({
      dynamic: "false",
      _meta: { a: 1, b: { c: 1, d: 2 } },
      dynamic_templates: [{ one: { match: "d*" } }, { two: { match: "b*" } }, { three: { match: "c*" } }],
    });
  });
});

test("mappings of legacy templates fill one another in, down to the parameters of a field", () => {
  const weak: JsonObject = {
    properties: { a: { type: "keyword", ignore_above: 5 } },
    dynamic_date_formats: ["yyyy"],
    dynamic_templates: [{ one: { match: "a*", mapping: { type: "long" } } }],
  };
  const strong: JsonObject = {
    properties: { a: { type: "keyword", doc_values: false } },
    dynamic_date_formats: ["MM", "yyyy"],
    dynamic_templates: [{ one: { match: "b*" } }, { two: { match: "c*" } }],
  };
  expect(mergeLegacyMappings([weak, strong])).toEqual({
    properties: { a: { type: "keyword", ignore_above: 5, doc_values: false } },
    dynamic_date_formats: ["yyyy", "MM"],
    dynamic_templates: [{ one: { match: "b*", mapping: { type: "long" } } }, { two: { match: "c*" } }],
  });
});
