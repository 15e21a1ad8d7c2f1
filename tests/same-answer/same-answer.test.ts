/**
 * Contract: same question, same answer. The same living documents give the same response, byte for byte, however they
 * came to lie in segments: before and after flush, merge, restart and replay, in one segment or many, with old versions
 * and deleted documents among them or without, with a small arena or a large one.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineFace, type Index, openEngine, type WriteOperation } from "../../engine/index.js";
import { REQUESTS } from "./requests.js";

const DOCS = 5000;
const ARENA_BYTES = 64 * 2 ** 20;

const DEFINITION = {
  mapping: {
    properties: {
      n: { type: "long" },
      x: { type: "double" },
      tag: { type: "keyword" },
      when: { type: "date" },
      maybe: { type: "boolean" },
      text: { type: "text" },
    },
  },
  analysis: { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} },
  refreshIntervalMs: -1,
  durability: "request",
  totalFieldsLimit: 1000,
  maxResultWindow: 10_000,
  settings: {},
} as const;

const folders: string[] = [];
const engines: EngineFace[] = [];

async function open(folder: string, arenaBytes = ARENA_BYTES): Promise<EngineFace> {
  const engine = await openEngine(folder, { arenaBytes });
  engines.push(engine);
  return engine;
}

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-same-"));
  folders.push(folder);
  return folder;
}

/** Document i, the same for every index. */
function document(i: number): Record<string, unknown> {
  const hash = (Math.imul(i + 1, 2654435761) >>> 0) / 4294967296;
  const words = ["alpha", "beta", "gamma", "delta"].filter((_, w) => Math.floor(hash * 1000 * (w + 1)) % (w + 2) === 0);
  const body: Record<string, unknown> = {
    n: Math.floor(hash * 1000),
    x: (hash - 0.5) * 10 ** (i % 12),
    tag: `t${Math.floor(hash * 40)}`,
    when: new Date(Date.UTC(2024, 0, 1) + Math.floor(hash * 5e8)).toISOString(),
    text: `${words.join(" ")} rare${i % 997} ${words.reverse().join(" ")}`,
  };
  if (i % 3 === 0) body.maybe = i % 2 === 0;
  return body;
}

function put(i: number, source = document(i)): WriteOperation {
  return { kind: "index", id: `d${i}`, source: Buffer.from(JSON.stringify(source)) };
}

/** Results are compared as text, numbers and bytes exactly. */
function print(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === "bigint") return `${inner}n`;
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString();
    return Object.is(inner, -0) ? "-0" : inner;
  });
}

async function answers(engine: EngineFace): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, request] of Object.entries(REQUESTS)) {
    found[name] = print(await engine.search([{ index: "x" }], request));
  }
  return found;
}

/** Asks everything again; on a difference shows where each answer departs. */
async function expectSame(engine: EngineFace, expected: Record<string, string>): Promise<void> {
  const found = await answers(engine);
  const differences = Object.keys(expected).flatMap((name) => {
    const [a, b] = [expected[name], found[name]];
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    return a === b ? [] : [`${name}: ...${a.slice(Math.max(0, at - 60), at + 60)}  became  ...${b.slice(at, at + 60)}`];
  });
  expect(differences).toEqual([]);
}

/** Documents in many segments, some of them deleted and some written again. */
async function build(index: Index): Promise<void> {
  for (let from = 0; from < DOCS; from += 500) {
    await index.write(Array.from({ length: 500 }, (_, i) => put(from + i)));
    await index.refresh();
  }
  await index.write(Array.from({ length: 300 }, (_, i): WriteOperation => ({ kind: "delete", id: `d${i * 7}` })));
  await index.write(Array.from({ length: 200 }, (_, i) => put(i * 11 + 1)));
  await index.refresh();
}

describe("the same documents give the same answers", () => {
  let folder: string;
  let engine: EngineFace;
  let index: Index;
  let expected: Record<string, string>;

  beforeAll(async () => {
    folder = newFolder();
    engine = await open(folder);
    index = await engine.createIndex("x", DEFINITION);
    await build(index);
    expected = await answers(engine);
  });
  afterAll(async () => {
    for (const one of engines) await one.close();
    for (const one of folders) fs.rmSync(one, { recursive: true, force: true });
  });

  it("and say something", () => {
    expect(Object.keys(expected).length).toBeGreaterThan(20);
    const empty = Object.entries(expected).filter(([, text]) => text.includes('"total":{"value":0'));
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it("when asked again", async () => {
    await expectSame(engine, expected);
  });

  it("after a replay of the log", async () => {
    const copy = newFolder();
    fs.cpSync(folder, copy, { recursive: true });
    fs.rmSync(path.join(copy, "node.lock"), { force: true });
    const replayed = await open(copy);
    await expectSame(replayed, expected);
  });

  it("after a flush", async () => {
    await index.flush();
    await expectSame(engine, expected);
  });

  it("after a restart", async () => {
    await engine.close();
    engine = await open(folder);
    index = engine.index("x") as Index;
    await expectSame(engine, expected);
  });

  it("after merges to a few segments, and to one", async () => {
    for (const maxSegments of [3, 1]) {
      await index.forceMerge({ maxSegments, onlyDeletes: false });
      expect(index.stats().segments.length).toBeLessThanOrEqual(maxSegments);
      expect(index.stats().docs.deleted).toBe(maxSegments === 1 ? 0 : index.stats().docs.deleted);
      await expectSame(engine, expected);
    }
  });

  it("with a large arena", async () => {
    await engine.close();
    engine = await open(folder, 512 * 2 ** 20);
    await expectSame(engine, expected);
  });
});
