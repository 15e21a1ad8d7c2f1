import { afterEach, describe, expect, test } from "vitest";
import { codeTokens } from "../analysis/code-analyzer.js";
import { createAnalyzerRegistry, NO_ANALYSIS } from "../analysis/index.js";
import type { EngineError } from "../errors.js";
import { twinKernels } from "../kernels/load.js";
import type { FieldTable } from "../mapping/field-table.js";
import { createFieldTable } from "../mapping/field-table.js";
import type { AnalysisSettings, Mapping } from "../mapping/mapping.js";
import { DEFAULT_LIMITS } from "../mapping/merge.js";
import { Arena } from "../store/arena.js";
import { Preparer } from "./prepare.js";
import { loadSources } from "./source-run.js";

const arena = Arena.create(16 << 20);
const preparer = new Preparer(arena, twinKernels(arena.memory));
const emptyUse = arena.used;

afterEach(() => {
  preparer.close();
  expect(arena.used).toBe(emptyUse);
});

/** A record in readable form: `path value`, or `path term@position ...|length`. */
function readRecords(start: number, end: number, table: FieldTable): string[] {
  const records: string[] = [];
  for (let at = start; at < end; at += arena.view.getUint32(at + 4, true)) {
    const head = arena.view.getUint32(at, true);
    const field = table.byOrdinal[head >>> 8];
    records.push(`${field.path} ${readPayload(head & 0xff, at + 8, arena.view.getUint32(at + 4, true) - 8)}`);
  }
  return records;
}

function readPayload(kind: number, at: number, size: number): string {
  const { view } = arena;
  const text = (start: number, length: number) => Buffer.from(arena.u8.slice(start, start + length)).toString();
  switch (kind) {
    case 1: {
      const count = view.getUint32(at, true);
      const base = at + 16 + 16 * count;
      const tokens = Array.from({ length: count }, (_, i) => {
        const entry = at + 16 + 16 * i;
        const term = text(base + view.getUint32(entry, true), view.getUint32(entry + 4, true));
        return `${term}@${view.getUint32(entry + 8, true)}`;
      });
      return `${tokens.join(" ")}|${view.getUint32(at + 4, true)}`;
    }
    case 2:
      return JSON.stringify(text(at + 4, view.getUint32(at, true)));
    case 3:
      return String(view.getBigInt64(at, true));
    case 4:
      return String(view.getFloat64(at, true));
    case 5:
      return `[${Array.from({ length: size / 4 }, (_, i) => view.getFloat32(at + 4 * i, true)).join(",")}]`;
    default:
      return "exists";
  }
}

interface Prepared {
  records: string[];
  error: EngineError | undefined;
  table: FieldTable;
}

function prepareAll(mapping: Mapping, sources: (string | Uint8Array)[], analysis: AnalysisSettings = NO_ANALYSIS) {
  const run = loadSources(
    arena,
    sources.map((source) => (typeof source === "string" ? Buffer.from(source) : source)),
  );
  const ids = sources.map((_, i) => String(i + 1));
  const table = createFieldTable(mapping);
  const analyzers = createAnalyzerRegistry(analysis);
  const request = { table, analyzers, limits: DEFAULT_LIMITS, sources: run, ids };
  const { batch, errors, table: grown } = preparer.prepare(request);
  const results = sources.map(
    (_, i): Prepared => ({
      records: batch.starts[i] < 0 ? [] : readRecords(batch.starts[i], batch.ends[i], grown),
      error: errors.get(i),
      table: grown,
    }),
  );
  arena.free(batch.address);
  run.memory.release();
  return results;
}

function prepareOne(mapping: Mapping, source: string | Uint8Array, analysis?: AnalysisSettings): Prepared {
  return prepareAll(mapping, [source], analysis)[0];
}

function causeOf(error: EngineError | undefined): string {
  return (error!.cause as Error).message;
}

const fixed = (properties: Mapping["properties"]): Mapping => ({ dynamic: "strict", properties });

