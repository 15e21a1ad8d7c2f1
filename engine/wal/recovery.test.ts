/** What opening a log makes of a file that is not as it was written. scan.ts has the reasoning. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { CorruptionError } from "../errors.js";
import { crc32cRange } from "../kernels/crc32c.js";
import { encodeMarker, MARKER_BYTES } from "./control-record.js";
import { TERMINATOR_BYTES } from "./log-file.js";
import { encodeFileHeader, FILE_HEADER_BYTES, type FileEnd, readHeader, seedOf } from "./log-header.js";
import { RecordBuffer } from "./record-buffer.js";
import { entry, entryBytes, flipped, LogFixture, text } from "./testing/log-fixture.js";

const THREE = [text(0), text(1), text(2)];
const ENTRY = entryBytes(0);
/** Where the marker of each of three groups of one entry begins, the closing marker, and its end. */
const MARKERS = [0, 1, 2, 3].map((group) => FILE_HEADER_BYTES + group * (MARKER_BYTES + ENTRY));
const CLOSED = MARKERS[3] + MARKER_BYTES;

let log: LogFixture;
beforeEach(() => {
  log = new LogFixture();
});

/** The salt and seed of a file, from its header. */
function seedingOf(bytes: Buffer, generation = 1): { seed: number; salt: number } {
  const state = readHeader(bytes, "", generation);
  if (state.kind !== "good") return expect.fail(state.error.message);
  return { seed: seedOf(state.header), salt: state.header.salt };
}

interface Made {
  generation: number;
  previous: FileEnd | null;
  groups: number[][];
}

/** A file of groups of entries. Nothing is known of the sync of the last group. Ends with its terminator. */
function made({ generation, previous, groups }: Made): Buffer {
  const identity = { generation, salt: 77 };
  const seeding = { seed: seedOf(identity), salt: identity.salt };
  let file = encodeFileHeader(identity, previous);
  groups.forEach((sequences, i) => {
    const buffer = new RecordBuffer(1000, seeding.seed);
    for (const sequence of sequences) entry(buffer, sequence);
    file = Buffer.concat([file, encodeMarker(seeding, i === 0 ? 0 : file.length), buffer.bytes()]);
  });
  return Buffer.concat([file, Buffer.alloc(TERMINATOR_BYTES)]);
}

/** A file with the entry 0, then the entries 1, 2, 3 in a group. `stale`: what lies behind it, instead of zeros. */
function twoGroups(stale: Buffer = Buffer.alloc(0)): Buffer {
  const file = Buffer.alloc(16 * 1024);
  stale.copy(file);
  made({ generation: 1, previous: null, groups: [[0], [1, 2, 3]] }).copy(file);
  return file;
}
/** Where the records 1, 2, 3 of it begin, and its end. */
const SECOND = [0, 1, 2, 3].map((at) => MARKERS[1] + MARKER_BYTES + at * ENTRY);

/** Whether a header's checksum ends in zeros from this byte of it on: it was not written to its end, what was is right. */
function endsWithinChecksum(bytes: Buffer, at: number): boolean {
  const isOfChecksum = at > FILE_HEADER_BYTES - 4 && at < FILE_HEADER_BYTES;
  return isOfChecksum && bytes.subarray(at, FILE_HEADER_BYTES).every((byte) => byte === 0);
}

describe("a log file", () => {
  it("begins as the example in log-header.ts says", () => {
    const header = encodeFileHeader({ generation: 3, salt: 0x01020304 }, { generation: 2, end: 96 });
    expect(header.toString("hex")).toBe(
      "504e4b534c4f470a" +
        "02000000" +
        "04030201" +
        "0300000000000000" +
        "0200000000000000" +
        "6000000000000000" +
        "00".repeat(20) +
        "7ad1e507",
    );
    const state = readHeader(header, "f", 3);
    const expected = { version: 2, generation: 3, salt: 0x01020304, previous: { generation: 2, end: 96 } };
    expect(state).toEqual({ kind: "good", header: expected });
  });

  it("holds each group behind a marker that says what was synced, and one behind the last", async () => {
    await log.write([0, 1, 2]);
    const bytes = log.bytes(1);
    const seeding = seedingOf(bytes);
    MARKERS.forEach((at, i) => {
      const marker = encodeMarker(seeding, i === 0 ? 0 : at);
      expect(bytes.subarray(at, at + MARKER_BYTES).toString("hex"), `marker ${i}`).toBe(marker.toString("hex"));
    });
    expect(bytes.subarray(CLOSED).every((byte) => byte === 0)).toBe(true);
    expect(bytes.length).toBe(16 * 1024);
  });
});

