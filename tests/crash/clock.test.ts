/** The clock goes backwards: time is no witness of order, and nothing that was promised hangs on it. */
import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EngineFace, type Index, openEngine, type WriteOperation } from "../../engine/index.js";
import { definitionOf, good } from "../../engine/testing/engine-fixture.js";
import { removeFolder, temporaryFolder } from "../support/node.js";

const NOON = Date.UTC(2024, 5, 1, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MAPPING = { properties: { n: { type: "long" }, when: { type: "date" } } } as const;

let folder: string;
let engine: EngineFace;
let now: number;

async function open(): Promise<EngineFace> {
  engine = await openEngine(folder, { arenaBytes: 64 * 2 ** 20, clock: { now: () => now, random: Math.random } });
  return engine;
}

beforeEach(async () => {
  folder = temporaryFolder("clock");
  now = NOON;
  await open();
});
afterEach(async () => {
  await engine.close();
  removeFolder(folder);
});

const put = (id: string | undefined, source: object): WriteOperation => {
  return { kind: "index", id, source: Buffer.from(JSON.stringify(source)) };
};

describe("a clock that goes backwards", () => {
  it("makes no id twice, before and after a restart", async () => {
    let index = await engine.createIndex("x", definitionOf(MAPPING));
    const ids = new Set<string>();
    let made = 0;
    for (const time of [NOON, NOON - DAY, NOON]) {
      now = time;
      for (let restarted = 0; restarted < 2; restarted++) {
        for (const { id, result } of good(
          await index.write(Array.from({ length: 300 }, (_, n) => put(undefined, { n }))),
        )) {
          expect(result).toBe("created");
          ids.add(id);
          made++;
        }
        await engine.close();
        index = (await open()).index("x") as Index;
      }
    }
    expect(ids.size).toBe(made);
    expect(index.stats().docs.count).toBe(made);
  });

  it("does not let an old version bring back what was deleted", async () => {
    const index = await engine.createIndex("x", definitionOf(MAPPING));
    const external = (value: number) => ({ version: { value, type: "external" as const } });
    good(await index.write([{ ...put("a", { n: 1 }), ...external(10) }]));
    good(await index.write([{ kind: "delete", id: "a", ...external(20) }]));
    now = NOON - DAY;
    good(await index.write([{ kind: "delete", id: "b", ...external(5) }]));
    await index.refresh();
    const late = await index.write([
      { ...put("a", { n: 2 }), ...external(15) },
      { ...put("b", { n: 2 }), ...external(4) },
    ]);
    expect(late).toMatchObject([{ ok: false }, { ok: false }]);
    expect(index.get("a")).toBeUndefined();
    good(await index.write([{ ...put("a", { n: 3 }), ...external(21) }]));
    expect(index.get("a")?.version).toBe(21);
  });

  it("keeps sequence numbers and the order of documents", async () => {
    const index = await engine.createIndex("x", definitionOf(MAPPING));
    const seqNos: number[] = [];
    for (let n = 0; n < 20; n++) {
      now = NOON - n * DAY;
      seqNos.push(good(await index.write([put(`d${n % 7}`, { n })]))[0].seqNo);
      if (n % 5 === 0) await index.flush();
    }
    expect(seqNos).toEqual(Array.from({ length: 20 }, (_, n) => n));
    await engine.close();
    expect(((await open()).index("x") as Index).stats().maxSeqNo).toBe(19);
  });

  it("refreshes on time", async () => {
    const index = await engine.createIndex("x", definitionOf(MAPPING, { refreshIntervalMs: 20 }));
    for (const time of [NOON, NOON - DAY, NOON - 2 * DAY]) {
      now = time;
      good(await index.write([put(undefined, {})]));
      await index.nextRefresh();
    }
    expect(await engine.count([{ index: "x" }], { kind: "match_all", boost: 1 })).toBe(3);
  });

  it("means by `now` what it is at the time of asking", async () => {
    const index = await engine.createIndex("x", definitionOf(MAPPING));
    const days = Array.from({ length: 10 }, (_, d) => put(`d${d}`, { when: new Date(NOON - d * DAY).toISOString() }));
    good(await index.write(days));
    await index.refresh();
    const lately = () =>
      engine.count([{ index: "x" }], { kind: "range", field: "when", gt: "now-2d", lte: "now", boost: 1 });
    expect([await lately(), await lately()]).toEqual([2, 2]);
    now = NOON - 9 * DAY;
    expect(await lately()).toBe(1);
    now = NOON + 30 * DAY;
    expect(await lately()).toBe(0);
    now = NOON;
    expect(await lately()).toBe(2);
  });

  it("opens a folder that was written later than now", async () => {
    const index = await engine.createIndex("x", definitionOf(MAPPING));
    good(await index.write([put("a", { n: 1 })]));
    await engine.close();
    now = NOON - 365 * DAY;
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) fs.utimesSync(`${entry.parentPath}/${entry.name}`, NOON / 1000 + 1e8, NOON / 1000 + 1e8);
    }
    const again = (await open()).index("x") as Index;
    expect(again.get("a")).toBeDefined();
    good(await again.write([put("a", { n: 2 })]));
    await again.flush();
    expect(again.get("a")?.version).toBe(2);
  });
});
