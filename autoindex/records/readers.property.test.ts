import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { readTable } from "./formats/table.js";
import { readRecords } from "./read.js";
import type { RecordValue } from "./record.js";
import { planFields } from "./schema/plan.js";

/** Small texts of every kind, to be cut and changed. */
const SEEDS: readonly [language: string, text: string][] = [
  ["csv", 'id;name;"a b"\n1;"x;""y""";3,5\n2;z;1.234,5\n3;"line\nend";0,1\n'],
  ["json", '{"total": 2, "items": [{"a": 1, "b": [{"c": null}]}, {"a": 2.5, "d": "x\\"y"}, {"a": 1e300}]}'],
  ["json", '{"a": 1}\n{"a": {"b": [1, [2]]}}\n{"a": "}"}\n'],
  ["jsonl", '{"a":1,"t":"2024-01-01"}\n{"a":2,"t":"2024-01-02"}\n{"a":3}\n'],
  ["text", '10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 5 "-" "x"\n'.repeat(4)],
  ["text", "2024-05-01 12:00:01,123 [main] ERROR a.B - bad\njava.lang.E: x\n\tat a.B(C.java:1)\n".repeat(3)],
  ["text", '<34>1 2003-10-11T22:14:15.003Z h su 1 ID47 [a b="c"] m\n'.repeat(3)],
  ["text", "<34>Oct 11 22:14:15 host su[230]: failed\n".repeat(3)],
  ["text", 'time=2024-05-01T12:00:01Z level=info msg="a \\" b" n=1\n'.repeat(3)],
  ["xml", '<r><i a="1"><b>x &amp; y</b><c><d/></c></i><i a="2">t</i><i/><![CDATA[<i>]]></r>'],
  ["yaml", "- a: &x {b: 1}\n  c: *x\n- a: |\n    text\n  d: [1, 2]\n"],
  ["yaml", "---\na: 1\n---\nb: 2\n...\n"],
  ["html", "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td><table><tr><td>x</table></table>"],
  ["sql", "CREATE TABLE `t` (`a` int, b text);\nINSERT INTO `t` VALUES (1,'x\\'y'),(2,NULL),(3,f('z',1));\n"],
  ["sql", "COPY t (a, b) FROM stdin;\n1\tx\\ty\n2\t\\N\n\\.\nINSERT INTO u VALUES (1);\n"],
];

/** Characters that the formats live on. */
const MARKS = [
  '"',
  "'",
  "`",
  "{",
  "}",
  "[",
  "]",
  "<",
  ">",
  ",",
  ";",
  "\t",
  "|",
  "\n",
  "\\",
  "&",
  "*",
  ":",
  "-",
  "#",
  "\0",
  "(",
  ")",
  "=",
  "é",
  "😀",
];

interface Edit {
  at: number;
  cut: number;
  put: string;
}

function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { at, cut, put } of edits) {
    const place = at % (result.length + 1);
    result = result.slice(0, place) + put + result.slice(place + cut);
  }
  return result;
}

const edits = fc.array(
  fc.record({
    at: fc.nat(10_000),
    cut: fc.nat(12),
    put: fc.oneof(fc.constantFrom(...MARKS), fc.string({ maxLength: 6 })),
  }),
  { minLength: 1, maxLength: 8 },
);

