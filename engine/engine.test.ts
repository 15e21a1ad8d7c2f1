import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEngine } from "./engine.js";
import {
  definitionOf,
  type EngineFixture,
  engineFixture,
  good,
  indexOf,
  shownDocuments,
} from "./testing/engine-fixture.js";

const MAPPING = { properties: { n: { type: "long" }, t: { type: "text" } } } as const;

let fixture: EngineFixture;

beforeEach(async () => {
  fixture = await engineFixture();
});
afterEach(() => fixture.remove());

const indexFolders = () => fs.readdirSync(path.join(fixture.folder, "indices"));

describe("the engine", () => {
  it("keeps indices, documents and the metadata of others over a restart", async () => {
    const index = await fixture.engine.createIndex("a", definitionOf(MAPPING, { settings: { x: "1" } }));
    good(await index.write([indexOf("1", { n: 1 }), indexOf("2", { n: 2 })]));
    await fixture.engine.metadata.put({ alias: { index: "a" } });
    const { definition } = index;
    const engine = await fixture.reopen();
    expect(engine.indexNames()).toEqual(["a"]);
    expect(engine.index("a")?.definition).toEqual(definition);
    expect(engine.metadata.keys("")).toEqual(["alias"]);
    expect(shownDocuments(engine, "a").map(({ id, source }) => [id, source])).toEqual([
      ["1", { n: 1 }],
      ["2", { n: 2 }],
    ]);
  });

  it("makes one index when several ask for the same name at once; the others learn its uuid", async () => {
    const asked = Array.from({ length: 4 }, () => fixture.engine.createIndex("same", definitionOf(MAPPING)));
    const results = await Promise.allSettled(asked);
    const made = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(made).toHaveLength(1);
    const { uuid } = made[0].definition;
    for (const result of results) {
      if (result.status === "rejected")
        expect(result.reason).toMatchObject({ code: "index_exists", details: { uuid } });
    }
    expect(fixture.engine.index("same")).toBe(made[0]);
  });

  it("makes an index again while its namesake is being deleted", async () => {
    await fixture.engine.createIndex("again", definitionOf(MAPPING));
    const [, made] = await Promise.all([
      fixture.engine.deleteIndex("again"),
      fixture.engine.createIndex("again", definitionOf(MAPPING)),
    ]);
    expect(fixture.engine.index("again")).toBe(made);
  });

  it("refuses an index that exists, and names it", async () => {
    await fixture.engine.createIndex("a", definitionOf(MAPPING));
    await expect(fixture.engine.createIndex("a", definitionOf(MAPPING))).rejects.toMatchObject({
      code: "index_exists",
      message: expect.stringMatching(/^index \[a\/.+\] already exists$/),
    });
  });

  it("keeps nothing of an index whose definition is refused", async () => {
    const bad = definitionOf({ properties: { v: { type: "dense_vector", dims: 0 } } });
    await expect(fixture.engine.createIndex("a", bad)).rejects.toMatchObject({ code: "mapping_invalid" });
    expect(fixture.engine.indexNames()).toEqual([]);
    expect((await fixture.reopen()).indexNames()).toEqual([]);
  });

  it("removes a deleted index's folder, and what a crash left of one", async () => {
    const index = await fixture.engine.createIndex("a", definitionOf(MAPPING));
    good(await index.write([indexOf("1", { n: 1 })]));
    await fixture.engine.deleteIndex("a");
    expect(indexFolders()).toEqual([]);
    expect(fixture.engine.index("a")).toBeUndefined();
    await expect(fixture.engine.deleteIndex("a")).rejects.toMatchObject({ code: "index_not_found" });
    await expect(index.write([indexOf("1", { n: 1 })])).rejects.toMatchObject({ code: "closed" });
    fs.mkdirSync(path.join(fixture.folder, "indices/left-over"), { recursive: true });
    await fixture.reopen();
    expect(indexFolders()).toEqual([]);
  });

  it("lets nobody else open its folder", async () => {
    await expect(openEngine(fixture.folder)).rejects.toMatchObject({ code: "data_folder_locked" });
  });

  it("opens the other indices when one is damaged, and says what is wrong when it is used", async () => {
    const index = await fixture.engine.createIndex("bad", definitionOf(MAPPING));
    const other = await fixture.engine.createIndex("good", definitionOf(MAPPING));
    good(await index.write([indexOf("1", { n: 1 })]));
    good(await other.write([indexOf("1", { n: 1 })]));
    const { uuid } = index.definition;
    await fixture.engine.close();
    fs.writeFileSync(path.join(fixture.folder, "indices", uuid, "commit"), "rubbish");
    const engine = await fixture.reopen();
    expect(fixture.warnings.join()).toContain("[bad] could not be opened");
    expect(engine.indexNames()).toEqual(["bad", "good"]);
    expect(engine.damage("bad")).toMatchObject({ file: expect.stringMatching(/commit$/), offset: 7 });
    expect(() => engine.index("bad")?.get("1")).toThrow(expect.objectContaining({ code: "index_damaged" }));
    expect(shownDocuments(engine, "good")).toHaveLength(1);
    await engine.deleteIndex("bad");
    expect(engine.indexNames()).toEqual(["good"]);
  });

  it("holds pinned readers still while the index moves on, and lets their files go afterwards", async () => {
    const index = await fixture.engine.createIndex("a", definitionOf(MAPPING));
    for (let i = 0; i < 3; i++) {
      good(await index.write([indexOf(`${i}`, { n: i })]));
      await index.refresh();
    }
    const pin = fixture.engine.pin([{ index: "a" }]);
    good(await index.write([{ kind: "delete", id: "0" }, indexOf("9", { n: 9 })]));
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    const all = { kind: "match_all", boost: 1 } as const;
    expect(await fixture.engine.count(pin, all)).toBe(3);
    expect(await fixture.engine.count([{ index: "a" }], all)).toBe(3);
    const segmentFiles = () =>
      fs
        .readdirSync(path.join(fixture.folder, "indices", index.definition.uuid))
        .filter((name) => name.endsWith(".seg"));
    expect(segmentFiles().length).toBe(4);
    pin.release();
    expect(segmentFiles().length).toBe(1);
    await expect(fixture.engine.count(pin, all)).rejects.toMatchObject({ code: "closed" });
  });

  it("searches an index that is not there: index_not_found", async () => {
    expect(() => fixture.engine.pin([{ index: "nope" }])).toThrow(
      expect.objectContaining({ code: "index_not_found", message: "no such index [nope]" }),
    );
  });

  it("says what memory it uses", async () => {
    const index = await fixture.engine.createIndex("a", definitionOf(MAPPING));
    expect(fixture.engine.memory().memtableBytes).toBe(0);
    good(await index.write([indexOf("1", { t: "some words" })]));
    const memory = fixture.engine.memory();
    expect(memory.memtableBytes).toBeGreaterThan(1000);
    expect(memory.arenaUsed).toBeLessThan(memory.arenaBytes);
  });
});
