/** Damage at each kind of place: verify finds it, repair gives up exactly that, and after it the rest is there. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openEngine } from "../engine.js";
import type { EngineFace, Index } from "../engine-types.js";
import { copyAsStopped, damageSegmentData, filesOf, flipBit } from "../testing/damage.js";
import {
  definitionOf,
  type EngineFixture,
  engineFixture,
  good,
  indexOf,
  shownDocuments,
  TEST_ARENA_BYTES,
} from "../testing/engine-fixture.js";
import { type RepairedPart, repairIndex, repairMetadata, type VerifyReport, verifyFolder } from "./index.js";

const MAPPING = { properties: { n: { type: "long" } } } as const;
const OPTIONS = { arenaBytes: TEST_ARENA_BYTES };

let fixture: EngineFixture;
let uuid: string;

/**
 * An index of two committed segments (a, b, c; then d, e and a new version of b, while c is deleted) and three operations
 * in the log (f, g, the delete of d); and another.
 */
beforeEach(async () => {
  fixture = await engineFixture();
  onTestFinished(() => fixture.remove());
  const index = await fixture.engine.createIndex("x", definitionOf(MAPPING));
  uuid = index.definition.uuid;
  good(await index.write([indexOf("a", { n: 1 }), indexOf("b", { n: 2 }), indexOf("c", { n: 3 })]));
  await index.flush();
  good(await index.write([indexOf("d", { n: 4 }), indexOf("e", { n: 5 }), indexOf("b", { n: 6 })]));
  good(await index.write([{ kind: "delete", id: "c" }]));
  await index.flush();
  const other = await fixture.engine.createIndex("other", definitionOf(MAPPING));
  good(await other.write([indexOf("1", { n: 1 })]));
  for (const id of ["f", "g"]) good(await index.write([indexOf(id, { n: 7 })]));
  good(await index.write([{ kind: "delete", id: "d" }]));
});

const ALL = ["a", "b", "e", "f", "g"];

/** A copy of the folder as a machine leaves it that stops now, removed when the test ends. */
function stoppedCopy(): string {
  return stoppedCopyOf(fixture.folder);
}

function stoppedCopyOf(of: string): string {
  const folder = copyAsStopped(of);
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(folder: string): Promise<EngineFace> {
  const engine = await openEngine(folder, OPTIONS);
  onTestFinished(() => engine.close());
  return engine;
}

/** Every file's bytes, by path. */
function contents(folder: string): Map<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  return new Map(files.map((name) => [name, fs.readFileSync(path.join(folder, name), "base64")]));
}

/** Tells, which must change nothing, then repairs, which must leave nothing to repair. */
async function repaired(folder: string): Promise<RepairedPart> {
  const before = contents(folder);
  const told = await repairIndex(folder, "x", "tell", OPTIONS);
  expect(contents(folder)).toEqual(before);
  const done = await repairIndex(folder, "x", "apply", OPTIONS);
  expect({ ...done, applied: false }).toEqual(told);
  expect((await verified(folder)).damage).toEqual([]);
  expect(await repairIndex(folder, "x", "apply", OPTIONS)).toMatchObject({ damage: [], losses: [], changed: [] });
  return done;
}

async function verified(folder: string): Promise<VerifyReport["indices"][number]> {
  const { indices } = await verifyFolder(folder, ["x"], OPTIONS);
  return indices[0];
}

/** Ids that the index shows once it is opened, sorted; a second life of the node shows the same. */
async function idsAfter(folder: string): Promise<string[]> {
  const ids = async () => {
    const engine = await open(folder);
    expect(engine.damage("x")).toBeUndefined();
    await (engine.index("x") as Index).refresh();
    const shown = shownDocuments(engine, "x").map(({ id }) => id);
    expect(shownDocuments(engine, "other")).toHaveLength(1);
    await engine.close();
    return shown.sort();
  };
  const first = await ids();
  expect(await ids()).toEqual(first);
  return first;
}

const committed = (folder: string) =>
  (
    JSON.parse(
      fs
        .readFileSync(filesOf(folder, uuid, "commit")[0])
        .subarray(12)
        .toString(),
    ) as {
      segments: { name: string; live: number }[];
    }
  ).segments;
