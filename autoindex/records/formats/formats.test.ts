import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readRecords } from "../read.js";

interface Case {
  name: string;
  language: string;
  text: string;
  reader: string;
  /** First records, part for part. */
  first: Record<string, unknown[]>;
  note?: string;
}

const cases: Case[] = [
  {
    name: "semicolons, decimal commas, thousands",
    language: "csv",
    text: "\ufeffArtikel;Preis;Menge;Umsatz\nBrot;3,20;2;1.234,50\nMilch;1,05;10;0,99\n",
    reader: "table",
    first: {
      "": [
        { Artikel: "Brot", Preis: 3.2, Menge: 2, Umsatz: 1234.5 },
        { Artikel: "Milch", Preis: 1.05, Menge: 10, Umsatz: 0.99 },
      ],
    },
    note: "Preis: numbers with a decimal comma; Umsatz: numbers with a decimal comma",
  },
  {
    name: "commas between thousands in quotes, missing values",
    language: "csv",
    text: 'city,people,share\nRome,"2,748,109",0.5\nOslo,"709,037",NA\nX,,\n',
    reader: "table",
    first: { "": [{ city: "Rome", people: 2748109, share: 0.5 }, { city: "Oslo", people: 709037 }, { city: "X" }] },
    note: "people: numbers with commas between thousands",
  },
  {
    name: "a semicolon table whose numbers could be read in two ways stays as it is written",
    language: "csv",
    text: "a;b\nx;1,234\ny;2,345\n",
    reader: "table",
    first: {
      "": [
        { a: "x", b: "1,234" },
        { a: "y", b: "2,345" },
      ],
    },
  },
  {
    name: "no header",
    language: "csv",
    text: "1,Rome,2.5\n2,Oslo,3\n",
    reader: "table",
    first: {
      "": [
        { column_1: 1, column_2: "Rome", column_3: 2.5 },
        { column_1: 2, column_2: "Oslo", column_3: 3 },
      ],
    },
    note: "it has no header: columns are named by their place",
  },
  {
    name: "two columns of one name are both kept",
    language: "csv",
    text: "name,age,name,name_2\nAda,36,Lovelace,x\nGrace,85,Hopper,y\n",
    reader: "table",
    first: {
      "": [
        { name: "Ada", age: 36, name_3: "Lovelace", name_2: "x" },
        { name: "Grace", age: 85, name_3: "Hopper", name_2: "y" },
      ],
    },
    note: "several columns have one name: the later name is name_3",
  },
  {
    name: "two columns of one name, texts alone, that are names as nothing below is",
    language: "csv",
    text: "tag,title,tag\nred,Sun,hot\nblue,Sea,wet\n",
    reader: "table",
    first: { "": [{ tag: "red", title: "Sun", tag_2: "hot" }] },
    note: "several columns have one name: the later tag is tag_2",
  },
  {
    name: "a first row with a value twice that comes again below is no header",
    language: "csv",
    text: "Rome,Oslo,Rome\nOslo,Rome,Bern\nBern,Bern,Oslo\n",
    reader: "table",
    first: { "": [{ column_1: "Rome", column_2: "Oslo", column_3: "Rome" }] },
    note: "it has no header: columns are named by their place",
  },
  {
    name: "comments above, the last of them the header",
    language: "tsv",
    text: "#made by hand\n#chrom\tstart\tname\nchr1\t10\ta\n# gap\nchr2\t20\tb\n",
    reader: "table",
    first: {
      "": [
        { chrom: "chr1", start: 10, name: "a" },
        { chrom: "chr2", start: 20, name: "b" },
      ],
    },
  },
  {
    name: "a separator that Excel is told of, pipes and line ends in quotes",
    language: "csv",
    text: 'sep=|\r\na|b\r\n1|"x\ny"\r\n2|z\r\n',
    reader: "table",
    first: {
      "": [
        { a: 1, b: "x\ny" },
        { a: 2, b: "z" },
      ],
    },
  },
  {
    name: "quotes that are none between tabs",
    language: "tsv",
    text: 'size\tname\n12\t5" pipe\n13\t"open\n',
    reader: "table",
    first: {
      "": [
        { size: 12, name: '5" pipe' },
        { size: 13, name: '"open' },
      ],
    },
  },
  {
    name: "a table without a telling name",
    language: "text",
    text: "id|name|born\n1|Ada|1815-12-10\n2|Alan|1912-06-23\n3|Grace|1906-12-09\n",
    reader: "table",
    first: { "": [{ id: 1, name: "Ada", born: "1815-12-10" }] },
  },
  {
    name: "an object around one list",
    language: "json",
    text: JSON.stringify({ total: 3, items: [{ a: 1 }, { a: 2 }, { a: 3, b: "the longest of these three records" }] }),
    reader: "json",
    first: { "": [{ a: 1 }, { a: 2 }] },
  },
  {
    name: "an object around two lists",
    language: "json",
    text: JSON.stringify({ users: [{ u: 1 }, { u: 2 }, { u: 3 }], orders: [{ o: 1 }, { o: 2 }, { o: 3 }] }),
    reader: "json",
    first: { users: [{ u: 1 }], orders: [{ o: 1 }] },
  },
  {
    name: "objects one after the other",
    language: "json",
    text: '{\n "a": "}{",\n "b": 1\n}\n{\n "a": "\\"", "b": 2}\n',
    reader: "json",
    first: {
      "": [
        { a: "}{", b: 1 },
        { a: '"', b: 2 },
      ],
    },
  },
  {
    name: "lines of which the last is cut",
    language: "jsonl",
    text: '{"a":1}\n{"a":2}\n{"a":',
    reader: "json lines",
    first: { "": [{ a: 1 }, { a: 2 }] },
    note: "1 line that is no whole JSON object was left out",
  },
  {
    name: "an access log, combined",
    language: "text",
    text:
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a_b.gif HTTP/1.0" 200 2326 "http://x.example/" "Mozilla/4.08 [en]"\n' +
      '10.0.0.7 - - [10/Oct/2000:13:55:37 -0700] "POST /login HTTP/1.1" 302 - "-" "curl/8"\n',
    reader: "access log",
    first: {
      "": [
        {
          client: "127.0.0.1",
          user: "frank",
          timestamp: "10/Oct/2000:13:55:36 -0700",
          method: "GET",
          path: "/a_b.gif",
          protocol: "HTTP/1.0",
          status: 200,
          bytes: 2326,
          referrer: "http://x.example/",
          user_agent: "Mozilla/4.08 [en]",
        },
        {
          client: "10.0.0.7",
          timestamp: "10/Oct/2000:13:55:37 -0700",
          method: "POST",
          path: "/login",
          protocol: "HTTP/1.1",
          status: 302,
          user_agent: "curl/8",
        },
      ],
    },
  },
  {
    name: "an application log with stack traces",
    language: "text",
    text:
      "2024-05-01 12:00:01,123 INFO com.shop.Cart - started: all well\n" +
      "2024-05-01 12:00:02,456 ERROR com.shop.Cart - cannot pay\njava.lang.IllegalStateException: no card\n\tat com.shop.Cart.pay(Cart.java:12)\n" +
      "2024-05-01 12:00:03,000 WARN com.shop.Cart - slow\n",
    reader: "application log",
    first: {
      "": [
        { timestamp: "2024-05-01 12:00:01,123", level: "INFO", logger: "com.shop.Cart", message: "started: all well" },
        {
          timestamp: "2024-05-01 12:00:02,456",
          level: "ERROR",
          logger: "com.shop.Cart",
          message: "cannot pay",
          stack_trace: "java.lang.IllegalStateException: no card\n\tat com.shop.Cart.pay(Cart.java:12)",
        },
      ],
    },
  },
  {
    name: "an application log in Python's order",
    language: "text",
    text: "2024-05-01 12:00:01,123 - app.db - WARNING - pool is full\n2024-05-01 12:00:02,000 - app.db - INFO - ok\n",
    reader: "application log",
    first: {
      "": [{ timestamp: "2024-05-01 12:00:01,123", logger: "app.db", level: "WARNING", message: "pool is full" }],
    },
  },
  {
    name: "an application log with threads",
    language: "text",
    text: "[2024-05-01T12:00:01Z] [main] DEBUG a.B - one\n[2024-05-01T12:00:02Z] [worker-1] ERROR a.B - two\n",
    reader: "application log",
    first: {
      "": [{ timestamp: "2024-05-01T12:00:01Z", thread: "main", level: "DEBUG", logger: "a.B", message: "one" }],
    },
  },
  {
    name: "syslog as RFC 3164 has it",
    language: "text",
    text: "<34>Oct 11 22:14:15 mymachine su[230]: 'su root' failed\nOct  1 22:14:16 mymachine cron: ok\n",
    reader: "syslog (RFC 3164)",
    first: {
      "": [
        {
          priority: 34,
          time: "Oct 11 22:14:15",
          host: "mymachine",
          program: "su",
          pid: 230,
          message: "'su root' failed",
        },
        { time: "Oct  1 22:14:16", host: "mymachine", program: "cron", message: "ok" },
      ],
    },
  },
  {
    name: "syslog as RFC 5424 has it",
    language: "text",
    text:
      '<165>1 2003-10-11T22:14:15.003Z m.example.com evntslog - ID47 [x@32473 iut="3" eventID="1011"] An event\n' +
      "<34>1 2003-10-11T22:14:16.003Z m.example.com su 12 - - failed\n",
    reader: "syslog (RFC 5424)",
    first: {
      "": [
        {
          priority: 165,
          timestamp: "2003-10-11T22:14:15.003Z",
          host: "m.example.com",
          program: "evntslog",
          message_id: "ID47",
          data: '[x@32473 iut="3" eventID="1011"]',
          message: "An event",
        },
      ],
    },
  },
  {
    name: "logfmt",
    language: "text",
    text: 'time=2024-05-01T12:00:01Z level=info msg="got it" took=12\ntime=2024-05-01T12:00:02Z level=warn msg=slow took=900\n',
    reader: "logfmt",
    first: { "": [{ time: "2024-05-01T12:00:01Z", level: "info", msg: "got it", took: 12 }] },
  },
  {
    name: "like elements",
    language: "xml",
    text:
      '<?xml version="1.0"?><books count="3"><book id="1"><title>A &amp; B</title><price>3.5</price><tag>x</tag><tag>y</tag></book>' +
      '<book id="2"><title>C</title><price>4</price></book><book id="3"><title lang="de">D</title></book></books>',
    reader: "xml",
    first: {
      "": [
        { id: 1, title: "A & B", price: 3.5, tag: ["x", "y"] },
        { id: 2, title: "C", price: 4 },
      ],
    },
    note: "title is kept but not searchable: its values are objects (1), texts (2)",
  },
  {
    name: "like elements further inside",
    language: "xml",
    text: `<rss><channel><title>t</title>${[1, 2, 3].map((n) => `<item><title>n${n}</title><n>${n}</n></item>`).join("")}</channel></rss>`,
    reader: "xml",
    first: { "": [{ title: "n1", n: 1 }] },
  },
  {
    name: "a list of maps",
    language: "yaml",
    text: "# people\n- name: Ada\n  born: 1815\n- name: Alan\n  tags: [x, y]\n",
    reader: "yaml",
    first: {
      "": [
        { name: "Ada", born: 1815 },
        { name: "Alan", tags: ["x", "y"] },
      ],
    },
  },
  {
    name: "a list of maps with a number longer than doubles are exact",
    language: "yaml",
    text: "- n: 123456789012345678901234567890\n- n: 7\n",
    reader: "yaml",
    first: { "": [{ n: "123456789012345678901234567890" }, { n: 7 }] },
  },
  {
    name: "several documents",
    language: "yaml",
    text: "---\nkind: A\nn: 1\n---\nkind: B\nn: 2\n",
    reader: "yaml",
    first: {
      "": [
        { kind: "A", n: 1 },
        { kind: "B", n: 2 },
      ],
    },
  },
  {
    name: "an HTML table",
    language: "html",
    text: `<html><p>x</p><table><caption>Cities</caption><tr><th>city<th>people</tr>${"<tr><td>Rome<td>5</tr><tr><td>Oslo<td>7</td></tr>".repeat(3)}</table></html>`,
    reader: "html tables",
    first: {
      Cities: [
        { city: "Rome", people: 5 },
        { city: "Oslo", people: 7 },
      ],
    },
  },
  {
    name: "a dump with quotes as MySQL writes them, without its quotes around names",
    language: "sql",
    text: "CREATE TABLE t (n int, x text);\nINSERT INTO t VALUES (1, 'it\\'s (x)'), (2, 'C:\\\\');\n",
    reader: "sql dump",
    first: {
      t: [
        { n: 1, x: "it's (x)" },
        { n: 2, x: "C:\\" },
      ],
    },
  },
  {
    name: "a dump as MySQL writes it",
    language: "sql",
    text:
      "CREATE TABLE `t` (\n  `id` int(11) NOT NULL,\n  `name` varchar(20) DEFAULT 'a,b',\n  `at` datetime,\n  PRIMARY KEY (`id`),\n  KEY `n` (`name`)\n);\n" +
      "INSERT INTO `t` VALUES (1,'it\\'s',NULL),(2,'a''b; INSERT INTO x','2024-01-02 03:04:05');\nINSERT INTO `u` (`k`) VALUES (1.5);\n",
    reader: "sql dump",
    first: {
      t: [
        { id: 1, name: "it's" },
        { id: 2, name: "a'b; INSERT INTO x", at: "2024-01-02 03:04:05" },
      ],
      u: [{ k: 1.5 }],
    },
  },
  {
    name: "a dump with names in other letters",
    language: "sql",
    text: "CREATE TABLE größen (id int, länge int);\nINSERT INTO größen VALUES (1, 2);\n",
    reader: "sql dump",
    first: { größen: [{ id: 1, länge: 2 }] },
  },
  {
    name: "a dump as PostgreSQL writes it",
    language: "sql",
    text: "CREATE TABLE public.city (\n    id integer NOT NULL,\n    name text\n);\nCOPY public.city (id, name) FROM stdin;\n1\tRome\\tcity\n2\t\\N\n\\.\n",
    reader: "sql dump",
    first: { city: [{ id: 1, name: "Rome\tcity" }, { id: 2 }] },
  },
  {
    name: "a dump as SQLite writes it, without a telling name",
    language: "text",
    text: "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a, \"b c\" TEXT);\nINSERT INTO t VALUES(1,'x');\nINSERT INTO t VALUES(2,X'00ff');\nCOMMIT;\n",
    reader: "sql dump",
    first: {
      t: [
        { a: 1, "b c": "x" },
        { a: 2, "b c": "X'00ff'" },
      ],
    },
  },
];

