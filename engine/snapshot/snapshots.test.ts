/** Contract: a snapshot is the index as it was at one moment, and comes back as that. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { definitionOf, indexOf, shownDocuments } from "../testing/engine-fixture.js";
import {
  type BackupFixture,
  backupFixture,
  filesBelow,
  MAPPING,
  repositoryAt,
  requestOf,
  settingsOf,
} from "./testing.js";

let backup: BackupFixture;

beforeEach(async () => {
  backup = await backupFixture();
});
afterEach(() => backup.remove());

const shown = (name: string) => shownDocuments(backup.engine, name);

describe("a restored index", () => {
  it("has the documents, versions and sequence numbers of the snapshot's moment, and none that came later", async () => {
    await backup.write(20);
    await backup.index().write([{ kind: "delete", id: "d3" }, indexOf("d4", { n: 400 })]);
    await backup.snapshot("s1");
    await backup.index().write([{ kind: "delete", id: "d5" }, indexOf("new", { n: 1 })]);
    await backup.index().refresh();
    const now = shown("x");
    await backup.restore("s1", ["x"], "old-");
    const before = shown("old-x");
    expect(before).toHaveLength(19);
    expect(before.find(({ id }) => id === "d4")).toMatchObject({ seqNo: 21, version: 2, source: { n: 400 } });
    expect(before.filter(({ id }) => id === "d3" || id === "new")).toEqual([]);
    expect(shown("x")).toEqual(now);
  });

  it("is found by searches, written to, flushed, merged and opened again like any other", async () => {
    await backup.write(10);
    await backup.snapshot("s1");
    await backup.restore("s1", ["x"], "r-");
    const [outcome] = await backup.index("r-x").write([indexOf("d1", { n: 7, text: "again" })]);
    expect(outcome).toMatchObject({ ok: true, result: "updated", version: 2, seqNo: 10 });
    await backup.index("r-x").forceMerge({ maxSegments: 1, onlyDeletes: false });
    await backup.reopen();
    const again = { kind: "term", field: "text", value: "again", boost: 1, caseInsensitive: false } as const;
    expect(await backup.engine.count([{ index: "r-x" }], again)).toBe(1);
    expect(shown("r-x")).toHaveLength(10);
  });

  it("keeps mapping, settings and what was given with it, and has an identity of its own", async () => {
    await backup.index().updateMapping({ properties: { later: { type: "keyword" } } });
    await backup.index().updateSettings({ settings: { colour: "blue" } });
    await backup.write(3);
    await backup.snapshot("s1");
    const { contents } = await backup.engine.snapshots.details("r", "s1");
    expect(contents[0]).toMatchObject({ name: "x", attachment: { of: "x" }, failure: null, stage: "done" });
    await backup.restore("s1", ["x"], "r-");
    const [before, after] = [backup.index().definition, backup.index("r-x").definition];
    expect(after.uuid).not.toBe(before.uuid);
    expect({ ...after, uuid: "" }).toEqual({ ...before, uuid: "" });
  });

  it("may have other settings, and records of the node that come with it", async () => {
    await backup.write(1);
    await backup.snapshot("s1");
    const settings = { ...settingsOf(backup.index().definition), refreshIntervalMs: 7, settings: { a: "b" } };
    const indices = [{ source: "x", target: "y", settings }];
    const records = () => ({ "alias/z": { y: {} } });
    await (await backup.engine.snapshots.restore("r", "s1", { indices, partial: false, records })).done;
    await backup.reopen();
    expect(backup.index("y").definition).toMatchObject({ refreshIntervalMs: 7, settings: { a: "b" } });
    expect(backup.engine.metadata.get("alias/z")).toEqual({ y: {} });
  });

  it("may be an index that was never written to", async () => {
    await backup.snapshot("s1");
    await backup.restore("s1", ["x"], "r-");
    await backup.write(1, "d", "r-x");
    await backup.index("r-x").refresh();
    expect(shown("r-x")).toHaveLength(1);
  });

  it("takes no name that is there, and its own name once the index is gone", async () => {
    await backup.write(2);
    await backup.snapshot("s1");
    await expect(backup.restore("s1", ["x"], "")).rejects.toMatchObject({ code: "index_exists" });
    await backup.engine.deleteIndex("x");
    await backup.restore("s1", ["x"], "");
    expect(shown("x")).toHaveLength(2);
  });

  it("keeps its name to itself while it comes", async () => {
    await backup.write(2);
    await backup.snapshot("s1");
    const coming = backup.restore("s1", ["x"], "r-");
    await expect(coming.then(() => backup.engine.createIndex("r-x", definitionOf(MAPPING)))).rejects.toMatchObject({
      code: "index_exists",
    });
    const indices = [{ source: "x", target: "z", settings: settingsOf(backup.index().definition) }];
    const running = await backup.engine.snapshots.restore("r", "s1", { indices, partial: false, records: () => ({}) });
    await expect(backup.engine.createIndex("z", definitionOf(MAPPING))).rejects.toMatchObject({ code: "overloaded" });
    await running.done;
  });
});

describe("a snapshot", () => {
  it("copies only what the repository lacks", async () => {
    await backup.write(500);
    const first = await backup.snapshot("s1");
    const again = await backup.snapshot("s2");
    expect(first.contents[0].incremental).toEqual(first.contents[0].total);
    expect(first.contents[0].total.bytes).toBeGreaterThan(1000);
    expect(again.contents[0]).toMatchObject({ incremental: { files: 0, bytes: 0 }, total: first.contents[0].total });
    await backup.write(5, "more");
    const third = await backup.snapshot("s3");
    expect(third.contents[0].incremental.bytes).toBeLessThan(first.contents[0].total.bytes);
    // The new segment and the commit.
    expect(third.contents[0].incremental.files).toBe(2);
    await backup.restore("s3", ["x"], "r-");
    expect(shown("r-x")).toHaveLength(505);
  });

  it("copies the live documents alone after a delete", async () => {
    await backup.write(500);
    await backup.snapshot("s1");
    await backup.index().write([{ kind: "delete", id: "d1" }]);
    const { contents } = await backup.snapshot("s2");
    expect(contents[0].incremental.files).toBe(2);
    expect(contents[0].incremental.bytes).toBeLessThan(500);
  });

  it("is listed with its times and indices, also by a node that opens the repository later", async () => {
    await backup.engine.createIndex("b", definitionOf(MAPPING));
    await backup.snapshot("s1", ["b", "x"], { note: { by: "me" } });
    await backup.reopen();
    const [summary] = await backup.engine.snapshots.list("r");
    expect(summary).toMatchObject({ name: "s1", repository: "r", state: "success", indices: ["b", "x"] });
    expect(await backup.engine.snapshots.details("r", "s1")).toMatchObject({ ...summary, note: { by: "me" } });
  });

  it("takes along the node's records by their prefixes", async () => {
    await backup.engine.metadata.put({ "template/a": { n: 1 }, "template/b": { n: 2 }, "secret/c": 3 });
    await backup.snapshot("s1", [], { globalState: ["template/"] });
    await backup.snapshot("s2", []);
    const stateOf = async (name: string) => (await backup.engine.snapshots.details("r", name)).globalState;
    expect(await stateOf("s1")).toEqual({ "template/a": { n: 1 }, "template/b": { n: 2 } });
    expect(await stateOf("s2")).toBeNull();
  });

  it("has a name of its own, also among those being made", async () => {
    const { snapshots } = backup.engine;
    const [first, second] = await Promise.allSettled([
      snapshots.create("r", requestOf("s1", ["x"])),
      snapshots.create("r", requestOf("s1", ["x"])),
    ]);
    expect([first.status, second]).toMatchObject(["fulfilled", { reason: { code: "snapshot_name_taken" } }]);
    if (first.status === "fulfilled") await first.value.done;
    await expect(backup.snapshot("s1")).rejects.toMatchObject({ code: "snapshot_name_taken" });
  });

  it("leaves the index free to be merged and flushed while it is copied, and lets go of its files in the end", async () => {
    await backup.write(50);
    await backup.index().refresh();
    await backup.write(50, "e");
    const running = await backup.engine.snapshots.create("r", requestOf("s1", ["x"]));
    await backup.index().forceMerge({ maxSegments: 1, onlyDeletes: false });
    await running.done;
    const folder = path.join(backup.folder, "indices", backup.index().definition.uuid);
    expect(filesBelow(folder).filter((name) => name.endsWith(".seg"))).toHaveLength(1);
    await backup.restore("s1", ["x"], "r-");
    expect(shown("r-x")).toHaveLength(100);
  });

  it("keeps its index from being deleted until it is made, unless it may be partial", async () => {
    await backup.write(5);
    const running = await backup.engine.snapshots.create("r", requestOf("s1", ["x"]));
    await expect(backup.engine.deleteIndex("x")).rejects.toMatchObject({ code: "snapshot_in_progress" });
    await running.done;
    await backup.engine.deleteIndex("x");
  });

  it("that may be partial lacks an index that was deleted while it was copied, and says so", async () => {
    await backup.engine.createIndex("good", definitionOf(MAPPING));
    await backup.write(5, "g", "good");
    await backup.write(2000);
    await backup.engine.snapshots.putRepository("slow", repositoryAt("r", { snapshotBytesPerSecond: 5000 }), {}, true);
    const running = await backup.engine.snapshots.create("slow", requestOf("s1", ["good", "x"], { partial: true }));
    await backup.engine.deleteIndex("x");
    const { state, contents } = await running.done;
    expect(state).toBe("partial");
    expect(contents.map(({ name, failure }) => [name, failure === null])).toEqual([
      ["good", true],
      ["x", false],
    ]);
    await backup.restore("s1", ["good"], "r-");
    expect(shown("r-good")).toHaveLength(5);
  });

  it("stops when the engine closes, and leaves nothing of it in the repository", async () => {
    await backup.write(50);
    await backup.engine.snapshots.putRepository("slow", repositoryAt("r", { snapshotBytesPerSecond: 1 }), {}, true);
    const running = await backup.engine.snapshots.create("slow", requestOf("s1", ["x"]));
    await backup.reopen();
    await expect(running.done).rejects.toMatchObject({ code: "snapshot_failed" });
    expect(await backup.engine.snapshots.list("r")).toEqual([]);
    expect(filesBelow(backup.root)).toEqual(["index"]);
  });

  it("keeps large files in pieces where the repository asks for it", async () => {
    await backup.write(300);
    await backup.engine.snapshots.putRepository("r", repositoryAt("r", { chunkBytes: 1000 }), {}, true);
    await backup.snapshot("s1");
    const sizes = filesBelow(path.join(backup.root, "indices")).map(
      (name) => fs.statSync(path.join(backup.root, "indices", name)).size,
    );
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBe(1000);
    expect((await backup.snapshot("s2")).contents[0].incremental.files).toBe(0);
    await backup.restore("s1", ["x"], "r-");
    expect(shown("r-x")).toHaveLength(300);
  });
});

describe("removing a snapshot", () => {
  it("removes what only it needed", async () => {
    await backup.write(100);
    await backup.snapshot("s1");
    await backup.write(100, "e");
    await backup.snapshot("s2");
    const all = filesBelow(path.join(backup.root, "indices"));
    await backup.engine.snapshots.remove("r", ["s2"]);
    expect(filesBelow(path.join(backup.root, "indices")).length).toBe(all.length - 1);
    await backup.snapshot("s3");
    await backup.engine.snapshots.remove("r", ["s1"]);
    await backup.restore("s3", ["x"], "r-");
    expect(shown("r-x")).toHaveLength(200);
    await backup.engine.snapshots.remove("r", ["s3"]);
    expect(filesBelow(backup.root)).toEqual(["index"]);
  });

  it("stops it while it is made", async () => {
    await backup.write(50);
    await backup.engine.snapshots.putRepository("slow", repositoryAt("r", { snapshotBytesPerSecond: 1 }), {}, true);
    const running = await backup.engine.snapshots.create("slow", requestOf("s1", ["x"]));
    expect(backup.engine.snapshots.running()).toMatchObject([{ name: "s1", state: "in_progress" }]);
    await backup.engine.snapshots.remove("slow", ["s1"]);
    await expect(running.done).rejects.toThrow("Snapshot was aborted by deletion");
    expect(backup.engine.snapshots.running()).toEqual([]);
    expect(filesBelow(backup.root)).toEqual(["index"]);
    await backup.snapshot("s1");
  });

  it("is refused while an index comes back from it", async () => {
    await backup.write(50);
    await backup.snapshot("s1");
    await backup.engine.snapshots.putRepository("slow", repositoryAt("r", { restoreBytesPerSecond: 20_000 }), {}, true);
    const indices = [{ source: "x", target: "y", settings: settingsOf(backup.index().definition) }];
    const running = await backup.engine.snapshots.restore("slow", "s1", {
      indices,
      partial: false,
      records: () => ({}),
    });
    await expect(backup.engine.snapshots.remove("r", ["s1"])).rejects.toMatchObject({ code: "snapshot_concurrent" });
    await running.done;
    await backup.engine.snapshots.remove("r", ["s1"]);
  });

  it("of a name that is not there says so and removes none", async () => {
    await backup.snapshot("s1");
    await expect(backup.engine.snapshots.remove("r", ["s1", "no"])).rejects.toMatchObject({ code: "snapshot_missing" });
    expect(await backup.engine.snapshots.list("r")).toHaveLength(1);
  });
});

describe("a clone", () => {
  it("is a snapshot of its own over the same files", async () => {
    await backup.write(30);
    await backup.engine.createIndex("b", definitionOf(MAPPING));
    await backup.snapshot("s1", ["b", "x"]);
    const files = filesBelow(path.join(backup.root, "indices"));
    await backup.engine.snapshots.clone("r", { source: "s1", target: "c1", indices: ["x"] });
    expect(filesBelow(path.join(backup.root, "indices"))).toEqual(files);
    await backup.engine.snapshots.remove("r", ["s1"]);
    await backup.restore("c1", ["x"], "r-");
    expect(shown("r-x")).toHaveLength(30);
  });
});
