import { describe, expect, it } from "vitest";
import { GRAM_COUNT, type GramQuery, gramsOfBytes } from "../regex/index.js";
import { bitWords, setBit } from "../store/bits.js";
import { SectionKind } from "../store/section.js";
import { chance, hex, MemorySink, testStorage } from "../store/testing.js";
import { FULL_CHUNK, TARGET_CHUNK } from "./format.js";
import { mergeTrigrams } from "./merge.js";
import { fieldOf, linesOf, TEST_FIELD, valuesOf, writtenField } from "./testing.js";

const of = (text: string): GramQuery => gramsOfBytes(Buffer.from(text));
const float = (value: number) => Buffer.from(Float64Array.of(value).buffer).toString("hex");

/** A line of its own for every number. */
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `line ${from + i} has number q${(from + i) * 7919}z\n`).join("");

/** Some hundred of them, from everywhere. */
const some = <T>(all: readonly T[]): T[] => all.filter((_, i) => i % Math.ceil(all.length / 150) === 0);

function merged(storage: ReturnType<typeof testStorage>, inputs: Parameters<typeof mergeTrigrams>[3]) {
  const sink = new MemorySink();
  for (const steps = mergeTrigrams(storage, sink, TEST_FIELD, inputs); !steps.next().done; );
  return { field: fieldOf(storage, sink), sink };
}

const bitsOf = (count: number, isAlive: (doc: number) => boolean) => {
  const bits = new Uint32Array(bitWords(count));
  for (let doc = 0; doc < count; doc++) if (isAlive(doc)) setBit(bits, doc);
  return bits;
};

describe("the bytes of text and grams", () => {
  it("are those that the format's comment shows", () => {
    const { sink } = writtenField(testStorage(), [["abc\n"]]);
    const offsets = [0, 0, 4, 4, 0, 0, 4].map(float).join("");
    expect(sink.hex(SectionKind.textTable, TEST_FIELD)).toBe(
      `${hex("01000000 01000000 01000000 00000000")}${offsets}${"00".repeat(12)}`,
    );
    expect(sink.hex(SectionKind.textData, TEST_FIELD)).toBe(Buffer.from("abc\n").toString("hex"));
    expect(sink.hex(SectionKind.gramIndex, TEST_FIELD)).toBe(
      hex("01000000 01000000 63711800 00000000 0000000000000000"),
    );
    expect(sink.hex(SectionKind.gramData, TEST_FIELD)).toBe("0001");
    expect(sink.hex(SectionKind.gramLists, TEST_FIELD)).toBe("");
    expect(sink.sections.has(`${SectionKind.textDocs}/${TEST_FIELD}`)).toBe(false);
  });
});