describe("opening a log", () => {
  it("gives back what was written, in order, from all files", async () => {
    const sequences = Array.from({ length: 20 }, (_, i) => i);
    await log.write(sequences, { maxFileBytes: 200 });
    expect(log.names().length).toBeGreaterThan(5);
    expect(await log.replay()).toEqual(sequences.map(text));
    expect(log.warnings).toEqual([]);
  });

  it("goes on after a restart in a new file, and keeps both", async () => {
    await log.write([0, 1, 2]);
    await log.write([3]);
    expect(await log.replay()).toEqual([...THREE, text(3)]);
    expect(log.names()).toEqual(["log-1.wal", "log-2.wal"]);
  });

  it("hands out every record, whatever segments have", async () => {
    await log.write([7, 8]);
    const found: number[] = [];
    const { Log } = await import("./log.js");
    const opened = Log.open(log.options(), ({ sequence }) => found.push(sequence));
    await opened.prune(7);
    await opened.close();
    expect(found).toEqual([7, 8]);
  });

  it("for every flipped bit gives all entries, or is refused with file and offset", async () => {
    await log.write([0, 1, 2]);
    const whole = log.bytes(1);
    for (let bit = 0; bit < (CLOSED + TERMINATOR_BYTES + 8) * 8; bit++) {
      const at = bit >> 3;
      const damaged = flipped(whole, bit);
      log.put(1, damaged);
      log.warnings = [];
      if (endsWithinChecksum(damaged, at)) {
        // Salts are random, and so are checksums: one in thirty ends in a byte of a single bit.
        expect(await log.replay(), `bit ${bit}`).toEqual(THREE);
      } else if (at < MARKERS[3]) {
        // Behind it the closing marker proves that it was synced.
        const group = MARKERS.findLastIndex((marker) => marker <= at);
        const record =
          group >= 0 && at >= MARKERS[group] + MARKER_BYTES ? MARKERS[group] + MARKER_BYTES : MARKERS[group];
        const refused = expect(log.replay(), `bit ${bit}`).rejects;
        await refused.toMatchObject({ code: "corrupt", details: { file: log.file(1), offset: record ?? 0 } });
        expect(log.bytes(1).equals(damaged)).toBe(true);
      } else {
        expect(await log.replay(), `bit ${bit}`).toEqual(THREE);
        // The closing marker, or the zeros behind it: nothing is lost with them.
        expect(log.warnings.length, `bit ${bit}`).toBe(at < CLOSED + TERMINATOR_BYTES ? 1 : 0);
      }
    }
  }, 120_000);

  it("cut off at any byte gives the entries before, with a warning unless all are there", async () => {
    await log.write([0, 1, 2]);
    const whole = log.bytes(1);
    const ends = [0, 1, 2].map((group) => MARKERS[group] + MARKER_BYTES + ENTRY);
    for (let length = 0; length <= CLOSED + TERMINATOR_BYTES + 8; length++) {
      log.put(1, whole.subarray(0, length));
      log.warnings = [];
      const kept = ends.filter((end) => end <= length).length;
      expect(await log.replay(), `cut at ${length}`).toEqual(THREE.slice(0, kept));
      expect(log.warnings.length, `cut at ${length}`).toBe(length < CLOSED + TERMINATOR_BYTES ? 1 : 0);
      // The cut is on disk: the next opening has nothing to say.
      log.warnings = [];
      expect(await log.replay()).toEqual(THREE.slice(0, kept));
      expect(log.warnings).toEqual([]);
      for (const name of log.names()) fs.rmSync(path.join(log.folder, name));
    }
  }, 120_000);

  it("cuts a group that is torn in its middle, though good records lie behind the bad one", async () => {
    log.put(1, flipped(twoGroups(), (SECOND[1] + 30) * 8));
    expect(await log.replay()).toEqual([text(0), text(1)]);
    expect(log.warnings).toHaveLength(1);
    expect(log.warnings[0]).toContain(`log-1.wal is damaged at byte ${SECOND[1]}`);
    // What lay behind never comes back.
    log.warnings = [];
    await log.write([2, 3]);
    expect(await log.replay()).toEqual([text(0), text(1), text(2), text(3)]);
    expect(log.warnings).toEqual([]);
  });

  it("cuts a group whose first page never reached the disk, and says so", async () => {
    const file = twoGroups();
    file.fill(0, MARKERS[1], SECOND[1]);
    log.put(1, file);
    expect(await log.replay()).toEqual([text(0)]);
    expect(log.warnings).toHaveLength(1);
  });

  it("refuses the same file when a marker behind the bad record proves that it was synced", async () => {
    const file = flipped(twoGroups(), (SECOND[1] + 30) * 8);
    encodeMarker(seedingOf(file), SECOND[3]).copy(file, SECOND[3]);
    log.put(1, file);
    const details = { file: log.file(1), offset: SECOND[1] };
    await expect(log.replay()).rejects.toMatchObject({ code: "corrupt", details });
  });

  it("is not misled by a marker behind the bad record that proves only what lies before it", async () => {
    const file = flipped(twoGroups(), (SECOND[1] + 30) * 8);
    encodeMarker(seedingOf(file), SECOND[1]).copy(file, SECOND[3]);
    log.put(1, file);
    expect(await log.replay()).toEqual([text(0), text(1)]);
  });

  it("is not misled by records and markers of the file's former life", async () => {
    const stale = Buffer.alloc(16 * 1024);
    const former = { generation: 1, salt: 76 };
    const seeding = { seed: seedOf(former), salt: 76 };
    const buffer = new RecordBuffer(1000, seeding.seed);
    for (let at = 500; at < 16_000; at += 200) {
      encodeMarker(seeding, 16_000).copy(stale, at);
      buffer.begin(seeding.seed, -1);
      entry(buffer, at);
      stale.set(buffer.bytes(), at + MARKER_BYTES);
    }
    log.put(1, twoGroups(stale));
    expect(await log.replay()).toEqual([text(0), text(1), text(2), text(3)]);
    expect(log.warnings).toEqual([]);
    log.put(1, flipped(twoGroups(stale), (SECOND[1] + 30) * 8));
    expect(await log.replay()).toEqual([text(0), text(1)]);
  });

  it("is not misled by a document that looks like a marker", async () => {
    const opened = log.open();
    const forged = encodeMarker({ seed: 1 + 5, salt: 5 }, 1 << 30);
    const metadata = { id: "a", version: 1, primaryTerm: 1, mappingVersion: 1, routing: undefined };
    await opened.append((buffer) => {
      entry(buffer, 0);
      buffer.appendOperation(1, 1, metadata, forged);
    });
    // Killed here: its last group is known to be synced by nothing but its own closing marker.
    const file = log.bytes(1);
    file.fill(0, FILE_HEADER_BYTES + MARKER_BYTES + ENTRY + 60 + forged.length);
    file[FILE_HEADER_BYTES + MARKER_BYTES + 30] ^= 1;
    const other = new LogFixture();
    other.put(1, file);
    expect(await other.replay()).toEqual([]);
    expect(other.warnings).toHaveLength(1);
    await opened.close();
  });

  it("refuses a bad record in a file that another follows, be it the last", async () => {
    await log.write([0, 1, 2]);
    await log.write([3]);
    for (const at of [MARKERS[2] + MARKER_BYTES + 5, MARKERS[0]]) {
      const whole = log.bytes(1);
      log.put(1, flipped(whole, at * 8));
      await expect(log.replay()).rejects.toThrow(CorruptionError);
      log.put(1, whole);
    }
    // All of its entries, but not as long as the next file says that it was.
    log.put(1, log.bytes(1).subarray(0, MARKERS[2]));
    const details = { file: log.file(1), offset: MARKERS[2] };
    await expect(log.replay()).rejects.toMatchObject({ code: "corrupt", details });
  });

  it("refuses a log that has lost a file between two others", async () => {
    await log.write([0]);
    await log.write([1]);
    await log.write([2]);
    fs.rmSync(log.file(2));
    await expect(log.replay()).rejects.toThrow(/log-3.wal is damaged at byte 24: expected log file 2 before it/);
  });

  it("removes a last file that a power cut left without a header: empty, zeros, or still its former life's", async () => {
    await log.write([0, 1, 2]);
    const former = log.bytes(1);
    for (const left of [Buffer.alloc(0), Buffer.alloc(16 * 1024), former, former.subarray(0, 40)]) {
      log.put(2, left);
      log.warnings = [];
      expect(await log.replay()).toEqual(THREE);
      expect(log.warnings).toHaveLength(1);
      expect(log.names()).toEqual(["log-1.wal"]);
    }
  });

  it("removes a last file whose header a power cut left half written, wherever it stopped", async () => {
    await log.write([0, 1, 2]);
    const header = encodeFileHeader({ generation: 2, salt: 1 }, { generation: 1, end: MARKERS[3] });
    for (let written = 1; written <= FILE_HEADER_BYTES; written++) {
      const left = Buffer.alloc(16 * 1024);
      header.copy(left, 0, 0, written);
      log.put(2, left);
      expect(await log.replay(), `${written} bytes`).toEqual(THREE);
      expect(log.names(), `${written} bytes`).toEqual(["log-1.wal"]);
    }
  });

  it("refuses a file without a header when a marker in it proves that it had one, or another file follows", async () => {
    await log.write([0, 1, 2]);
    await log.write([3, 4]);
    const lost = log.bytes(2);
    lost.fill(0, 0, FILE_HEADER_BYTES);
    log.put(2, lost);
    await expect(log.replay()).rejects.toMatchObject({ details: { file: log.file(2), offset: 0 } });
    log.put(2, Buffer.alloc(100));
    log.put(3, encodeFileHeader({ generation: 3, salt: 1 }, { generation: 2, end: 64 }));
    await expect(log.replay()).rejects.toMatchObject({ details: { file: log.file(2), offset: 0 } });
  });

  it("refuses a damaged record of the file before one that was never begun: it had been synced", async () => {
    log.put(1, flipped(twoGroups(), (SECOND[1] + 30) * 8));
    log.put(2, Buffer.alloc(0));
    await expect(log.replay()).rejects.toMatchObject({ details: { file: log.file(1), offset: SECOND[1] } });
    log.put(1, twoGroups());
    log.put(2, Buffer.alloc(0));
    expect(await log.replay()).toHaveLength(4);
  });

  it("refuses sequence numbers that go back, within a file and from one to the next", async () => {
    const file = twoGroups();
    const again = file.subarray(SECOND[0], SECOND[1]);
    again.copy(file, SECOND[3]);
    log.put(1, file);
    await expect(log.replay()).rejects.toThrow(/sequence number above 3, found 1/);
    log.put(1, twoGroups());
    log.put(2, made({ generation: 2, previous: { generation: 1, end: SECOND[3] }, groups: [[3]] }));
    const details = { file: log.file(2), offset: MARKERS[0] + MARKER_BYTES };
    await expect(log.replay()).rejects.toMatchObject({ code: "corrupt", details });
  });

  it("refuses a file of a later format version, and says what to do; a flipped bit of the version is damage", async () => {
    await log.write([0, 1, 2]);
    const bytes = log.bytes(1);
    bytes[8] = 9;
    log.put(1, bytes);
    await expect(log.replay()).rejects.toThrow(/log-1.wal is damaged at byte 0: expected checksum/);
    bytes.writeUInt32LE(crc32cRange(bytes, 0, 60), 60);
    log.put(1, bytes);
    await expect(log.replay()).rejects.toThrow(
      /version 9; this program reads 1 to 2: open .* with the version that wrote/,
    );
  });

  it("loses nothing by a kill in the middle of a write", async () => {
    // The page cache has a prefix of the write, then what was there before.
    const before = twoGroups();
    before.fill(0, MARKERS[1]);
    const whole = twoGroups();
    for (let length = MARKERS[1]; length < SECOND[3]; length++) {
      log.put(1, Buffer.concat([whole.subarray(0, length), before.subarray(length)]));
      const kept = 1 + SECOND.filter((end) => end > SECOND[0] && end <= length).length;
      expect(await log.replay()).toEqual([0, 1, 2, 3].slice(0, kept).map(text));
    }
  });
});
