import path from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../store/files.js";
import { SectionKind, UNIT_BYTES, type UnitMaker } from "../store/section.js";
import { attachStorage, type Storage } from "../store/storage.js";
import { temporaryFolder, testStorage } from "../store/testing.js";
import { SegmentFile } from "./file.js";
import { SegmentFileWriter } from "./file-writer.js";
import { WarmSections } from "./warm-sections.js";

const FIELD = 3;
const UNIT = UNIT_BYTES.get(SectionKind.textData) as number;
const UNITS = 3;
const MADE_BYTES = 40_000;

function written(storage: Storage): string {
  const name = path.join(temporaryFolder(), "a.seg");
  const writer = new SegmentFileWriter(storage, name);
  writer.begin(SectionKind.textData, FIELD);
  writer.append(new Uint8Array(UNITS * UNIT - 1));
  writer.end();
  writer.finish();
  return name;
}

/** Fills units with their number, counting how often; unit 2 is not to be kept. */
function maker({ arena }: Storage) {
  const made: number[] = [];
  const filling: UnitMaker = {
    unitBytes: (unit) => (unit === 2 ? 0 : MADE_BYTES),
    makeUnit: (unit, address) => {
      made.push(unit);
      arena.u8.fill(unit + 1, address, address + MADE_BYTES);
    },
  };
  return { made, filling };
}

function open(storage: Storage, file: SegmentFile) {
  const { made, filling } = maker(storage);
  const units = new WarmSections(file).units(SectionKind.textData, FIELD, filling)!;
  const inUse = (unit: number) => {
    file.beginUse();
    const address = units.at(unit);
    file.endUse();
    return address;
  };
  return { made, units, inUse };
}

describe("units of a section", () => {
  it("are made when a second use asks, and are there for all threads then", () => {
    const storage = testStorage(8 * 2 ** 20);
    const file = SegmentFile.open(storage, written(storage));
    const { made, units, inUse } = open(storage, file);
    file.beginUse();
    expect([units.at(1), units.at(1)]).toEqual([0, 0]);
    file.endUse();
    const address = inUse(1);
    expect(storage.arena.u8[address + MADE_BYTES - 1]).toBe(2);
    expect([inUse(0), inUse(2), inUse(2)]).toEqual([0, 0, 0]);
    const other = attachStorage(nodeFiles, storage.arena.memory, { thread: 1 });
    const there = SegmentFile.attach(other, file.path, file.pieces.run);
    const elsewhere = open(other, there);
    expect(elsewhere.inUse(1)).toBe(address);
    expect([made, elsewhere.made]).toEqual([[1], []]);
    there.close();
    file.close();
    expect(storage.arena.sizeOf(address)).toBe(0);
  });

  it("are evicted when memory is short, not while in use, and made again", () => {
    const storage = testStorage(8 * 2 ** 20);
    const file = SegmentFile.open(storage, written(storage));
    const { made, units, inUse } = open(storage, file);
    inUse(0);
    file.beginUse();
    const address = units.at(0);
    expect(storage.extents.evict(1)).toBe(0);
    expect(units.at(0)).toBe(address);
    file.endUse();
    expect(storage.extents.evict(1)).toBeGreaterThanOrEqual(MADE_BYTES);
    expect(inUse(0)).not.toBe(0);
    expect(made).toEqual([0, 0]);
    file.close();
  });

  it("are not made where there is no room", () => {
    const storage = testStorage(8 * 2 ** 20);
    const file = SegmentFile.open(storage, written(storage));
    const { made, inUse } = open(storage, file);
    storage.arena.alloc(storage.arena.capacity - storage.arena.used - (1 << 20));
    expect([inUse(0), inUse(0), inUse(0)]).toEqual([0, 0, 0]);
    expect(made).toEqual([]);
    file.close();
  });

  it("leave nothing behind when making one fails", () => {
    const storage = testStorage(8 * 2 ** 20);
    const file = SegmentFile.open(storage, written(storage));
    const failing: UnitMaker = {
      unitBytes: () => MADE_BYTES,
      makeUnit: () => {
        throw new Error("damaged");
      },
    };
    const units = new WarmSections(file).units(SectionKind.textData, FIELD, failing)!;
    file.beginUse();
    expect(units.at(0)).toBe(0);
    file.endUse();
    const { used } = storage.arena;
    file.beginUse();
    expect(() => units.at(0)).toThrow("damaged");
    file.endUse();
    expect(storage.arena.used).toBe(used);
    file.close();
  });

  it("are those of sections that have any", () => {
    const storage = testStorage(8 * 2 ** 20);
    const file = SegmentFile.open(storage, written(storage));
    expect(new WarmSections(file).units(SectionKind.gramData, FIELD, maker(storage).filling)).toBeNull();
    file.close();
  });
});
