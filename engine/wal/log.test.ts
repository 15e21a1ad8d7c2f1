import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeFiles } from "../store/files.js";
import { faultyFiles } from "../store/testing/switchable-faults.js";
import { Log, type LogOptions } from "./log.js";
import { readLog } from "./read-log.js";
import { LogOp } from "./record.js";
import type { RecordBuffer } from "./record-buffer.js";

let folder: string;
let { files, faults } = faultyFiles();
let logs: Log[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-log-"));
  ({ files, faults } = faultyFiles());
  logs = [];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const log of logs) await log.close().catch(() => {});
  fs.rmSync(folder, { recursive: true, force: true });
});

function open(more: Partial<LogOptions> = {}): { log: Log; found: number[] } {
  const found: number[] = [];
  const log = Log.open(
    {
      files,
      folder,
      durability: "request",
      syncIntervalMs: 5000,
      maxFileBytes: 1 << 20,
      warn: () => {},
      ...more,
    },
    (record) => found.push(record.sequence),
  );
  logs.push(log);
  return { log, found };
}

function add(log: Log, ...sequences: number[]): Promise<void> {
  return log.append((buffer) => {
    for (const sequence of sequences) put(buffer, sequence);
  });
}

function put(buffer: RecordBuffer, sequence: number): void {
  const metadata = { id: `id${sequence}`, version: 1, primaryTerm: 1, mappingVersion: 1, routing: "r" };
  buffer.appendOperation(LogOp.index, sequence, metadata, Buffer.alloc(100, 120));
}

/** Makes syncs wait until the returned function is called. */
function holdSyncs(): () => void {
  let release = () => {};
  faults.syncGate = new Promise((resolve) => {
    release = resolve;
  });
  return () => {
    faults.syncGate = null;
    release();
  };
}

/** Sequences that are in the files now. */
function inFiles(): number[] {
  const found: number[] = [];
  const damaged = (error: Error) => {
    throw error;
  };
  readLog(nodeFiles, folder, { record: ({ sequence }) => found.push(sequence), damaged });
  return found;
}

const names = () => fs.readdirSync(folder);

