import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { mergeSegments } from "./segment/merge.js";
import { OpenSegment } from "./segment/reader.js";
import { type SegmentFacts, segmentFacts } from "./segment/testing.js";
import { FORMAT_VERSION, OLDEST_READABLE } from "./segment/version.js";
import { temporaryFolder, testStorage } from "./store/testing.js";
import { openVersionFixture, writeVersionFixture } from "./testing/version-fixture.js";

const FIXTURES = fileURLToPath(new URL("../tests/fixtures", import.meta.url));
const VERSIONS = Array.from({ length: FORMAT_VERSION - OLDEST_READABLE + 1 }, (_, i) => OLDEST_READABLE + i);
const folderOf = (version: number) => path.join(FIXTURES, `segment-v${version}`);

function versionInFile(file: string): number {
  return fs.readFileSync(file).readUInt32LE(8);
}

/** What a merge of segments with these facts must say. */
function joined(parts: readonly SegmentFacts[]): SegmentFacts {
  const [first, second] = parts;
  const shift = first.documents.length;
  const fields: SegmentFacts["fields"] = {};
  for (const [name, a] of Object.entries(first.fields)) {
    const b = second.fields[name];
    const lists = <T>(x: T[] | null, y: T[] | null, none: T) =>
      x === null && y === null
        ? null
        : [...(x ?? first.documents.map(() => none)), ...(y ?? second.documents.map(() => none))];
    const postings = structuredClone(a.postings);
    for (const [term, list] of Object.entries(b.postings)) {
      postings[term] = [
        ...(postings[term] ?? []),
        ...list.map(([doc, freq, at]): [number, number, number[]] => [doc + shift, freq, at]),
      ];
    }
    const texts = a.texts || b.texts ? lists(a.texts ?? null, b.texts ?? null, []) : null;
    const grams = structuredClone(a.grams ?? {});
    for (const [gram, list] of Object.entries(b.grams ?? {}))
      grams[gram] = [...(grams[gram] ?? []), ...list.map((doc) => doc + shift)];
    fields[name] = {
      ...(texts === null ? {} : { texts, grams }),
      postings,
      column: lists(a.column, b.column, []),
      present: [...a.present, ...b.present.map((doc) => doc + shift)],
      lengths: lists(a.lengths, b.lengths, 0),
      norms: lists(a.norms, b.norms, 0),
      vectors: lists(a.vectors, b.vectors, []),
    };
  }
  return { documents: [...first.documents, ...second.documents], fields };
}

describe("versions of the segment file", () => {
  it("have a fixture each, which this program writes where the newest has none", async () => {
    if (!fs.existsSync(folderOf(FORMAT_VERSION))) await writeVersionFixture(folderOf(FORMAT_VERSION));
    const found = fs.readdirSync(FIXTURES).filter((name) => name.startsWith("segment-v"));
    expect(found.sort()).toEqual(VERSIONS.map((version) => `segment-v${version}`).sort());
    for (const version of VERSIONS) expect(versionInFile(path.join(folderOf(version), "s1.seg"))).toBe(version);
  });

  for (const version of VERSIONS) {
    it(`${version} says what it said when it was written`, () => {
      const storage = testStorage();
      const { fields, segments } = openVersionFixture(storage, folderOf(version));
      for (const { segment, live, facts } of segments) {
        segment.verify();
        expect(segmentFacts(segment, live, fields, storage.arena.u8)).toEqual(facts);
        segment.close();
      }
    });

    it(`${version} is merged into the newest version without a difference`, () => {
      const storage = testStorage();
      const { fields, segments } = openVersionFixture(storage, folderOf(version));
      const folder = temporaryFolder();
      for (const steps = mergeSegments(storage, segments, fields, { folder, name: "m" }); !steps.next().done; );
      const segment = OpenSegment.open(storage, folder, "m");
      expect(versionInFile(path.join(folder, "m.seg"))).toBe(FORMAT_VERSION);
      const facts = segmentFacts(segment, null, fields, storage.arena.u8);
      expect(facts).toEqual(joined(segments.map((one) => one.facts)));
    });
  }
});
