/** Contract: whatever a crash, a full disk or a flipped bit does, no snapshot looks good that is not. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { EngineFace } from "../engine-types.js";
import { nodeFiles } from "../store/index.js";
import { definitionOf, shownDocuments } from "../testing/engine-fixture.js";
import { Repository } from "./repository.js";
import {
  type BackupFixture,
  backupFixture,
  dyingFiles,
  filesBelow,
  flipBit,
  MAPPING,
  repositoryAt,
  requestOf,
  settingsOf,
} from "./testing.js";

const REPOSITORY = path.join("snapshots", "r");

let backup: BackupFixture;
afterEach(() => backup.remove());

async function restoredCount(engine: EngineFace, snapshot: string): Promise<number> {
  const { contents } = await engine.snapshots.details("r", snapshot);
  const indices = [{ source: "x", target: `of-${snapshot}`, settings: settingsOf(contents[0].definition) }];
  await (await engine.snapshots.restore("r", snapshot, { indices, partial: false, records: () => ({}) })).done;
  const count = shownDocuments(engine, `of-${snapshot}`).length;
  await engine.deleteIndex(`of-${snapshot}`);
  return count;
}

describe.each([
  ["a crash", false],
  ["an error", true],
])("%s", (_what, once) => {
  /** Snapshot `first` has 40 documents, `second` 80; then `first` is removed. */
  async function work(): Promise<void> {
    await backup.snapshot("second");
    await backup.engine.snapshots.remove("r", ["first"]);
  }

  it("at any step of making and removing a snapshot leaves all listed ones whole, and the next ones work", async () => {
    const dying = dyingFiles((file) => file.includes(REPOSITORY));
    backup = await backupFixture({ files: dying.files });
    await backup.write(40);
    await backup.snapshot("first");
    await backup.write(40, "e");
    const kept = `${backup.root}.kept`;
    fs.cpSync(backup.root, kept, { recursive: true });
    dying.life.changes = 0;
    await work();
    const steps = dying.life.changes;
    expect(steps).toBeGreaterThan(15);
    const seen = new Set<string>();
    for (let left = 0; left < steps; left++) {
      fs.rmSync(backup.root, { recursive: true });
      fs.cpSync(kept, backup.root, { recursive: true });
      Object.assign(dying.life, { left, once });
      await work().catch(() => {});
      dying.life.left = Number.POSITIVE_INFINITY;
      const names = (await backup.engine.snapshots.list("r")).map(({ name }) => name);
      seen.add(names.join());
      for (const name of names) {
        expect(await restoredCount(backup.engine, name), `${name} after ${left} steps`).toBe(
          name === "first" ? 40 : 80,
        );
      }
      expect((await backup.engine.snapshots.inspectRepository("r")).anomalies).toEqual([]);
      await backup.engine.snapshots.cleanUp("r");
      await backup.snapshot("after");
      await backup.engine.snapshots.remove("r", [...names, "after"]);
      expect(filesBelow(backup.root)).toEqual(["index"]);
    }
    expect([...seen].sort()).toEqual(["first", "first,second", "second"]);
  }, 120_000);

  it("during the very first snapshot leaves a folder that the next one takes", async () => {
    const dying = dyingFiles((file) => file.includes(REPOSITORY));
    backup = await backupFixture({ files: dying.files });
    await backup.write(10);
    dying.life.changes = 0;
    await backup.snapshot("s");
    const steps = dying.life.changes;
    for (let left = 0; left < steps; left++) {
      fs.rmSync(backup.root, { recursive: true });
      Object.assign(dying.life, { left, once });
      await backup.snapshot("s").catch(() => {});
      dying.life.left = Number.POSITIVE_INFINITY;
      const names = (await backup.engine.snapshots.list("r")).map(({ name }) => name);
      if (names.length === 0) await backup.snapshot("s");
      expect(await restoredCount(backup.engine, "s"), `after ${left} steps`).toBe(10);
    }
  }, 120_000);

  it("at any step of a restore leaves no half index: it is there whole after the restart, or not at all", async () => {
    const dying = dyingFiles((file) => !file.includes(REPOSITORY) && /indices|metadata/.test(file));
    backup = await backupFixture({ files: dying.files });
    await backup.write(30);
    await backup.index().flush();
    await backup.index().write([{ kind: "delete", id: "d1" }]);
    await backup.snapshot("s");
    const seen = new Set<boolean>();
    for (let left = 0, hit = true; hit; left++) {
      Object.assign(dying.life, { left, once });
      await backup.restore("s", ["x"], `b${left}-`).catch(() => {});
      hit = dying.life.left < 0;
      dying.life.left = Number.POSITIVE_INFINITY;
      await backup.reopen();
      const there = backup.engine.indexNames().includes(`b${left}-x`);
      seen.add(there);
      if (there) expect(shownDocuments(backup.engine, `b${left}-x`)).toHaveLength(29);
      const folders = fs.readdirSync(path.join(backup.folder, "indices"));
      expect(folders).toHaveLength(backup.engine.indexNames().length);
      if (there) await backup.engine.deleteIndex(`b${left}-x`);
      if (!hit) expect(left).toBeGreaterThan(15);
    }
    expect(seen).toEqual(new Set([false, true]));
  }, 120_000);
});

