/**
 * Contract: the same answer wherever it is found. Every request of same-answer.test.ts, and some that touch more of what
 * travels between threads, asked of one folder: on the main thread, and on the workers, of which there are one, two or eight.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { EngineError, type EngineFace, openEngine, type Query, type SearchRequest } from "../../engine/index.js";
import { ask as request } from "./builders.js";
import { build, DEFINITION, differences, print } from "./corpus.js";
import { REQUESTS } from "./requests.js";

const ARENA_BYTES = 128 * 2 ** 20;
/** The tests' present: date math must not show when, and where, a search ran. */
const NOW = Date.UTC(2024, 0, 4);
const ALL: Query = { kind: "match_all", boost: 1 };
const HIGHLIGHT = { field: "text", preTag: "<b>", postTag: "</b>", fragmentSize: 100, numberOfFragments: 2 } as const;

const MORE: Record<string, SearchRequest> = {
  "highlighted, with named queries and values": request(
    {
      kind: "bool",
      must: [
        { kind: "match", field: "text", query: "alpha", operator: "or", zeroTerms: "none", lenient: false, boost: 1 },
      ],
      should: [{ kind: "term", field: "tag", value: "t2", caseInsensitive: false, boost: 2, name: "tagged" }],
      filter: [],
      mustNot: [],
      boost: 1,
    },
    {
      highlight: [{ ...HIGHLIGHT, noMatchSize: 0, requireFieldMatch: true, order: "none", encoder: "default" }],
      docValueFields: [{ field: "*" }],
      profile: true,
    },
  ),
  "without sources": request(ALL, { source: false, size: 3 }),
  "date math": request({ kind: "range", field: "when", gte: "now-1d", lt: "now", boost: 1 }),
  "narrowed afterwards": request(ALL, {
    postFilter: { kind: "term", field: "tag", value: "t7", caseInsensitive: false, boost: 1 },
    trackTotal: Number.POSITIVE_INFINITY,
  }),
};

/** Requests that fail, and must fail alike. */
const WRONG: Record<string, SearchRequest> = {
  "a date that is none": request({ kind: "range", field: "when", gte: "yesterday-ish", boost: 1 }),
  "after a value that is no number": request(ALL, {
    sort: [{ field: "n", order: "asc", missing: "_last" }],
    searchAfter: ["abc"],
  }),
  "sorted by a text": request(ALL, { sort: [{ field: "text", order: "asc", missing: "_last" }] }),
  "nested too deeply": request(
    Array.from({ length: 40 }).reduce<Query>((inner) => ({ kind: "constant_score", filter: inner, boost: 1 }), ALL),
  ),
};

/** One in so many requests is asked of two indices, and its query counted, too. */
const SHARE_OF_TWO = 4;

const folders: string[] = [];

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-workers-"));
  folders.push(folder);
  return folder;
}

function open(folder: string, workers: number, where: "main" | "workers"): Promise<EngineFace> {
  return openEngine(folder, {
    arenaBytes: ARENA_BYTES,
    clock: { now: () => NOW, random: Math.random },
    workers,
    searchOnWorkersAboveUs: where === "main" ? Number.POSITIVE_INFINITY : -1,
  });
}

const NARROWED = { index: "y", filter: { kind: "range", field: "n", lt: 500, boost: 1 } as Query };

async function answers(engine: EngineFace): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [i, [name, asked]] of Object.entries({ ...MORE, ...REQUESTS }).entries()) {
    found[name] = print(await engine.search([{ index: "x" }], asked));
    if (i % SHARE_OF_TWO > 0) continue;
    found[`${name}, of two indices`] = print(await engine.search([{ index: "x" }, NARROWED], asked));
    found[`${name}, counted`] = String(await engine.count([{ index: "x" }, NARROWED], asked.query));
  }
  for (const [name, asked] of Object.entries(WRONG)) {
    const error: unknown = await engine.search([{ index: "x" }], asked).catch((cause: unknown) => cause);
    if (!(error instanceof EngineError)) throw new Error(`${name} did not fail`);
    const cause = error.cause instanceof EngineError ? [error.cause.code, error.cause.message] : null;
    found[name] = print([error.name, error.code, error.message, error.details, cause]);
  }
  return found;
}

/** Vectors are compared where their graphs are: on the main thread. */
function ofVectors(name: string): boolean {
  return (REQUESTS[name.replace(", of two indices", "")]?.knn.length ?? 0) > 0;
}

function jobsDone(engine: EngineFace): number {
  return engine.resources.workers().reduce((sum, worker) => sum + worker.jobsDone, 0);
}