describe("readers of records", () => {
  it.each(cases)("$reader: $name", async ({ language, text, reader, first, note = "" }) => {
    const found = await readRecords(language, text);
    expect(found.note).toBe(note);
    expect(found.reader).toBe(reader);
    const parts = Object.fromEntries(
      found.datasets.map(({ part, records }) => [part, records.slice(0, first[part]?.length ?? 1)]),
    );
    expect(parts).toEqual(first);
  });

  it("take for numbers only what prints back to its digits", async () => {
    const [table] = (await readRecords("csv", "a,b,c\n3.141592653589793,123456789012345.123456,1.50\n0.1,1,2\n"))
      .datasets;
    expect(table!.records[0]).toEqual({ a: Math.PI, b: "123456789012345.123456", c: 1.5 });
  });

  it("keep the digits that a double has not", async () => {
    const line = '{"id": 12345678901234567890, "v": 1.0}';
    const [lines] = (await readRecords("jsonl", `${line}\n${line}\n`)).datasets;
    expect(lines!.sources).toEqual([line, line]);
    const [array] = (await readRecords("json", `[\n  {"id": 12345678901234567890,\n   "s": "a\\nb"}, {"id": 1}]`))
      .datasets;
    expect(array!.sources).toEqual(['{"id": 12345678901234567890, "s": "a\\nb"}', '{"id": 1}']);
  });
});

