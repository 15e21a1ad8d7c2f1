/** Damage at each kind of place of a log: what mending gives up, and that all the rest is there. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../store/files.js";
import { MARKER_BYTES } from "./control-record.js";
import { FILE_HEADER_BYTES } from "./log-header.js";
import { type LogMending, mendLog } from "./mend.js";
import { encodeVersion1, entryBytes, flipped, LogFixture, text } from "./testing/log-fixture.js";

const ENTRY = entryBytes(0);
const GROUP = MARKER_BYTES + ENTRY;
/** Where the record of each group of one entry begins. */
const record = (group: number) => FILE_HEADER_BYTES + group * GROUP + MARKER_BYTES;

let log: LogFixture;
beforeEach(() => {
  log = new LogFixture();
});

const texts = (...sequences: number[]) => sequences.map(text);

/** Mends, and checks that telling beforehand said the same and changed nothing. */
function mend(): LogMending {
  const before = log.names().map((name) => fs.readFileSync(path.join(log.folder, name)));
  const told = mendLog(nodeFiles, log.folder, { mode: "tell", elsewhere: -1 });
  expect(log.names().map((name) => fs.readFileSync(path.join(log.folder, name)))).toEqual(before);
  const done = mendLog(nodeFiles, log.folder, { mode: "apply", elsewhere: -1 });
  expect(done).toEqual(told);
  // Nothing is left to do.
  expect(mendLog(nodeFiles, log.folder, { mode: "apply", elsewhere: -1 })).toEqual({ lost: [], changed: [] });
  return done;
}

