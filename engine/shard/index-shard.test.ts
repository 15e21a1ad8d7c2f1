import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Index, IndexDefinition } from "../engine-types.js";
import type { Mapping } from "../mapping/mapping.js";
import { faultyFiles } from "../store/testing/switchable-faults.js";
import { copyAsStopped } from "../testing/damage.js";
import {
  definitionOf,
  type EngineFixture,
  engineFixture,
  good,
  indexOf,
  shownDocuments,
} from "../testing/engine-fixture.js";
import type { WriteOperation } from "../write.js";

const MAPPING: Mapping = { properties: { n: { type: "long" }, t: { type: "text" } } };

let fixture: EngineFixture;
let faults: ReturnType<typeof faultyFiles>["faults"];

beforeEach(async () => {
  const faulty = faultyFiles(".wal");
  faults = faulty.faults;
  fixture = await engineFixture({ files: faulty.files });
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture.remove();
});

function create(mapping: Mapping = MAPPING, more: Partial<IndexDefinition> = {}): Promise<Index> {
  return fixture.engine.createIndex("x", definitionOf(mapping, more));
}

function updateOf(id: string, more: Partial<Extract<WriteOperation, { kind: "update" }>>): WriteOperation {
  return { kind: "update", id, docAsUpsert: false, detectNoop: true, retryOnConflict: 0, ...more };
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const shown = () => shownDocuments(fixture.engine, "x").map(({ id }) => id);

describe("writing", () => {
  it("makes ascending ids for documents without one, also after a restart", async () => {
    let index = await create();
    const before = good(await index.write([indexOf(undefined, { n: 1 }), indexOf(undefined, { n: 2 })]));
    await fixture.reopen();
    index = fixture.engine.index("x") as Index;
    const after = good(await index.write([indexOf(undefined, { n: 3 })]));
    const ids = [...before, ...after].map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    expect(text(index.get(ids[2])?.source)).toBe('{"n":3}');
  });

  it("keeps the source byte for byte", async () => {
    const index = await create();
    const source = '{ "n" : 1.0e0 , "x":"\\u00e9" }';
    good(await index.write([{ kind: "index", id: "a", source: Buffer.from(source) }]));
    expect(text(index.get("a")?.source)).toBe(source);
    await index.refresh();
    expect(text(index.get("a")?.source)).toBe(source);
  });

  it("fails a bad document alone, without a sequence number", async () => {
    const index = await create();
    const [first, bad, last] = await index.write([indexOf("a", { n: 1 }), indexOf("b", { n: "x" }), indexOf("c", {})]);
    expect([first, last]).toMatchObject([{ seqNo: 0 }, { seqNo: 1 }]);
    expect(bad).toMatchObject({ ok: false, id: "b", error: { code: "document_malformed" } });
    expect(index.stats().counters).toMatchObject({ indexed: 2, indexFailed: 1 });
  });

  it("lets an operation see those before it in the same batch", async () => {
    const index = await create();
    const outcomes = good(
      await index.write([
        indexOf("a", { n: 1 }),
        updateOf("a", { doc: { m: 2 } }),
        updateOf("a", { doc: { m: 2 } }),
        { kind: "delete", id: "a" },
        updateOf("a", { doc: { z: 1 }, docAsUpsert: true }),
      ]),
    );
    expect(outcomes.map(({ result, version }) => [result, version])).toEqual([
      ["created", 1],
      ["updated", 2],
      ["noop", 2],
      ["deleted", 3],
      ["created", 4],
    ]);
    expect(text(outcomes[1].source)).toBe('{"n":1,"m":2}');
    expect(text(index.get("a")?.source)).toBe('{"z":1}');
  });

  it("upserts, and says what is missing", async () => {
    const index = await create();
    const [missing, upserted] = await index.write([
      updateOf("a", { doc: { n: 1 } }),
      updateOf("a", { doc: { n: 1 }, upsert: { n: 7 } }),
    ]);
    expect(missing).toMatchObject({ error: { code: "document_missing", message: "[a]: document missing" } });
    expect(upserted).toMatchObject({ ok: true, result: "created" });
    expect(text(index.get("a")?.source)).toBe('{"n":7}');
  });

  it("keeps external versions, past a delete too", async () => {
    const index = await create();
    const external = (value: number) => ({ version: { value, type: "external" as const } });
    good(await index.write([{ ...indexOf("a", { n: 1 }), ...external(10) }]));
    good(await index.write([{ kind: "delete", id: "a", ...external(20) }]));
    const [late] = await index.write([{ ...indexOf("a", { n: 2 }), ...external(15) }]);
    expect(late).toMatchObject({ ok: false, error: { code: "version_conflict" } });
    await index.refresh();
    expect((await index.write([{ ...indexOf("a", { n: 2 }), ...external(20) }]))[0].ok).toBe(false);
    expect(good(await index.write([{ ...indexOf("a", { n: 2 }), ...external(21) }]))[0].version).toBe(21);
  });

  it("requires routing where the mapping does, and keeps it", async () => {
    const index = await create({ ...MAPPING, routingRequired: true });
    const [without, withIt] = await index.write([indexOf("a", {}), { ...indexOf("b", {}), routing: "r1" }]);
    expect(without).toMatchObject({ error: { code: "routing_missing", message: "routing is required for [x]/[a]" } });
    expect(withIt).toMatchObject({ ok: true, routing: "r1" });
    await fixture.reopen();
    expect(fixture.engine.index("x")?.get("b")?.routing).toBe("r1");
  });

  it("refuses ids of more than 512 bytes", async () => {
    const index = await create();
    const [outcome] = await index.write([indexOf("é".repeat(257), {})]);
    expect(outcome).toMatchObject({ error: { code: "invalid_value" } });
  });

  it("shares one sync among the requests that wait", async () => {
    const index = await create();
    good(await index.write([indexOf("0", {})]));
    const before = faults.syncs;
    await Promise.all(Array.from({ length: 40 }, (_, i) => index.write([indexOf(`${i}`, { n: i })])));
    expect(faults.syncs - before).toBeLessThanOrEqual(3);
    await index.refresh();
    expect(shown().length).toBe(40);
  });

  it("acknowledges without a sync when durability is async", async () => {
    const index = await create(MAPPING, { durability: "async" });
    const before = faults.syncs;
    good(await index.write([indexOf("a", {})]));
    expect(faults.syncs).toBe(before);
    await index.updateSettings({ durability: "request" });
    const after = faults.syncs;
    good(await index.write([indexOf("b", {})]));
    expect(faults.syncs).toBe(after + 1);
  });

  it("refuses what is too much to wait, and takes it afterwards", async () => {
    const index = await create({ dynamic: "false", properties: {} });
    const large = (id: string) => indexOf(id, { t: "x".repeat(9_000_000) });
    const results = await Promise.allSettled([index.write([large("a")]), index.write([large("b")])]);
    expect(results[0].status).toBe("fulfilled");
    expect(results[1]).toMatchObject({ reason: { code: "overloaded" } });
    good(await index.write([large("b")]));
  });
});

describe("refreshing", () => {
  it("shows nothing before it, everything after", async () => {
    const index = await create();
    good(await index.write([indexOf("a", {}), indexOf("b", {})]));
    expect([shown(), index.get("a", { realtime: false })]).toEqual([[], undefined]);
    await index.refresh();
    good(await index.write([{ kind: "delete", id: "a" }, indexOf("b", { n: 2 })]));
    expect(index.get("a")).toBeUndefined();
    expect(index.get("a", { realtime: false })?.version).toBe(1);
    expect(shown()).toEqual(["a", "b"]);
    await index.refresh();
    expect(shown()).toEqual(["b"]);
  });

  it("happens by itself after the interval, once for many writes, and not without a change", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const index = await create(MAPPING, { refreshIntervalMs: 1000 });
    good(await index.write([indexOf("a", {})]));
    const waiting = index.nextRefresh();
    good(await index.write([indexOf("b", {})]));
    await vi.advanceTimersByTimeAsync(1000);
    await waiting;
    expect(shown()).toEqual(["a", "b"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(index.stats().counters.refreshes).toBe(1);
    await index.nextRefresh();
  });

  it("with another interval, from the change on", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const index = await create();
    good(await index.write([indexOf("a", {})]));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shown()).toEqual([]);
    await index.updateSettings({ refreshIntervalMs: 500 });
    await vi.advanceTimersByTimeAsync(500);
    expect(shown()).toEqual(["a"]);
  });

  it("does nothing when nothing was written", async () => {
    const index = await create();
    await index.refresh();
    expect(index.stats().counters.refreshes).toBe(0);
  });

  it("a write buffer that is full becomes a segment, which is shown at the refresh only", async () => {
    await fixture.reopen({ memtableBytes: 100_000 });
    const index = await create();
    for (let i = 0; i < 20; i++) {
      good(
        await index.write(Array.from({ length: 100 }, (_, d) => indexOf(`${i}-${d}`, { t: `word${i} word${d * i}` }))),
      );
    }
    expect([shown().length, index.get("3-3")?.version]).toEqual([0, 1]);
    await index.refresh();
    expect(shown().length).toBe(2000);
    expect(index.stats().segments.length).toBeGreaterThan(1);
  });
});

