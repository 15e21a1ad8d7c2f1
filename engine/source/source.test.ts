import path from "node:path";
import { describe, expect, it } from "vitest";
import { SegmentFile } from "../segment/file.js";
import { SegmentFileWriter } from "../segment/file-writer.js";
import { NO_FIELD, SectionKind } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { type Chance, chance, hex, MemorySink, temporaryFolder, testStorage } from "../store/testing.js";
import { Numbers, writeNumbers } from "./numbers.js";
import { RoutingReader, writeRouting } from "./routing.js";
import { MAX_BLOCK, TARGET_BLOCK } from "./source-format.js";
import { mergeSources } from "./source-merge.js";
import { SourceReader } from "./source-reader.js";
import { SourceWriter } from "./source-writer.js";

/** The record of a whole document that packs well or not at all. */
function document(random: Chance, length: number): Uint8Array {
  const bytes = new Uint8Array(1 + length);
  const packs = random(3) > 0;
  for (let i = 1; i < bytes.length; i++) bytes[i] = packs ? 97 + (i % 7) : random(256);
  return bytes;
}

/** Writes with `fill` through a writer whose packed bytes go to sourceData; returns a reader. */
function reopen(storage: Storage, folder: string, fill: (writer: SourceWriter) => void): SourceReader {
  const name = path.join(folder, `${Math.random()}.seg`);
  const file = new SegmentFileWriter(storage, name);
  file.begin(SectionKind.sourceData, NO_FIELD);
  const writer = new SourceWriter(storage, (bytes) => file.append(bytes));
  fill(writer);
  writer.endBlock();
  file.end();
  writer.finish(file, []);
  writer.close();
  file.finish();
  const opened = SegmentFile.open(storage, name);
  opened.beginUse();
  return new SourceReader(opened, storage, name);
}

describe("_source of a segment", () => {
  it("is indexed by the numbers that the format's comment shows", () => {
    const storage = testStorage();
    const sink = new MemorySink();
    const writer = new SourceWriter(storage, () => {});
    writer.add(new TextEncoder().encode(`{"":1}`).subarray(0, 5));
    writer.endBlock();
    writer.finish(sink, []);
    const bytes = sink.sections.get(`${SectionKind.sourceBlocks}/${NO_FIELD}`)!;
    expect([...new Float64Array(bytes.slice().buffer)]).toEqual([1, 1, 0, 0, 5, 5, 0]);
  });

  it("comes back byte for byte: empty, small, as long as a block, longer (random)", () => {
    const random = chance();
    const storage = testStorage();
    const lengths = [0, 1, TARGET_BLOCK - 1, TARGET_BLOCK, MAX_BLOCK, MAX_BLOCK + 1, 3 * MAX_BLOCK, 200_000, 0, 5];
    for (let i = 0; i < 500; i++) lengths.splice(random(lengths.length), 0, random(2000));
    const docs = lengths.map((length) => document(random, length));
    const reader = reopen(storage, temporaryFolder(), (writer) => {
      for (const doc of docs) writer.add(doc);
    });
    docs.forEach((doc, i) => {
      expect(Buffer.compare(reader.record(i), doc), `${random.label} document ${i}`).toBe(0);
    });
    for (let i = 0; i < 300; i++) {
      const at = random(docs.length);
      expect(Buffer.compare(reader.record(at), docs[at]), `${random.label} document ${at}`).toBe(0);
    }
  });

  it("is the same after a merge as when written at once, without the deleted documents (random)", () => {
    const random = chance();
    const storage = testStorage();
    const folder = temporaryFolder();
    const parts = [0, 1, 2, 3].map((i) =>
      Array.from({ length: [2000, 3, 500, 40][i] }, () => document(random, i === 3 ? random(150_000) : random(400))),
    );
    const inputs = parts.map((docs, part) => {
      const source = reopen(storage, folder, (writer) => {
        for (const doc of docs) writer.add(doc);
      });
      const live = new Uint32Array(100).fill(0xffffffff);
      if (part !== 1) for (let i = 0; i < 5; i++) live[random(docs.length) >>> 5] &= ~(1 << random(32));
      return { source, live: part === 1 ? null : live, document: () => new Uint8Array(0) };
    });
    const merged = reopen(storage, folder, (writer) => {
      for (const step = mergeSources(writer, inputs); !step.next().done; );
    });
    const kept = parts.flatMap((docs, part) =>
      docs.filter((_, doc) => inputs[part].live === null || (inputs[part].live[doc >>> 5] >>> (doc & 31)) & 1),
    );
    expect(merged.docs).toBe(kept.length);
    kept.forEach((doc, i) => {
      expect(Buffer.compare(merged.record(i), doc), `${random.label} document ${i}`).toBe(0);
    });
  });
});

describe("numbers by document", () => {
  it("lie in the bytes that the format's comment shows", () => {
    const sink = new MemorySink();
    writeNumbers(sink, SectionKind.seqNos, [7, 8, 10], 1);
    expect(sink.hex(SectionKind.seqNos, NO_FIELD)).toBe(
      hex(`0000000000001c40 03000000 01 01 ${"00".repeat(50)} 00 00 01`),
    );
  });

  for (const [what, values, slope] of [
    ["equal", [5, 5, 5], 0],
    ["ascending by one", [100, 101, 102], 1],
    ["with holes", [0, 3, 900, 70_000, 2 ** 33], 1],
    ["descending", [2 ** 40, 3, 1], 0],
    ["repeated while counting up", [4, 4, 4, 5, 6], 1],
    ["none", [], 0],
  ] as const) {
    it(`come back: ${what}`, () => {
      const storage = testStorage();
      const name = path.join(temporaryFolder(), "a.seg");
      const file = new SegmentFileWriter(storage, name);
      writeNumbers(file, SectionKind.versions, values, slope);
      file.finish();
      const opened = SegmentFile.open(storage, name);
      opened.beginUse();
      const numbers = new Numbers(opened, storage.arena, SectionKind.versions);
      expect(values.map((_, doc) => numbers.get(doc))).toEqual(values);
    });
  }
});

describe("routing values", () => {
  it("lie in the bytes that the format's comment shows and come back", () => {
    const sink = new MemorySink();
    writeRouting(sink, [3], ["ab"]);
    expect(sink.hex(SectionKind.routing, NO_FIELD)).toBe(hex("01000000 03000000 02000000 6162"));
    const storage = testStorage();
    const name = path.join(temporaryFolder(), "a.seg");
    const file = new SegmentFileWriter(storage, name);
    writeRouting(file, [0, 3, 9], ["x", "é日", ""]);
    file.finish();
    const opened = SegmentFile.open(storage, name);
    opened.beginUse();
    const routing = RoutingReader.open(opened, storage.arena)!;
    expect([0, 1, 3, 9, 10].map((doc) => routing.get(doc))).toEqual(["x", undefined, "é日", "", undefined]);
  });
});