describe("values", () => {
  const mapping = fixed({
    k: { type: "keyword" },
    l: { type: "long" },
    i: { type: "integer" },
    d: { type: "double" },
    f: { type: "float" },
    h: { type: "half_float" },
    b: { type: "boolean" },
    t: { type: "date" },
    a: { type: "ip" },
    x: { type: "text" },
    v: { type: "dense_vector", dims: 2, similarity: "l2_norm" },
  });
  test.each([
    ['{"k":"a b"}', 'k "a b"'],
    ['{"k":1.50}', 'k "1.50"'],
    ['{"k":true}', 'k "true"'],
    ['{"k":"\\u00e4\\ud83d\\ude00\\n\\/"}', 'k "ä😀\\n/"'],
    ['{"k":"\\ud83d"}', 'k "\ufffd"'],
    ['{"\\u006b":"x"}', 'k "x"'],
    ['{"l":-5}', "l -5"],
    ['{"l":9007199254740993}', "l 9007199254740993"],
    ['{"l":-9223372036854775808}', "l -9223372036854775808"],
    ['{"l":"12"}', "l 12"],
    ['{"l":1.9}', "l 1"],
    ['{"l":-1.9}', "l -1"],
    ['{"l":1e3}', "l 1000"],
    ['{"l":281474976710656}', "l 281474976710656"],
    ['{"i":2147483647}', "i 2147483647"],
    ['{"d":0.1}', "d 0.1"],
    ['{"d":-0.0}', "d 0"],
    ['{"d":123456789012345678}', "d 123456789012345680"],
    ['{"d":1.7976931348623157e308}', "d 1.7976931348623157e+308"],
    ['{"f":0.1}', `f ${Math.fround(0.1)}`],
    ['{"h":0.1}', "h 0.0999755859375"],
    ['{"t":"2020-01-02T03:04:05.678Z"}', "t 1577934245678"],
    ['{"t":"2020-01-02"}', "t 1577923200000"],
    ['{"t":1577923200000}', "t 1577923200000"],
    ['{"t":"1577923200000"}', "t 1577923200000"],
    ['{"t":2020}', "t 1577836800000"],
    ['{"t":-1}', "t -1"],
    ['{"x":"The Quick_fox"}', "x the@0 quick_fox@1|2"],
    ['{"x":"Größe ÄB"}', "x größe@0 äb@1|2"],
    ['{"x":"a\\nb"}', "x a@0 b@1|2"],
    ['{"x":"\\u0041bc"}', "x abc@0|1"],
    ['{"x":5}', "x 5@0|1"],
    ['{"x":"!"}', "x exists"],
    ['{"x":["a b","c",""]}', "x a@0 b@1 c@102|3"],
    ['{"v":[1,-2.5]}', "v [1,-2.5]"],
  ])("%s gives %s", (source, record) => {
    expect(prepareOne(mapping, source)).toMatchObject({ records: [record], error: undefined });
  });

  test.each([
    ['{"b":"false"}', ['b "F"', "b 0"]],
    ['{"b":true}', ['b "T"', "b 1"]],
    ['{"b":""}', ['b "F"', "b 0"]],
    ['{"b":[true,true,false]}', ['b "T"', "b 1", 'b "T"', "b 1", 'b "F"', "b 0"]],
  ])("%s gives a term and a number for each value", (source, records) => {
    expect(prepareOne(mapping, source)).toMatchObject({ records, error: undefined });
  });

  test("a boolean that is not searchable has no term, one without a column no number", () => {
    const halves = fixed({ i: { type: "boolean", index: false }, d: { type: "boolean", docValues: false } });
    expect(prepareOne(halves, '{"i":true,"d":true}').records).toEqual(["i 1", 'd "T"']);
  });

  test("stop words at the end of a value hold their places before the next value", () => {
    const stop = fixed({ x: { type: "text", analyzer: "stop" } });
    expect(prepareOne(stop, '{"x":["hello the","the","of world"]}').records).toEqual(["x hello@0 world@204|2"]);
  });

  test("an analyzer that keeps the text whole indexes an empty one", () => {
    const whole = fixed({ x: { type: "text", analyzer: "keyword" } });
    expect(prepareOne(whole, '{"x":["","a b"]}').records).toEqual(["x @0 a b@101|2"]);
  });

  test("an address is 16 bytes", () => {
    const { records } = prepareOne(fixed({ a: { type: "ip" } }), '{"a":"1.2.3.4"}');
    expect(records).toEqual([`a ${JSON.stringify(`${"\0".repeat(10)}\ufffd\ufffd\x01\x02\x03\x04`)}`]);
  });

  test("addresses of either kind give the same bytes however they are written", () => {
    const { records } = prepareOne(fixed({ a: { type: "ip" } }), '{"a":["255.0.10.9","::ffff:255.0.10.9"]}');
    expect(records[0]).toBe(records[1]);
  });

  test.each([
    ['{"l":"abc"}', "l", "long", "abc", 'For input string: "abc"'],
    ['{"l":true}', "l", "long", "true", "Current token (VALUE_TRUE) not numeric, can not use numeric value accessors"],
    [
      '{"l":9223372036854775808}',
      "l",
      "long",
      "9223372036854775808",
      "Numeric value (9223372036854775808) out of range of long (-9223372036854775808 - 9223372036854775807)",
    ],
    [
      '{"i":2147483648}',
      "i",
      "integer",
      "2147483648",
      "Numeric value (2147483648) out of range of int (-2147483648 - 2147483647)",
    ],
    [
      '{"i":2147483647.5}',
      "i",
      "integer",
      "2.1474836475E9",
      "Numeric value (2147483647.5) out of range of int (-2147483648 - 2147483647)",
    ],
    ['{"i":"2147483647.5"}', "i", "integer", "2147483647.5", "Value [2147483647.5] is out of range for an integer"],
    ['{"l":" 5"}', "l", "long", " 5", 'For input string: " 5"'],
    ['{"l":{}}', "l", "long", "{}", "Current token (START_OBJECT) not numeric, can not use numeric value accessors"],
    ['{"b":{"a":1}}', "b", "boolean", "{a=1}", "Current token (START_OBJECT) not of boolean type"],
    ['{"b":1}', "b", "boolean", "1", "Current token (VALUE_NUMBER_INT) not of boolean type"],
    ['{"t":""}', "t", "date", "", "cannot parse empty date"],
    ['{"d":1e400}', "d", "double", "Infinity", "[double] supports only finite values, but got [Infinity]"],
    ['{"h":70000}', "h", "half_float", "70000", "[half_float] supports only finite values, but got [70000.0]"],
    ['{"b":"yes"}', "b", "boolean", "yes", "Failed to parse value [yes] as only [true] or [false] are allowed."],
    [
      '{"t":"abc"}',
      "t",
      "date",
      "abc",
      "failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]",
    ],
    ['{"a":"1.2.3"}', "a", "ip", "1.2.3", "'1.2.3' is not an IP string literal."],
    ['{"t":{"x":1}}', "t", "date", "{x=1}", "Can't get text on a START_OBJECT at 1:6"],
  ])("%s is refused with Elasticsearch's words", (source, field, type, preview, cause) => {
    const { error, records } = prepareOne(mapping, source);
    expect(records).toEqual([]);
    expect(error?.code).toBe("document_malformed");
    expect(error?.message).toBe(
      `failed to parse field [${field}] of type [${type}] in document with id '1'. Preview of field's value: '${preview}'`,
    );
    expect(causeOf(error)).toBe(cause);
    expect(error?.details).toMatchObject({ line: 1, column: 6, field });
  });

  test("a vector of other dimensions is refused", () => {
    expect(causeOf(prepareOne(mapping, '{"v":[1,2,3]}').error)).toBe(
      "The [dense_vector] field [v] in doc [document with id '1'] has more dimensions than defined in the mapping [2]",
    );
  });

  test("a keyword beyond ignore_above is left out by name, counted in UTF-16 units", () => {
    const short = fixed({ k: { type: "keyword", ignoreAbove: 2 } });
    expect(prepareOne(short, '{"k":["äö","abc","😀","😀x"]}').records).toEqual(['k "äö"', 'k "😀"', '_ignored "k"']);
  });

  test("a keyword term beyond Lucene's limit fails the document", () => {
    const { error } = prepareOne(mapping, JSON.stringify({ k: "x".repeat(32_767) }));
    expect(causeOf(error)).toContain("immense term");
  });

  test.each(["long", "integer", "double", "date", "ip", "boolean"] as const)(
    "not even ignore_malformed lets an object pass as %s",
    (type) => {
      const lenient = fixed({ f: { type, ignoreMalformed: true } });
      for (const source of ['{"f":{}}', '{"f":[1,{"a":1}]}']) {
        expect(prepareOne(lenient, source).error?.code).toBe("document_malformed");
      }
    },
  );

  test("null_value stands for null even where texts are not coerced", () => {
    const nulls = fixed({
      l: { type: "long", coerce: false, nullValue: "9223372036854775807" },
      i: { type: "integer", nullValue: "1d" },
      d: { type: "double", coerce: false, nullValue: 1.5 },
      b: { type: "boolean", nullValue: true },
    });
    const { records } = prepareOne(nulls, '{"l":null,"i":null,"d":null,"b":[null]}');
    expect(records).toEqual(["l 9223372036854775807", "i 1", "d 1.5", 'b "T"', "b 1"]);
  });

  test("ignore_malformed leaves wrong values out, and names their fields", () => {
    const lenient = fixed({ l: { type: "long", ignoreMalformed: true }, k: { type: "keyword" } });
    expect(prepareOne(lenient, '{"l":["x",true,7],"k":"z"}').records).toEqual(["l 7", 'k "z"', '_ignored "l"']);
  });

  test("null is skipped unless null_value stands for it", () => {
    const nulls = fixed({ k: { type: "keyword", nullValue: "none" }, l: { type: "long" } });
    expect(prepareOne(nulls, '{"k":[null,"a",null],"l":null}').records).toEqual(['k "none"', 'k "a"', 'k "none"']);
  });

  test("a normalizer changes keywords", () => {
    const mapping = fixed({ k: { type: "keyword", normalizer: "lowercase" } });
    expect(prepareOne(mapping, '{"k":"ÄB"}').records).toEqual(['k "äb"']);
  });

  test("fields without index and doc values make no records but are still checked", () => {
    const hidden = fixed({
      k: { type: "keyword", index: false, docValues: false },
      l: { type: "long", index: false, docValues: false },
      x: { type: "text", index: false },
    });
    expect(prepareOne(hidden, '{"k":"a","l":1,"x":"y"}').records).toEqual([]);
    expect(prepareOne(hidden, '{"l":"no"}').error?.code).toBe("document_malformed");
  });
});