describe("a flipped bit", () => {
  it("anywhere in the repository is found by inspecting it, and no restore gives other documents", async () => {
    backup = await backupFixture();
    await backup.write(60);
    await backup.index().flush();
    await backup.index().write([{ kind: "delete", id: "d1" }]);
    await backup.snapshot("s");
    expect(await backup.engine.snapshots.inspectRepository("r")).toMatchObject({
      snapshots: 1,
      files: 2,
      anomalies: [],
    });
    for (const name of filesBelow(backup.root)) {
      const file = path.join(backup.root, name);
      const { size } = fs.statSync(file);
      for (const offset of [0, 9, Math.floor(size / 2), size - 1]) {
        flipBit(file, offset);
        const restored = await restoredCount(backup.engine, "s").catch((error: Error) => error);
        expect(restored, `${name} at ${offset}`).toMatchObject({
          code: "corrupt",
          message: expect.stringContaining(file),
        });
        const found = await backup.engine.snapshots.inspectRepository("r").catch((error: Error) => error.message);
        expect(typeof found === "string" ? [found] : found.anomalies, `${name} at ${offset}`).toEqual([
          expect.stringContaining(file),
        ]);
        flipBit(file, offset);
      }
    }
    expect(await restoredCount(backup.engine, "s")).toBe(59);
    expect(fs.readdirSync(path.join(backup.folder, "indices"))).toHaveLength(1);
  });

  it("in an index fails its snapshot, which names it and can't be restored; a partial one has the others", async () => {
    backup = await backupFixture();
    await backup.engine.createIndex("good", definitionOf(MAPPING));
    await backup.write(5, "g", "good");
    await backup.write(200);
    await backup.index().flush();
    const folder = path.join(backup.folder, "indices", backup.index().definition.uuid);
    const segment = filesBelow(folder).find((name) => name.endsWith(".seg"))!;
    flipBit(path.join(folder, segment), 3000);
    const failed = await backup.snapshot("s", ["good", "x"]);
    expect(failed.state).toBe("failed");
    const failures = failed.contents.map(({ name, failure }) => [name, failure]);
    expect(failures).toEqual([
      ["good", null],
      ["x", expect.stringContaining(`${segment} is damaged at byte`)],
    ]);
    await expect(backup.restore("s", ["good"], "r-")).rejects.toMatchObject({ code: "snapshot_unrestorable" });
    expect(filesBelow(path.join(backup.root, "indices"))).toEqual([]);
    const partial = await backup.snapshot("p", ["good", "x"], { partial: true });
    expect(partial.state).toBe("partial");
    await expect(backup.restore("p", ["x"], "r-")).rejects.toThrow("wasn't fully snapshotted");
    await backup.restore("p", ["good", "x"], "r-", true);
    const counts = ["r-good", "r-x"].map((name) => shownDocuments(backup.engine, name).length);
    expect(counts).toEqual([5, 0]);
  });

  it("in a blob that is missing or cut is found when another snapshot would use it, and it is copied again", async () => {
    backup = await backupFixture();
    await backup.write(60);
    await backup.snapshot("s1");
    const blob = path.join(backup.root, "indices", filesBelow(path.join(backup.root, "indices"))[0]);
    fs.truncateSync(blob, 100);
    await expect(backup.engine.snapshots.verifyRepository("r")).rejects.toMatchObject({
      code: "repository_unverified",
    });
    await backup.snapshot("s2");
    await backup.engine.snapshots.verifyRepository("r");
    expect(await restoredCount(backup.engine, "s1")).toBe(60);
  });

  it("in one snapshot's description hides no other snapshot, and nothing is removed that it may need", async () => {
    backup = await backupFixture();
    await backup.write(60);
    const { uuid } = await backup.snapshot("s1");
    await backup.write(60, "e");
    await backup.snapshot("s2");
    const blobs = filesBelow(path.join(backup.root, "indices"));
    flipBit(path.join(backup.root, "snapshots", uuid), 40);
    await expect(backup.engine.snapshots.details("r", "s1")).rejects.toMatchObject({ code: "corrupt" });
    expect(await restoredCount(backup.engine, "s2")).toBe(120);
    await backup.engine.snapshots.remove("r", ["s2"]);
    await expect(backup.engine.snapshots.cleanUp("r")).rejects.toMatchObject({ code: "corrupt" });
    expect(filesBelow(path.join(backup.root, "indices"))).toEqual(blobs);
    await backup.engine.snapshots.remove("r", ["s1"]);
    expect(filesBelow(backup.root)).toEqual(["index"]);
  });
});

