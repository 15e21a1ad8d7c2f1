import { describe, expect, it } from "vitest";
import {
  ALL_FIELDS,
  answersOf,
  expectedAnswers,
  randomDocument,
  segmentOf,
  type TestDocument,
} from "../memtable/testing.js";
import { allSet, clearBit, isSet } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import { type Chance, chance, temporaryFolder, testStorage } from "../store/testing.js";
import { DROPPED, type MergeInput, mergeSegments } from "./merge.js";
import { OpenSegment } from "./reader.js";

interface Part {
  docs: TestDocument[];
  segment: OpenSegment;
  live: Uint32Array | null;
}

/** Segments of random documents, some with deleted ones. */
function randomParts(random: Chance, storage: Storage, folder: string, counts: readonly number[]): Part[] {
  let seqNo = 0;
  return counts.map((count, i) => {
    const docs = Array.from({ length: count }, () => {
      seqNo += 1 + random(3);
      return { ...randomDocument(random, seqNo, 2 ** 30), id: `id-${seqNo}` };
    });
    const live = i % 2 === 0 ? null : allSet(count);
    if (live !== null) for (let doc = 0; doc < count; doc++) if (random(4) === 0) clearBit(live, doc);
    return { docs, segment: segmentOf(storage, folder, `part${i}`, docs), live };
  });
}

function run(
  storage: Storage,
  parts: readonly MergeInput[],
  folder: string,
): { segment: OpenSegment; docMaps: Uint32Array[] } {
  const work = mergeSegments(storage, parts, ALL_FIELDS, { folder, name: "merged" });
  for (;;) {
    const { done, value } = work.next();
    if (done) return { segment: OpenSegment.open(storage, folder, "merged"), docMaps: value };
  }
}

function kept(parts: readonly Part[]): TestDocument[] {
  return parts.flatMap(({ docs, live }) => docs.filter((_, doc) => isSet(live, doc)));
}

describe("mergeSegments", () => {
  for (const counts of [[300, 200, 1], [1, 1], [5000, 40, 2000], [10], [0, 3]]) {
    it(`of segments of ${counts.join(", ")} documents answers as if written at once`, () => {
      const random = chance();
      const storage = testStorage();
      const folder = temporaryFolder();
      const parts = randomParts(random, storage, folder, counts);
      const merged = run(storage, parts, folder);
      const docs = kept(parts);
      expect(merged.segment.docCount).toBe(docs.length);
      const rebuilt = segmentOf(storage, folder, "rebuilt", docs);
      expect(answersOf(merged.segment, null), random.label).toEqual(expectedAnswers(docs));
      expect(answersOf(merged.segment, null), random.label).toEqual(answersOf(rebuilt, null));
      for (const field of ALL_FIELDS) {
        merged.segment.beginUse();
        rebuilt.beginUse();
        expect(merged.segment.fieldStats(field), field.path).toEqual(rebuilt.fieldStats(field));
        merged.segment.endUse();
        rebuilt.endUse();
      }
    });
  }

  it("says where each document went", () => {
    const random = chance();
    const storage = testStorage();
    const folder = temporaryFolder();
    const parts = randomParts(random, storage, folder, [50, 60]);
    const merged = run(storage, parts, folder);
    merged.segment.beginUse();
    parts.forEach(({ docs, live }, i) => {
      docs.forEach((doc, old) => {
        const now = merged.docMaps[i][old];
        if (isSet(live, old)) expect(merged.segment.id(now), random.label).toBe(doc.id);
        else expect(now).toBe(DROPPED);
      });
    });
  });

  it("of nothing but deleted documents is an empty segment", () => {
    const storage = testStorage();
    const folder = temporaryFolder();
    const [part] = randomParts(chance(), storage, folder, [20]);
    const merged = run(storage, [{ segment: part.segment, live: new Uint32Array(1) }], folder);
    expect(merged.segment.docCount).toBe(0);
    expect(answersOf(merged.segment, null)).toEqual({ documents: [], postings: {} });
  });

  it("goes on in small steps while its inputs are read, and leaves nothing behind when it is given up", () => {
    const random = chance();
    const storage = testStorage();
    const folder = temporaryFolder();
    const parts = randomParts(random, storage, folder, [3000, 3000]);
    const expected = parts.map(({ segment, live }) => answersOf(segment, live));
    const used = storage.arena.used;
    const work = mergeSegments(storage, parts, ALL_FIELDS, { folder, name: "merged" });
    for (let step = 0; step < 12; step++) expect(work.next().done).toBe(false);
    parts.forEach(({ segment, live }, i) => {
      expect(answersOf(segment, live), random.label).toEqual(expected[i]);
    });
    work.return(undefined as never);
    expect(storage.files.list(folder)).toEqual(["part0.seg", "part1.seg"]);
    storage.scratch.release();
    expect(storage.arena.used).toBeLessThanOrEqual(used);
    for (const { segment } of parts) segment.close();
  });

  it("works in an arena that does not hold its inputs at once", () => {
    const random = chance();
    const folder = temporaryFolder();
    const roomy = testStorage();
    const parts = randomParts(random, roomy, folder, new Array(8).fill(2000));
    const tight = testStorage(2 * 2 ** 20);
    const inputs: MergeInput[] = parts.map(({ segment, live }) => {
      segment.close();
      return { segment: OpenSegment.open(tight, folder, segment.name), live };
    });
    const merged = run(tight, inputs, folder);
    expect(answersOf(merged.segment, null), random.label).toEqual(expectedAnswers(kept(parts)));
    expect(tight.extents.evictions).toBeGreaterThan(0);
  });
});