describe("mending a log", () => {
  it("does nothing to a sound one", async () => {
    await log.write([0, 1, 2], { maxFileBytes: 200 });
    expect(mend()).toEqual({ lost: [], changed: [] });
    expect(log.names().filter((name) => name.includes("damaged"))).toEqual([]);
  });

  it("gives up the one record that is damaged, and keeps the file as it was aside", async () => {
    await log.write([0, 1, 2, 3]);
    const damaged = flipped(log.bytes(1), (record(1) + 30) * 8);
    log.put(1, damaged);
    await expect(log.replay()).rejects.toThrow();
    const file = log.file(1);
    expect(mend()).toEqual({
      lost: [{ file, offset: record(1), bytes: ENTRY, from: 1, to: 1 }],
      changed: [file],
    });
    expect(fs.readFileSync(`${file}.damaged`)).toEqual(damaged);
    expect(await log.replay()).toEqual(texts(0, 2, 3));
    expect(log.warnings).toEqual([]);
  });

  it("gives up nothing with a damaged marker or a damaged header", async () => {
    await log.write([0, 1, 2, 3]);
    const whole = log.bytes(1);
    for (const at of [record(2) - MARKER_BYTES + 3, 3, 13, 20, 61]) {
      log.put(1, flipped(whole, at * 8));
      await expect(log.replay(), `byte ${at}`).rejects.toThrow();
      const { lost, changed } = mend();
      expect(changed).toEqual([log.file(1)]);
      expect(lost.map(({ from, to }) => [from, to])).toEqual(at < FILE_HEADER_BYTES ? [] : [[2, 1]]);
      expect(await log.replay(), `byte ${at}`).toEqual(texts(0, 1, 2, 3));
    }
  });

  it("goes on after it, pruning included: what is lost is accounted for", async () => {
    await log.write([0, 1, 2, 3]);
    log.put(1, flipped(log.bytes(1), (record(1) + 30) * 8));
    mend();
    await log.write([4, 5]);
    expect(await log.replay()).toEqual(texts(0, 2, 3, 4, 5));
    const opened = log.open();
    await opened.prune(5);
    await opened.close();
    expect(log.warnings).toEqual([]);
    expect(log.names()).toEqual(["log-1.wal.damaged"]);
  });

  it("gives up several places, each for itself", async () => {
    await log.write([0, 1, 2, 3, 4, 5]);
    const once = flipped(log.bytes(1), (record(1) + 30) * 8);
    once.fill(0xaa, record(3) + 4, record(4) + 10);
    log.put(1, once);
    expect(mend().lost.map(({ offset, from, to }) => [offset, from, to])).toEqual([
      [record(1), 1, 1],
      [record(3), 3, 4],
    ]);
    expect(await log.replay()).toEqual(texts(0, 2, 5));
  });

  it("ends a file where nothing good follows, and the next file goes on from there", async () => {
    await log.write([0, 1, 2]);
    await log.write([3, 4]);
    const bytes = log.bytes(1);
    bytes.fill(0xaa, record(1), bytes.length);
    log.put(1, bytes);
    expect(mend().lost).toMatchObject([{ file: log.file(1), offset: record(1), from: 1, to: 2 }]);
    expect(await log.replay()).toEqual(texts(0, 3, 4));
    expect(log.names()).toEqual(["log-1.wal", "log-1.wal.damaged", "log-2.wal", "log-2.wal.damaged"]);
  });

  it("says that it does not know how much is lost at the end of the log", async () => {
    await log.write([0, 1, 2]);
    const bytes = log.bytes(1);
    bytes.fill(0xaa, record(1), record(2));
    log.put(1, bytes);
    const [lost] = mend().lost;
    expect(lost).toMatchObject({ from: 1, to: 1 });
    const other = new LogFixture();
    await other.write([0, 1, 2]);
    await other.write([3]);
    const first = other.bytes(1);
    // Cut to nothing but its header, while the next file says how long it was.
    other.put(1, first.subarray(0, FILE_HEADER_BYTES));
    log = other;
    expect(mend().lost).toMatchObject([{ offset: FILE_HEADER_BYTES, from: 0, to: 2 }]);
    expect(await other.replay()).toEqual(texts(3));
  });

  it("gives up a file of which nothing can be read, and one that is missing between two others", async () => {
    for (const sequence of [0, 1, 2, 3]) await log.write([sequence]);
    log.put(2, Buffer.alloc(5000, 0xaa));
    fs.rmSync(log.file(3));
    const { lost, changed } = mend();
    expect(lost.map(({ file, from, to }) => [path.basename(file), from, to])).toEqual([
      ["log-2.wal", 1, 2],
      ["log-4.wal", 1, 2],
    ]);
    expect(changed.map((file) => path.basename(file))).toEqual(["log-2.wal", "log-4.wal"]);
    expect(await log.replay()).toEqual(texts(0, 3));
  });

  it("does not count as lost what is kept elsewhere", async () => {
    await log.write([5, 6, 7, 8]);
    const damaged = log.bytes(1);
    damaged[record(0) + 30] ^= 1;
    damaged[record(2) + 30] ^= 1;
    log.put(1, damaged);
    const ranges = (elsewhere: number) =>
      mendLog(nodeFiles, log.folder, { mode: "tell", elsewhere }).lost.map(({ from, to }) => [from, to]);
    expect(ranges(4)).toEqual([
      [5, 5],
      [7, 7],
    ]);
    // Below `from`: nothing is lost.
    expect(ranges(6)).toEqual([
      [7, 5],
      [7, 7],
    ]);
    mendLog(nodeFiles, log.folder, { mode: "apply", elsewhere: 6 });
    expect(await log.replay()).toEqual(texts(6, 8));
    const opened = log.open();
    await opened.prune(8);
    await opened.close();
    expect(log.warnings).toEqual([]);
  });

  it("leaves a torn end alone: opening cuts it", async () => {
    await log.write([0, 1]);
    const bytes = log.bytes(1);
    bytes.fill(0, record(1) + 10);
    log.put(1, bytes);
    expect(mend()).toEqual({ lost: [], changed: [] });
    expect(await log.replay()).toEqual(texts(0));
    expect(log.warnings).toHaveLength(1);
  });

  it("ends a file of version 1 at its bad record", async () => {
    log.put(1, flipped(encodeVersion1(1, [0, 1, 2]), (32 + ENTRY + 30) * 8));
    await log.write([3]).catch(() => {});
    expect(mend().lost).toMatchObject([{ file: log.file(1), offset: 32 + ENTRY, from: 1, to: null }]);
    expect(await log.replay()).toEqual(texts(0));
    await log.write([3]);
    expect(await log.replay()).toEqual(texts(0, 3));
  });

  it("makes every log of four entries readable in which any one bit is flipped, and gives up one at most", async () => {
    await log.write([0, 1]);
    await log.write([2, 3]);
    const whole = [log.bytes(1), log.bytes(2)];
    for (const generation of [1, 2]) {
      for (let bit = 0; bit < (record(2) + 8) * 8; bit += 29) {
        log.put(1, whole[0]);
        log.put(2, whole[1]);
        log.put(generation, flipped(whole[generation - 1], bit));
        mendLog(nodeFiles, log.folder, { mode: "apply", elsewhere: -1 });
        const found = await log.replay();
        expect(found.length, `file ${generation}, bit ${bit}`).toBeGreaterThanOrEqual(3);
        expect(texts(0, 1, 2, 3)).toEqual(expect.arrayContaining(found));
        for (const name of log.names()) if (name.includes("damaged")) fs.rmSync(path.join(log.folder, name));
      }
    }
  }, 120_000);
});
