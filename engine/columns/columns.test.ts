import path from "node:path";
import { describe, expect, it } from "vitest";
import { SegmentFile } from "../segment/file.js";
import { SegmentFileWriter } from "../segment/file-writer.js";
import type { Column } from "../segment/types.js";
import { isSet } from "../store/bits.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { type Chance, chance, hex, MemorySink, temporaryFolder, testStorage } from "../store/testing.js";
import { ColumnBuffer } from "./buffer.js";
import { ExistsBuffer, readExists, writeExists } from "./exists.js";
import { BLOCK_ROWS } from "./format.js";
import { mergeColumn } from "./merge.js";
import { readColumn } from "./reader.js";

type Value = bigint | number;
const FIELD = 7;
const words = new Uint32Array(2);
const longs = new BigInt64Array(words.buffer);
const doubles = new Float64Array(words.buffer);

/** Puts the values of each document into a buffer; ordinals are term numbers. */
function fill(storage: Storage, kind: "long" | "double" | "ordinals", docs: readonly Value[][]): ColumnBuffer {
  const buffer = new ColumnBuffer(storage.arena, kind);
  docs.forEach((values, doc) => {
    for (const value of values) {
      if (kind === "long") longs[0] = value as bigint;
      else if (kind === "double") doubles[0] = value as number;
      else words.set([value as number, 0]);
      buffer.add(doc, words[0], words[1]);
    }
  });
  return buffer;
}

let files = 0;

/** Writes sections with `write` and opens the file, in use. */
function reopen(storage: Storage, folder: string, write: (sink: SectionSink) => void): SegmentFile {
  const file = path.join(folder, `${files++}.seg`);
  const writer = new SegmentFileWriter(storage, file);
  write(writer);
  writer.finish();
  const opened = SegmentFile.open(storage, file);
  opened.beginUse();
  return opened;
}

function valueAt(column: Column, row: number): Value {
  if (column.kind === "long") return column.base + BigInt(column.raw[row]) * column.step;
  return column.kind === "double" ? column.values[row] : column.ordinals[row];
}

/** What a column says each document has. */
function valuesOf(column: Column | null, docs: number): Value[][] {
  return Array.from({ length: docs }, (_, doc) => {
    if (column === null || !isSet(column.presence.bits, doc)) return [];
    if (column.offsets === null) return [valueAt(column, doc)];
    const rows = Array.from({ length: column.offsets[doc + 1] - column.offsets[doc] }, (_, i) => i);
    return rows.map((i) => valueAt(column, column.offsets![doc] + i));
  });
}