const segment = (folder: string, at: number) => path.join(folder, "indices", uuid, `${committed(folder)[at].name}.seg`);

describe("a sound data folder", () => {
  it("is verified with what was read, and changed by neither verify nor repair", async () => {
    const folder = stoppedCopy();
    const before = contents(folder);
    const report = await verifyFolder(folder, [], OPTIONS);
    expect(report.indices).toMatchObject([
      { name: "other", segments: 0, documents: 0, operations: 1, damage: [], warnings: [] },
      { name: "x", uuid, segments: 2, documents: 4, operations: 3, damage: [], warnings: [] },
    ]);
    expect(report.indices[1].bytes).toBeGreaterThan(1000);
    expect(report.metadata).toMatchObject({ damage: [], warnings: [] });
    expect(report.metadata.records).toBeGreaterThan(1);
    expect(await repairIndex(folder, "x", "apply", OPTIONS)).toMatchObject({ damage: [], losses: [], changed: [] });
    expect(await repairMetadata(folder, "apply", OPTIONS)).toMatchObject({ damage: [], losses: [], changed: [] });
    expect(contents(folder)).toEqual(before);
    expect(await idsAfter(folder)).toEqual(ALL);
  });

  it("is not touched while a node has it, whose process is named", async () => {
    const held = { code: "data_folder_locked", details: { pid: process.pid } };
    await expect(verifyFolder(fixture.folder, [], OPTIONS)).rejects.toMatchObject(held);
    await expect(repairIndex(fixture.folder, "x", "apply", OPTIONS)).rejects.toMatchObject(held);
    await expect(repairMetadata(fixture.folder, "apply", OPTIONS)).rejects.toMatchObject(held);
  });

  it("has no index of another name, and a folder that is not there is not made", async () => {
    const folder = stoppedCopy();
    const absent = { code: "index_not_found", details: { index: "y" } };
    await expect(verifyFolder(folder, ["x", "y"], OPTIONS)).rejects.toMatchObject(absent);
    await expect(repairIndex(folder, "y", "tell", OPTIONS)).rejects.toMatchObject(absent);
    await expect(verifyFolder(path.join(folder, "none"), [], OPTIONS)).rejects.toMatchObject({ code: "io" });
    expect(fs.existsSync(path.join(folder, "none"))).toBe(false);
  });

  it("may end in an unfinished write, which is no damage", async () => {
    const folder = stoppedCopy();
    const [log] = filesOf(folder, uuid, ".wal");
    const bytes = fs.readFileSync(log);
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
    fs.writeFileSync(log, Buffer.concat([bytes.subarray(0, end - 60), Buffer.alloc(60)]));
    const { damage, warnings } = await verified(folder);
    expect([damage.length, warnings.length]).toEqual([0, 1]);
    expect(warnings[0]).toContain("unfinished write");
  });
});

describe("a damaged record of the log", () => {
  it("is given up alone, by its sequence number; later ones stay", async () => {
    const folder = stoppedCopy();
    const [log] = filesOf(folder, uuid, ".wal");
    const at = fs.readFileSync(log).indexOf('{"n":7}');
    flipBit(log, at + 3);
    expect((await verified(folder)).damage).toMatchObject([{ details: { file: log } }]);
    const { losses, changed } = await repaired(folder);
    expect(losses).toMatchObject([{ operations: { from: 7, to: 7 }, message: expect.stringContaining("operation 7") }]);
    expect(changed).toEqual([log]);
    expect(fs.existsSync(`${log}.damaged`)).toBe(true);
    expect((await verified(folder)).warnings).toEqual(["an earlier repair gave up 1 operations of the log"]);
    expect(await idsAfter(folder)).toEqual(["a", "b", "e", "g"]);
  });

  it("is no loss when segments have its operation", async () => {
    const index = fixture.engine.index("x") as Index;
    const [name] = filesOf(fixture.folder, uuid, ".wal");
    const unpruned = fs.readFileSync(name);
    await index.flush();
    const folder = stoppedCopy();
    // As if the machine had stopped before the log was pruned.
    const log = name.replace(fixture.folder, folder);
    fs.writeFileSync(log, unpruned);
    flipBit(log, unpruned.indexOf('{"n":7}') + 3);
    const { losses } = await repaired(folder);
    expect(losses).toEqual([{ message: expect.stringContaining("no operation is lost with them") }]);
    expect(await idsAfter(folder)).toEqual(ALL);
  });
});