describe("structure", () => {
  const nested = fixed({
    a: {
      type: "object",
      properties: { b: { type: "long" }, c: { type: "object", properties: { d: { type: "long" } } } },
    },
    x: { type: "text", fields: { raw: { type: "keyword" } }, copyTo: ["all"] },
    all: { type: "text" },
    off: { type: "object", enabled: false, properties: {} },
    loose: { type: "object", dynamic: "false", properties: { k: { type: "keyword" } } },
  });
  test.each([
    ['{"a":{"b":1,"c":{"d":2}}}', ["a.b 1", "a.c.d 2"]],
    ['{"a":[{"b":1},{"b":[2,[3]]}]}', ["a.b 1", "a.b 2", "a.b 3"]],
    ['{"a.b":1,"a.c.d":2,"a":{"b":3,"c.d":4}}', ["a.b 1", "a.c.d 2", "a.b 3", "a.c.d 4"]],
    ['{"a":null}', []],
    ['{ "a" : { "b" : 1 } }\n', ["a.b 1"]],
    ['{"off":{"x":[1,{"y":"z"}]},"a":{"b":1}}', ["a.b 1"]],
    ['{"off":5}', []],
    ['{"loose":{"k":"a","other":{"deep":1}}}', ['loose.k "a"']],
    [
      '{"x":["One Two","three"]}',
      ['x.raw "One Two"', 'x.raw "three"', "x one@0 two@1 three@102|3", "all one@0 two@1 three@102|3"],
    ],
    ["{}", []],
  ])("%s", (source, records) => {
    expect(prepareOne(nested, source)).toMatchObject({ records, error: undefined });
  });

  test.each([
    ['{"a":5}', "object mapping for [a] tried to parse field [a] as object, but found a concrete value"],
    ['{"a":{"b":1,"b":2}}', "Duplicate field 'b' at line 1, column 13 (byte 12)"],
    ['{"a.b":1,"a.b":2}', "Duplicate field 'a.b' at line 1, column 10 (byte 9)"],
    ['{"off":{"q":1,"q":2}}', "Duplicate field 'q' at line 1, column 15 (byte 14)"],
    ['{"loose":{"q":1,"q":2}}', "Duplicate field 'q' at line 1, column 17 (byte 16)"],
    ['{"zzz":1}', "mapping set to strict, dynamic introduction of [zzz] within [_doc] is not allowed"],
    ['{"a":{"zzz":1}}', "mapping set to strict, dynamic introduction of [zzz] within [a] is not allowed"],
    [
      '{"x.y":1}',
      "Could not dynamically add mapping for field [x.y]. Existing mapping for [x] must be of type object but found [text].",
    ],
    [
      '{"_id":1}',
      "Field [_id] is a metadata field and cannot be added inside a document. Use the index API request parameters.",
    ],
    [
      '{"a..b":1}',
      "failed to parse: object field starting or ending with a [.] makes object resolution ambiguous: [a..b]",
    ],
    ["[1]", "A document must be an object, starting with '{' at line 1, column 1 (byte 0)"],
    ['{"a":{}} x', "Found extra data after the document at line 1, column 10 (byte 9)"],
  ])("%s is refused: %s", (source, message) => {
    expect(prepareOne(nested, source).error?.message).toBe(message);
  });

  test("a key that a failed document left half read does not confuse the next", () => {
    const [first, second] = prepareAll(nested, ['{"a":{"b":1,"c":5}}', '{"a":{"b":1}}']);
    expect(first.error?.code).toBe("document_malformed");
    expect(second.records).toEqual(["a.b 1"]);
  });

  test("documents whose keys come in another order or are missing are found all the same", () => {
    const sources = ['{"a":{"b":1},"x":"y"}', '{"x":"y","a":{"b":2}}', '{"a":{"c":{"d":1},"b":2}}', '{"x":"y"}'];
    const results = prepareAll(nested, [...sources, ...sources]);
    expect(results.slice(4).map((one) => one.records)).toEqual(results.slice(0, 4).map((one) => one.records));
    expect(results[2].records).toEqual(["a.c.d 1", "a.b 2"]);
  });

  test("an expected key that the end of a document cuts is no key", () => {
    const [, cut] = prepareAll(nested, ['{"x":"y"}', '{"']);
    expect(cut.error?.code).toBe("document_malformed");
  });
});