describe("prose that looks like a format", () => {
  const shared = process.env.PINAKES_SHARED ?? path.resolve(import.meta.dirname, "../../../../shared");
  const keyList = () => readFileSync(path.join(shared, "cases/notes-key-list.md"), "utf8");
  const own = "# Notes\n\n- Owner: me\n- Status: done\n- Note: see below\n";
  const prose: [name: string, language: string, text: string][] = [
    ["a Markdown list of keys", "markdown", own],
    ["the same in a text file", "text", own],
    ["a text with commas", "text", "Dear all, hello,\nthis is a, letter,\nwith lines, alike,\nto the end, here,\n"],
    ["a poem in two columns", "text", "The sea | is wide\nThe land | is far\nWho goes | there now\n"],
    ["a Markdown table in a text file", "text", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"],
    ["a settings map", "yaml", "name: x\nitems:\n  - a: 1\n  - a: 2\n"],
    ["a list of texts", "yaml", "- one\n- two\n- three\n"],
    ["a list of keys that is no YAML", "yaml", '- Owner: `a` and `b`\n- Note: see [the list]: it\'s "long"\n'],
    ["a drawing", "xml", `<svg>${'<path d="M0"/>'.repeat(20)}</svg>`],
    ["a schema", "sql", "CREATE TABLE t (a int, b text);\nCREATE INDEX i ON t (a);\n"],
    ["a diary", "text", "2024-05-01: went out\n2024-05-02: stayed in\nIt was cold.\n"],
    ["settings", "json", '{"compilerOptions": {"strict": true}, "references": [{"path": "a"}, {"path": "b"}]}'],
    ["code", "python", "a,b,c\n1,2,3\n4,5,6\n7,8,9\n"],
    [
      "a short table in a page",
      "html",
      "<table><tr><th>Version<th>Changes</tr><tr><td>1<td>a</tr><tr><td>2<td>b</tr></table>",
    ],
    [
      "a manifest with many contributors",
      "json",
      JSON.stringify({
        name: "x",
        version: "1",
        contributors: Array(50).fill({ name: "y", url: "https://example.com" }),
      }),
    ],
    ["a page without tables", "html", "<html><table><tr><td>layout</td></tr></table></html>"],
  ];
  it.each(prose)("%s is no list of records", async (_, language, text) => {
    expect(await readRecords(language, text)).toMatchObject({ datasets: [], reader: "" });
  });

  it("the shared case of a list of keys neither", async () => {
    const text = keyList();
    for (const language of ["markdown", "text", "yaml"])
      expect((await readRecords(language, text)).datasets).toEqual([]);
  });
});

describe("why a text is no list of records", () => {
  const reasons: [name: string, language: string, text: string, note: string][] = [
    ["an alias inside of what it names", "yaml", "- &a {x: *a}\n- b: 1\n", "an alias stands inside of what it names"],
    ["lists inside each other", "yaml", `${"- ".repeat(200_000)}x\n`, "yaml: it is nested too deep"],
    ["maps inside each other", "yaml", `- ${"? ".repeat(100_000)}x\n`, "yaml: it is nested too deep"],
    [
      "lists below each other",
      "yaml",
      `- x\n${Array.from({ length: 2000 }, (_, at) => `${" ".repeat(at)}-\n`).join("")}`,
      "yaml: it is nested too deep",
    ],
    ["rows without an end", "sql", "INSERT INTO t VALUES (1, 'x);\n".repeat(3), "none of its rows can be read"],
  ];
  it.each(reasons)("is told of %s", async (_, language, text, note) => {
    const { datasets, note: told } = await readRecords(language, text);
    expect(datasets).toEqual([]);
    expect(told).toContain(note);
  });
});
