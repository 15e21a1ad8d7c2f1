import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import initSqlJs from "sql.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CatalogDocument } from "../code/index.js";
import { pinakes, removeFolder, send, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

type Dataset = Extract<CatalogDocument, { entry: "dataset" }>;

const CITIES = ["Rome", "Oslo", "Berlin", "New York", "Tokyo"];
const two = (value: number) => String(value).padStart(2, "0");
const lines = (count: number, line: (at: number) => string) =>
  `${Array.from({ length: count }, (_, at) => line(at)).join("\n")}\n`;
const NOTE = "please leave the parcel with the neighbour when nobody is at home today";

/** One moment or another in the spellings that no other file has. */
const SPELLINGS: Readonly<Record<string, string | number>> = {
  a: "2024-05-01 10:00:01.123456+00:00",
  b: "2024-05-01 10:00:01 +0200",
  c: "2024/05/01 10:00:01",
  d: "2024/05/01",
  e: "1 Oct 2024 12:00 GMT",
  f: "Tue, 01 Oct 2024 12:00:00 Z",
  g: "4.2.2023 10:30",
  h: "05-Jan-2024",
  i: "Sat Aug 12 04:05:06.123 2006",
  j: "12/24/2023 10:00",
  k: "2024-05-01T10:00:00.5+05:30",
  created_at: 1_714_550_400_123,
  l: "2024-05-01 10:00Z",
};

/** What lies in the folder, by path. */
const FILES: Readonly<Record<string, string>> = {
  "customers.csv": `id;name;email;city;balance;since\n${lines(300, (at) => `${at + 1};Person ${at};p${at}@example.com;${CITIES[at % 5]};1.${two(at % 100)}0,5;${two(1 + (at % 28))}.03.2020`)}`,
  "orders.jsonl": lines(400, (at) => {
    const ship = { ip: `10.0.${at % 200}.7`, lat: 50 + at / 1000, lon: 8 + at / 1000 };
    const order = {
      order_id: `O-${10_000 + at}`,
      customer_id: 1 + ((at * 7) % 300),
      created_at: 1_714_550_400 + at * 600,
      total: at / 4,
    };
    return JSON.stringify({ ...order, ship, note: at % 3 === 0 ? null : NOTE });
  }),
  "app.log": lines(100, (at) => {
    const trace = at % 50 === 0 ? "\njava.lang.IllegalStateException: no\n\tat a.B.c(D.java:1)" : "";
    return `2024-05-01 12:${two(Math.floor(at / 60))}:${two(at % 60)},123 ${["INFO", "WARN"][at % 2]} com.shop.Cart - order O-${10_000 + at} handled for the customer${trace}`;
  }),
  "access.log": lines(
    100,
    (at) =>
      `10.0.0.${at} - - [10/Oct/2000:13:${two(at % 60)}:36 -0700] "GET /p/${at % 9} HTTP/1.1" ${[200, 404][at % 2]} ${at * 10} "-" "curl/8.0 (x)"`,
  ),
  "mail.tsv": `sent\tsubject\n${lines(20, (at) => `Tue, ${two(1 + at)} Oct 2024 12:00:00 +0200\tHello number ${at}`)}`,
  "slashes.csv": `day,n\n${lines(20, (at) => `${two(at + 1)}/12/2023,${at}`)}`,
  "spaces.csv": `at,n\n${lines(20, (at) => `2024-01-${two(at + 1)} 08:00:00.250,${at}`)}`,
  "feed.xml": `<feed>${lines(20, (at) => `<entry id="${at}"><title>Entry ${at}</title><score>${at}.5</score></entry>`)}</feed>`,
  "people.yaml": lines(5, (at) => `- name: P${at}\n  born: 19${two(at)}-01-01`),
  "dump.sql": `CREATE TABLE \`town\` (\`id\` int, \`name\` varchar(9), \`seen\` datetime);\nINSERT INTO \`town\` VALUES ${Array.from({ length: 20 }, (_, at) => `(${at},'T${at}','2024-01-01 00:00:${two(at)}')`).join(",")};\n`,
  "dates.jsonl": lines(3, () => JSON.stringify(SPELLINGS)),
  "notes.md": "# Notes\n\n- Owner: me\n- Status: done\n",
  "settings.json": '{"a": {"b": 1}}',
  "broken.csv": 'a,b\n"1,2\n',
};

let node: TestNode;
let folder: string;
let datasets: Dataset[];
const search = async (index: string, body: object) =>
  (await send(node.url, { method: "POST", path: `/${index}/_search`, body })).json;
const named = (part: string) => datasets.find(({ dataset }) => dataset.includes(part))!;
const typeOf = (part: string, field: string) => named(part).schema.find(({ name }) => name === field);
const run = (...args: string[]) => pinakes([...args, "--url", node.url], {}, folder);

beforeAll(async () => {
  node = await startTestNode();
  folder = path.join(realpathSync(temporaryFolder("datasets")), "shop");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text);
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run("CREATE TABLE items(sku TEXT, order_ref TEXT, qty INT); CREATE TABLE tags(tag TEXT, uses INT);");
  for (let at = 0; at < 100; at++)
    database.run("INSERT INTO items VALUES (?, ?, ?)", [`S${at}`, `O-${10_000 + at}`, at]);
  database.run("INSERT INTO tags VALUES ('red', 1), ('blue', 2)");
  writeFileSync(path.join(folder, "shop.db"), database.export());
  database.close();
  expect(await run("autoindex", folder)).toMatchObject({ status: 0 });
  const found = await search("pinakes-catalog", { size: 100, query: { term: { entry: "dataset" } } });
  datasets = found.hits.hits.map(({ _source }: { _source: Dataset }) => _source);
}, 120_000);

