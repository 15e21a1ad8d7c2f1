import path from "node:path";
import { describe, expect, it } from "vitest";
import { SectionKind } from "../store/section.js";
import { temporaryFolder, testStorage } from "../store/testing.js";
import { SegmentFile } from "./file.js";
import { SegmentFileWriter } from "./file-writer.js";
import { SMALL_CHUNK_BYTES } from "./format.js";
import { WarmSections } from "./warm-sections.js";

const CHUNKS = 10;
const FIELD = 1;

function open() {
  const storage = testStorage();
  const name = path.join(temporaryFolder(), "a.seg");
  const writer = new SegmentFileWriter(storage, name);
  writer.begin(SectionKind.columnValues, FIELD);
  writer.append(Uint8Array.from({ length: CHUNKS * SMALL_CHUNK_BYTES }, (_, i) => i % 251));
  writer.end();
  writer.finish();
  const file = SegmentFile.open(storage, name);
  return { storage, file, warm: new WarmSections(file) };
}

describe("cells of sections", () => {
  it("are read from the file until that added up to the section, which then is loaded", () => {
    const { storage, file, warm } = open();
    file.beginUse();
    for (let i = 0; i < CHUNKS; i++) expect(warm.warm(SectionKind.columnValues, FIELD)).toBe(0);
    const cell = new Uint8Array(2);
    warm.readInto(SectionKind.columnValues, FIELD, 1000, cell);
    expect([...cell]).toEqual([1000 % 251, 1001 % 251]);
    expect(file.memoryBytes).toBe(0);
    const address = warm.warm(SectionKind.columnValues, FIELD);
    expect(storage.arena.u8[address + 1000]).toBe(1000 % 251);
    expect(file.memoryBytes).toBeGreaterThan(0);
    file.endUse();
    file.close();
  });

  it("are read from the file again when the section was evicted, for as long as before", () => {
    const { storage, file, warm } = open();
    file.beginUse();
    for (let i = 0; i <= CHUNKS; i++) warm.warm(SectionKind.columnValues, FIELD);
    file.endUse();
    storage.extents.evict(Number.MAX_SAFE_INTEGER);
    expect(file.memoryBytes).toBe(0);
    file.beginUse();
    for (let i = 0; i < CHUNKS; i++) expect(warm.warm(SectionKind.columnValues, FIELD)).toBe(0);
    expect(warm.warm(SectionKind.columnValues, FIELD)).not.toBe(0);
    file.endUse();
    file.close();
  });

  it("that somebody else loaded are read in memory at once", () => {
    const { file, warm } = open();
    file.beginUse();
    const pinned = file.pin(SectionKind.columnValues, FIELD)!;
    expect(warm.warm(SectionKind.columnValues, FIELD)).toBe(pinned.address);
    file.endUse();
    file.close();
  });
});
