import { describe, expect, it } from "vitest";
import { openPostings } from "../postings/reader.js";
import type { Storage } from "../store/storage.js";
import { chance, MemorySink, testStorage } from "../store/testing.js";
import { openLengths } from "../text/lengths.js";
import { type MergedTerms, mergeInverted, VANISHED } from "../text/merge.js";
import { openTerms, readFieldStats } from "../text/reader.js";
import { allPostings, MemorySource, type Posting, testField } from "../text/testing.js";
import { flushInverted } from "./inverted-flush.js";
import { FilledBuffer } from "./inverted-testing.js";

const BODY = testField(3, "text");
const TAG = testField(5, "keyword");
const DOCS = [900, 1, 400, 700];

interface Part {
  filled: FilledBuffer;
  source: MemorySource;
  docMap: Uint32Array;
}

function makePart(storage: Storage, random: ReturnType<typeof chance>, docs: number): Part {
  const filled = new FilledBuffer(storage);
  for (let doc = 0; doc < docs; doc++) {
    const words = Array.from(
      { length: random(60) },
      (_, i) => [`w${Math.floor((random(700) * random(700)) / 900)}`, 3 * i] as const,
    );
    filled.addText(BODY, doc, words);
    filled.addTerm(TAG, doc, `tag${random(4) === 0 ? random(5000) : random(6)}`);
    // Between others, and longer than most: dictionaries are written through small windows.
    if (doc % 40 === 0) filled.addTerm(TAG, doc, `tag3${"a long tag, ".repeat(20 + random(2000))}${random(9)}`);
  }
  const sink = new MemorySink();
  flushInverted(filled.buffer, sink, docs);
  filled.close();
  return { filled, source: new MemorySource(storage, sink), docMap: new Uint32Array(docs) };
}

/** Numbers the documents of all parts, dropping about one in `drop`. */
function number(parts: readonly Part[], random: ReturnType<typeof chance>, drop: number): number {
  let docs = 0;
  for (const { docMap } of parts) {
    for (let doc = 0; doc < docMap.length; doc++) docMap[doc] = drop > 0 && random(drop) === 0 ? VANISHED : docs++;
  }
  return docs;
}

function run(generator: Generator<void, MergedTerms>): MergedTerms {
  for (;;) {
    const step = generator.next();
    if (step.done) return step.value;
  }
}

function expectedPostings(parts: readonly Part[], field: number): Map<string, Posting[]> {
  const merged = new Map<string, Posting[]>();
  for (const { filled, docMap } of parts) {
    for (const [term, list] of filled.expected.get(field) ?? []) {
      const kept = list.filter(([doc]) => docMap[doc] !== VANISHED);
      if (kept.length === 0) continue;
      const renumbered = kept.map(([doc, freq, positions]): Posting => [docMap[doc], freq, positions]);
      merged.set(term, [...(merged.get(term) ?? []), ...renumbered]);
    }
  }
  return merged;
}

