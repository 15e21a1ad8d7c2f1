import { describe, expect, it } from "vitest";
import type { CellSource, SectionKind } from "../store/section.js";
import { chance, MemorySink, testStorage } from "../store/testing.js";
import { StoredTerms } from "../text/stored-terms.js";
import { MemorySource, testField } from "../text/testing.js";
import { flushInverted } from "./inverted-flush.js";
import { FilledBuffer } from "./inverted-testing.js";

const TAG = testField(2, "keyword");

describe("single terms of a dictionary", () => {
  for (const count of [1, 16, 17, 1000]) {
    it(`are found by ordinal among ${count}, loaded or not, long ones too`, () => {
      const random = chance();
      const storage = testStorage();
      const filled = new FilledBuffer(storage);
      const terms = new Set<string>(["x".repeat(300)]);
      while (terms.size < count) terms.add("tag".repeat(random(60)) + random(2 ** 30).toString(36));
      [...terms].forEach((term, doc) => {
        filled.addTerm(TAG, doc, term);
      });
      const sink = new MemorySink();
      flushInverted(filled.buffer, sink, terms.size);
      const sorted = [...terms].sort((a, b) => (a < b ? -1 : 1));
      const source = new MemorySource(storage, sink);
      const cold: CellSource = Object.assign(Object.create(source) as MemorySource, { warm: () => 0 });
      const warm: CellSource = Object.assign(Object.create(source) as MemorySource, {
        warm: (kind: SectionKind, field: number) => source.pin(kind, field)!.address,
      });
      for (const cells of [cold, warm]) {
        const stored = new StoredTerms(cells, storage.arena, TAG.ordinal);
        for (let i = 0; i < 500; i++) {
          const ordinal = random(sorted.length);
          expect(Buffer.from(stored.term(ordinal)).toString("latin1"), random.label).toBe(sorted[ordinal]);
        }
      }
    });
  }
});
