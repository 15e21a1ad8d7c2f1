import { describe, expect, test } from "vitest";
import { toApiError } from "../../errors.js";
import { IngestDocument } from "../document/ingest-document.js";
import { parseValue, type ValueObject } from "../document/values.js";
import { compileCondition } from "./compile.js";

const source = `{
  "a": {"b": "x", "n": 5, "list": ["x", 2]}, "message": "GET /index.html", "flag": true, "none": null, "tags": [],
  "long": 12345678901, "double": 1.0, "dotted.name": "y", "empty": {}
}`;
const document = new IngestDocument(parseValue(source) as ValueObject, { _index: "logs-1", _id: "7" }, "now");

describe("conditions that shippers write", () => {
  test.each([
    ["ctx.a?.b == 'x'", true],
    ["ctx?.a?.b != null && ctx.a.b.startsWith('x')", true],
    ["ctx.missing?.b == 'x'", false],
    ["ctx.missing == null || ctx.missing.isEmpty()", true],
    ["!(ctx.flag)", false],
    ["!!ctx.flag", true],
    ["ctx.a.n > 4 && ctx.a.n <= 5", true],
    ["ctx.a.n == 5.0", true],
    ["ctx.double == 1", true],
    ["ctx.long > 2147483647L", true],
    ["ctx.a.n + 1 == 6 && ctx.a.n * 2 - 1 == 9 && 7 / 2 == 3 && 7 % 2 == 1", true],
    ["-1 < 0", true],
    ["ctx.message.contains('index') && ctx.message.length() == 15", true],
    ["ctx.tags.isEmpty() && ctx.tags.size() == 0", true],
    ["ctx.a.list.contains('x') && !ctx.a.list.contains('y')", true],
    ["['x', 'y'].contains(ctx.a.b)", true],
    ["ctx.containsKey('a') && !ctx.containsKey('z')", true],
    ["ctx.a.containsKey('b')", true],
    ["ctx['a']['b'] == 'x' && ctx['dotted.name'] == 'y'", true],
    ["ctx.a.list[1] == 2 && ctx.a.list.0 == 'x'", true],
    ["ctx.a.b instanceof String && ctx.a instanceof Map && ctx.tags instanceof List", true],
    ["ctx.a.n instanceof Integer && ctx.long instanceof Long && ctx.double instanceof Double", true],
    ["ctx.none instanceof String", false],
    ["ctx._index.startsWith('logs-') && ctx._id == '7'", true],
    ["ctx.a.b.toUpperCase() == 'X' && ctx.a.b.equals('x') && ctx.a.b.equalsIgnoreCase('X')", true],
    ["ctx.flag ? ctx.a.b == 'x' : false", true],
    ["(ctx.none ?: 'z') == 'z'", true],
    ["ctx.message =~ /GET \\/\\w+/", true],
    ["ctx.message ==~ /GET/", false],
    ["ctx.message.substring(0, 3) == 'GET' && ctx.message.indexOf('/') == 4", true],
    ["return ctx.flag == true; // of old", true],
    ['/* why */ ctx.a.b == "x"', true],
    ["ctx.empty.isEmpty() && ctx.empty.size() == 0", true],
    ["ctx.a.n.toString() == '5'", true],
    ["'a' + 1 == 'a1'", true],
  ])("%s", (condition, expected) => {
    expect(compileCondition(condition).holds(document)).toBe(expected);
  });

  test("have parameters", () => {
    expect(compileCondition({ source: "ctx.a.b == params.b", params: { b: "x" } }).holds(document)).toBe(true);
  });
});

describe("what goes wrong while one is evaluated is a script_exception with its cause", () => {
  test.each([
    ["ctx.missing.b == 'x'", "null_pointer_exception", "cannot access method/field [b] from a null def reference"],
    [
      "ctx.missing.isEmpty()",
      "null_pointer_exception",
      "cannot access method/field [isEmpty] from a null def reference",
    ],
    ["ctx.a.b", "class_cast_exception", "Cannot cast java.lang.String to boolean"],
    ["ctx.none", "null_pointer_exception", "cannot cast null to boolean"],
    [
      "ctx.a.b > 1",
      "class_cast_exception",
      "Cannot apply [>] operation to types [java.lang.String] and [java.lang.Integer].",
    ],
    ["ctx.a.list[5] == 1", "index_out_of_bounds_exception", "Index 5 out of bounds for length 2"],
    ["1 / 0 == 1", "arithmetic_exception", "/ by zero"],
  ])("%s", (condition, type, reason) => {
    try {
      compileCondition(condition).holds(document);
      expect.unreachable();
    } catch (error) {
      const found = toApiError(error);
      expect([found.type, found.message, found.extra.causedBy]).toEqual([
        "script_exception",
        "runtime error",
        { type, reason },
      ]);
    }
  });
});

describe("what is no condition, or not one that is known here, is refused by name", () => {
  test.each([
    ["ctx.a = 1", "[=] in the condition"],
    ["if (ctx.a != null) { return true }", "[if] in the condition"],
    ["for (x in ctx.a) {}", "[for] in the condition"],
    ["ctx.a.remove('b')", "[remove] in the condition"],
    ["new ArrayList()", "[new] in the condition"],
    ["Integer.parseInt('1') == 1", "[Integer] in the condition"],
    ["ctx.a === null", "[===] in the condition"],
    ["doc['a'].value == 1", "[doc] in the condition"],
    ["ctx.a == ", "ends too early"],
    ["ctx.a instanceof Foo", "[Foo] in the condition"],
    ["(".repeat(500), "nested too deeply"],
  ])("%s", (condition, reason) => {
    expect(() => compileCondition(condition)).toThrow(reason);
  });

  test("so is another language", () => {
    expect(() => compileCondition({ source: "true", lang: "expression" })).toThrow("[lang] with value [expression]");
    expect(() => compileCondition({ id: "stored" })).toThrow("[id] in [if] is not supported by Pinakes");
  });
});