describe("the same question has the same answer", () => {
  let folder: string;
  let expected: Record<string, string>;

  beforeAll(async () => {
    folder = newFolder();
    const engine = await open(folder, 0, "main");
    for (const name of ["x", "y"]) await build(await engine.createIndex(name, DEFINITION));
    expected = await answers(engine);
    await engine.close();
  });
  afterAll(() => {
    for (const one of folders) fs.rmSync(one, { recursive: true, force: true });
  });

  it("and says something", () => {
    expect(Object.keys(expected).length).toBeGreaterThan(75);
    expect(expected["highlighted, with named queries and values"]).toContain("<b>alpha</b>");
    expect(expected["highlighted, with named queries and values"]).toContain('"matchedQueries":["tagged"]');
    expect(expected["after a value that is no number"]).toContain('For input string: \\"abc\\"');
    expect(expected["date math"]).not.toContain('"total":{"value":0');
  });

  it.each([0, 1, 2, 8])("on the main thread, of %i workers", async (workers) => {
    const engine = await open(folder, workers, "main");
    expect(differences(expected, await answers(engine))).toEqual([]);
    expect(jobsDone(engine)).toBe(0);
    await engine.close();
  });

  it.each([1, 2, 8])("on %i workers", async (workers) => {
    const engine = await open(folder, workers, "workers");
    expect(differences(expected, await answers(engine))).toEqual([]);
    // A search of lines may be several jobs.
    const questions = Object.keys(expected).filter((name) => !ofVectors(name)).length;
    if (workers === 1) expect(jobsDone(engine)).toBe(questions);
    else expect(jobsDone(engine)).toBeGreaterThan(questions);
    await engine.close();
  });

  it("on workers that are asked all at once", async () => {
    const engine = await open(folder, 2, "workers");
    const names = Object.keys(REQUESTS);
    const found = await Promise.all(names.map((name) => engine.search([{ index: "x" }], REQUESTS[name])));
    expect(found.map(print)).toEqual(names.map((name) => expected[name]));
    await engine.close();
  });

  it("on workers while the index changes: pinned readers, deletes, merges, a new field", async () => {
    const copy = newFolder();
    fs.cpSync(folder, copy, { recursive: true });
    fs.rmSync(path.join(copy, "node.lock"), { force: true });
    const engine = await open(copy, 2, "workers");
    const pinned = engine.pin([{ index: "x" }]);
    const ask = (name: string) => engine.search(pinned, REQUESTS[name]).then(print);
    const index = engine.index("x")!;
    await index.write([
      { kind: "delete", id: "d3" },
      { kind: "index", id: "new", source: Buffer.from('{"text":"alpha","other":"fresh"}') },
    ]);
    await index.refresh();
    const fresh: Query = {
      kind: "match",
      field: "other",
      query: "fresh",
      operator: "or",
      zeroTerms: "none",
      lenient: false,
      boost: 1,
    };
    expect((await engine.search([{ index: "x" }], request(fresh))).hits.map((hit) => hit.id)).toEqual(["new"]);
    expect(await ask("query: some ids")).toBe(expected["query: some ids"]);
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    for (const name of Object.keys(REQUESTS)) expect([name, await ask(name)]).toEqual([name, expected[name]]);
    pinned.release();
    expect((await engine.search([{ index: "x" }], request(fresh))).total).toEqual({ value: 1, relation: "eq" });
    expect(await engine.count([{ index: "x" }], { kind: "ids", values: ["d3", "d1400"], boost: 1 })).toBe(1);
    await engine.close();
  });

  it("on readers of an index that was deleted since, whose files a worker can no longer open", async () => {
    const copy = newFolder();
    fs.cpSync(folder, copy, { recursive: true });
    fs.rmSync(path.join(copy, "node.lock"), { force: true });
    const engine = await open(copy, 2, "workers");
    const pinned = engine.pin([{ index: "x" }]);
    await engine.deleteIndex("x");
    for (const name of Object.keys(REQUESTS)) {
      expect([name, print(await engine.search(pinned, REQUESTS[name]))]).toEqual([name, expected[name]]);
    }
    expect(await engine.count(pinned, ALL)).toBeGreaterThan(1000);
    pinned.release();
    await engine.close();
  });

  it("and searches that are cancelled on a worker leave nothing behind", async () => {
    const engine = await open(folder, 1, "workers");
    const search = (signal?: AbortSignal) =>
      engine.search([{ index: "x" }], { ...REQUESTS["query: a frequent word"], signal });
    await search();
    const before = engine.memory().arenaUsed;
    for (let i = 0; i < 50; i++) {
      const controller = new AbortController();
      const cancelled = search(controller.signal);
      controller.abort();
      await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    }
    await search();
    // The worker gives back what it used when it comes to it, which may be after the answer.
    await vi.waitFor(() => expect(engine.memory().arenaUsed).toBeLessThanOrEqual(before), { timeout: 60_000 });
    await engine.close();
  });
});
