import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { OpenSegment, segmentFileName } from "../segment/reader.js";
import { chance, temporaryFolder, testStorage } from "../store/testing.js";
import { BufferedDocuments } from "./buffered-documents.js";
import {
  answersOf,
  bufferAll,
  bufferOne,
  buildAll,
  expectedAnswers,
  RecordWriter,
  randomDocument,
  segmentOf,
  type TestDocument,
} from "./testing.js";

/** Bytes in which some hundred documents can be made a segment, and not thousands. */
const ROOM_FOR_SOME = 2.2 * 2 ** 20;

/** The newest document of each id. */
function newest(docs: readonly TestDocument[]): TestDocument[] {
  const last = new Map(docs.map((doc, number) => [doc.id, number]));
  return docs.filter((doc, number) => last.get(doc.id) === number);
}

describe("buffered documents", () => {
  for (const count of [0, 1, 200, 1500]) {
    it(`become, ${count} random ones of them, a segment that answers the same`, () => {
      const random = chance();
      const storage = testStorage();
      const folder = temporaryFolder();
      const docs = Array.from({ length: count }, (_, i) => randomDocument(random, 3 * i, count));
      const documents = new BufferedDocuments(storage.arena);
      bufferAll(storage, documents, docs);
      const kept = newest(docs);
      const built = buildAll(storage, documents, { folder, name: "a" });
      expect(built).toEqual(count === 0 ? [] : [{ name: "a", from: 0, to: count }]);
      documents.close();
      if (count === 0) return;
      const segment = OpenSegment.open(storage, folder, "a");
      expect(segment.docCount).toBe(kept.length);
      expect(answersOf(segment, null), random.label).toEqual(expectedAnswers(kept));
      segment.beginUse();
      for (const doc of kept) expect(segment.seqNo(segment.findId(doc.id)), random.label).toBe(doc.seqNo);
      expect(segment.findId("absent")).toBe(-1);
      segment.endUse();
      segment.close();
    });
  }

  it("answer for themselves before a segment is made, and after", () => {
    const random = chance();
    const storage = testStorage();
    const folder = temporaryFolder();
    const docs = Array.from({ length: 800 }, (_, i) => randomDocument(random, i, 300));
    const documents = new BufferedDocuments(storage.arena);
    bufferAll(storage, documents, docs);
    const kept = new Set(newest(docs));
    const check = (): void => {
      docs.forEach((doc, number) => {
        expect(documents.find(doc.id) === number, random.label).toBe(kept.has(doc));
        expect(Buffer.compare(documents.source(number), doc.source), random.label).toBe(0);
        expect(documents.seqNo(number)).toBe(doc.seqNo);
        expect(documents.version(number)).toBe(doc.version);
        expect(documents.routing(number)).toBe(doc.routing);
      });
    };
    check();
    buildAll(storage, documents, { folder, name: "a" });
    check();
    expect(documents.deadCount).toBe(docs.length - kept.size);
  });

  it("don't have a dead document, but the next one with the same id", () => {
    const storage = testStorage();
    const random = chance();
    const documents = new BufferedDocuments(storage.arena);
    const records = new RecordWriter(storage);
    const doc = randomDocument(random, 0, 1);
    bufferOne(storage, documents, { doc, ...records.write(doc) });
    documents.delete(0);
    documents.delete(0);
    expect(documents.deadCount).toBe(1);
    expect(documents.find(doc.id)).toBe(-1);
    bufferOne(storage, documents, { doc, ...records.write(doc) });
    expect(documents.find(doc.id)).toBe(1);
    expect(() => documents.delete(2)).toThrow(/document 2 of 2/);
  });

  it("give all their memory back", () => {
    const random = chance();
    const storage = testStorage();
    const used = storage.arena.used;
    const documents = new BufferedDocuments(storage.arena);
    bufferAll(
      storage,
      documents,
      Array.from({ length: 3000 }, (_, i) => randomDocument(random, i, 5000)),
    );
    buildAll(storage, documents, { folder: temporaryFolder(), name: "a" });
    expect(documents.bytes).toBeGreaterThan(100_000);
    documents.close();
    storage.scratch.release();
    expect(storage.arena.used).toBe(used);
  });

  it("become several segments where the arena has no room for one, all documents in one of them", () => {
    const random = chance();
    const storage = testStorage(12 * 2 ** 20);
    const folder = temporaryFolder();
    const documents = new BufferedDocuments(storage.arena);
    const docs = Array.from({ length: 10_000 }, (_, i) => {
      return { ...randomDocument(random, i, 2 ** 30), id: `unique-${i}` };
    });
    bufferAll(storage, documents, docs);
    while (storage.arena.capacity - storage.arena.used > ROOM_FOR_SOME) storage.arena.alloc(64 * 1024);
    const built = buildAll(storage, documents, { folder, name: "a" });
    documents.close();
    expect(built.length).toBeGreaterThan(1);
    expect(built[0].from).toBe(0);
    expect(built.at(-1)?.to).toBe(docs.length);
    for (const { name, from, to } of built) {
      const segment = OpenSegment.open(storage, folder, name);
      expect(answersOf(segment, null), random.label).toEqual(expectedAnswers(docs.slice(from, to)));
      segment.close();
    }
  });

  it("become no segment, with `overloaded`, where there is no room at all, and leave no file behind", () => {
    const random = chance();
    const storage = testStorage(4 * 2 ** 20);
    const folder = temporaryFolder();
    const documents = new BufferedDocuments(storage.arena);
    bufferAll(
      storage,
      documents,
      Array.from({ length: 20 }, (_, i) => randomDocument(random, i, 100)),
    );
    const taken: number[] = [];
    for (let address = 1; address !== 0; ) {
      address = storage.arena.tryAlloc(64 * 1024);
      if (address !== 0) taken.push(address);
    }
    expect(() => buildAll(storage, documents, { folder, name: "a" })).toThrow(
      expect.objectContaining({ code: "overloaded" }),
    );
    expect(storage.files.list(folder)).toEqual([]);
    for (const address of taken) storage.arena.free(address);
    expect(buildAll(storage, documents, { folder, name: "a" })).toHaveLength(1);
  });
});

describe("a segment that was made", () => {
  it("makes a file of which no byte can be damaged unnoticed", () => {
    const random = chance();
    const storage = testStorage();
    const folder = temporaryFolder();
    const docs = Array.from({ length: 5 }, (_, i) => randomDocument(random, i, 100));
    segmentOf(storage, folder, "a", docs).close();
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