describe("mappings", () => {
  it("grow with documents, durable before them", async () => {
    const index = await create();
    good(await index.write([indexOf("a", { fresh: { name: "x" } })]));
    expect([...index.fields().keys()]).toEqual(["fresh", "fresh.name", "fresh.name.keyword", "n", "t"]);
    await fixture.reopen();
    const again = fixture.engine.index("x") as Index;
    expect([...again.fields().keys()]).toEqual([...index.fields().keys()]);
  });

  it("refuse what contradicts them", async () => {
    const index = await create();
    await expect(index.updateMapping({ properties: { n: { type: "text" } } })).rejects.toMatchObject({
      code: "mapping_conflict",
    });
    await index.updateMapping({ properties: { k: { type: "keyword" } } });
    expect(index.definition.mapping.properties.k).toEqual({ type: "keyword" });
  });

  it("a replay uses the mapping that a document was written with", async () => {
    const index = await create({ dynamic: "false", properties: {} });
    good(await index.write([indexOf("old", { k: "v" })]));
    await index.updateMapping({ properties: { k: { type: "keyword" } } });
    good(await index.write([indexOf("new", { k: "v" })]));
    await index.refresh();
    const term = { kind: "term", field: "k", value: "v", caseInsensitive: false, boost: 1 } as const;
    expect(await fixture.engine.count([{ index: "x" }], term)).toBe(1);
    const copy = `${fixture.folder}-copy`;
    fs.cpSync(fixture.folder, copy, { recursive: true });
    fs.rmSync(path.join(copy, "node.lock"));
    const { openEngine } = await import("../engine.js");
    const replayed = await openEngine(copy, { arenaBytes: 64 * 2 ** 20 });
    expect(await replayed.count([{ index: "x" }], term)).toBe(1);
    await replayed.close();
    fs.rmSync(copy, { recursive: true });
  });
});