afterAll(async () => {
  await node.stop();
  removeFolder(path.dirname(folder));
  removeFolder(node.dataFolder);
});

describe("a folder of data", () => {
  it("becomes a data set a list, a table, a log", async () => {
    const counts = Object.fromEntries(
      datasets.map(({ path: file, part, records }) => [part === "" ? file : `${file}/${part}`, records]),
    );
    expect(counts).toEqual({
      "customers.csv": 300,
      "orders.jsonl": 400,
      "app.log": 100,
      "access.log": 100,
      "mail.tsv": 20,
      "slashes.csv": 20,
      "spaces.csv": 20,
      "feed.xml": 20,
      "people.yaml": 5,
      "dates.jsonl": 3,
      "dump.sql/town": 20,
      "shop.db/items": 100,
      "shop.db/tags": 2,
    });
    for (const { index, records } of datasets) {
      const { hits } = await search(index, { size: 0, track_total_hits: true });
      expect(hits.total.value).toBe(records);
    }
  });

  it("has dates in many encodings, addresses, places and prose by all values", () => {
    expect(typeOf("customers.csv", "since")).toMatchObject({
      type: "date",
      format: "dd.MM.yyyy",
      min: "2020-03-01T00:00:00.000Z",
    });
    expect(typeOf("customers.csv", "balance")).toMatchObject({ type: "double", min: 1000.5, max: 1990.5 });
    expect(typeOf("customers.csv", "email")).toMatchObject({ type: "keyword", entity: "email", distinct: 300 });
    expect(typeOf("orders.jsonl", "created_at")).toMatchObject({ type: "date", format: "epoch_second" });
    expect(typeOf("orders.jsonl", "ship.ip")).toMatchObject({ type: "ip" });
    expect(typeOf("orders.jsonl", "note")).toMatchObject({ type: "text", semantic: true, null_share: 0.335 });
    expect(named("orders.jsonl").geo).toEqual([{ latitude: "ship.lat", longitude: "ship.lon" }]);
    expect(named("orders.jsonl")).toMatchObject({ time_field: "created_at", time_min: "2024-05-01T08:00:00.000Z" });
    expect(typeOf("access.log", "timestamp")).toMatchObject({ type: "date", format: "dd/MMM/yyyy:HH:mm:ss Z" });
    expect(typeOf("app.log", "timestamp")).toMatchObject({ type: "date", format: "yyyy-MM-dd HH:mm:ss,SSS" });
    expect(typeOf("mail.tsv", "sent")).toMatchObject({ type: "date", format: "EEE, dd MMM yyyy HH:mm:ss Z" });
    expect(typeOf("slashes.csv", "day")).toMatchObject({ type: "date", format: "dd/MM/yyyy" });
    expect(typeOf("spaces.csv", "at")).toMatchObject({ type: "date", format: "yyyy-MM-dd HH:mm:ss.SSS" });
    expect(typeOf("people.yaml", "born")).toMatchObject({ type: "date" });
    expect(named("dates.jsonl").schema.filter(({ type }) => type !== "date")).toEqual([]);
  });

  it("gives values back as they were", async () => {
    const [customer] = (await search(named("customers.csv").index, { query: { term: { id: 2 } } })).hits.hits;
    expect(customer._source).toEqual({
      id: 2,
      name: "Person 1",
      email: "p1@example.com",
      city: "Oslo",
      balance: 1010.5,
      since: "02.03.2020",
    });
    const trace = await search(named("app.log").index, { query: { exists: { field: "stack_trace" } } });
    expect(trace.hits.hits[0]._source.stack_trace).toContain("\tat a.B.c(D.java:1)");
  });

  it("finds each date by a range, whatever its encoding", async () => {
    for (const { index, schema } of datasets) {
      for (const { name, type, min } of schema) {
        if (type !== "date") continue;
        const range = { gte: min, lte: min, format: "strict_date_optional_time" };
        const { hits } = await search(index, { query: { range: { [name]: range } } });
        expect(hits.hits.length, `${index} ${name}`).toBeGreaterThan(0);
      }
    }
  });

  it("has three to five queries a data set that give hits as they are", async () => {
    for (const { index, queries } of datasets) {
      expect(queries.length, index).toBeGreaterThanOrEqual(3);
      expect(queries.length, index).toBeLessThanOrEqual(5);
      for (const { body } of queries) {
        const answer = await search(index, body);
        expect(answer.error, `${index} ${JSON.stringify(body)}`).toBeUndefined();
        expect(answer.hits.hits.length, `${index} ${JSON.stringify(body)}`).toBeGreaterThan(0);
        for (const { buckets } of Object.values(answer.aggregations ?? {}) as { buckets: unknown[] }[]) {
          expect(buckets.length).toBeGreaterThan(0);
        }
      }
    }
  });
});

