/** An index with damaged files is refused by name, at opening or when the damage is met; the others work. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openEngine } from "./engine.js";
import type { EngineFace, Index } from "./engine-types.js";
import type { SearchRequest } from "./search.js";
import { copyAsStopped, damageSegmentData, filesOf, flipBit } from "./testing/damage.js";
import {
  definitionOf,
  type EngineFixture,
  engineFixture,
  good,
  indexOf,
  TEST_ARENA_BYTES,
} from "./testing/engine-fixture.js";

const MAPPING = { properties: { n: { type: "long" }, t: { type: "text" } } } as const;
const ALL = { kind: "match_all", boost: 1 } as const;

let fixture: EngineFixture;
let uuid: string;

beforeEach(async () => {
  fixture = await engineFixture();
  for (const name of ["bad", "good"]) {
    const index = await fixture.engine.createIndex(name, definitionOf(MAPPING));
    for (let n = 0; n < 3; n++) good(await index.write([indexOf(`${n}`, { n, t: `word${n}` })]));
    await index.refresh();
  }
  uuid = (fixture.engine.index("bad") as Index).definition.uuid;
});
afterEach(() => fixture.remove());

/** Opens what a machine leaves that stops now, after something was done to it. */
async function openStopped(damage: (folder: string) => void): Promise<{ engine: EngineFace; warnings: string[] }> {
  const folder = copyAsStopped(fixture.folder);
  damage(folder);
  const warnings: string[] = [];
  const engine = await openEngine(folder, { arenaBytes: TEST_ARENA_BYTES, warn: (text) => warnings.push(text) });
  onTestFinished(async () => {
    await engine.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return { engine, warnings };
}

async function expectDamaged(engine: EngineFace, file: string, offset?: number): Promise<void> {
  const damage = engine.damage("bad");
  expect(damage).toMatchObject({ file, message: expect.stringContaining(file) });
  if (offset !== undefined) expect(damage?.offset).toBe(offset);
  const index = engine.index("bad") as Index;
  expect(index.damage).toEqual(damage);
  const refused = { code: "index_damaged", details: expect.objectContaining({ index: "bad", file }) };
  await expect(index.write([indexOf("x", {})])).rejects.toMatchObject(refused);
  expect(() => index.get("1")).toThrow(expect.objectContaining(refused));
  await expect(engine.count([{ index: "bad" }], ALL)).rejects.toMatchObject(refused);
  expect(() => engine.pin([{ index: "good" }, { index: "bad" }])).toThrow(expect.objectContaining(refused));
  expect(await engine.count([{ index: "good" }], ALL)).toBe(3);
  expect(engine.damage("good")).toBeUndefined();
}

describe("an index is refused at opening, with file and offset", () => {
  it("when its log is damaged in what was acknowledged", async () => {
    let file = "";
    const { engine, warnings } = await openStopped((folder) => {
      [file] = filesOf(folder, uuid, ".wal");
      flipBit(file, 150);
    });
    await expectDamaged(engine, file, 104);
    expect(warnings.join()).toContain("index [bad] could not be opened");
  });

  it("when its commit is damaged", async () => {
    await (fixture.engine.index("bad") as Index).flush();
    let file = "";
    const { engine } = await openStopped((folder) => {
      [file] = filesOf(folder, uuid, "commit");
      flipBit(file, 30);
    });
    await expectDamaged(engine, file, 8);
  });

  it("when a segment's end is damaged, or missing", async () => {
    await (fixture.engine.index("bad") as Index).flush();
    let file = "";
    const { engine } = await openStopped((folder) => {
      [file] = filesOf(folder, uuid, ".seg");
      flipBit(file, fs.statSync(file).size - 10);
    });
    await expectDamaged(engine, file);
    const without = await openStopped((folder) => {
      [file] = filesOf(folder, uuid, ".seg");
      fs.rmSync(file);
    });
    expect(without.engine.damage("bad")?.message).toContain(file);
  });

  it("and its settings and mapping can be read, changed, and kept; it can be deleted", async () => {
    const { engine } = await openStopped((folder) => flipBit(filesOf(folder, uuid, ".wal")[0], 150));
    const index = engine.index("bad") as Index;
    expect([...index.fields().keys()]).toEqual(["n", "t"]);
    await index.updateMapping({ properties: { more: { type: "keyword" } } });
    await index.updateSettings({ refreshIntervalMs: 7000 });
    expect(index.definition).toMatchObject({ refreshIntervalMs: 7000, mapping: { properties: { more: {} } } });
    await Promise.all([index.refresh(), index.flush(), index.nextRefresh()]);
    await engine.deleteIndex("bad");
    expect([engine.index("bad"), engine.damage("bad")]).toEqual([undefined, undefined]);
    expect(fs.existsSync(path.join(engine.dataFolder, "indices", uuid))).toBe(false);
    await engine.createIndex("bad", definitionOf(MAPPING));
  });
});

describe("an index becomes damaged when the damage is met", () => {
  async function withDamagedSegment(): Promise<{ engine: EngineFace; file: string; warnings: string[] }> {
    await (fixture.engine.index("bad") as Index).flush();
    let file = "";
    const opened = await openStopped((folder) => {
      [file] = filesOf(folder, uuid, ".seg");
      damageSegmentData(file);
    });
    return { ...opened, file };
  }

  it("by a search, which says where", async () => {
    const { engine, file, warnings } = await withDamagedSegment();
    expect(engine.damage("bad")).toBeUndefined();
    const request = { query: { kind: "term", field: "t", value: "word1", caseInsensitive: false, boost: 1 } } as const;
    const search: SearchRequest = { ...request, ...PLAIN };
    await expect(engine.search([{ index: "good" }, { index: "bad" }], search)).rejects.toMatchObject({
      code: "corrupt",
      details: { file },
    });
    await expectDamaged(engine, file);
    expect(warnings.join()).toContain("index [bad] is damaged and not used any more");
  });

  it("by a get", async () => {
    const { engine, file } = await withDamagedSegment();
    const index = engine.index("bad") as Index;
    expect(() => index.get("1")).toThrow(expect.objectContaining({ code: "corrupt" }));
    await expectDamaged(engine, file);
  });

  it("by a merge", async () => {
    const { engine, file } = await withDamagedSegment();
    const index = engine.index("bad") as Index;
    good(await index.write([indexOf(undefined, { n: 9 })]));
    await index.refresh();
    await expect(index.forceMerge({ maxSegments: 1, onlyDeletes: false })).rejects.toMatchObject({ code: "corrupt" });
    await expectDamaged(engine, file);
  });

  it("and what was acknowledged before is in its log", async () => {
    const { engine } = await withDamagedSegment();
    const index = engine.index("bad") as Index;
    good(await index.write([indexOf(undefined, { n: 9 })]));
    expect(() => index.get("1")).toThrow();
    await engine.close();
    const [log] = filesOf(engine.dataFolder, uuid, ".wal");
    expect(fs.readFileSync(log).includes('{"n":9}')).toBe(true);
  });
});

/** A search without anything special. */
const PLAIN: Omit<SearchRequest, "query"> = {
  knn: [],
  from: 0,
  size: 10,
  sort: [],
  trackTotal: Number.POSITIVE_INFINITY,
  trackScores: false,
  terminateAfter: 0,
  aggs: {},
  source: true,
  explain: false,
  highlight: [],
  docValueFields: [],
  profile: false,
};