describe("dynamic mapping", () => {
  test("new fields get Elasticsearch's types", () => {
    const { table, records } = prepareOne(
      { properties: {} },
      '{"s":"hi","n":1,"f":1.5,"b":true,"d":"2020-01-02","d2":"2020/01/02","o":{"k":[null,2]},"p.q":3,"e":[],"z":null,"m":{}}',
    );
    expect(JSON.parse(JSON.stringify(table.mapping.properties))).toEqual({
      s: { type: "text", fields: { keyword: { type: "keyword", ignoreAbove: 256 } } },
      n: { type: "long" },
      f: { type: "float" },
      b: { type: "boolean" },
      d: { type: "date" },
      d2: { type: "date", format: "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis" },
      o: { type: "object", properties: { k: { type: "long" } } },
      p: { type: "object", properties: { q: { type: "long" } } },
      m: { type: "object", properties: {} },
    });
    expect(records).toEqual([
      's.keyword "hi"',
      "n 1",
      "f 1.5",
      'b "T"',
      "b 1",
      "d 1577923200000",
      "d2 1577923200000",
      "o.k 2",
      "p.q 3",
      "s hi@0|1",
    ]);
  });

  test("a document that fails adds nothing, and fields of earlier ones keep their ordinals", () => {
    const results = prepareAll({ properties: {} }, ['{"a":1}', '{"b":1,"a":"x"}', '{"c":1}']);
    expect(results[1].error?.message).toContain("failed to parse field [a] of type [long]");
    expect(results[2].table.byOrdinal.map((field) => field.path)).toEqual(["a", "c"]);
  });

  test("a field that is an object and a value in one document is refused", () => {
    expect(prepareOne({ properties: {} }, '{"z":[{"y":1},2]}').error?.code).toBe("document_malformed");
    expect(prepareOne({ properties: {} }, '{"z":[2,{"y":1}]}').error?.code).toBe("document_malformed");
  });

  test("templates choose by name and type, and fill their placeholders", () => {
    const mapping: Mapping = {
      properties: {},
      dynamicTemplates: [
        { name: "ids", match: ["*_id"], mapping: { type: "keyword", ignore_above: 5, copy_to: ["ids"] } },
        {
          name: "rest",
          matchMappingType: ["long"],
          pathMatch: ["n.*"],
          mapping: { type: "{dynamic_type}", index: false },
        },
      ],
    };
    const { table } = prepareOne(mapping, '{"user_id":"u1","n":{"c":1},"c":2}');
    expect(table.mapping.properties).toMatchObject({
      user_id: { type: "keyword", ignoreAbove: 5, copyTo: ["ids"] },
      n: { properties: { c: { type: "long", index: false } } },
      c: { type: "long" },
      ids: { type: "text" },
    });
  });

  test("dimensions of a vector are taken from the first document", () => {
    const mapping: Mapping = { properties: { v: { type: "dense_vector" } } };
    const [first, second] = prepareAll(mapping, ['{"v":[1,2,3]}', '{"v":[1,2]}']);
    expect(first).toMatchObject({ records: ["v [1,2,3]"] });
    expect(first.table.mapping.properties.v).toMatchObject({ dims: 3 });
    expect(second.error?.code).toBe("document_malformed");
  });

  test("the limit on fields fails the document that passes it", () => {
    const source = JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, 1])));
    const { error, table } = prepareOne({ properties: {} }, source);
    expect(error?.message).toBe("Limit of total fields [1000] has been exceeded while adding new fields [1001]");
    expect(table.fields.size).toBe(0);
  });

  test("the limit on depth fails the document that passes it", () => {
    const source = `${'{"a":'.repeat(21)}1${"}".repeat(21)}`;
    expect(prepareOne({ properties: {} }, source).error?.code).toBe("field_limit");
  });

  test("names that JavaScript knows are names like others", () => {
    const { records } = prepareOne({ properties: {} }, '{"__proto__":1,"constructor":{"hasOwnProperty":2}}');
    expect(records).toEqual(["__proto__ 1", "constructor.hasOwnProperty 2"]);
  });
});