describe("a damaged segment", () => {
  it("is given up with its documents, whose ids are told where they can be read", async () => {
    const folder = stoppedCopy();
    const file = segment(folder, 1);
    damageSegmentData(file);
    const { damage } = await verified(folder);
    expect(damage).toMatchObject([{ details: { file, offset: 64 } }]);
    const { losses, changed } = await repaired(folder);
    expect(losses).toMatchObject([
      { documents: 3, message: expect.stringContaining(`segment ${file} is given up with 3`) },
    ]);
    expect(changed).toContain(file);
    expect(fs.existsSync(`${file}.damaged`)).toBe(true);
    // What was written over it is not back: the older b stays dead.
    expect(await idsAfter(folder)).toEqual(["a", "f", "g"]);
  });

  it("is given up when its end is damaged, or the file is gone", async () => {
    for (const harm of [
      (file: string) => flipBit(file, fs.statSync(file).size - 5),
      (file: string) => fs.rmSync(file),
    ]) {
      const folder = stoppedCopy();
      const file = segment(folder, 0);
      harm(file);
      expect((await verified(folder)).damage).toMatchObject([{ details: { file } }]);
      const { losses } = await repaired(folder);
      expect(losses).toMatchObject([{ documents: null }]);
      expect(await idsAfter(folder)).toEqual(["b", "e", "f", "g"]);
    }
  });
});

describe("damaged live documents", () => {
  it("bring back deleted documents at most, never an old version beside a new one", async () => {
    const folder = stoppedCopy();
    const [live] = filesOf(folder, uuid, ".live");
    flipBit(live, fs.statSync(live).size - 2);
    expect((await verified(folder)).damage).toMatchObject([{ details: { file: live } }]);
    const { losses } = await repaired(folder);
    expect(losses).toMatchObject([{ message: expect.stringContaining("up to 2 of them may be back") }]);
    expect(await idsAfter(folder)).toEqual(["a", "b", "c", "e", "f", "g"]);
    const engine = await open(folder);
    const b = engine.index("x")?.get("b");
    expect(Buffer.from(b?.source ?? []).toString()).toBe('{"n":6}');
  });
});

describe("a damaged commit", () => {
  it("is made anew of the segments in the folder", async () => {
    const folder = stoppedCopy();
    const [commit] = filesOf(folder, uuid, "commit");
    flipBit(commit, 20);
    expect((await verified(folder)).damage).toMatchObject([{ details: { file: commit } }]);
    const { losses } = await repaired(folder);
    expect(losses).toMatchObject([{ message: expect.stringContaining("a commit is made of the 2 sound segments") }]);
    expect(await idsAfter(folder)).toEqual(ALL);
    const engine = await open(folder);
    const index = engine.index("x") as Index;
    // Numbers go on where they were.
    expect(good(await index.write([indexOf("h", {})]))[0].seqNo).toBe(10);
  });

  it("takes a merged segment for those it was made of, which a crash may have left beside it", async () => {
    const before = stoppedCopy();
    await (fixture.engine.index("x") as Index).forceMerge({ maxSegments: 1, onlyDeletes: false });
    const folder = stoppedCopy();
    expect(filesOf(folder, uuid, ".seg")).toHaveLength(1);
    for (const old of [...filesOf(before, uuid, ".seg"), ...filesOf(before, uuid, ".live")]) {
      fs.copyFileSync(old, old.replace(before, folder));
    }
    flipBit(filesOf(folder, uuid, "commit")[0], 20);
    const { losses } = await repaired(folder);
    expect(losses).toMatchObject([{ message: expect.stringContaining("of the 1 sound segments") }]);
    expect(await idsAfter(folder)).toEqual(ALL);
  });

  it("loses what the log lost at the same time, and says so", async () => {
    const folder = stoppedCopy();
    flipBit(filesOf(folder, uuid, "commit")[0], 20);
    const [log] = filesOf(folder, uuid, ".wal");
    flipBit(log, fs.readFileSync(log).indexOf('{"n":7}') + 3);
    const { losses } = await repaired(folder);
    expect(losses).toMatchObject([{}, { operations: { from: 6, to: 7 } }]);
    expect(await idsAfter(folder)).toEqual(["a", "b", "e", "g"]);
  });
});

