import path from "node:path";
import { describe, expect, it } from "vitest";
import { SegmentFile } from "../segment/file.js";
import { SegmentFileWriter } from "../segment/file-writer.js";
import { NO_FIELD, SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { chance, hex, MemorySink, temporaryFolder, testStorage } from "../store/testing.js";
import { hashId, idKey } from "./id-key.js";
import { IdReader } from "./id-reader.js";
import { IdWriter } from "./id-writer.js";

function write(sink: SectionSink, ids: readonly string[]): void {
  const writer = new IdWriter(sink, ids.length);
  for (const id of ids) {
    const bytes = new TextEncoder().encode(`__${id}__`);
    writer.add(bytes, 2, bytes.length - 2);
  }
  writer.finish();
}

function reopen(storage: Storage, ids: readonly string[]): { file: SegmentFile; reader: IdReader } {
  const name = path.join(temporaryFolder(), "a.seg");
  const writer = new SegmentFileWriter(storage, name);
  write(writer, ids);
  writer.finish();
  const file = SegmentFile.open(storage, name);
  file.beginUse();
  return { file, reader: new IdReader(file, storage.arena) };
}

describe("ids of a segment", () => {
  it("lie in the bytes that the format's comment shows", () => {
    const sink = new MemorySink();
    write(sink, ["a1", "a2"]);
    expect(sink.hex(SectionKind.idData, NO_FIELD)).toBe(hex("01 02 61 31 02 01 32"));
    expect(sink.hex(SectionKind.idBlocks, NO_FIELD)).toBe(hex("02000000 03000000 00000000 07000000"));
    expect(sink.sections.has(`${SectionKind.idTable}/${NO_FIELD}`)).toBe(false);
  });

  it("hash as they did in format version 1 (MurmurHash3, its published test values)", () => {
    const bytes = new TextEncoder().encode("The quick brown fox jumps over the lazy dog");
    expect(hashId(bytes, 0, bytes.length)).toBe(0x2fa826cd);
    expect(hashId(new TextEncoder().encode("test"), 0, 4)).toBe(0x704b81dc);
  });

  for (const order of ["ascending", "shuffled"] as const) {
    it(`are found by document and by id (${order}, any Unicode, up to 512 bytes)`, () => {
      const random = chance();
      const storage = testStorage();
      const all = new Set<string>(["", "é", "日本語", "x".repeat(512), "x".repeat(511), "x".repeat(130)]);
      for (let i = 0; i < 3000; i++) all.add(`user-${random(2 ** 31).toString(36)}`);
      const ids = [...all];
      if (order === "ascending") ids.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const { file, reader } = reopen(storage, ids);
      expect(file.sectionSize(SectionKind.idTable, NO_FIELD) < 0).toBe(order === "ascending");
      for (let i = 0; i < 2000; i++) {
        const doc = random(ids.length);
        expect(reader.id(doc), random.label).toBe(ids[doc]);
        expect(reader.find(idKey(ids[doc])), random.label).toBe(doc);
      }
      for (let i = 0; i < 2000; i++) expect(reader.find(idKey(`absent-${random(2 ** 31)}`)), random.label).toBe(-1);
    });
  }

  it("let the newest of equal ids be found", () => {
    const { reader } = reopen(testStorage(), ["b", "a", "b", "c", "b", "a"]);
    expect(["a", "b", "c", "d"].map((id) => reader.find(idKey(id)))).toEqual([5, 4, 3, -1]);
  });

  it("let few absent ids pass the filter", () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => `document-${(i * 7919) % 20_000}`);
    const sink = new MemorySink();
    write(sink, ids);
    const { reader } = reopen(testStorage(), ids);
    let passed = 0;
    for (let i = 0; i < 20_000; i++) if (reader.maybe(idKey(`other-${i}`))) passed++;
    expect(passed).toBeLessThan(20_000 * 0.03);
    expect(ids.every((id) => reader.maybe(idKey(id)))).toBe(true);
  });

  it("that count up take less than a byte each and no filter, and are found", () => {
    const random = chance();
    const storage = testStorage();
    const digits = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
    const idOf = (n: number) => `prefix${[18, 12, 6, 0].map((shift) => digits[(n >> shift) & 63]).join("")}`;
    const ids: string[] = [];
    // Now and then one is left out, as when others write too.
    for (let n = 64 ** 3 - 3000; ids.length < 6000; n += random(50) === 0 ? 1 + random(3) : 1) ids.push(idOf(n));
    const { file, reader } = reopen(storage, ids);
    expect(file.sectionSize(SectionKind.idData, NO_FIELD)).toBeLessThan(ids.length);
    expect(file.sectionSize(SectionKind.idFilter, NO_FIELD)).toBe(-1);
    expect(ids.map((_, doc) => reader.id(doc))).toEqual(ids);
    for (let i = 0; i < 2000; i++) {
      const doc = random(ids.length);
      expect(reader.find(idKey(ids[doc])), random.label).toBe(doc);
    }
    expect(["a", "prefix", "prefixzzzz", `${ids[7]}0`, "é"].map((id) => reader.find(idKey(id)))).toEqual([
      -1, -1, -1, -1, -1,
    ]);
    expect(reader.maybe(idKey("prefixzzzz"))).toBe(false);
  });

  it("are the successors of others in any place and of any form (random)", () => {
    const random = chance();
    const storage = testStorage();
    const forms = ["-", "z", "zz", "zzz", "zzzz", "azzz", "a-zz", "é---", "a b-", "----", "---0", "--zz"];
    const ids = Array.from({ length: 3000 }, () => forms[random(forms.length)] + forms[random(forms.length)]);
    const { reader } = reopen(storage, ids);
    expect(
      ids.map((_, doc) => reader.id(doc)),
      random.label,
    ).toEqual(ids);
    for (const id of new Set(ids)) expect(reader.find(idKey(id)), random.label).toBe(ids.lastIndexOf(id));
  });

  it("may be none", () => {
    const { reader } = reopen(testStorage(), []);
    expect(reader.find(idKey("a"))).toBe(-1);
  });
});