describe("keeping tidy", () => {
  const files = (index: Index) => fs.readdirSync(path.join(fixture.folder, "indices", index.definition.uuid));

  it("a flush makes segments durable and leaves no log", async () => {
    const index = await create();
    good(await index.write([indexOf("a", {}), indexOf("b", {})]));
    expect(index.stats().log.operations).toBe(2);
    await index.flush();
    expect(index.stats().log).toEqual({
      operations: 0,
      sizeBytes: 0,
      uncommittedOperations: 0,
      uncommittedBytes: 0,
      oldestWriteMs: undefined,
    });
    await index.refresh();
    expect(index.stats().segments).toMatchObject([{ docCount: 2, deletedCount: 0, committed: true }]);
  });

  it("a replay ends in a flush: who starts again after another kill has nothing to replay", async () => {
    good(await (await create()).write([indexOf("a", {}), indexOf("b", {})]));
    const killed = copyAsStopped(fixture.folder);
    const options = { arenaBytes: 64 * 2 ** 20, workers: 0 };
    const { openEngine } = await import("../engine.js");
    const engine = await openEngine(killed, options);
    await vi.waitFor(() => expect(engine.index("x")?.stats().log.operations).toBe(0), { timeout: 60_000 });
    const killedAgain = copyAsStopped(killed);
    await engine.close();
    const again = await openEngine(killedAgain, options);
    expect(again.index("x")?.stats()).toMatchObject({ docs: { count: 2 }, log: { operations: 0 } });
    await again.close();
    for (const folder of [killed, killedAgain]) fs.rmSync(folder, { recursive: true });
  });

  it("old live docs and merged segments leave no files behind", async () => {
    const index = await create();
    for (let i = 0; i < 4; i++) {
      good(await index.write([indexOf(`${i}`, {}), indexOf(`k${i}`, {}), { kind: "delete", id: `${i - 1}` }]));
      await index.flush();
      await index.refresh();
    }
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    expect(files(index).filter((name) => !name.startsWith("log")).length).toBe(2);
    expect(shown()).toEqual(["k0", "k1", "k2", "3", "k3"]);
  });

  it("many small segments are merged in the background", async () => {
    const index = await create();
    for (let i = 0; i < 30; i++) {
      good(await index.write([indexOf(`${i}`, { n: i })]));
      await index.refresh();
    }
    await index.forceMerge({ maxSegments: 20, onlyDeletes: false });
    const { segments, counters } = index.stats();
    expect(segments.length).toBeLessThanOrEqual(20);
    expect(counters.merges).toBeGreaterThan(0);
    expect(shown().length).toBe(30);
  });

  it("expunging deletes touches only segments that have them", async () => {
    const index = await create();
    good(await index.write([indexOf("a", {}), indexOf("b", {})]));
    await index.refresh();
    good(await index.write([indexOf("c", {})]));
    await index.refresh();
    good(await index.write([{ kind: "delete", id: "a" }]));
    await index.forceMerge({ maxSegments: 1, onlyDeletes: true });
    const { segments, docs } = index.stats();
    expect([segments.length, docs]).toEqual([2, { count: 2, deleted: 0 }]);
  });
});
