import { describe, expect, it } from "vitest";
import { processorMs } from "../testing/processor-time.js";
import { datasetName } from "./name.js";
import { readRecords } from "./read.js";
import type { RecordValue } from "./record.js";
import { lenientProperties, planFields } from "./schema/plan.js";

const records = async (language: string, text: string) => (await readRecords(language, text)).datasets[0]?.records;

/** The plan of records that can be one data set. */
function planned(list: RecordValue[]) {
  const plan = planFields(list);
  if ("whyNot" in plan) throw new Error(plan.whyNot);
  return plan;
}

describe("lists of records", () => {
  it("are JSON arrays of objects, JSON lines and tables, as they were parsed", async () => {
    expect(await records("json", '[{"a": 1}, {"a": {"b": [true]}}]')).toEqual([{ a: 1 }, { a: { b: [true] } }]);
    expect(await records("jsonl", '{"a":1}\n\n{"a":2}\r\n')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await records("csv", 'id,name,ok\n1,"x, ""y""",true\n2,,false\n')).toEqual([
      { id: 1, name: 'x, "y"', ok: true },
      { id: 2, ok: false },
    ]);
    expect(await records("tsv", "id\tzip\n1\t01234\n2\t99999\n")).toEqual([
      { id: 1, zip: "01234" },
      { id: 2, zip: "99999" },
    ]);
  });

  const none: [why: string, language: string, text: string][] = [
    ["one object is configuration", "json", '{"name": "x", "version": "1"}'],
    ["an array of numbers has no fields", "json", "[1, 2, 3]"],
    ["broken JSON", "json", '[{"a": 1}, {'],
    ["an empty array", "json", "[]"],
    ["one line is no list", "jsonl", '{"a":1}\n'],
    ["one column is no table", "csv", "a\nb\nc\n"],
    ["rows of different lengths", "csv", "a,b\n1\n1,2,3\n"],
    ["an unclosed quote", "csv", 'a,b\n"1,2\n'],
    ["names that a field cannot have", "json", '[{"__proto__": 1}, {"a..b": 2}]'],
    ["such names further inside", "json", '[{"a": [{"b": {"__proto__": 1}}]}]'],
    [
      "too many fields for one index",
      "json",
      JSON.stringify([Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`f${n}`, n]))]),
    ],
  ];
  it.each(none)("%s: read as text, with the reason", async (_, language, text) => {
    expect(await records(language, text)).toBeUndefined();
    expect((await readRecords(language, text)).note).not.toBe("");
  });

  it("are parsed within seconds for ten megabytes", async () => {
    const text = `a,b,c\n${"1,two,3.5\n".repeat(1_000_000)}`;
    const spent = await processorMs(async () => expect((await records("csv", text))?.length).toBe(1_000_000));
    expect(spent).toBeLessThan(20_000);
  });
});

describe("the mapping of a data set", () => {
  it("fits every value, not just the first", async () => {
    const { fields, properties } = planned([
      { when: "2024-05-01", size: 1, mixed: 1, on: true, deep: { x: 1 } },
      { when: "2024-05-02T10:00:00Z", size: 1.5, mixed: "n/a", on: false, deep: { y: "z" } },
    ]);
    expect(properties).toMatchObject({
      when: { type: "date" },
      size: { type: "double" },
      mixed: { type: "keyword" },
      on: { type: "boolean" },
      deep: { properties: { x: { type: "long" }, y: { type: "keyword" } } },
    });
    expect(fields.map(({ name }) => name)).toEqual(["deep.x", "deep.y", "mixed", "on", "size", "when"]);
  });

  it("stores without searching what is an object here and a value there", async () => {
    const { properties } = planned([{ a: 1 }, { a: { b: 2 } }, { "c.d": 1, c: 2 }]);
    expect(properties).toEqual({ a: { type: "object", enabled: false }, c: { type: "object", enabled: false } });
  });

  it.each([
    "2024-02-30",
    "2023-02-29",
    "1900-02-29",
    "2024-04-31",
    "2024-13-01",
    "2024-00-10",
    "2024-01-00",
    "2024-01-01T24:00:00Z",
    "2024-01-01T10:60",
    "2024-01-01T10:00:60Z",
    "2024-01-01T10:00+18:30",
    "2024-01-01T10:00+05:60",
    "2024-1-1",
    "31.02.2024",
    "10/Foo/2000:13:55:36 -0700",
  ])("takes %s, which no calendar and clock has, for no date", (text) => {
    expect(planned([{ a: "2024-01-01" }, { a: text }]).properties.a).toMatchObject({ type: "keyword" });
  });

  it.each(["2024-02-29", "2000-02-29", "0000-01-01", "2024-12-31T23:59:59.123456789-18:00", "2024-01-01T10:00+0530"])(
    "takes %s for a date",
    (text) => {
      expect(planned([{ a: text }]).properties.a).toEqual({ type: "date", format: "strict_date_optional_time" });
    },
  );

  it("holds fields that are called like what every object has", async () => {
    const list = (
      await readRecords("json", '[{"hasOwnProperty": {"x": 1}, "constructor": "a", "toString": [{"valueOf": true}]}]')
    ).datasets[0]!;
    expect(JSON.parse(JSON.stringify(list.properties))).toMatchObject({
      hasOwnProperty: { properties: { x: { type: "long" } } },
      constructor: { type: "keyword" },
      toString: { properties: { valueOf: { type: "boolean" } } },
    });
    expect(list.fields.map(({ name }) => name)).toEqual(["constructor", "hasOwnProperty.x", "toString.valueOf"]);
    expect(JSON.stringify(await records("csv", "constructor,valueOf\n1,2\n,3\n"))).toBe(
      '[{"constructor":1,"valueOf":2},{"valueOf":3}]',
    );
  });

  it("has a lenient form that takes every value", async () => {
    const { properties } = planned([{ a: "2024-01-01", b: { constructor: 1 }, c: 1 }, { c: { d: 1 } }]);
    expect(JSON.parse(JSON.stringify(lenientProperties(properties)))).toEqual({
      a: { type: "keyword", ignore_above: 8191 },
      b: { properties: { constructor: { type: "keyword", ignore_above: 8191 } } },
      c: { type: "object", enabled: false },
    });
  });
});

