import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MetadataLog } from "./metadata-log.js";
import { faultyFiles } from "./testing/faulty-files.js";

let folder: string;
let open: MetadataLog[];
let { files, faults } = faultyFiles();

beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-metadata-")), "metadata");
  open = [];
  ({ files, faults } = faultyFiles());
});
afterEach(async () => {
  for (const log of open) await log.close().catch(() => {});
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
});

async function reopened(compactBytes?: number): Promise<MetadataLog> {
  for (const log of open.splice(0)) await log.close();
  const log = MetadataLog.open({ files, folder, warn: () => {}, compactBytes });
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
    const size = fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    expect(size).toBeLessThan(40_000);
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
