/**
 * The documents of the fixtures that keep every readable version of the segment file readable: all field types, given
 * and made ids, routing, arrays, deletes, documents as odd as JSON allows. Two segments; the first has deleted documents.
 */
import fs from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { loadKernels } from "../kernels/load.js";
import { loadFieldTable, type StoredFieldTable } from "../mapping/field-table.js";
import type { Mapping } from "../mapping/mapping.js";
import { readCommit } from "../segment/commit.js";
import { readLiveDocs } from "../segment/live-docs.js";
import { OpenSegment } from "../segment/reader.js";
import { type SegmentFacts, segmentFacts } from "../segment/testing.js";
import type { IndexShard } from "../shard/index-shard.js";
import { Arena } from "../store/arena.js";
import { nodeFiles } from "../store/files.js";
import { createStorage, type Storage } from "../store/storage.js";
import type { WriteOperation } from "../write.js";
import { definitionOf, engineFixture, good, NO_ANALYSIS, TEST_ARENA_BYTES } from "./engine-fixture.js";

const MAPPING: Mapping = {
  dynamic: "false",
  properties: {
    title: { type: "text", fields: { raw: { type: "keyword", ignoreAbove: 40 } }, copyTo: ["all"] },
    body: { type: "text", norms: false, fields: { lines: { type: "wildcard" } } },
    all: { type: "text" },
    tag: { type: "keyword", copyTo: ["all"] },
    lower: { type: "keyword", normalizer: "low" },
    plain: { type: "keyword", docValues: false },
    hidden: { type: "keyword", index: false, docValues: false },
    long: { type: "long", nullValue: 7 },
    integer: { type: "integer" },
    short: { type: "short" },
    byte: { type: "byte" },
    double: { type: "double" },
    float: { type: "float" },
    half: { type: "half_float" },
    flag: { type: "boolean" },
    when: { type: "date" },
    day: { type: "date", format: "yyyy-MM-dd||epoch_second" },
    address: { type: "ip", ignoreMalformed: true },
    vector: { type: "dense_vector", dims: 3, similarity: "l2_norm" },
    shut: { type: "object", enabled: false, properties: {} },
    inner: { type: "object", properties: { name: { type: "keyword" }, size: { type: "long" } } },
  },
};

const ANALYSIS = { ...NO_ANALYSIS, normalizer: { low: { type: "custom", filter: ["lowercase"] } } };

/** Words that repeat as words do. */
function words(seed: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `word${((seed + 3) * (i + 7)) % (13 + (seed % 60))}`).join(" ");
}

/** A document that has most fields; which, and in what form, depends on its number. */
function documentText(n: number): string {
  const parts = [
    `"title":"${words(n, 3 + (n % 9))}"`,
    `"tag":${n % 5 === 0 ? `["b${n % 3}","a","b${n % 3}"]` : `"tag${n % 11}"`}`,
    `"long":${n % 7 === 0 ? "null" : n % 6 === 0 ? "9007199254740993" : n * 1000}`,
    `"integer":${n % 4 === 0 ? `"${n}"` : n}`,
    `"short":${-n}, "byte" : ${n % 100}`,
    `"double":${n % 3 === 0 ? `${n}.0` : n / 8}`,
    `"float":${n / 4},"half":${(n % 50) / 2}`,
    `"flag":${n % 2 === 0}`,
    `"when":${n % 3 === 0 ? 1_700_000_000_000 + n * 1000 : `"2023-11-${String(1 + (n % 28)).padStart(2, "0")}T10:00:00.000Z"`}`,
    `"day":"2024-02-${String(1 + (n % 28)).padStart(2, "0")}"`,
    `"address":${n % 10 === 0 ? '"not one"' : n % 3 === 0 ? '"2001:db8::1"' : `"10.0.${n % 4}.${n % 250}"`}`,
    `"lower":"MiXed${n % 6}","plain":"p${n % 4}","hidden":"h${n}"`,
    `"inner":{"name":"in${n % 8}","size":[${n},1]},"inner.name":"x"`,
    `"unknown":{"a":[1,{"b":"c"}]},"shut":{"k${n}":${n}}`,
    `"body":"${words(n + 5, n % 20)} \\u00e9 \\"quoted\\" \u{1f600}"`,
    ...(n % 3 === 0 ? [] : [`"vector":[${n},0.5,-1]`]),
  ];
  return `{${parts.slice(n % 2, parts.length - (n % 3)).join(n % 8 === 0 ? " ,\n" : ",")}}`;
}