describe("extremes", () => {
  test("100,000 fields fail cleanly", () => {
    const source = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, i])));
    expect(prepareOne({ properties: {} }, source).error?.code).toBe("field_limit");
    expect(prepareOne({ dynamic: "false", properties: {} }, source).error).toBeUndefined();
  });

  test("1,000 levels pass where nothing is mapped, 1,001 fail", () => {
    const nest = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const mapping: Mapping = { dynamic: "false", properties: {} };
    expect(prepareOne(mapping, nest(1000)).error).toBeUndefined();
    expect(prepareOne(mapping, nest(1001)).error?.message).toContain("nesting depth (1001)");
    expect(prepareOne(mapping, `${'{"a":'}${"[".repeat(100_000)}`).error?.code).toBe("document_malformed");
  });

  test("a text larger than one piece is analysed whole", () => {
    const words = Array.from({ length: 40_000 }, (_, i) => `w${i}`);
    const { records } = prepareOne(fixed({ x: { type: "text" } }), JSON.stringify({ x: words.join(" ") }));
    expect(records[0]).toBe(`x ${words.map((word, i) => `${word}@${i}`).join(" ")}|40000`);
  });

  test("a document too large for the arena fails alone", () => {
    const [large, small] = prepareAll(fixed({ k: { type: "keyword" } }), [
      JSON.stringify({ k: "x".repeat(12 << 20) }),
      '{"k":"a"}',
    ]);
    expect(large.error?.code).toBe("document_malformed");
    expect(large.error?.message).toMatch(/^The document is too large: its 12582920 bytes take at least \d+ bytes/);
    expect(small.records).toEqual(['k "a"']);
  });

  test.each(["standard", "pinakes_code", "whitespace"])(
    "a text whose words outgrow half the arena fails for good, not for now (%s)",
    (analyzer) => {
      const words = JSON.stringify({ x: "ab ".repeat(700_000) });
      const { error } = prepareOne(fixed({ x: { type: "text", analyzer } }), words);
      expect(error).toMatchObject({ code: "document_malformed", details: { size: words.length } });
    },
  );

  test.each([
    // Their wholes and parts are longer than three bytes for two read, which is what was once kept free.
    ["identifiers of letters beyond ASCII", (at: number) => `aÄbÖcÜ${at}É`],
    ["runs of ideographs", (at: number) => `東京都庁舎展望室${at}京都市`],
  ])("%s have room for their words, however long the text", (_, identifier) => {
    const text = Array.from({ length: 1500 }, (_, at) => identifier(at)).join(" ");
    const { records, error } = prepareOne(
      fixed({ x: { type: "text", analyzer: "pinakes_code" } }),
      JSON.stringify({ x: [text, text] }),
    );
    const tokens = codeTokens(text);
    const last = tokens.at(-1)!.position + 1;
    const words = tokens.map(({ term, position }) => `${term}@${position}`);
    const again = tokens.map(({ term, position }) => `${term}@${position + last + 100}`);
    if (error) throw error;
    expect(records[0]!.startsWith(`x ${words.join(" ")} ${again.join(" ")}|`)).toBe(true);
  });

  test("many documents that together outgrow what a preparer keeps are handed over whole", () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(" ");
    const results = prepareAll(fixed({ x: { type: "text" } }), new Array(6).fill(JSON.stringify({ x: words })));
    const expected = `x ${words
      .split(" ")
      .map((word, i) => `${word}@${i}`)
      .join(" ")}|20000`;
    for (const { records } of results) expect(records).toEqual([expected]);
  });
});
