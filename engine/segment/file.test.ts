import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CorruptionError } from "../errors.js";
import { NO_FIELD, SectionKind } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { FaultyFiles } from "../store/testing/faulty-files.js";
import { MemoryDisk } from "../store/testing/memory-disk.js";
import { chance, hex, temporaryFolder, testStorage } from "../store/testing.js";
import { SegmentFile } from "./file.js";
import { SegmentFileWriter } from "./file-writer.js";
import { encodeHeader } from "./format.js";

type Sections = [kind: SectionKind, field: number, bytes: Uint8Array][];

function write(storage: Storage, file: string, sections: Sections): void {
  const writer = new SegmentFileWriter(storage, file);
  for (const [kind, field, bytes] of sections) {
    writer.begin(kind, field);
    for (let at = 0; at < bytes.length; at += 100_000) writer.append(bytes.subarray(at, at + 100_000));
    writer.end();
  }
  writer.finish();
}

function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = (Math.imul(i + seed, 2654435761) >>> 13) & 0xff;
  return bytes;
}

const SMALL: Sections = [
  [SectionKind.norms, 3, noise(300, 1)],
  [SectionKind.sourceData, NO_FIELD, noise(100, 2)],
  [SectionKind.termData, 3, new Uint8Array(0)],
  [SectionKind.columnValues, 4, noise(64, 3)],
];

const LARGE: Sections = [
  [SectionKind.norms, 3, noise(700_000, 1)],
  [SectionKind.sourceData, NO_FIELD, noise(500_001, 2)],
  [SectionKind.columnValues, 4, noise(65_536, 3)],
  [SectionKind.columnValues, 5, noise(300_000, 4)],
];