describe("a repository", () => {
  it("that has lost its index is not taken for an empty one", async () => {
    backup = await backupFixture();
    await backup.snapshot("s1");
    fs.rmSync(path.join(backup.root, "index"));
    await expect(backup.engine.snapshots.list("r")).rejects.toMatchObject({ code: "corrupt" });
    await expect(backup.snapshot("s2")).rejects.toMatchObject({ code: "corrupt" });
  });

  it("lies within the folders that are allowed, and in no folder of something else", async () => {
    backup = await backupFixture();
    const { snapshots } = backup.engine;
    for (const location of ["/etc/x", "../x", "a/../../x", backup.folder]) {
      await expect(snapshots.putRepository("bad", repositoryAt(location), {}, true)).rejects.toThrow(
        `[bad] location [${location}] doesn't match any of the locations specified by path.repo`,
      );
    }
    const other = path.join(backup.folder, "snapshots", "other");
    fs.mkdirSync(other);
    fs.writeFileSync(path.join(other, "index.latest"), "7");
    await expect(snapshots.putRepository("bad", repositoryAt("other"), {}, true)).rejects.toThrow(
      "it holds [index.latest]",
    );
    await snapshots.putRepository("late", repositoryAt("other"), {}, false);
    const running = await snapshots.create("late", requestOf("s", ["x"]));
    await expect(running.done).rejects.toThrow("it holds [index.latest]");
    expect(fs.readdirSync(other)).toEqual(["index.latest"]);
  });

  it("that another node changed meanwhile is not written over", async () => {
    backup = await backupFixture();
    await backup.write(10);
    await backup.snapshot("s1");
    const before = fs.readFileSync(path.join(backup.root, "index"));
    await backup.engine.snapshots.putRepository(
      "slow",
      repositoryAt("r", { snapshotBytesPerSecond: 20_000 }),
      {},
      true,
    );
    await backup.write(500, "e");
    const running = await backup.engine.snapshots.create("slow", requestOf("s2", ["x"]));
    while (running.details().contents[0].stage === "waiting") await new Promise((resolve) => setImmediate(resolve));
    // What another node would do: it removes s1.
    const other = new Repository({ files: nodeFiles, name: "r", root: backup.root, compress: true });
    other.replace(other.listing()!, []);
    await expect(running.done).rejects.toThrow("was changed by another node");
    expect(fs.readFileSync(path.join(backup.root, "index"))).not.toEqual(before);
  });
});