describe("the log", () => {
  it("has synced an entry before it is acknowledged", async () => {
    const { log } = open();
    const release = holdSyncs();
    let acknowledged = false;
    const waiting = add(log, 0).then(() => {
      acknowledged = true;
    });
    while (faults.syncs === 0) await new Promise(setImmediate);
    expect([faults.syncs, acknowledged]).toEqual([1, false]);
    release();
    await waiting;
    expect(acknowledged).toBe(true);
  });

  it("writes and syncs once for all requests that wait", async () => {
    const { log } = open();
    await add(log, 0);
    const before = { ...faults };
    const release = holdSyncs();
    const first = add(log, 1);
    while (faults.syncs === before.syncs) await new Promise(setImmediate);
    const rest = Array.from({ length: 50 }, (_, i) => add(log, 2 + i));
    release();
    await Promise.all([first, ...rest]);
    expect(faults.syncs - before.syncs).toBe(2);
    // The third puts a marker behind them, when nothing waits any more.
    expect(faults.writes - before.writes).toBe(3);
    expect(log.records).toBe(52);
    await log.close();
    expect(inFiles()).toEqual(Array.from({ length: 52 }, (_, i) => i));
  });

  it("acknowledges before the sync when durability is async, and syncs within the interval", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { log } = open({ durability: "async" });
    await add(log, 0);
    await add(log, 1);
    expect(faults.syncs).toBe(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(faults.syncs).toBe(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(faults.syncs).toBe(1);
  });

  it("takes another interval and another durability while it is open", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { log } = open({ durability: "async" });
    await add(log, 0);
    log.configure({ syncIntervalMs: 200 });
    await vi.advanceTimersByTimeAsync(200);
    expect(faults.syncs).toBe(1);
    log.configure({ durability: "request" });
    await add(log, 1);
    expect(faults.syncs).toBe(2);
  });

  it("deletes only files all of whose entries are committed", async () => {
    const { log } = open({ maxFileBytes: 400 });
    for (let i = 0; i < 10; i++) await add(log, i);
    expect(names()).toHaveLength(5);
    await log.prune(4);
    expect(inFiles()).toEqual([4, 5, 6, 7, 8, 9]);
    await log.prune(9);
    expect(inFiles()).toEqual([]);
    expect([log.records, log.sizeBytes]).toEqual([0, 0]);
    await add(log, 10);
    await log.close();
    expect(inFiles()).toEqual([10]);
  });

  it("keeps a file whose records do not add up, and says so once", async () => {
    const warnings: string[] = [];
    const { log } = open({ warn: (text) => warnings.push(text) });
    await add(log, 0, 1, 3);
    await log.prune(3);
    await log.prune(3);
    expect(inFiles()).toEqual([0, 1, 3]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("log-1.wal is kept: it holds 3 records of 0 to 3");
  });

  it("tells how much of it segments lack", async () => {
    const { log } = open();
    for (let i = 0; i < 10; i++) await add(log, i);
    expect(log.uncommitted).toEqual({ operations: 10, bytes: expect.any(Number) });
    const adding = add(log, 10);
    await log.prune(6);
    await adding;
    expect(log.uncommitted.operations).toBe(4);
    expect(log.records).toBe(11);
    await log.prune(10);
    expect(log.uncommitted).toEqual({ operations: 0, bytes: 0 });
    expect(log.records).toBe(0);
  });

  it("uses files again, and none of what they held before comes back", async () => {
    const { log } = open({ maxFileBytes: 1500 });
    let next = 0;
    for (; next < 60; next++) await add(log, next);
    const files = names();
    await log.prune(45);
    expect(names().filter((name) => name.startsWith("spare-"))).toHaveLength(2);
    expect(names().length).toBeLessThan(files.length);
    for (; next < 100; next++) {
      await add(log, next);
      expect(inFiles().at(-1)).toBe(next);
    }
    await log.close();
    expect(names().filter((name) => name.startsWith("spare-"))).toEqual([]);
    const found = inFiles();
    expect(found[0]).toBeLessThanOrEqual(46);
    expect(found).toEqual(Array.from({ length: 100 - found[0] }, (_, i) => found[0] + i));
  });

  it("takes 16 KB of the disk for a few entries, and at most 64 KB when it is pruned", async () => {
    const { log } = open();
    await add(log, 0);
    expect(fs.statSync(path.join(folder, names()[0])).size).toBe(16 * 1024);
    expect(log.diskBytes).toBe(16 * 1024);
    await log.prune(0);
    expect(log.diskBytes).toBe(16 * 1024);
    for (let i = 1; i < 3000; i += 100) await add(log, ...Array.from({ length: 100 }, (_, j) => i + j));
    expect(log.diskBytes).toBeGreaterThan(400_000);
    await log.prune(3000);
    expect(log.diskBytes).toBe(0);
    expect(names()).toEqual([]);
  });

  it("leaves the length of its file alone while there is room in it", async () => {
    const { log } = open();
    const lengths = new Set<number>();
    for (let i = 0; i < 1000; i++) {
      await add(log, i);
      lengths.add(fs.statSync(path.join(folder, names()[0])).size);
    }
    expect([...lengths]).toEqual([16, 32, 64, 128, 256].map((kilobytes) => kilobytes * 1024));
  });

  it("keeps a large payload whole, which is written from where it is", async () => {
    const { log } = open();
    const payload = Buffer.alloc(3_000_000, 97);
    const metadata = { id: "a", version: 1, primaryTerm: 1, mappingVersion: 1, routing: undefined };
    await log.append((buffer) => buffer.appendOperation(LogOp.index, 0, metadata, payload));
    await add(log, 1);
    await log.close();
    const found: number[] = [];
    readLog(nodeFiles, folder, {
      record: (record) => found.push(record.payload.length),
      damaged: (error) => expect.fail(error.message),
    });
    expect(found).toEqual([3_000_000, 100]);
  });

  it("appends nothing of a batch whose encoding throws", async () => {
    const { log } = open();
    const broken = () =>
      log.append((buffer) => {
        put(buffer, 0);
        throw new Error("no");
      });
    expect(broken).toThrow("no");
    await add(log, 1);
    await log.close();
    expect(inFiles()).toEqual([1]);
  });

  it("refuses writes after close", async () => {
    const { log } = open();
    await log.close();
    expect(() => add(log, 0)).toThrow(expect.objectContaining({ code: "closed" }));
  });
});

/** The same object, some of its methods others. */
function overridden<T extends object>(base: T, own: Partial<T>): T {
  return new Proxy(base, {
    get(target, name) {
      const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("following a full file by a new one", () => {
  it("waits for the sync of the old one, and never on this thread", async () => {
    const blocking: string[] = [];
    const watched = overridden(files, {
      syncDirectory: (name) => blocking.push(`folder ${name}`),
      open: (file, mode) => overridden(files.open(file, mode), { sync: () => blocking.push(file) }),
    });
    fs.mkdirSync(folder, { recursive: true });
    const { log } = open({ files: watched, durability: "async", maxFileBytes: 200 });
    for (let i = 0; i < 10; i++) await add(log, i);
    // Once for the entries of each full file, once for the marker that ends it.
    expect(faults.syncs).toBe(18);
    expect(blocking).toEqual([]);
    await log.close();
    expect(inFiles()).toHaveLength(10);
  });
});

describe("when the disk fails", () => {
  it("a failed sync fails everyone who waits, and nothing is acknowledged after it", async () => {
    const { log } = open();
    await add(log, 0);
    const release = holdSyncs();
    const first = add(log, 1);
    await new Promise(setImmediate);
    const second = add(log, 2);
    faults.syncFails = true;
    release();
    const results = await Promise.allSettled([first, second]);
    expect(results.map((r) => r.status)).toEqual(["rejected", "rejected"]);
    faults.syncFails = false;
    expect(() => add(log, 3)).toThrow(expect.objectContaining({ code: "io" }));
  });

  it("reopening cuts what was not acknowledged and goes on", async () => {
    const { log } = open();
    await add(log, 0);
    faults.syncFails = true;
    await expect(add(log, 1)).rejects.toMatchObject({ code: "io" });
    await expect(log.reopen()).rejects.toMatchObject({ code: "io" });
    expect(log.failure).not.toBeNull();
    faults.syncFails = false;
    await log.reopen();
    await add(log, 1, 2);
    await log.close();
    expect(inFiles()).toEqual([0, 1, 2]);
  });

  it("a full disk fails the write, and room on it makes the log work again", async () => {
    const { log } = open();
    await add(log, 0);
    faults.bytesLeft = 60;
    await expect(add(log, 1)).rejects.toMatchObject({ code: "io" });
    await log.reopen();
    await expect(add(log, 1)).rejects.toMatchObject({ code: "io" });
    faults.bytesLeft = Number.POSITIVE_INFINITY;
    await log.reopen();
    await add(log, 1);
    expect(log.records).toBe(2);
    await log.close();
    expect(inFiles()).toEqual([0, 1]);
  });

  it("requests queued behind a failed write fail with it, even if the log is reopened at once", async () => {
    const { log } = open();
    await add(log, 0);
    const release = holdSyncs();
    const first = add(log, 1);
    await new Promise(setImmediate);
    const second = add(log, 2).catch((error: unknown) => error);
    faults.syncFails = true;
    release();
    await expect(first).rejects.toMatchObject({ code: "io" });
    faults.syncFails = false;
    await log.reopen();
    expect(await second).toMatchObject({ code: "io" });
    await add(log, 1);
    await log.close();
    expect(inFiles()).toEqual([0, 1]);
  });
});