describe("segment file", () => {
  it("begins with the header that the format's comment shows", () => {
    const crc = Buffer.from(encodeHeader().subarray(60)).toString("hex");
    expect(Buffer.from(encodeHeader()).toString("hex")).toBe(
      `${hex("504e4b53 53454731 04000000 00000000")}${"00".repeat(44)}${crc}`,
    );
    expect(crc).toBe("bc286536");
  });

  for (const [size, sections] of [
    ["small", SMALL],
    ["large", LARGE],
  ] as const) {
    it(`gives back what was written, pinned or read (${size})`, () => {
      const storage = testStorage();
      const file = path.join(temporaryFolder(), "a.seg");
      write(storage, file, sections);
      const opened = SegmentFile.open(storage, file);
      opened.beginUse();
      for (const [kind, field, bytes] of sections) {
        expect(opened.sectionSize(kind, field)).toBe(bytes.length);
        const middle = Math.floor(bytes.length / 3);
        expect(Buffer.compare(opened.read(kind, field, middle, bytes.length - middle), bytes.subarray(middle))).toBe(0);
        expect(opened.read(kind, field, bytes.length, 0).length).toBe(0);
        const extent = opened.pin(kind, field);
        expect(extent!.address % 64).toBe(0);
        expect(Buffer.compare(storage.arena.bytes(extent!.address, extent!.length), bytes)).toBe(0);
        expect(Buffer.compare(opened.read(kind, field, 0, bytes.length), bytes)).toBe(0);
      }
      expect(opened.pin(SectionKind.norms, 99)).toBeNull();
      expect(opened.sectionSize(SectionKind.norms, 99)).toBe(-1);
      opened.endUse();
      const before = storage.arena.used;
      opened.close();
      expect(storage.arena.used).toBeLessThan(before);
    });
  }

  it("reads any part of a cold section (random)", () => {
    const random = chance();
    const storage = testStorage();
    const file = path.join(temporaryFolder(), "a.seg");
    write(storage, file, LARGE);
    const opened = SegmentFile.open(storage, file);
    const bytes = LARGE[1][2];
    for (let i = 0; i < 300; i++) {
      const from = random(bytes.length);
      const length = random(Math.min(70_000, bytes.length - from));
      const found = opened.read(SectionKind.sourceData, NO_FIELD, from, length);
      expect(Buffer.compare(found, bytes.subarray(from, from + length)), random.label).toBe(0);
    }
    expect(storage.cache.bytes).toBeLessThanOrEqual(storage.cache.limitBytes);
    expect(() => opened.read(SectionKind.sourceData, NO_FIELD, bytes.length - 1, 2)).toThrow(/2 bytes at 500000/);
    opened.close();
  });

  it("refuses the damage of any single byte of a small file, by name", () => {
    const storage = testStorage();
    const file = path.join(temporaryFolder(), "a.seg");
    write(storage, file, SMALL);
    const good = readFileSync(file);
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good);
      bad[at] ^= 1 << (at % 8);
      writeFileSync(file, bad);
      expect(() => {
        const opened = SegmentFile.open(storage, file);
        try {
          opened.verify();
        } finally {
          opened.close();
        }
      }, `byte ${at}`).toThrow(expect.objectContaining({ code: "corrupt", message: expect.stringContaining(file) }));
    }
  });

  it("refuses damage at the moment a section is pinned or read, and says where", () => {
    const storage = testStorage();
    const file = path.join(temporaryFolder(), "a.seg");
    write(storage, file, LARGE);
    const bytes = readFileSync(file);
    bytes[64 + 66_000] ^= 4;
    writeFileSync(file, bytes);
    const opened = SegmentFile.open(storage, file);
    opened.beginUse();
    const used = storage.arena.used;
    expect(() => opened.pin(SectionKind.norms, 3)).toThrow(CorruptionError);
    expect(() => opened.pin(SectionKind.norms, 3)).toThrow(/damaged at byte 65600/);
    expect(storage.arena.used).toBe(used);
    expect(opened.read(SectionKind.norms, 3, 0, 65_000).length).toBe(65_000);
    expect(() => opened.read(SectionKind.norms, 3, 65_000, 1000)).toThrow(/damaged at byte 65600/);
    opened.endUse();
    opened.close();
  });

  it("refuses a file that is cut anywhere", () => {
    const storage = testStorage();
    const file = path.join(temporaryFolder(), "a.seg");
    write(storage, file, SMALL);
    const good = readFileSync(file);
    for (const length of [0, 63, 64, 200, good.length - 64, good.length - 1]) {
      writeFileSync(file, good.subarray(0, length));
      expect(() => SegmentFile.open(storage, file), `${length} bytes`).toThrow(
        expect.objectContaining({ code: "corrupt" }),
      );
    }
  });

  it("loads pieces anew after they were evicted, and evicts none in use", () => {
    const storage = testStorage(2 * 2 ** 20);
    const folder = temporaryFolder();
    const open = ["a", "b", "c"].map((name) => {
      const file = path.join(folder, `${name}.seg`);
      write(storage, file, LARGE);
      return SegmentFile.open(storage, file);
    });
    for (let round = 0; round < 3; round++) {
      for (const file of open) {
        file.beginUse();
        for (const [kind, field, bytes] of LARGE) {
          if (kind === SectionKind.sourceData) continue;
          const extent = file.pin(kind, field)!;
          expect(Buffer.compare(storage.arena.bytes(extent.address, extent.length), bytes)).toBe(0);
        }
        file.endUse();
      }
    }
    expect(storage.extents.evictions).toBeGreaterThan(5);
    open[0].beginUse();
    open[0].pin(SectionKind.norms, 3);
    expect(() => storage.arena.alloc(2 ** 21)).toThrow(/the arena is full/);
    expect(open.map((file) => file.memoryBytes > 0)).toEqual([true, false, false]);
    expect(storage.extents.statistics().pinnedBytes).toBe(open[0].memoryBytes);
    expect(storage.extents.statistics().loadedBytes).toBe(open[0].memoryBytes);
    expect(() => open[0].close()).toThrow(/in use/);
    open[0].endUse();
    for (const file of open) file.close();
  });

  it("evicts pieces of a segment in use that nobody has looked at since the use began", () => {
    const storage = testStorage(2 * 2 ** 20);
    const file = path.join(temporaryFolder(), "a.seg");
    write(storage, file, LARGE);
    const opened = SegmentFile.open(storage, file);
    opened.beginUse();
    opened.pin(SectionKind.norms, 3);
    opened.endUse();
    opened.beginUse();
    const kept = opened.pin(SectionKind.columnValues, 5)!;
    const { arena, extents } = storage;
    opened.beginUse();
    arena.alloc(880_000);
    expect(extents.evictions).toBe(0);
    arena.alloc(500_000);
    expect(extents.evictions).toBe(1);
    expect(opened.memoryBytes).toBe(arena.sizeOf(kept.address));
    expect(opened.pin(SectionKind.columnValues, 5)).toEqual(kept);
    expect(() => arena.alloc(260_000)).toThrow(/the arena is full/);
    opened.endUse();
    expect(() => arena.alloc(260_000)).toThrow(/the arena is full/);
    opened.endUse();
    arena.alloc(260_000);
    expect(extents.evictions).toBe(2);
    expect(opened.memoryBytes).toBe(0);
    opened.close();
  });

  it("evicts what was used least recently first, whatever file it is of", () => {
    const storage = testStorage(8 * 2 ** 20);
    const folder = temporaryFolder();
    const open = ["a", "b", "c"].map((name) => {
      const file = path.join(folder, `${name}.seg`);
      write(storage, file, LARGE);
      return SegmentFile.open(storage, file);
    });
    const touch = (file: SegmentFile) => {
      file.beginUse();
      file.pin(SectionKind.norms, 3);
      file.endUse();
    };
    const loaded = () => open.map((file) => (file.memoryBytes > 0 ? "in" : "out")).join(" ");
    for (const file of [...open, open[0]]) touch(file);
    expect(storage.extents.evict(1)).toBe(open[0].memoryBytes);
    expect(loaded()).toBe("in out in");
    // What is loaded or used after the last look at all slots is not the oldest.
    touch(open[1]);
    touch(open[2]);
    storage.extents.evict(1);
    expect(loaded()).toBe("out in in");
    storage.extents.evict(1);
    expect(loaded()).toBe("out out in");
    storage.extents.evict(10_000_000);
    expect(loaded()).toBe("out out out");
    expect(storage.extents.evict(1)).toBe(0);
    expect(storage.extents.statistics()).toEqual({ loadedBytes: 0, pinnedBytes: 0, loads: 4, evictions: 4 });
    for (const file of open) file.close();
  });

  it("refuses to pin outside of a use and to write a section twice", () => {
    const storage = testStorage();
    const file = path.join(temporaryFolder(), "a.seg");
    write(storage, file, SMALL);
    const opened = SegmentFile.open(storage, file);
    expect(() => opened.pin(SectionKind.norms, 3)).toThrow(/outside of beginUse/);
    expect(() => opened.endUse()).toThrow(/more often/);
    opened.close();
    const writer = new SegmentFileWriter(storage, file);
    writer.begin(SectionKind.norms, 1);
    expect(() => writer.begin(SectionKind.norms, 2)).toThrow(/inside another/);
    writer.end();
    expect(() => writer.begin(SectionKind.norms, 1)).toThrow(/twice/);
    writer.abandon();
    expect(storage.files.stat(file)).toBeUndefined();
  });
});

describe("SegmentFileWriter", () => {
  it("leaves neither memory nor file behind when it is abandoned after a failed write", () => {
    const files = new FaultyFiles(new MemoryDisk());
    files.makeDirectory("/d");
    const storage = testStorage(2 * 2 ** 20, files);
    const used = storage.arena.used;
    files.plan = ({ step }) => (step === "write" ? { kind: "error", errno: "ENOSPC", written: 0 } : undefined);
    const writer = new SegmentFileWriter(storage, "/d/a.seg");
    writer.begin(SectionKind.norms, 1);
    expect(() => writer.append(noise(300_000, 1))).toThrow("ENOSPC");
    writer.abandon();
    expect(files.list("/d")).toEqual([]);
    expect(storage.arena.used).toBe(used);
  });

  it("throws `overloaded` and leaves no file when the arena is full", () => {
    const files = new MemoryDisk();
    files.makeDirectory("/d");
    const storage = testStorage(256 * 1024, files);
    expect(() => new SegmentFileWriter(storage, "/d/a.seg")).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect(files.list("/d")).toEqual([]);
  });
});
