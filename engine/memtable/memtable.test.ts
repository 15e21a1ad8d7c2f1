import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { OpenSegment, segmentFileName } from "../segment/reader.js";
import { isSet } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import { chance, temporaryFolder, testStorage } from "../store/testing.js";
import { Memtable } from "./memtable.js";
import { ALL_FIELDS, answersOf, expectedAnswers, RecordWriter, randomDocument, type TestDocument } from "./testing.js";

/** Adds documents as a shard does: an older one with the same id is deleted. Returns which are alive. */
function addAll(storage: Storage, memtable: Memtable, docs: readonly TestDocument[]): boolean[] {
  const records = new RecordWriter(storage);
  const alive = docs.map((doc, number) => {
    const older = memtable.findId(doc.id);
    expect(memtable.add(records.write(doc), ALL_FIELDS, doc)).toBe(number);
    if (older >= 0) memtable.delete(older);
    return older;
  });
  records.close();
  return docs.map((_, number) => !alive.includes(number));
}

describe("Memtable", () => {
  for (const count of [0, 1, 200, 1500]) {
    it(`seals ${count} random documents into a segment that answers the same`, () => {
      const random = chance();
      const storage = testStorage();
      const folder = temporaryFolder();
      const docs = Array.from({ length: count }, (_, i) => randomDocument(random, 3 * i, count));
      const memtable = new Memtable(storage);
      const alive = addAll(storage, memtable, docs);
      const kept = docs.filter((_, doc) => alive[doc]);
      const { segment, live, liveCount } = memtable.seal(folder, "a");
      expect(liveCount).toBe(kept.length);
      expect(segment.docCount).toBe(count);
      expect(answersOf(segment, live), random.label).toEqual(expectedAnswers(kept));
      segment.beginUse();
      for (const doc of kept) {
        const found = segment.findId(doc.id);
        expect(segment.seqNo(found), random.label).toBe(doc.seqNo);
        expect(isSet(live, found)).toBe(true);
      }
      expect(segment.findId("absent")).toBe(-1);
      segment.endUse();
      segment.close();
      const again = OpenSegment.open(storage, folder, "a");
      expect(answersOf(again, live), random.label).toEqual(expectedAnswers(kept));
      again.close();
      memtable.close();
    });
  }

  it("answers for its documents before it is sealed, and after", () => {
    const random = chance();
    const storage = testStorage();
    const docs = Array.from({ length: 800 }, (_, i) => randomDocument(random, i, 300));
    const memtable = new Memtable(storage);
    const alive = addAll(storage, memtable, docs);
    const check = (): void => {
      docs.forEach((doc, number) => {
        expect(memtable.findId(doc.id) === number, random.label).toBe(alive[number]);
        expect(Buffer.compare(memtable.source(number), doc.source), random.label).toBe(0);
        expect(memtable.id(number)).toBe(doc.id);
        expect(memtable.seqNo(number)).toBe(doc.seqNo);
        expect(memtable.version(number)).toBe(doc.version);
        expect(memtable.primaryTerm(number)).toBe(1);
        expect(memtable.routing(number)).toBe(doc.routing);
      });
    };
    check();
    memtable.seal(temporaryFolder(), "a").segment.close();
    check();
    expect(memtable.deletedCount).toBe(alive.filter((is) => !is).length);
  });

  it("finds no deleted document, and the next one with the same id", () => {
    const storage = testStorage();
    const random = chance();
    const memtable = new Memtable(storage);
    const records = new RecordWriter(storage);
    const doc = randomDocument(random, 0, 1);
    memtable.add(records.write(doc), ALL_FIELDS, doc);
    memtable.delete(0);
    memtable.delete(0);
    expect(memtable.deletedCount).toBe(1);
    expect(memtable.findId(doc.id)).toBe(-1);
    memtable.add(records.write(doc), ALL_FIELDS, doc);
    expect(memtable.findId(doc.id)).toBe(1);
    expect(() => memtable.delete(2)).toThrow(/document 2 of 2/);
  });

  it("gives all its memory back", () => {
    const random = chance();
    const storage = testStorage();
    const used = storage.arena.used;
    const memtable = new Memtable(storage);
    addAll(
      storage,
      memtable,
      Array.from({ length: 3000 }, (_, i) => randomDocument(random, i, 5000)),
    );
    const { segment } = memtable.seal(temporaryFolder(), "a");
    expect(memtable.bytes).toBeGreaterThan(100_000);
    memtable.close();
    segment.close();
    storage.scratch.release();
    expect(storage.arena.used).toBe(used);
  });

  it("refuses a document with `overloaded` before anything is added, and seals what it has", () => {
    const random = chance();
    const storage = testStorage(4 * 2 ** 20);
    const folder = temporaryFolder();
    const memtable = new Memtable(storage);
    const records = new RecordWriter(storage, 32 * 1024);
    const docs: TestDocument[] = [];
    const fill = (): void => {
      for (;;) {
        const doc = { ...randomDocument(random, docs.length, 2 ** 30), id: `unique-${docs.length}` };
        memtable.add(records.write(doc), ALL_FIELDS, doc);
        docs.push(doc);
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect(docs.length).toBeGreaterThan(200);
    expect(memtable.docCount).toBe(docs.length);
    records.close();
    const { segment, live } = memtable.seal(folder, "a");
    memtable.close();
    expect(answersOf(segment, live), random.label).toEqual(expectedAnswers(docs));
  });

  it("seals into a file of which no byte can be damaged unnoticed", () => {
    const random = chance();
    const storage = testStorage();
    const folder = temporaryFolder();
    const memtable = new Memtable(storage);
    addAll(
      storage,
      memtable,
      Array.from({ length: 5 }, (_, i) => randomDocument(random, i, 100)),
    );
    memtable.seal(folder, "a").segment.close();
    const file = path.join(folder, segmentFileName("a"));
    const good = readFileSync(file);
    for (let at = 0; at < good.length; at += 1 + random(3)) {
      const bad = Buffer.from(good);
      bad[at] ^= 1 << random(8);
      writeFileSync(file, bad);
      expect(() => {
        const segment = OpenSegment.open(storage, folder, "a");
        try {
          answersOf(segment, null);
          segment.verify();
        } finally {
          segment.close();
        }
      }, `${random.label} byte ${at}`).toThrow(
        expect.objectContaining({ code: "corrupt", message: expect.stringContaining(file) }),
      );
    }
  });
});
