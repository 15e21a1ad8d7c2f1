import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultyFiles } from "../store/testing/switchable-faults.js";
import { MetadataLog } from "./metadata-log.js";

let folder: string;
let open: MetadataLog[];
let warnings: string[];
let { files, faults } = faultyFiles();

beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-metadata-")), "metadata");
  open = [];
  warnings = [];
  ({ files, faults } = faultyFiles());
});
afterEach(async () => {
  for (const log of open) await log.close().catch(() => {});
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
});

async function reopened(compactBytes?: number): Promise<MetadataLog> {
  for (const log of open.splice(0)) await log.close();
  const log = MetadataLog.open({ files, folder, warn: (text) => warnings.push(text), compactBytes });
  open.push(log);
  return log;
}

describe("the metadata log", () => {
  it("keeps what was put over a restart, and nothing of what was deleted", async () => {
    const log = await reopened();
    await log.put({ "alias/a": { index: "x" }, "alias/b": [1, 2], other: null });
    await log.put({ "alias/b": undefined });
    const again = await reopened();
    expect(again.keys("alias/")).toEqual(["alias/a"]);
    expect(again.get("alias/a")).toEqual({ index: "x" });
    expect(again.get("other")).toBeNull();
    expect(again.get("alias/b")).toBeUndefined();
  });

  it("folds its log into the snapshot when it has grown, and is the same after it", async () => {
    const log = await reopened(2000);
    for (let i = 0; i < 200; i++) await log.put({ [`key/${i % 10}`]: { i }, [`gone/${i}`]: i });
    for (let i = 0; i < 200; i++) await log.put({ [`gone/${i}`]: undefined });
    const size = () => fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    for (let i = 0; i < 1500; i++) {
      await log.put({ [`gone/${i % 7}`]: i % 2 ? i : undefined });
      // Two snapshots, and log files of 16 or 32 KB: the changes since the older snapshot, and two to be used again.
      expect(size()).toBeLessThan(5 * 32 * 1024 + 8000);
    }
    for (let i = 0; i < 7; i++) await log.put({ [`gone/${i}`]: undefined });
    const again = await reopened();
    expect(again.keys("").length).toBe(10);
    expect(again.get("key/3")).toEqual({ i: 193 });
  });

  it("applies concurrent puts in the order they were made", async () => {
    const log = await reopened();
    await Promise.all(Array.from({ length: 30 }, (_, i) => log.put({ key: i })));
    expect(log.get("key")).toBe(29);
    expect((await reopened()).get("key")).toBe(29);
  });

  it("loses nothing with its newest snapshot, damaged or gone, and says so", async () => {
    const log = await reopened(2000);
    for (let i = 0; i < 300; i++) await log.put({ [`key/${i % 10}`]: i });
    await reopened();
    const snapshot = path.join(folder, "snapshot");
    const whole = fs.readFileSync(snapshot);
    expect(fs.existsSync(`${snapshot}.previous`)).toBe(true);
    const damaged = Buffer.from(whole);
    damaged[40] ^= 1;
    fs.writeFileSync(snapshot, damaged);
    const fromPrevious = await reopened(2000);
    expect(warnings.join()).toMatch(/snapshot is damaged at byte 8.*nothing is lost/);
    for (let i = 290; i < 300; i++) expect(fromPrevious.get(`key/${i % 10}`)).toBe(i);
    // Another snapshot is made without touching the one that stood in.
    for (let i = 0; i < 2000; i++) await fromPrevious.put({ more: i });
    warnings = [];
    expect((await reopened()).get("key/3")).toBe(293);
    expect(warnings).toEqual([]);
    fs.rmSync(snapshot);
    const again = await reopened();
    expect([again.get("key/3"), again.get("more")]).toEqual([293, 1999]);
  });

  it("refuses to open as an empty one when the snapshot is damaged and nothing makes up for it", async () => {
    const log = await reopened(100);
    for (let i = 0; i < 30; i++) await log.put({ [`key/${i % 10}`]: i });
    await reopened();
    for (const name of fs.readdirSync(folder)) if (name !== "snapshot") fs.rmSync(path.join(folder, name));
    const snapshot = path.join(folder, "snapshot");
    const bytes = fs.readFileSync(snapshot);
    bytes[20] ^= 4;
    fs.writeFileSync(snapshot, bytes);
    await expect(reopened()).rejects.toMatchObject({ code: "corrupt", details: { file: snapshot, offset: 8 } });
    expect(fs.readFileSync(snapshot)).toEqual(bytes);
  });

  it("refuses to open when changes between the snapshot and the log are missing", async () => {
    const log = await reopened(2000);
    for (let i = 0; i < 300; i++) await log.put({ [`key/${i % 10}`]: i });
    await reopened();
    for (const name of ["snapshot", "snapshot.previous"]) fs.rmSync(path.join(folder, name));
    await expect(reopened()).rejects.toThrow(/lacks the changes 1 to \d+/);
  });

  it("makes a new snapshot while changes go on, and keeps both", async () => {
    const log = await reopened(500);
    await Promise.all(Array.from({ length: 400 }, (_, i) => log.put({ [`key/${i}`]: "a value of some bytes" })));
    const again = await reopened();
    expect(again.keys("key/")).toHaveLength(400);
  });

  it("shows nothing of a put that could not be made durable, and works again when it can", async () => {
    const log = await reopened();
    await log.put({ key: 1 });
    faults.syncFails = true;
    await expect(log.put({ key: 2 })).rejects.toMatchObject({ code: "io" });
    expect(log.get("key")).toBe(1);
    faults.syncFails = false;
    await log.put({ key: 3 });
    expect((await reopened()).get("key")).toBe(3);
  });
});