describe("damaged metadata", () => {
  const log = (folder: string) => {
    const name = fs.readdirSync(path.join(folder, "metadata")).find((one) => one.endsWith(".wal")) as string;
    return path.join(folder, "metadata", name);
  };

  it("keeps the node from starting, which says where and how to go on", async () => {
    const folder = stoppedCopy();
    flipBit(log(folder), 200);
    const refused = expect(openEngine(folder, OPTIONS)).rejects;
    await refused.toThrow(/log-1.wal is damaged at byte \d+: .* pinakes repair --metadata/);
    expect((await verifyFolder(folder, [], OPTIONS)).metadata.damage).not.toEqual([]);
    await expect(repairIndex(folder, "x", "tell", OPTIONS)).rejects.toThrow(/repair --metadata/);
  });

  it("is given up change by change; an index without its definition keeps its files aside", async () => {
    const folder = stoppedCopy();
    const file = log(folder);
    const bytes = fs.readFileSync(file);
    flipBit(file, bytes.indexOf('{"set":{"index/x":') + 20);
    const before = contents(folder);
    const told = await repairMetadata(folder, "tell", OPTIONS);
    expect(contents(folder)).toEqual(before);
    expect(told.losses.map(({ message }) => message).join("\n")).toContain("of the metadata are given up");
    await repairMetadata(folder, "apply", OPTIONS);
    const report = await verifyFolder(folder, [], OPTIONS);
    expect(report.metadata.damage).toEqual([]);
    expect(report.indices.map(({ name }) => name)).not.toContain("x");
    expect(fs.readdirSync(path.join(folder, "orphans"))).toEqual([uuid]);
    expect(fs.readdirSync(path.join(folder, "orphans", uuid)).some((name) => name.endsWith(".seg"))).toBe(true);
    const engine = await open(folder);
    expect(engine.indexNames()).toEqual(["other"]);
    expect(shownDocuments(engine, "other")).toHaveLength(1);
    await engine.createIndex("x", definitionOf(MAPPING));
  });
});

/** What a start finds of the index `x`, and that it leaves every file of it where it was. */
async function expectRed(folder: string, words: RegExp): Promise<void> {
  const home = path.join(folder, "indices", uuid);
  const before = fs.existsSync(home) ? contents(home) : undefined;
  const engine = await open(folder);
  expect(engine.damage("x")?.message).toMatch(words);
  expect(shownDocuments(engine, "other")).toHaveLength(1);
  await engine.close();
  if (before) expect(contents(home)).toEqual(before);
  expect((await verified(folder)).damage).not.toEqual([]);
}