describe("the commands", () => {
  it("datasets lists all, with fields that belong together", async () => {
    const { stdout } = await run("datasets");
    expect(stdout).toMatch(
      /customers\.csv {2}300 records of customers\.csv, 2020-03-01 to 2020-03-28\n {2}balance double/,
    );
    expect(stdout).toMatch(/orders\.jsonl\.customer_id is in \S+customers\.csv\.id: 100 %/);
    expect(stdout).toMatch(
      /shop\.db-items-\w+\.order_ref is in \S+orders\.jsonl\.order_id: 100 %, the other way \d+ %/,
    );
  });

  it("datasets NAME shows one, by name or path, and its queries can be pasted", async () => {
    const { stdout } = await run("datasets", "orders.jsonl");
    expect(stdout).toContain("ship.ip ip:");
    expect(stdout).toMatch(/\n {2}# .*\n {2}curl -s '\S+_search\?pretty' -H 'content-type: application\/json' -d '\{/);
    const json = JSON.parse((await run("datasets", "customers.csv", "--json")).stdout);
    expect(json).toMatchObject({ records: 300, reader: "table", correlations: [{ share: 1 }] });
    expect(JSON.stringify(json)).not.toContain("sketch");
    expect(await run("datasets", "nothing-like-it")).toMatchObject({ status: 1, stdout: "" });
    expect((await run("datasets", "shop.db")).stderr).toContain("could be");
  });

  it("why says of every file what read it, as what, or why not", async () => {
    const { stdout } = await run("why", "customers.csv", "shop.db", "notes.md", "settings.json", "broken.csv", ".");
    expect(stdout).toMatch(
      /customers\.csv: indexed: .*csv, \d+ declarations?; 300 records read as table: pinakes-data-\S+customers\.csv; balance: numbers with a decimal comma/,
    );
    expect(stdout).toMatch(/shop\.db: indexed: .*102 records read as sqlite: pinakes-data-\S+items-\w+, /);
    expect(stdout).toMatch(/notes\.md: indexed: .*markdown, 1 declaration; in /);
    expect(stdout).toMatch(/settings\.json: indexed: .*no list of records: json: it is one JSON object, not a list/);
    expect(stdout).toMatch(/broken\.csv: indexed: .*no list of records: .*a quote is not closed/);
    expect(stdout).toMatch(/\.: folder: It is a folder, of which 15 files are indexed/);
  });

  it("status counts by class, status and reader", async () => {
    const { stdout } = await run("status");
    expect(stdout).toMatch(/by class: data \d+/);
    expect(stdout).toContain("by status: indexed 15");
    expect(stdout).toMatch(/data sets by reader: .*table 4/);
  });

  it("a table that goes takes its index and its entry along", async () => {
    const { Database } = await initSqlJs();
    const database = new Database();
    database.run("CREATE TABLE items(sku TEXT); INSERT INTO items VALUES ('a'), ('b')");
    writeFileSync(path.join(folder, "shop.db"), database.export());
    database.close();
    await run("autoindex", folder);
    const left = (await run("datasets")).stdout;
    expect(left).toMatch(/shop\.db-items-\w+ {2}2 records/);
    expect(left).not.toContain("shop.db-tags");
    const indices = await send(node.url, { method: "GET", path: "/_cat/indices?h=index" });
    expect(indices.text).not.toContain("shop.db-tags");
    expect(left).not.toContain("order_ref");
  });
});
