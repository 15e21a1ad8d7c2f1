import { describe, expect, it } from "vitest";
import { type CellSource, SectionKind } from "../store/section.js";
import { type Chance, chance, MemorySink, testStorage } from "../store/testing.js";
import { MemorySource } from "../text/testing.js";
import { ColumnBuffer } from "./buffer.js";
import { ColumnRows } from "./column-rows.js";

const FIELD = 3;
const words = new Uint32Array(2);
const longs = new BigInt64Array(words.buffer);
const doubles = new Float64Array(words.buffer);

type Value = bigint | number;

const VALUES: Record<string, { kind: "long" | "double" | "ordinals"; value: (random: Chance) => Value }> = {
  bytes: { kind: "long", value: (random) => BigInt(random(200)) - 100n },
  "seconds in milliseconds": { kind: "long", value: (random) => 1_700_000_000_000n + 1000n * BigInt(random(60_000)) },
  "more than 32 bits": { kind: "long", value: (random) => BigInt(random(2 ** 32)) * 4096n + 1n },
  "the ends of i64": { kind: "long", value: (random) => (random(2) === 0 ? -(2n ** 63n) : 2n ** 63n - 1n) },
  "wide around zero": { kind: "long", value: (random) => (random(2) === 0 ? -(2n ** 53n) + 1n : 2n ** 53n - 1n) },
  floats: { kind: "double", value: (random) => random(100) / 4 },
  doubles: { kind: "double", value: (random) => random(1000) / 7 },
  ordinals: { kind: "ordinals", value: (random) => random(70_000) },
};

function write(kind: "long" | "double" | "ordinals", docs: readonly Value[][]): MemorySink {
  const storage = testStorage();
  const buffer = new ColumnBuffer(storage.arena, kind);
  docs.forEach((values, doc) => {
    for (const value of values) {
      if (kind === "long") longs[0] = value as bigint;
      else if (kind === "double") doubles[0] = value as number;
      else words.set([value as number, 0]);
      buffer.add(doc, words[0], words[1]);
    }
  });
  const sink = new MemorySink();
  const ordinals = { byTerm: Uint32Array.from({ length: 70_000 }, (_, i) => i), count: 70_000 };
  buffer.flush(sink, FIELD, docs.length, kind === "ordinals" ? ordinals : null);
  return sink;
}

const ascending = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

describe("single values of a column", () => {
  for (const [name, { kind, value }] of Object.entries(VALUES)) {
    it(`are those of the column: ${name}, one and several a document, loaded or not`, () => {
      const random = chance();
      for (const most of [1, 3]) {
        const docs = Array.from({ length: 400 }, () =>
          Array.from({ length: most === 1 ? 1 : 1 + random(most) }, () => value(random)),
        );
        const storage = testStorage();
        const source = new MemorySource(storage, write(kind, docs));
        const cold: CellSource = Object.assign(Object.create(source) as MemorySource, { warm: () => 0 });
        const warm: CellSource = Object.assign(Object.create(source) as MemorySource, {
          warm: (of: SectionKind, field: number) => source.pin(of, field)!.address,
        });
        for (const cells of [cold, warm]) {
          const rows = new ColumnRows(cells, storage.arena, FIELD);
          for (let i = 0; i < 600; i++) {
            const doc = random(docs.length);
            const wanted = [...docs[doc]].sort(ascending);
            const distinct = kind === "ordinals" ? [...new Set(wanted)] : wanted;
            const found = Array.from({ length: rows.count(doc) }, (_, index) =>
              kind === "long"
                ? BigInt(rows.long(doc, index))
                : kind === "double"
                  ? rows.double(doc, index)
                  : rows.ordinal(doc, index),
            );
            expect(found, random.label).toEqual(distinct);
          }
        }
      }
    });
  }

  it("of a field without a column are refused", () => {
    const storage = testStorage();
    const source = Object.assign(new MemorySource(storage, new MemorySink()), { warm: () => 0 });
    expect(() => new ColumnRows(source, storage.arena, FIELD)).toThrow(/field 3 has no column/);
  });

  it("are safe numbers where they can be, else bigints", () => {
    const storage = testStorage();
    const sink = write("long", [[5n], [2n ** 60n]]);
    expect(sink.sections.has(`${SectionKind.columnValues}/${FIELD}`)).toBe(true);
    const source = Object.assign(new MemorySource(storage, sink), { warm: () => 0 });
    const rows = new ColumnRows(source, storage.arena, FIELD);
    expect([rows.long(0, 0), rows.long(1, 0)]).toEqual([5, 2n ** 60n]);
  });
});
