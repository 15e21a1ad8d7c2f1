/** Closing an index, opening it again, and making one out of another's documents. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EngineFace, Index } from "./engine-types.js";
import type { Query } from "./query/query.js";
import {
  definitionOf,
  type EngineFixture,
  engineFixture,
  good,
  indexOf,
  NO_ANALYSIS,
  shownDocuments,
} from "./testing/engine-fixture.js";
import { match, request } from "./testing/model/ask.js";

const MAPPING = { properties: { n: { type: "long" }, t: { type: "text" } } } as const;
const ALL = { kind: "match_all", boost: 1 } as const;
const CLOSED = { code: "index_closed", message: "closed", details: { index: "a", uuid: expect.any(String) } };

let fixture: EngineFixture;
let engine: EngineFace;

beforeEach(async () => {
  fixture = await engineFixture();
  engine = fixture.engine;
  const index = await engine.createIndex("a", definitionOf(MAPPING));
  for (let n = 0; n < 3; n++) good(await index.write([indexOf(`${n}`, { n, t: `word${n}` })]));
  await index.refresh();
  good(await index.write([indexOf("unrefreshed", { n: 3, t: "late" }), { kind: "delete", id: "0" }]));
});
afterEach(() => fixture.remove());

const found = (name: string): Index => engine.index(name) as Index;
const idsOf = (name: string): string[] => shownDocuments(engine, name).map(({ id }) => id);

describe("a closed index", () => {
  it("refuses what needs its documents, and shows what it is", async () => {
    const { uuid } = found("a").definition;
    await engine.closeIndex("a");
    const index = found("a");
    expect(index.definition).toMatchObject({ uuid, closed: true });
    await expect(index.write([indexOf("x", {})])).rejects.toMatchObject(CLOSED);
    expect(() => index.get("1")).toThrow(expect.objectContaining(CLOSED));
    expect(() => index.analyze({ text: ["x"] })).toThrow(expect.objectContaining(CLOSED));
    await expect(engine.count([{ index: "a" }], ALL)).rejects.toMatchObject(CLOSED);
    expect(() => engine.pin([{ index: "a" }])).toThrow(expect.objectContaining(CLOSED));
    expect([...index.fields().keys()]).toEqual(["n", "t"]);
    expect(index.damage).toBeUndefined();
  });

  it("says how large it is, and that nothing of it is in memory or in the log", async () => {
    await engine.closeIndex("a");
    expect(found("a").stats()).toMatchObject({
      docs: { count: 3, deleted: expect.any(Number) },
      storeBytes: expect.any(Number),
      segments: [],
      log: { operations: 0, uncommittedOperations: 0 },
    });
    expect(found("a").stats().unloadedSegments).toBeGreaterThan(0);
    expect(found("a").stats().storeBytes).toBeGreaterThan(0);
  });

  it("opens with everything that was written, refreshed or not", async () => {
    await engine.closeIndex("a");
    await engine.openIndex("a");
    expect(idsOf("a")).toEqual(["1", "2", "unrefreshed"]);
    expect(found("a").get("0")).toBeUndefined();
    good(await found("a").write([indexOf("more", { n: 9 })]));
    await found("a").refresh();
    expect(await engine.count([{ index: "a" }], ALL)).toBe(4);
    expect(found("a").stats().opening).toMatchObject({ source: "existing", replayed: 0 });
  });

  it("is closed after a restart, and open after another", async () => {
    await engine.closeIndex("a");
    engine = await fixture.reopen();
    expect(found("a").definition.closed).toBe(true);
    await engine.openIndex("a");
    engine = await fixture.reopen();
    expect(idsOf("a")).toEqual(["1", "2", "unrefreshed"]);
  });

  it("gets fields, settings and analysis that count once it is open", async () => {
    await engine.closeIndex("a");
    await found("a").updateMapping({ properties: { k: { type: "keyword" } } });
    const shout = { ...NO_ANALYSIS, analyzer: { shout: { tokenizer: "keyword", filter: ["uppercase"] } } };
    await found("a").updateSettings({ settings: { note: "x" }, analysis: shout });
    await engine.openIndex("a");
    expect(found("a").definition).toMatchObject({ settings: { note: "x" } });
    expect(found("a").analyze({ text: ["loud"], analyzer: "shout" })).toMatchObject([{ token: "LOUD" }]);
    expect(found("a").fields().get("k")).toMatchObject({ type: "keyword" });
  });

  it("refuses analysis that can't be made", async () => {
    await engine.closeIndex("a");
    const wrong = { ...NO_ANALYSIS, analyzer: { x: { tokenizer: "no such" } } };
    expect(() => found("a").updateSettings({ analysis: wrong })).toThrow("no such");
  });

  it("can be deleted, and made again", async () => {
    await engine.closeIndex("a");
    await engine.deleteIndex("a");
    await engine.createIndex("a", definitionOf(MAPPING));
    expect(await engine.count([{ index: "a" }], ALL)).toBe(0);
  });

  it("stays closed or open when it is already", async () => {
    await engine.openIndex("a");
    expect(found("a").definition.closed).not.toBe(true);
    await engine.closeIndex("a");
    await engine.closeIndex("a");
    expect(found("a").definition.closed).toBe(true);
    await expect(engine.closeIndex("none")).rejects.toMatchObject({ code: "index_not_found" });
    await expect(engine.openIndex("none")).rejects.toMatchObject({ code: "index_not_found" });
  });
});

describe("closing", () => {
  it("answers who waits for a refresh", async () => {
    const waiting = found("a").nextRefresh();
    await engine.closeIndex("a");
    await expect(waiting).resolves.toBeUndefined();
  });

  it("leaves pinned readers usable, while the index is closed and after it was opened again", async () => {
    await found("a").refresh();
    const pinned = engine.pin([{ index: "a" }]);
    await engine.closeIndex("a");
    expect(await engine.count(pinned, ALL)).toBe(3);
    await engine.openIndex("a");
    await found("a").forceMerge({ maxSegments: 1, onlyDeletes: false });
    expect(await engine.count(pinned, ALL)).toBe(3);
    pinned.release();
    expect(idsOf("a")).toEqual(["1", "2", "unrefreshed"]);
    engine = await fixture.reopen();
    expect(idsOf("a")).toEqual(["1", "2", "unrefreshed"]);
  });

  it("refuses what comes while it is closed by the same name", async () => {
    const index = found("a");
    const closing = engine.closeIndex("a");
    await closing;
    await expect(index.write([indexOf("late", {})])).rejects.toMatchObject(CLOSED);
  });
});

describe("a copy of an index", () => {
  it("has all documents, versions and deletes of the source, and a life of its own", async () => {
    const copy = await engine.copyIndex("a", "b", { settings: { number_of_shards: "2" } });
    expect(copy.definition.uuid).not.toBe(found("a").definition.uuid);
    expect(copy.definition.settings).toEqual({ number_of_shards: "2" });
    expect(shownDocuments(engine, "b").map(({ id, seqNo, source }) => [id, seqNo, source])).toEqual([
      ["1", 1, { n: 1, t: "word1" }],
      ["2", 2, { n: 2, t: "word2" }],
      ["unrefreshed", 3, { n: 3, t: "late" }],
    ]);
    expect(copy.stats().opening).toMatchObject({ source: "copy" });
    good(await copy.write([{ kind: "delete", id: "1" }, indexOf("own", { n: 5 })]));
    await copy.refresh();
    await engine.deleteIndex("a");
    engine = await fixture.reopen();
    expect(idsOf("b")).toEqual(["2", "unrefreshed", "own"]);
  });

  it("is refused for a name that is taken, and of an index that is not open", async () => {
    await expect(engine.copyIndex("a", "a", {})).rejects.toMatchObject({ code: "index_exists" });
    await expect(engine.copyIndex("none", "b", {})).rejects.toMatchObject({ code: "index_not_found" });
    await engine.closeIndex("a");
    await expect(engine.copyIndex("a", "b", {})).rejects.toMatchObject(CLOSED);
    expect(engine.indexNames()).toEqual(["a"]);
  });

  it("finds by text and by number what the source does", async () => {
    await engine.copyIndex("a", "b", {});
    const late = { ...match("late"), field: "t" } as Query;
    const { hits } = await engine.search([{ index: "b" }], request(late, { size: 10 }));
    expect(hits.map(({ id }) => id)).toEqual(["unrefreshed"]);
  });
});