describe("a data set's name", () => {
  it("is the path where an index name allows it, else tells paths apart by a hash", async () => {
    expect(datasetName("shop", "data/orders.csv")).toBe("shop-data-orders.csv");
    const names = ["data/Orders.csv", "data-orders.csv", "data/orders csv", "größe.csv"].map((path) =>
      datasetName("shop", path),
    );
    expect(new Set(names).size).toBe(4);
    const pairs = [
      ["a", "b/c"],
      ["a/b", "c"],
      ["_a", "b/c"],
      ["a", "b/c."],
      ["a", "b/c-"],
    ] as const;
    expect(new Set(pairs.map(([repo, path]) => datasetName(repo, path))).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9_.-]*$/);
    expect(datasetName("r", `${"x".repeat(500)}.csv`).length).toBeLessThan(200);
  });

  it("has the table or sheet in it, and is that of no file", async () => {
    const names = [datasetName("a", "b.db", "c"), datasetName("a", "b.db/c"), datasetName("a", "b.db", "C")];
    expect(names[0]).toMatch(/^a-b\.db-c-[0-9a-f]{6}$/);
    expect(new Set(names).size).toBe(3);
  });
});

describe("what is said of records", () => {
  it("names a field of mixed values, which is kept without being searched", async () => {
    const lines = ['{"v":1}', '{"v":"a"}', '{"v":["b",2]}', '{"v":{"w":1}}', '{"v":true}'].join("\n");
    const { datasets, note } = await readRecords("jsonl", lines);
    expect(datasets).toMatchObject([{ fields: [], properties: { v: { type: "object", enabled: false } } }]);
    const said = "v is kept but not searchable: its values are objects (1), texts (2), numbers (2), true or false (1)";
    expect(note).toBe(said);
    expect(datasets[0]!.notes).toEqual([said]);
  });

  it("names few of many such fields", async () => {
    const names = Array.from({ length: 8 }, (_, at) => `f${at}`);
    const record = (value: unknown) => JSON.stringify(Object.fromEntries(names.map((name) => [name, value])));
    const { datasets } = await readRecords("jsonl", `${record(1)}\n${record({ x: 1 })}\n`);
    expect(datasets[0]!.notes).toHaveLength(6);
    expect(datasets[0]!.notes.at(-1)).toBe("3 more fields likewise");
  });

  it.each([
    ['[{"a": 1},\n {"a": NaN}]', "it is no JSON: NaN in line 2"],
    ['[{"a": 1},\n {"a": 2},\n]', "it is no JSON: a comma before ] in line 3"],
    ['{"rows": [{"a": 1,}]}', "it is no JSON: a comma before } in line 1"],
    ['[{"a": 1}, // first\n {"a": 2}]', "it is no JSON: a comment in line 1"],
    ['[{"a": 1}, {"a": \'x\'}]', "it is no JSON: 'x' in line 1"],
    ['[{"a": 1}, {"a": 2}', "it is no JSON: it ends inside of a list or an object"],
    ['[{"a": "x\n"}]', 'it is no JSON: "x in line 1 is not whole'],
    ['[{"a" 1}]', "it is no JSON"],
  ])("names what keeps %j from being JSON", async (text, why) => {
    expect((await readRecords("json", text)).note).toContain(`json: ${why}`);
  });
});