describe("chunks", () => {
  it("tile the text, end with lines, and know where they begin", () => {
    const storage = testStorage();
    const long = numbered(0, 3000);
    const { field } = writtenField(storage, [[numbered(0, 10)], [long], [""], ["x", "", "y\n"]]);
    const lines = linesOf(field, storage.arena.u8);
    expect(lines.filter(({ doc }) => doc === 1).map(({ line, bytes }) => [line, bytes.toString()])).toEqual(
      long.split(/(?<=\n)/).map((line, number) => [number, line]),
    );
    expect(lines.filter(({ doc }) => doc === 3).map(({ value, bytes }) => [value, bytes.toString()])).toEqual([
      [3, "x"],
      [5, "y\n"],
    ]);
    for (let chunk = 0; chunk < field.chunkCount; chunk++) {
      expect(field.chunkLength(chunk)).toBeLessThanOrEqual(FULL_CHUNK);
    }
  });

  it("are shared by small values, and none begins one that fits into the next", () => {
    const texts = Array.from({ length: 400 }, (_, i) => [numbered(i, i + 3)]);
    const { field } = writtenField(testStorage(), texts);
    expect(field.chunkCount).toBeLessThan((1.3 * field.textBytes) / TARGET_CHUNK + 1);
    const { field: two } = writtenField(testStorage(), [[numbered(0, 200)], [numbered(0, 240)]]);
    expect(two.pieces(1, [])).toBe(1);
  });

  it("hold a line of any length whole", () => {
    const storage = testStorage();
    const line = `${"ab".repeat(2_500_000)}needle in it`;
    const { field } = writtenField(storage, [[`first\n${line}\nlast\n`]]);
    const [chunk] = field.chunks(of("needle in it"));
    const base = field.loadChunks(chunk, chunk);
    const text = Buffer.from(storage.arena.u8.subarray(base, base + field.chunkLength(chunk)));
    expect(text.toString()).toContain(line);
    expect(field.chunks(of("last"))).toHaveLength(1);
    const lines = linesOf(field, storage.arena.u8);
    expect(lines.map(({ line: number }) => number)).toEqual([0, 1, 2]);
  });

  it("of grams over the border between two pieces of a long line are found", () => {
    const border = 64 * 1024;
    const texts = [-3, -2, -1, 0, 1].map((shift) => [`${"-".repeat(border + shift)}xyz`]);
    const { field } = writtenField(testStorage(), texts);
    expect([...field.documents(of("xyz"))]).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("candidates", () => {
  const storage = testStorage();
  const { field } = writtenField(storage, [[numbered(0, 4000)], ["no lines of it"], [numbered(4000, 4100)]]);

  it("of all, none, what is nowhere, and grams beyond all", () => {
    expect(field.chunks({ kind: "all" })).toHaveLength(field.chunkCount);
    expect(field.documents({ kind: "all" })).toEqual(Uint32Array.of(0, 1, 2));
    expect(field.chunks({ kind: "none" })).toHaveLength(0);
    for (const gram of [0, 1, GRAM_COUNT - 1]) expect(field.chunks({ kind: "gram", gram })).toHaveLength(0);
    expect(field.chunks(of("nowhere to be seen"))).toHaveLength(0);
  });

  it("are few where text is rare", () => {
    const wanted = `q${3210 * 7919}z`;
    const chunks = field.chunks(of(wanted));
    const lines = linesOf(field, storage.arena.u8);
    const found = lines.filter(({ bytes }) => bytes.includes(wanted)).map(({ chunk }) => chunk);
    for (const chunk of found) expect([...chunks]).toContain(chunk);
    expect(chunks.length).toBeLessThan(field.chunkCount / 2);
    expect(field.estimate(of(wanted))).toBeGreaterThanOrEqual(chunks.length);
  });

  it("are documents where the grams are in different chunks of one", () => {
    const apart: GramQuery = { kind: "and", parts: [of("q0z"), of(`${3999 * 7919}`)] };
    expect(field.chunks(apart)).toHaveLength(0);
    expect([...field.documents(apart)]).toEqual([0]);
  });

  it("are the same whether sections are loaded or read", () => {
    const other = testStorage();
    const { field: warm } = writtenField(other, [[numbered(0, 4000)], ["no lines of it"], [numbered(4000, 4100)]], {
      warm: true,
    });
    for (const text of ["line 17 ", "has number", "q7919z", "no lines"]) {
      expect(warm.chunks(of(text))).toEqual(field.chunks(of(text)));
    }
    expect(valuesOf(warm, 2, other.arena.u8)).toEqual(valuesOf(field, 2, storage.arena.u8));
  });
});

describe("merging", () => {
  it("joins small chunks, copies packed blocks, and drops what is dead", () => {
    const storage = testStorage();
    const documents = Array.from({ length: 60 }, (_, i) => [numbered(i * 50, i * 50 + 2 + (i % 7) * 60)]);
    const inputs = documents.map((one, i) => ({
      trigrams: writtenField(storage, [one, ["dead text"]]).field,
      docCount: 2,
      live: i % 5 === 0 ? null : bitsOf(2, (doc) => doc === 0),
    }));
    const { field } = merged(storage, inputs);
    const expected = documents.flatMap((one, i) => (i % 5 === 0 ? [one, ["dead text"]] : [one]));
    expect(expected.map((_, doc) => valuesOf(field, doc, storage.arena.u8).map(String))).toEqual(expected);
    expect(field.chunkCount).toBeLessThan(60);
    for (const { bytes, chunk, line, doc } of some(linesOf(field, storage.arena.u8))) {
      expect(valuesOf(field, doc, storage.arena.u8)[0].toString().split("\n")[line]).toBe(
        bytes.toString().replace("\n", ""),
      );
      if (bytes.includes("q")) expect([...field.chunks(of(bytes.toString()))]).toContain(chunk);
    }
  });

  it("writes nothing where nobody has text, and empty sections where all of it is dead", () => {
    const storage = testStorage();
    const none = { trigrams: null, docCount: 3, live: null };
    const sink = new MemorySink();
    for (const steps = mergeTrigrams(storage, sink, TEST_FIELD, [none, none]); !steps.next().done; );
    expect(sink.sections.size).toBe(0);
    const dead = { trigrams: writtenField(storage, [["gone"]]).field, docCount: 1, live: bitsOf(1, () => false) };
    const { field } = merged(storage, [none, dead]);
    expect([field.chunkCount, field.valueCount]).toEqual([0, 0]);
    expect([0, 1, 2].map((doc) => field.endValue(doc) - field.firstValue(doc))).toEqual([0, 0, 0]);
    expect(field.chunks(of("gone"))).toHaveLength(0);
  });

  it("gives memory back when it is given up half way", () => {
    const storage = testStorage();
    const { field } = writtenField(storage, [[numbered(0, 30_000)]]);
    field.lists();
    storage.scratch.release();
    const before = storage.arena.used;
    const steps = mergeTrigrams(storage, new MemorySink(), TEST_FIELD, [{ trigrams: field, docCount: 1, live: null }]);
    steps.next();
    steps.return();
    storage.scratch.release();
    expect(storage.arena.used).toBe(before);
  });

  it(`merges of merges lead to every line (${chance().label})`, () => {
    const random = chance();
    const storage = testStorage();
    let level = Array.from({ length: 16 }, () => {
      const texts = Array.from({ length: 1 + random(5) }, () =>
        Array.from({ length: random(3) }, () => numbered(random(400), 400 + random(200))),
      );
      return { texts, field: writtenField(storage, texts).field };
    });
    while (level.length > 1) {
      const next: typeof level = [];
      for (let i = 0; i < level.length; i += 2) {
        const parts = level.slice(i, i + 2).map((one) => {
          const live = bitsOf(one.texts.length, () => random(8) > 0);
          return { ...one, live, kept: one.texts.filter((_, doc) => (live[0] >>> doc) & 1) };
        });
        const inputs = parts.map(({ field, texts, live }) => ({ trigrams: field, docCount: texts.length, live }));
        next.push({ texts: parts.flatMap(({ kept }) => kept), field: merged(storage, inputs).field });
      }
      level = next;
    }
    const [{ texts, field }] = level;
    expect(texts.map((_, doc) => valuesOf(field, doc, storage.arena.u8).map(String))).toEqual(texts);
    for (const { bytes, chunk, doc } of some(linesOf(field, storage.arena.u8))) {
      expect([...field.chunks(of(bytes.toString()))]).toContain(chunk);
      expect([...field.documents(of(bytes.toString()))]).toContain(doc);
    }
  });
});
