/** Logs of format version 1 are read, by the rules of then. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { CorruptionError } from "../errors.js";
import { nodeFiles } from "../store/files.js";
import { temporaryFolder } from "../store/testing.js";
import { FILE_HEADER_BYTES_V1 } from "./log-header.js";
import { MetadataLog } from "./metadata-log.js";
import { encodeVersion1, entryBytes, flipped, LogFixture, text } from "./testing/log-fixture.js";

/** A data folder that a killed node of that time left; see its README. */
const FIXTURE = path.join(import.meta.dirname, "../../tests/fixtures/log-v1");
const THREE = [text(0), text(1), text(2)];

let log: LogFixture;
beforeEach(() => {
  log = new LogFixture();
});

/** Offset at which each of the three entries ends. */
function ends(): number[] {
  let at = FILE_HEADER_BYTES_V1;
  return [0, 1, 2].map((sequence) => {
    at += entryBytes(sequence);
    return at;
  });
}

describe("a log of version 1", () => {
  it("that a node of that time wrote gives back its entries", async () => {
    const [index] = fs.readdirSync(path.join(FIXTURE, "indices"));
    fs.cpSync(path.join(FIXTURE, "indices", index, "log"), log.folder, { recursive: true });
    expect(await log.replay()).toEqual([
      '0 1 a {"n":1,"text":"document number 1"}',
      '1 1 b {"n":2,"text":"document number 2"}',
      '2 1 c {"n":3,"text":"document number 3"}',
      '3 1 a {"n":4,"text":"document number 4"}',
      "4 2 b ",
      '5 1 d {"n":5,"text":"document number 5"}',
      '6 1 c {"n":6,"text":"document number 3","extra":"grown"}',
      '7 1 é–1 {"n":7,"text":"document number 7"}',
    ]);
    expect(log.warnings).toEqual([]);
    // What comes after it is written by the format of today, and both are read.
    await log.write([8]);
    expect((await log.replay()).slice(-2)).toEqual(['7 1 é–1 {"n":7,"text":"document number 7"}', text(8)]);
  });

  it("that held a node's metadata gives back its values, and grows on", async () => {
    const folder = temporaryFolder();
    fs.cpSync(path.join(FIXTURE, "metadata"), folder, { recursive: true });
    const options = { files: nodeFiles, folder, warn: (message: string) => expect.fail(message), compactBytes: 300 };
    const metadata = MetadataLog.open(options);
    expect(metadata.keys("node/key/").map((key) => metadata.get(key))).toEqual(
      [11, 7, 8, 9].map((value) => ({ value })),
    );
    expect(metadata.keys("index/")).toEqual(["index/old"]);
    for (let i = 0; i < 50; i++) await metadata.put({ more: i });
    await metadata.close();
    const again = MetadataLog.open(options);
    expect([again.get("more"), again.get("node/key/1")]).toEqual([49, { value: 11 }]);
    await again.close();
  });

  it("is cut with a warning wherever its end was torn", async () => {
    const whole = encodeVersion1(1, [0, 1, 2]);
    const entryEnds = ends();
    expect(entryEnds[2]).toBe(whole.length);
    for (let length = 0; length < whole.length; length++) {
      log.put(1, whole.subarray(0, length));
      log.warnings = [];
      const kept = entryEnds.filter((end) => end <= length).length;
      expect(await log.replay(), `cut at ${length}`).toEqual(THREE.slice(0, kept));
      const clean = length === FILE_HEADER_BYTES_V1 || entryEnds.includes(length);
      expect(log.warnings.length, `cut at ${length}`).toBe(clean ? 0 : 1);
      // The cut is on disk: the next opening has nothing to say.
      log.warnings = [];
      expect(await log.replay()).toEqual(THREE.slice(0, kept));
      expect(log.warnings).toEqual([]);
    }
  });

  it("stops for any flipped bit that has a good entry behind it, and cuts one in the last entry", async () => {
    const whole = encodeVersion1(1, [0, 1, 2]);
    const [, lastBegins] = ends();
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const at = bit >> 3;
      if (at >= 28 && at < 32) continue; // reserved bytes of the file header, which no reader looks at
      log.put(1, flipped(whole, bit));
      if (at < lastBegins) {
        await expect(log.replay(), `bit ${bit}`).rejects.toThrow(CorruptionError);
        expect(log.bytes(1)).toEqual(flipped(whole, bit));
      } else {
        expect(await log.replay(), `bit ${bit}`).toEqual(THREE.slice(0, 2));
      }
    }
  });

  it("names file and offset of a bad entry before a good one", async () => {
    const [firstEnds] = ends();
    log.put(1, flipped(encodeVersion1(1, [0, 1, 2]), (firstEnds + 30) * 8));
    await expect(log.replay()).rejects.toMatchObject({
      code: "corrupt",
      details: { file: log.file(1), offset: firstEnds },
    });
  });

  it("stops when a bad entry ends one file and a good one is in the next", async () => {
    const whole = encodeVersion1(1, [0, 1, 2]);
    log.put(1, whole.subarray(0, whole.length - 1));
    log.put(2, encodeVersion1(2, [3]));
    await expect(log.replay()).rejects.toThrow(CorruptionError);
  });

  it("loses a file that a crash left without its header", async () => {
    log.put(1, encodeVersion1(1, [0, 1, 2]));
    log.put(2, Buffer.alloc(7));
    expect(await log.replay()).toEqual(THREE);
    expect(log.warnings).toHaveLength(1);
    expect(log.names()).toEqual(["log-1.wal"]);
  });

  it("stops at sequence numbers that go back", async () => {
    const whole = encodeVersion1(1, [0, 1, 2]);
    log.put(1, Buffer.concat([whole, whole.subarray(FILE_HEADER_BYTES_V1, ends()[0])]));
    await expect(log.replay()).rejects.toThrow(/sequence number above 2/);
  });
});
