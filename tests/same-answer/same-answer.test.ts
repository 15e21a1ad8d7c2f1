/**
 * Contract: same question, same answer. The same living documents give the same response, byte for byte, however they
 * came to lie in segments and whoever executes: after refresh, flush, background merges, merges to a few and to one,
 * restart and replay, with old versions and deleted documents among them or without, warm or cold, in a small arena or
 * a large one. With any number of workers: workers.test.ts.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineFace, type EngineOptions, type Index, openEngine } from "../../engine/index.js";
import { build, DEFINITION, differences, print } from "./corpus.js";
import { EMPTY, REQUESTS } from "./requests.js";

const ARENA_BYTES = 64 * 2 ** 20;
/** Time stands still: dates relative to now mean the same. */
const CLOCK = { now: () => Date.UTC(2024, 0, 8), random: () => 0.5 };

const folders: string[] = [];
const engines: EngineFace[] = [];

async function open(folder: string, options: EngineOptions = {}): Promise<EngineFace> {
  const engine = await openEngine(folder, { arenaBytes: ARENA_BYTES, clock: CLOCK, ...options });
  engines.push(engine);
  return engine;
}

async function close(engine: EngineFace): Promise<void> {
  engines.splice(engines.indexOf(engine), 1);
  await engine.close();
}

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-same-"));
  folders.push(folder);
  return folder;
}

/** What a kill would leave: the files as they are, without the lock. */
function copyOf(folder: string): string {
  const copy = newFolder();
  fs.cpSync(folder, copy, { recursive: true });
  fs.rmSync(path.join(copy, "node.lock"), { force: true });
  return copy;
}

async function answers(engine: EngineFace, names = Object.keys(REQUESTS)): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) found[name] = print(await engine.search([{ index: "x" }], REQUESTS[name]));
  return found;
}

let expected: Record<string, string>;

async function expectSame(engine: EngineFace, names = Object.keys(REQUESTS)): Promise<void> {
  expect(differences(expected, await answers(engine, names))).toEqual([]);
}

/** Resolves when the merges that the policy wants are done: merges asked for wait for those under way. */
async function untilMerged(index: Index): Promise<void> {
  await index.forceMerge({ maxSegments: Number.MAX_SAFE_INTEGER, onlyDeletes: false });
}

describe("the same documents give the same answers", () => {
  let folder: string;
  let engine: EngineFace;
  let index: Index;

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

  it("to 200 questions and more, which say something", () => {
    expect(Object.keys(expected).length).toBeGreaterThanOrEqual(200);
    const empty = Object.entries(expected).filter(([, text]) => text.includes('"total":{"value":0'));
    expect(empty.map(([name]) => name)).toEqual(EMPTY);
    expect(new Set(Object.values(expected)).size).toBeGreaterThan(200);
  });

  it("when asked again, in another order", async () => {
    await expectSame(engine, Object.keys(REQUESTS).reverse());
  });

  it("when all are asked at once", async () => {
    const names = Object.keys(REQUESTS);
    const results = await Promise.all(names.map((name) => engine.search([{ index: "x" }], REQUESTS[name])));
    expect(names.filter((name, i) => print(results[i]) !== expected[name])).toEqual([]);
  });

  it("after a kill and a replay of the log", async () => {
    const replayed = await open(copyOf(folder));
    await expectSame(replayed);
    await close(replayed);
  });

  it("after a flush", async () => {
    await index.flush();
    await expectSame(engine);
  });

  it("after a restart, cold", async () => {
    await close(engine);
    engine = await open(folder);
    index = engine.index("x") as Index;
    await expectSame(engine);
  });

  it("after merges in the background, of many small segments", async () => {
    const other = await open(newFolder());
    const small = await other.createIndex("x", DEFINITION);
    // So many segments that, however late the merges come, each of at most ten, there are several.
    await build(small, 30);
    await untilMerged(small);
    expect(small.stats().counters.merges).toBeGreaterThan(2);
    await expectSame(other);
    await close(other);
  });

  it("when a full write buffer makes the segments", async () => {
    const other = await open(newFolder(), { memtableBytes: 700_000 });
    const full = await other.createIndex("x", DEFINITION);
    await build(full, 10_000);
    await expectSame(other);
    await close(other);
  });

  it("after merges to a few segments, and to one", async () => {
    for (const maxSegments of [3, 1]) {
      await index.forceMerge({ maxSegments, onlyDeletes: false });
      expect(index.stats().segments.length).toBeLessThanOrEqual(maxSegments);
      if (maxSegments === 1) expect(index.stats().docs.deleted).toBe(0);
      await expectSame(engine);
    }
  });

  it("with a large arena, and with one that does not hold all at once", async () => {
    await close(engine);
    for (const megabytes of [512, 16]) {
      engine = await open(folder, { arenaBytes: megabytes * 2 ** 20 });
      index = engine.index("x") as Index;
      await expectSame(engine);
      await close(engine);
    }
  });
});
