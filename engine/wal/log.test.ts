import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Log, type LogOptions } from "./log.js";
import { LogOp, type RecordBuffer } from "./record.js";
import { faultyFiles } from "./testing/faulty-files.js";

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
    return { records: sequences.length, lastSequence: sequences[sequences.length - 1] };
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
  const { log, found } = open({ folder });
  logs.splice(logs.indexOf(log), 1);
  void log.close();
  return found;
}

describe("the log", () => {
  it("has synced an entry before it is acknowledged", async () => {
    const { log } = open();
    const release = holdSyncs();
    let acknowledged = false;
    const waiting = add(log, 0).then(() => {
      acknowledged = true;
    });
    await new Promise(setImmediate);
    expect([faults.syncs, acknowledged]).toEqual([1, false]);
    release();
    await waiting;
    expect(acknowledged).toBe(true);
  });

  it("writes and syncs once for all requests that wait", async () => {
    const { log } = open();
    await add(log, 0);
    const before = { ...faults };
    const first = add(log, 1);
    await new Promise(setImmediate);
    const rest = Array.from({ length: 50 }, (_, i) => add(log, 2 + i));
    await Promise.all([first, ...rest]);
    expect(faults.syncs - before.syncs).toBe(2);
    expect(faults.writes - before.writes).toBe(2);
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

  it("deletes only files all of whose entries are committed", async () => {
    const { log } = open({ maxFileBytes: 200 });
    for (let i = 0; i < 10; i++) await add(log, i);
    const before = fs.readdirSync(folder).length;
    expect(before).toBe(5);
    log.prune(4);
    expect(inFiles()).toEqual([4, 5, 6, 7, 8, 9]);
    log.prune(9);
    expect(fs.readdirSync(folder)).toEqual([]);
    await add(log, 10);
    await log.close();
    expect(inFiles()).toEqual([10]);
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