describe("an index of which a part is missing is red, and nothing of it is removed", () => {
  const home = (folder: string) => path.join(folder, "indices", uuid);

  it("when its commit is gone: a new one is made of its segments, and nothing is lost", async () => {
    const folder = stoppedCopy();
    fs.rmSync(path.join(home(folder), "commit"));
    await expectRed(folder, /operations 0 to \d+ are neither in segments nor in the log/);
    await repaired(folder);
    expect(await idsAfter(folder)).toEqual(ALL);
  });

  it("when commit and log are gone: the segments are what is left", async () => {
    const folder = stoppedCopy();
    fs.rmSync(path.join(home(folder), "commit"));
    fs.rmSync(path.join(home(folder), "log"), { recursive: true });
    await expectRed(folder, /expected a commit, or a log, of s\w+.seg, found neither/);
    await repaired(folder);
    expect(await idsAfter(folder)).toEqual(["a", "b", "d", "e"]);
  });

  it("when the log begins behind the commit: the operations between are given up", async () => {
    const folder = stoppedCopy();
    const file = path.join(home(folder), "commit");
    const engine = await open(folder);
    await engine.index("x")?.flush();
    await engine.close();
    const later = stoppedCopyOf(folder);
    // A commit of before, and a log of after.
    fs.copyFileSync(filesOf(fixture.folder, uuid, "commit")[0], path.join(home(later), "commit"));
    for (const name of fs.readdirSync(home(fixture.folder)).filter((one) => /\.(seg|live)$/.test(one))) {
      fs.copyFileSync(path.join(home(fixture.folder), name), path.join(home(later), name));
    }
    const writing = await openEngine(folder, OPTIONS);
    good(await (writing.index("x") as Index).write([indexOf("h", { n: 8 })]));
    fs.cpSync(path.join(home(folder), "log"), path.join(home(later), "log"), { recursive: true });
    await writing.close();
    expect(fs.existsSync(file)).toBe(true);
    await expectRed(later, /operations 7 to 9 are neither in segments nor in the log/);
    const { losses } = await repaired(later);
    expect(losses.map(({ operations }) => operations)).toEqual([{ from: 7, to: 9 }]);
    expect(await idsAfter(later)).toEqual(["a", "b", "d", "e", "h"]);
  });

  it("when its folder is gone: it is empty once that is accepted, and can be deleted before", async () => {
    const folder = stoppedCopy();
    fs.rmSync(home(folder), { recursive: true });
    await expectRed(folder, /expected the folder of an index, found none/);
    await repaired(folder);
    expect(await idsAfter(folder)).toEqual([]);
    fs.rmSync(home(folder), { recursive: true });
    const engine = await open(folder);
    await engine.deleteIndex("x");
    expect(engine.indexNames()).toEqual(["other"]);
  });
});

describe("lost metadata", () => {
  it("keeps the node from starting when indices are there, which stay", async () => {
    const folder = stoppedCopy();
    fs.rmSync(path.join(folder, "metadata"), { recursive: true });
    const before = contents(path.join(folder, "indices"));
    await expect(openEngine(folder, OPTIONS)).rejects.toThrow(/holds nothing, but there are indices in .*indices/);
    expect(contents(path.join(folder, "indices"))).toEqual(before);
  });

  it("that knows an index no more has its files put aside, and says where", async () => {
    const folder = stoppedCopy();
    const before = contents(path.join(folder, "indices", uuid));
    const log = path.join(folder, "metadata", "log-1.wal");
    const bytes = fs.readFileSync(log);
    // As long as the definition of "x" alone, of which the end is torn; the other came later.
    fs.writeFileSync(log, bytes.subarray(0, bytes.indexOf('{"set":{"index/x":') + 20));
    const warnings: string[] = [];
    const engine = await openEngine(folder, { ...OPTIONS, warn: (text) => warnings.push(text) }).catch(String);
    // Nothing is known any more, or some of it: either way nothing is removed.
    if (typeof engine !== "string") await engine.close();
    const kept = [path.join(folder, "indices", uuid), path.join(folder, "orphans", uuid)].filter((one) =>
      fs.existsSync(one),
    );
    expect(kept.map(contents)).toEqual([before]);
  });

  it("of a deletion that was cut off is no matter: the folder says what it is", async () => {
    const folder = stoppedCopy();
    fs.renameSync(path.join(folder, "indices", uuid), path.join(folder, "indices", `${uuid}.deleted`));
    fs.mkdirSync(path.join(folder, "indices", "restored.partial"));
    fs.mkdirSync(path.join(folder, "indices", "empty", "log"), { recursive: true });
    fs.mkdirSync(path.join(folder, "indices", "unknown"));
    fs.writeFileSync(path.join(folder, "indices", "unknown", "s1.seg"), "something");
    const warnings: string[] = [];
    const engine = await openEngine(folder, { ...OPTIONS, warn: (text) => warnings.push(text) });
    await engine.close();
    expect(fs.readdirSync(path.join(folder, "indices"))).toHaveLength(1);
    expect(fs.readdirSync(path.join(folder, "orphans"))).toEqual(["unknown"]);
    expect(warnings.join()).toMatch(
      /unknown is an index that the metadata does not know: its files are in .*orphans.unknown/,
    );
  });
});
