import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Index } from "./engine-types.js";
import type { Field } from "./mapping/field-table.js";
import type { Mapping } from "./mapping/mapping.js";
import { allOf, anyOf, type GramQuery, gramsOfBytes, mayMatch } from "./regex/index.js";
import type { OpenSegment } from "./segment/reader.js";
import type { IndexShard } from "./shard/index-shard.js";
import { isSet } from "./store/bits.js";
import { type Chance, chance } from "./store/testing.js";
import { definitionOf, type EngineFixture, engineFixture } from "./testing/engine-fixture.js";
import { linesOf, valuesOf } from "./trigrams/testing.js";

const MAPPING: Mapping = {
  dynamic: "strict",
  properties: {
    id: { type: "keyword" },
    body: { type: "text", fields: { lines: { type: "wildcard" } } },
    short: { type: "wildcard", ignoreAbove: 12, nullValue: "(nothing)" },
    list: { type: "object", properties: { code: { type: "wildcard" } } },
    copied: { type: "keyword", copyTo: ["short"] },
  },
};

let fixture: EngineFixture;
beforeEach(async () => {
  fixture = await engineFixture();
});
afterEach(() => fixture.remove());

/** Texts as they come: lines of code, long lines, empty ones, escapes, other alphabets, U+FFFD. */
function randomText(random: Chance): string {
  const kind = random(10);
  if (kind === 0) return "";
  if (kind === 1) return "\n".repeat(random(4));
  if (kind === 2) return `"\\/\b\f\t\r\n\u0001\u001f\u007f${"é\u2028\ufffd😀".repeat(random(5))}`;
  if (kind === 3) return `one line of ${"x y".repeat(random(6000))}`;
  const lines = Array.from({ length: random(kind === 4 ? 700 : 30) }, () => randomLine(random));
  return lines.join(kind === 5 ? "\r\n" : "\n") + (random(2) === 0 ? "\n" : "");
}

function randomLine(random: Chance): string {
  const words = Array.from({ length: random(9) }, () => `w${random(400)}${"_Ab"[random(3)]}`);
  return "\t".repeat(random(3)) + words.join(random(5) === 0 ? " = " : "(");
}

/** JSON of a string in one of the ways in which it may be written. */
function written(random: Chance, text: string): string {
  const json = JSON.stringify(text);
  if (random(6) > 0) return json;
  return random(2) === 0
    ? json.replaceAll("/", "\\/").replaceAll("a", "\\u0061")
    : json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function randomDocument(random: Chance, n: number): string {
  const text = () => written(random, randomText(random));
  const parts = [
    `"id":"k${n}"`,
    ...(random(8) > 0 ? [`"body":${random(6) > 0 ? text() : `[${text()},${text()},null]`}`] : []),
    ...(random(4) === 0
      ? [`"short":${["null", '"abc"', '"much longer than 12"', "12.50", "true", '["a","b"]'][random(6)]}`]
      : []),
    ...(random(4) === 0 ? [`"list":[{"code":${text()}},{"code":${text()}},{}]`] : []),
    ...(random(9) === 0 ? ['"copied":"from"'] : []),
  ];
  return `{${parts.join(random(20) === 0 ? " , " : ",")}}`;
}

/** The values that a field has of a document, as UTF-8. */
function expectedValues(path: string, source: Record<string, unknown>): string[] {
  const strings = (value: unknown) => [value].flat().filter((one): one is string => typeof one === "string");
  if (path === "body.lines") return strings(source.body);
  return ((source.list ?? []) as { code?: string }[]).flatMap(({ code }) => strings(code));
}

class History {
  constructor(
    readonly index: Index,
    readonly random: Chance,
    /** By id. */
    readonly sources: Map<string, string>,
  ) {}

  async write(count: number): Promise<void> {
    const operations = Array.from({ length: count }, () => {
      const n = this.random(400);
      const source = randomDocument(this.random, n);
      this.sources.set(`${n}`, source);
      return { kind: "index" as const, id: `${n}`, source: Buffer.from(source) };
    });
    for (const outcome of await this.index.write(operations)) if (!outcome.ok) throw outcome.error;
  }

  async delete(count: number): Promise<void> {
    const ids = [...this.sources.keys()].filter(() => this.random(this.sources.size) < count);
    for (const id of ids) this.sources.delete(id);
    await this.index.write(ids.map((id) => ({ kind: "delete" as const, id })));
  }

  /** Compares what every segment says with what was written. */
  check(label: string): void {
    const handle = (this.index as IndexShard).acquireReader();
    let found = 0;
    try {
      for (const { segment, live } of handle.reader.leaves) {
        segment.beginUse();
        try {
          for (const field of [...handle.reader.fields.values()].filter((one) => one.trigrams)) {
            if (field.path !== "short") this.#checkField(segment as OpenSegment, live, field, label);
          }
          for (let doc = 0; doc < segment.docCount; doc++) {
            if (!isSet(live, doc)) continue;
            found++;
            const source = Buffer.from(segment.source(doc)).toString();
            if (source !== this.sources.get(segment.id(doc))) {
              expect(source, `${label}, ${segment.id(doc)}`).toBe(this.sources.get(segment.id(doc)));
            }
          }
        } finally {
          segment.endUse();
        }
      }
    } finally {
      handle.release();
    }
    expect(found, label).toBe(this.sources.size);
  }

  #checkField(segment: OpenSegment, live: Uint32Array | null, field: Field, label: string): void {
    const { u8 } = segment.storage.arena;
    const trigrams = segment.trigrams(field);
    if (trigrams === null) return;
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (!isSet(live, doc)) continue;
      const source = JSON.parse(this.sources.get(segment.id(doc))!) as Record<string, unknown>;
      const values = valuesOf(trigrams, doc, u8).map((value) => value.toString());
      const expected = expectedValues(field.path, source);
      if (JSON.stringify(values) !== JSON.stringify(expected)) expect(values, label).toEqual(expected);
      if (isSet(segment.presence(field)?.bits ?? null, doc) !== expected.length > 0)
        throw new Error(`${label}: presence of ${segment.id(doc)}`);
    }
    const lines = linesOf(trigrams, u8);
    for (let round = 0; round < 6; round++) this.#checkQuery(trigrams, lines, label);
  }

  #checkQuery(
    trigrams: NonNullable<ReturnType<OpenSegment["trigrams"]>>,
    lines: ReturnType<typeof linesOf>,
    label: string,
  ): void {
    if (lines.length === 0) return;
    const { random } = this;
    const part = (): GramQuery => {
      const { bytes } = lines[random(lines.length)];
      const from = random(bytes.length);
      return gramsOfBytes(bytes.subarray(from, from + 3 + random(20)));
    };
    const query = random(3) === 0 ? anyOf([part(), allOf([part(), part()])]) : part();
    const chunks = new Set(trigrams.chunks(query));
    const documents = new Set(trigrams.documents(query));
    for (const { grams, chunk, doc } of lines) {
      if (!mayMatch(query, (gram) => grams.has(gram))) continue;
      if (!chunks.has(chunk) || !documents.has(doc)) {
        expect({ chunk: chunks.has(chunk), doc: documents.has(doc) }, label).toEqual({ chunk: true, doc: true });
      }
    }
    expect(chunks.size).toBeLessThanOrEqual(trigrams.chunkCount);
  }
}