function index(n: number): WriteOperation {
  return {
    kind: "index",
    ...(n % 3 === 0 ? { id: `given-${(n * 7919) % 1000}-${n}` } : {}),
    ...(n % 20 === 0 ? { routing: `r${n % 3}`, id: `routed${n}` } : {}),
    source: Buffer.from(documentText(n)),
  };
}

/** Documents that are valid in ways few write them. */
const ODD = [
  "{}",
  ' { "tag" :\t"spaced" , "long" : 1 }\n',
  '{"shut":{"a":1,"b":[2,{"a":-0.10e-5}]}}',
  '{"double":-0.0,"float":1e3,"half":0.1,"long":-0}',
  '{"tag":"\\u0041\\/b","title":"tab\\tand \\ud83d\\ude00"}',
  '{"inner":{"name":["y","x"],"size":-9223372036854775808},"when":["2020-01-01","2019-01-01T00:00:00Z"]}',
  '{"zero":1,"shut":{"":1},"unknown":[[],{},[null,true]],"address":"::ffff:10.0.0.1","day":1700000000}',
  '{"tag":[],"integer":null,"flag":["true",false,""],"address":["10.0.0.2","10.0.0.1"]}',
];

/** Operations of the two segments; ids of the first that come again leave deleted documents there. */
function operations(): [WriteOperation[], WriteOperation[]] {
  const first = Array.from({ length: 200 }, (_, n) => index(n));
  const again = first.flatMap(({ id }, n) => (id !== undefined && n % 9 === 0 ? [{ ...index(n + 1000), id }] : []));
  const odd = ODD.map((text): WriteOperation => ({ kind: "index", source: Buffer.from(text) }));
  return [first, [...again, ...odd, ...Array.from({ length: 20 }, (_, n) => index(400 + n))]];
}

/** A segment of a fixture and what it must say. */
interface FixtureSegment {
  name: string;
  /** Generation of its live docs, 0: all are alive. */
  live: number;
  facts: SegmentFacts;
}

/** What lies beside the segment files. */
interface Expected {
  table: StoredFieldTable;
  segments: FixtureSegment[];
}

const EXPECTED_FILE = "expected.json.gz";

/** Writes a fixture of the version that this program writes. */
export async function writeVersionFixture(folder: string): Promise<void> {
  const fixture = await engineFixture();
  try {
    const created = await fixture.engine.createIndex("v", definitionOf(MAPPING, { analysis: ANALYSIS }));
    for (const batch of operations()) {
      good(await created.write(batch));
      await created.refresh();
    }
    await created.flush();
    const from = path.join(fixture.folder, "indices", created.definition.uuid);
    fs.mkdirSync(folder, { recursive: true });
    for (const file of fs.readdirSync(from)) {
      if (/\.(seg|live)$/.test(file)) fs.copyFileSync(path.join(from, file), path.join(folder, file));
    }
    const storage = fixtureStorage();
    const table = tableOf(created as IndexShard);
    const segments = readCommit(nodeFiles, from)!.segments.map(({ name, live }) => {
      const opened = openOne(storage, folder, { name, live });
      const facts = segmentFacts(opened.segment, opened.live, loadFieldTable(table).byOrdinal, storage.arena.u8);
      opened.segment.close();
      return { name, live, facts };
    });
    const expected: Expected = { table, segments };
    fs.writeFileSync(path.join(folder, EXPECTED_FILE), gzipSync(JSON.stringify(expected), { level: 9 }));
  } finally {
    await fixture.remove();
  }
}

/** A fixture opened: its segments in order, what is alive in each, and what each must say. */
export function openVersionFixture(storage: Storage, folder: string) {
  const expected = JSON.parse(gunzipSync(fs.readFileSync(path.join(folder, EXPECTED_FILE))).toString()) as Expected;
  const fields = loadFieldTable(expected.table).byOrdinal;
  return { fields, segments: expected.segments.map((one) => ({ ...openOne(storage, folder, one), facts: one.facts })) };
}

function openOne(storage: Storage, folder: string, { name, live }: { name: string; live: number }) {
  const segment = OpenSegment.open(storage, folder, name);
  const target = { segment: name, generation: live, docCount: segment.docCount };
  return { segment, live: live === 0 ? null : readLiveDocs(nodeFiles, folder, target) };
}

function tableOf(shard: IndexShard): StoredFieldTable {
  const handle = shard.acquireReader();
  const fields = [...handle.reader.fields.values()].sort((a, b) => a.ordinal - b.ordinal);
  handle.release();
  return { mapping: shard.definition.mapping, paths: fields.map(({ path }) => path) };
}

function fixtureStorage(): Storage {
  const arena = Arena.create(TEST_ARENA_BYTES);
  return createStorage(nodeFiles, arena, loadKernels(arena.memory), { cacheBytes: 2 ** 20 });
}