describe("readers on damaged texts", () => {
  it("give records that fit one mapping, or a reason, and never throw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...SEEDS), edits, async ([language, text], changes) => {
        const { datasets, reader } = await readRecords(language, edited(text, changes));
        expect(datasets.length > 0).toBe(reader !== "");
        for (const { records, properties, sources } of datasets) {
          expect(records.length).toBeGreaterThan(0);
          expect(Object.keys(properties).length).toBeGreaterThan(0);
          expect(sources === undefined || sources.length === records.length).toBe(true);
          for (const record of records) expect(JSON.parse(JSON.stringify(record))).toBeTypeOf("object");
        }
      }),
      { numRuns: 1500 },
    );
  });

  const hostile: [name: string, language: string, text: string][] = [
    ["brackets without an end", "json", "[".repeat(400_000)],
    ["braces without an end", "json", '{"a":'.repeat(200_000)],
    ["flow brackets without an end", "yaml", `- ${"[".repeat(400_000)}`],
    ["aliases that double", "yaml", aliasBomb(24)],
    ["elements without an end", "xml", "<a>".repeat(300_000)],
    ["a record that is nested deep", "xml", `<r>${`<i>${"<x>".repeat(2000)}${"</x>".repeat(2000)}</i>`.repeat(3)}</r>`],
    ["one line of ten million characters", "text", "x".repeat(10_000_000)],
    ["one line of commas", "csv", ",".repeat(5_000_000)],
    ["one quote", "csv", `a,b\n"${"x,".repeat(2_000_000)}`],
    ["quotes alone", "csv", '"'.repeat(1_000_001)],
    ["inserts without values", "sql", "INSERT INTO t VALUES (".repeat(200_000)],
    ["a column list without an end", "sql", `INSERT INTO t (${"a,".repeat(1_000_000)}`],
    ["blank lines before a list", "yaml", `${"\n".repeat(60_000)}x: 1\n---\na: 1\n`],
    ["comments before a dump", "text", `${"/**/".repeat(1000)} x`],
    [
      "elements each with a name of its own",
      "xml",
      `<r>${Array.from({ length: 150_000 }, (_, at) => `<i><n${at}>1</n${at}></i>`).join("")}</r>`,
    ],
    [
      "pairs each with a name of its own",
      "text",
      Array.from({ length: 50_000 }, (_, at) => `a${at}=1 b${at}=2 c${at}=3`).join("\n"),
    ],
    ["a time and bars", "text", `2024-05-01 12:00:01 x${"|".repeat(30_000)}\n`.repeat(100)],
    ["a time and dashes", "text", `2024-05-01 12:00:01 x ${"- ".repeat(15_000)}\n`.repeat(100)],
    ["tables in tables", "html", "<table><tr><th>".repeat(50_000)],
    [
      "a log whose entry does not end",
      "text",
      `2024-05-01 12:00:01 ERROR x - y\n2024-05-01 12:00:01 ERROR x - y\n${"\tat a.b\n".repeat(500_000)}`,
    ],
    ["a line of spaces after a time", "text", `2024-05-01 12:00:01${" ".repeat(30_000)}\n`.repeat(50)],
    ["pairs without an end", "text", `${'a="'.repeat(10_000)}\n`.repeat(20)],
    ["an agent of backslashes", "text", `1 - - [x] "${"\\".repeat(30_001)}\n`.repeat(50)],
  ];
  it.each(hostile)(
    "end in seconds: %s",
    async (_, language, text) => {
      const started = process.cpuUsage();
      await readRecords(language, text);
      const { user } = process.cpuUsage(started);
      expect(user / 1e6).toBeLessThan(10);
    },
    120_000,
  );
});

/** Each list holds the one before twice. */
function aliasBomb(levels: number): string {
  const lines = Array.from({ length: levels }, (_, at) =>
    at === 0 ? "- a: &a0 [x, x]" : `- a: &a${at} [*a${at - 1}, *a${at - 1}]`,
  );
  return lines.join("\n");
}

describe("tables that are written and read", () => {
  const name = fc.stringMatching(/^[a-z][a-z_]{2,8}$/);
  const cell = fc.oneof(
    fc
      .stringMatching(/^[a-zA-Z äöü]{1,12}$/)
      .filter((text) => text.trim() === text && !/^(true|false|null|na|nan|none)$/i.test(text)),
    fc.stringMatching(/^[a-z]{1,4}[,;|"\t\n][a-z]{1,4}$/),
  );

  it.each([",", ";", "\t", "|"])("come back cell by cell between %j", (delimiter) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 2, maxLength: 6 }),
        fc.array(fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.array(cell, { minLength: 6, maxLength: 6 })), {
          minLength: 3,
          maxLength: 20,
        }),
        fc.constantFrom("\n", "\r\n"),
        (names, rows, newline) => {
          const header = ["id_of_row", ...names];
          const table = rows.map(([id, cells]) => [id, ...cells.slice(0, names.length)]);
          const text = Papa.unparse({ fields: header, data: table }, { delimiter, newline });
          const expected = table.map((row) => Object.fromEntries(header.map((field, at) => [field, row[at]])));
          const reading = readTable(text, "named");
          if ("whyNot" in reading) throw new Error(`${reading.whyNot}: ${JSON.stringify(text)}`);
          expect(reading.lists[0]!.records).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("the schema of any records", () => {
  it("has a type for each field that all its values fit", () => {
    const value = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.string(),
      fc.constant(null),
      fc.constantFrom("2024-01-01", "10.0.0.1", "1.2.2024"),
    );
    const record = fc.dictionary(
      fc.constantFrom("a", "b", "constructor", "x.y", "x"),
      fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.dictionary(fc.constantFrom("p", "q"), value)),
    );
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 12 }), (records) => {
        const plan = planFields(records as RecordValue[]);
        if ("whyNot" in plan) throw new Error(plan.whyNot);
        for (const { name, type } of plan.fields) {
          for (const each of records.flatMap((one) => valuesAt(one as RecordValue, name)))
            expect(fits(type, each)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Values at a path, whether its names are written with dots or as objects. */
function valuesAt(record: RecordValue, path: string): unknown[] {
  const found: unknown[] = [];
  for (const [name, value] of Object.entries(record)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (name === path) found.push(item);
      else if (path.startsWith(`${name}.`) && typeof item === "object" && item !== null) {
        found.push(...valuesAt(item as RecordValue, path.slice(name.length + 1)));
      }
    }
  }
  return found.filter((value) => value !== null && typeof value !== "object");
}

function fits(type: string, value: unknown): boolean {
  if (type === "long") return Number.isInteger(value);
  if (type === "double") return typeof value === "number";
  if (type === "boolean") return typeof value === "boolean";
  if (type === "ip") return /^[\d.:a-f]+$/i.test(String(value));
  return true;
}