describe("a field of type wildcard", () => {
  it("keeps texts of megabytes, made, merged and read on worker threads", async () => {
    await fixture.reopen({ workers: 2, arenaBytes: 256 * 2 ** 20 });
    const properties: Mapping["properties"] = { code: { type: "wildcard" } };
    const index = await fixture.engine.createIndex("large", definitionOf({ properties }));
    const line = `${"0123456789 abcdefghij\t".repeat(240_000)}unlike anything else`;
    const texts = [line, `${"one line of many\n".repeat(300_000)}odd one out`, "small"];
    const sources = texts.map((code) => JSON.stringify({ code }));
    for (const [i, source] of sources.entries()) {
      await index.write([{ kind: "index", id: `${i}`, source: Buffer.from(source) }]);
      await index.refresh();
    }
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    await fixture.reopen();
    const opened = fixture.engine.index("large")!;
    for (const [i, source] of sources.entries())
      expect(Buffer.from(opened.get(`${i}`)!.source).equals(Buffer.from(source))).toBe(true);
    const handle = (opened as IndexShard).acquireReader();
    try {
      const [{ segment }] = handle.reader.leaves;
      segment.beginUse();
      const trigrams = segment.trigrams!(handle.reader.fields.get("code")!)!;
      const find = (text: string) => [...trigrams.documents(gramsOfBytes(Buffer.from(text)))];
      expect([find("unlike anything"), find("odd one out"), find("small")]).toEqual([[0], [1], [2]]);
      segment.endUse();
    } finally {
      handle.release();
    }
  });

  it("lets values through that are no longer than ignore_above, nulls by null_value, numbers as they are written", async () => {
    const index = await fixture.engine.createIndex("a", definitionOf(MAPPING));
    const values = ["null", '"twelve chars"', '"thirteen char"', "12.50", "true", '["b","a"]', '"ééééééééééé"', "[]"];
    await index.write(values.map((value) => ({ kind: "index", source: Buffer.from(`{"short":${value}}`) })));
    await index.refresh();
    const handle = (index as IndexShard).acquireReader();
    try {
      const segment = handle.reader.leaves[0].segment as OpenSegment;
      segment.beginUse();
      const { u8 } = segment.storage.arena;
      const trigrams = segment.trigrams(handle.reader.fields.get("short")!)!;
      expect(values.map((_, doc) => valuesOf(trigrams, doc, u8).map(String))).toEqual([
        ["(nothing)"],
        ["twelve chars"],
        [],
        ["12.50"],
        ["true"],
        ["b", "a"],
        ["ééééééééééé"],
        [],
      ]);
      segment.endUse();
    } finally {
      handle.release();
    }
  });

  it("gives back text, lines, grams and _source through writes, merges and restarts", async () => {
    const random = chance();
    let sources = new Map<string, string>();
    await fixture.engine.createIndex("a", definitionOf(MAPPING));
    for (let round = 0; round < 6; round++) {
      const label = `${random.label}, round ${round}`;
      const history = new History(fixture.engine.index("a")!, random, sources);
      await history.write(random(70));
      await history.delete(10);
      await history.index.refresh();
      history.check(`${label}, refreshed`);
      if (round % 2 === 1) await history.index.flush();
      if (round % 4 === 3) await history.index.forceMerge({ maxSegments: 1, onlyDeletes: false });
      history.check(`${label}, flushed or merged`);
      sources = history.sources;
      if (round % 2 === 0) await fixture.reopen();
    }
  });
});