describe("merging the inverted structures of segments", () => {
  it.each([0, 2, 50])(
    "terms, postings, lengths and statistics are those of the kept documents (drop 1 in %i)",
    (drop) => {
      const random = chance();
      const storage = testStorage();
      const parts = DOCS.map((docs) => makePart(storage, random, docs));
      const docs = number(parts, random, drop);
      for (const field of [BODY, TAG]) {
        const sink = new MemorySink();
        const before = storage.arena.used;
        for (const { source } of parts)
          for (const kind of [16, 17, 18, 19, 20, 22, 23, 24, 25] as const) source.pin(kind, field.ordinal);
        const pinned = storage.arena.used;
        const merged = run(mergeInverted(storage, field, parts, { sink, docs }));
        expect(storage.arena.used, "memory is given back").toBe(pinned);
        expect(pinned).toBeGreaterThan(before);
        const source = new MemorySource(storage, sink);
        const terms = openTerms(source, storage, field)!;
        const postings = openPostings(source, storage, field);
        const found = allPostings(
          terms,
          (state) => postings.iterator(state, { positions: field.positions }),
          field.positions,
        );
        const expected = expectedPostings(parts, field.ordinal);
        expect(merged.count, random.label).toBe(expected.size);
        expect([...found.keys()]).toEqual([...expected.keys()].sort());
        for (const [term, list] of expected) expect(found.get(term), `${term} ${random.label}`).toEqual(list);
        const lists = [...expected.values()].flat();
        expect(readFieldStats(source, storage, field)).toEqual({
          docCount: new Set(lists.map(([doc]) => doc)).size,
          sumTotalTermFreq: lists.reduce((sum, [, freq]) => sum + freq, 0),
        });
        const lengths = openLengths(source, storage, field);
        for (const { filled, docMap } of parts) {
          const old = filled.lengths.get(field.ordinal) ?? [];
          docMap.forEach((doc, i) => {
            if (doc !== VANISHED) expect(lengths.get(doc)).toBe(old[i] ?? 0);
          });
        }
      }
    },
  );

  it("maps old ordinals to new ones, vanished terms to none", () => {
    const random = chance();
    const storage = testStorage();
    const parts = DOCS.map((docs) => makePart(storage, random, docs));
    const docs = number(parts, random, 2);
    const sink = new MemorySink();
    const merged = run(mergeInverted(storage, TAG, parts, { sink, docs }));
    const terms = openTerms(new MemorySource(storage, sink), storage, TAG)!;
    parts.forEach(({ source }, i) => {
      const old = openTerms(source, storage, TAG)!;
      for (let ordinal = 0; ordinal < old.size; ordinal++) {
        const place = terms.find(old.term(ordinal));
        expect(merged.maps[i]![ordinal], random.label).toBe(place < 0 ? VANISHED : place);
      }
    });
  });

  it("gives the same bytes as one write buffer of the same documents", () => {
    const random = chance();
    const storage = testStorage();
    const parts = DOCS.map((docs) => makePart(storage, random, docs));
    const docs = number(parts, random, 0);
    const whole = new FilledBuffer(storage);
    for (const { filled, docMap } of parts) {
      const texts = docMap.length;
      for (let doc = 0; doc < texts; doc++) {
        const words = [...filled.expected.get(BODY.ordinal)!].flatMap(([term, list]) =>
          list
            .filter(([at]) => at === doc)
            .flatMap(([, , positions]) => positions.map((position) => [term, position] as const)),
        );
        whole.addText(
          BODY,
          docMap[doc],
          words.sort((a, b) => a[1] - b[1]),
        );
      }
    }
    const [fromMerge, fromBuffer] = [new MemorySink(), new MemorySink()];
    run(mergeInverted(storage, BODY, parts, { sink: fromMerge, docs }));
    flushInverted(whole.buffer, fromBuffer, docs);
    expect([...fromMerge.sections.keys()].sort()).toEqual([...fromBuffer.sections.keys()].sort());
    for (const [name, bytes] of fromBuffer.sections) {
      expect(Buffer.compare(fromMerge.sections.get(name)!, bytes), `${name} ${random.label}`).toBe(0);
    }
  });

  it("a field that no segment has is not written", () => {
    const storage = testStorage();
    const sink = new MemorySink();
    const part = { source: new MemorySource(storage, new MemorySink()), docMap: new Uint32Array(5) };
    expect(run(mergeInverted(storage, BODY, [part], { sink, docs: 5 }))).toEqual({ count: 0, maps: [null] });
    expect(sink.sections.size).toBe(0);
  });

  it("when every document is dropped nothing is written", () => {
    const random = chance();
    const storage = testStorage();
    const parts = [makePart(storage, random, 200)];
    parts[0].docMap.fill(VANISHED);
    const sink = new MemorySink();
    expect(run(mergeInverted(storage, BODY, parts, { sink, docs: 0 })).count).toBe(0);
    expect(sink.sections.size).toBe(0);
  });
});