function sorted(values: readonly Value[]): Value[] {
  return [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Checks everything a long column promises of itself. */
function checkLongFacts(column: Column | null, docs: readonly Value[][]): void {
  if (column?.kind !== "long") throw new Error("not a long column");
  const all = docs.flat() as bigint[];
  expect(column.min).toBe(sorted(all)[0]);
  expect(column.max).toBe(sorted(all)[all.length - 1]);
  expect(column.safe).toBe(all.every((value) => Number.isSafeInteger(Number(value))));
  expect(column.presence.count).toBe(docs.filter((values) => values.length > 0).length);
  if (column.blockMin === null || column.blockMax === null) return;
  for (let block = 0; block < column.blockMin.length; block++) {
    const rows: number[] = [];
    for (let row = block * BLOCK_ROWS; row < Math.min(column.raw.length, (block + 1) * BLOCK_ROWS); row++) {
      if (column.offsets !== null || isSet(column.presence.bits, row)) rows.push(Number(column.raw[row]));
    }
    expect(column.blockMin[block]).toBe(rows.length === 0 ? 0xffffffff : Math.min(...rows));
    expect(column.blockMax[block]).toBe(rows.length === 0 ? 0 : Math.max(...rows));
  }
}

const RANGES: Record<string, (random: Chance) => bigint> = {
  "one value": () => 42n,
  bytes: (random) => BigInt(random(200) - 100),
  "multiples of a thousand": (random) => 1_700_000_000_000n + 1000n * BigInt(random(60_000)),
  "31 bits": (random) => BigInt(random(2 ** 31)),
  milliseconds: (random) => 1_600_000_000_000n + BigInt(random(2 ** 32 - 1)),
  "more than 32 bits": (random) => BigInt(random(2 ** 32)) * 4096n + BigInt(random(4096)),
  "beyond 2^53": (random) => BigInt(random(2 ** 32)) * 2n ** 31n - 2n ** 62n,
  "the ends of i64": (random) => (random(2) === 0 ? -(2n ** 63n) : 2n ** 63n - 1n),
  "a range beyond 2^53": (random) => (random(2) === 0 ? -(2n ** 53n) + 1n : 2n ** 53n - 1n),
};

/** Documents with 0 to `most` values each. */
function randomDocs(random: Chance, count: number, most: number, value: () => Value): Value[][] {
  return Array.from({ length: count }, () =>
    Array.from({ length: most === 1 ? random(4) && 1 : random(most + 1) }, value),
  );
}

describe("long column", () => {
  it("lies in the bytes that the format's comment shows", () => {
    const storage = testStorage();
    const sink = new MemorySink();
    fill(storage, "long", [[1000n], [3000n], []]).flush(sink, FIELD, 3, null);
    expect(sink.hex(SectionKind.columnMeta, FIELD)).toBe(
      hex(
        `03000000 02000000 03000000 01010200 e803000000000000 d007000000000000 e803000000000000 b80b000000000000 ${"00".repeat(16)}`,
      ),
    );
    expect(sink.hex(SectionKind.columnValues, FIELD)).toBe("000100");
    expect(sink.hex(SectionKind.columnPresence, FIELD)).toBe("03000000");
  });

  for (const [range, value] of Object.entries(RANGES)) {
    it(`gives back ${range}, single and multiple, whole and after a merge`, () => {
      const random = chance();
      const storage = testStorage();
      const folder = temporaryFolder();
      for (const most of [1, 4]) {
        const parts = [0, 1, 2].map((i) => randomDocs(random, [700, 1, 300][i], most, () => value(random)));
        parts[1][0] = [value(random)];
        const opened = parts.map((docs) =>
          reopen(storage, folder, (sink) => fill(storage, "long", docs).flush(sink, FIELD, docs.length, null)),
        );
        const inputs = opened.map((file, i) => ({
          docCount: parts[i].length,
          live: i === 1 ? null : randomBits(random, parts[i].length),
          column: readColumn(file, storage.arena, FIELD),
          ordinals: null,
        }));
        inputs.forEach(({ column, docCount }, i) => {
          expect(valuesOf(column, docCount), random.label).toEqual(parts[i].map(sorted));
          checkLongFacts(column, parts[i]);
        });
        const merged = reopen(storage, folder, (sink) => run(mergeColumn(sink, FIELD, inputs, 0)));
        const kept = parts.flatMap((docs, i) => docs.filter((_, doc) => isSet(inputs[i].live, doc)));
        const column = readColumn(merged, storage.arena, FIELD);
        expect(valuesOf(column, kept.length), random.label).toEqual(kept.map(sorted));
        checkLongFacts(column, kept);
      }
    });
  }

  it("is absent where no document has a value, also after a merge", () => {
    const storage = testStorage();
    const sink = new MemorySink();
    fill(storage, "long", [[], []]).flush(sink, FIELD, 2, null);
    run(mergeColumn(sink, FIELD, [{ docCount: 2, live: null, column: null, ordinals: null }], 0));
    expect(sink.sections.size).toBe(0);
  });

  it("takes one byte a value for a thousand seconds in milliseconds", () => {
    const storage = testStorage();
    const sink = new MemorySink();
    const docs = Array.from({ length: 256 }, (_, i) => [1_700_000_000_000n + 1000n * BigInt(i)]);
    fill(storage, "long", docs).flush(sink, FIELD, 256, null);
    expect(sink.sections.get(`${SectionKind.columnValues}/${FIELD}`)?.length).toBe(256);
  });
});

describe("double column", () => {
  const DOUBLES: Record<string, (random: Chance) => number> = {
    "floats in 32 bits": (random) => Math.fround(random(1000) / 7),
    doubles: (random) => random(1000) / 7,
    "signed zeros and infinities": (random) => [0, -0, Infinity, -Infinity, Number.MIN_VALUE][random(5)],
  };
  for (const [range, value] of Object.entries(DOUBLES)) {
    it(`gives back ${range}, whole and after a merge`, () => {
      const random = chance();
      const storage = testStorage();
      const folder = temporaryFolder();
      for (const most of [1, 3]) {
        const parts = [500, 200].map((count) => randomDocs(random, count, most, () => value(random)));
        const opened = parts.map((docs) =>
          reopen(storage, folder, (sink) => fill(storage, "double", docs).flush(sink, FIELD, docs.length, null)),
        );
        const inputs = opened.map((file, i) => ({
          docCount: parts[i].length,
          live: randomBits(random, parts[i].length),
          column: readColumn(file, storage.arena, FIELD),
          ordinals: null,
        }));
        const order = (values: readonly Value[]) => [...Float64Array.from(values as number[]).sort()];
        inputs.forEach(({ column, docCount }, i) => {
          expect(valuesOf(column, docCount), random.label).toEqual(parts[i].map(order));
          const bytes = column?.kind === "double" ? column.values.BYTES_PER_ELEMENT : 0;
          expect(bytes).toBe(parts[i].flat().every((v) => Object.is(Math.fround(v as number), v)) ? 4 : 8);
        });
        const merged = reopen(storage, folder, (sink) => run(mergeColumn(sink, FIELD, inputs, 0)));
        const kept = parts.flatMap((docs, i) => docs.filter((_, doc) => isSet(inputs[i].live, doc)));
        const column = readColumn(merged, storage.arena, FIELD);
        expect(valuesOf(column, kept.length), random.label).toEqual(kept.map(order));
        expect(column?.kind === "double" && column.min).toBe(Math.min(...(kept.flat() as number[])));
      }
    });
  }
});

describe("ordinal column", () => {
  for (const terms of [5, 300, 70_000]) {
    it(`gives back ordinals of ${terms} terms, distinct and ascending, whole and after a merge`, () => {
      const random = chance();
      const storage = testStorage();
      const folder = temporaryFolder();
      // Term number t has rank terms - 1 - t; merged dictionaries hold every second rank.
      const byTerm = Uint32Array.from({ length: terms }, (_, t) => terms - 1 - t);
      const parts = [400, 100].map((count) => randomDocs(random, count, 5, () => random(terms)));
      const expected = parts.map((docs) =>
        docs.map((values) => sorted([...new Set(values.map((t) => terms - 1 - Number(t)))])),
      );
      const inputs = parts.map((docs, i) => {
        const file = reopen(storage, folder, (sink) =>
          fill(storage, "ordinals", docs).flush(sink, FIELD, docs.length, { byTerm, count: terms }),
        );
        const column = readColumn(file, storage.arena, FIELD);
        expect(valuesOf(column, docs.length), random.label).toEqual(expected[i]);
        const ordinals = Uint32Array.from({ length: terms }, (_, rank) => 2 * rank + i);
        return { docCount: docs.length, live: randomBits(random, docs.length), column, ordinals };
      });
      const merged = reopen(storage, folder, (sink) => run(mergeColumn(sink, FIELD, inputs, 2 * terms)));
      const kept = expected.flatMap((docs, i) =>
        docs.filter((_, doc) => isSet(inputs[i].live, doc)).map((values) => values.map((rank) => 2 * Number(rank) + i)),
      );
      expect(valuesOf(readColumn(merged, storage.arena, FIELD), kept.length), random.label).toEqual(kept);
    });
  }
});

describe("exists section", () => {
  it("lies in the bytes that the format's comment shows and reads back", () => {
    const storage = testStorage();
    const buffer = new ExistsBuffer(storage.arena);
    for (const doc of [0, 0, 2, 2]) buffer.add(doc);
    const sink = new MemorySink();
    writeExists(sink, FIELD, 3, buffer.bits(3));
    expect(sink.hex(SectionKind.exists, FIELD)).toBe(hex("03000000 02000000 05000000"));
    const file = reopen(storage, temporaryFolder(), (target) => writeExists(target, FIELD, 3, buffer.bits(3)));
    expect(readExists(file, storage.arena, FIELD)).toEqual({ bits: Uint32Array.of(5), count: 2 });
  });

  it("keeps no bits when every document has the field", () => {
    const storage = testStorage();
    const file = reopen(storage, temporaryFolder(), (sink) =>
      writeExists(sink, FIELD, 40, new Uint32Array([0xffffffff, 0xff])),
    );
    expect(readExists(file, storage.arena, FIELD)).toEqual({ bits: null, count: 40 });
  });
});

function randomBits(random: Chance, count: number): Uint32Array {
  const bits = new Uint32Array((count + 31) >>> 5);
  for (let i = 0; i < count; i++) if (random(3) > 0) bits[i >>> 5] |= 1 << (i & 31);
  return bits;
}

function run(work: Generator<void, void>): void {
  while (!work.next().done);
}
