import { GRAM_BITMAP_BYTES, GramGatherer, SORT_GRAMS_TABLE_BYTES, TAG_BITS } from "./grams.js";
import type { Kernels } from "./kernels.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

/** A gatherer whose letters are the bytes, those above 127 as 0. */
function gatherer(memory: CaseMemory, room: number): { address: number; seen: number; entries: number } {
  const address = memory.alloc(GramGatherer.bytes);
  const letters = memory.put(Uint8Array.from({ length: 256 }, (_, byte) => (byte < 128 ? byte : 0)));
  const seen = memory.alloc(GRAM_BITMAP_BYTES);
  const entries = memory.alloc(4 * room);
  memory.u32.set([letters, seen, entries, 3, 0], address / 4);
  return { address, seen, entries };
}

function gather(kernels: Kernels, memory: CaseMemory, text: Uint8Array) {
  const { address, seen, entries } = gatherer(memory, text.length + 1);
  const count = kernels.gatherGrams(address, memory.put(text), text.length);
  const found = memory.numbers(entries, count);
  const state = memory.numbers(address, 5);
  kernels.forgetGrams(seen, entries, count);
  const left = memory.u8.subarray(seen, seen + GRAM_BITMAP_BYTES).some((byte) => byte !== 0);
  return { found, lines: state[4], moved: state[2] - entries, left };
}

function grams(text: string): number[] {
  return [...text.matchAll(/(?=([^\n]{3}))/g)]
    .map(([, three]) => [...three].reduce((gram, letter) => gram * 128 + letter.charCodeAt(0), 0))
    .filter((gram, at, all) => all.indexOf(gram) === at)
    .map((gram) => gram * 2 ** TAG_BITS + 3);
}

const NEAR = "ab\n\nabc\nabcabc\nx\nxy\nxyz";

/** Ascending numbers below `total`, each with this chance; runs of neighbours where `clustered`. */
function chunks(random: () => number, total: number, chance: number, clustered = false): number[] {
  let inside = false;
  return Array.from({ length: total }, (_, chunk) => chunk).filter(() => {
    if (!clustered) return random() < chance;
    if (random() < 0.05) inside = random() < chance;
    return inside;
  });
}

function roundTrip(kernels: Kernels, memory: CaseMemory, list: readonly number[], total: number) {
  const out = memory.alloc(Math.ceil(total / 8) + 1024);
  const bytes = kernels.encodeChunks(memory.putU32(list), list.length, total, out);
  const back = memory.alloc(4 * list.length);
  if (bytes > 0) kernels.decodeChunks(out, list.length, back);
  const count = bytes > 0 ? list.length : kernels.bitmapChunks(out, total, back);
  const same = count === list.length && memory.numbers(back, count).every((chunk, i) => chunk === list[i]);
  return { bytes, same, encoded: memory.bytes(out, bytes || Math.ceil(total / 8)) };
}

const SHAPES: [title: string, total: number, chance: number, clustered: boolean][] = [
  ["few", 10_000, 0.001, false],
  ["some", 10_000, 0.03, false],
  ["many", 10_000, 0.4, false],
  ["nearly all", 10_000, 0.95, false],
  ["clustered", 10_000, 0.2, true],
];

export const gramsCases: KernelCase[] = [
  {
    kernels: ["gatherGrams", "forgetGrams"],
    title: "grams of lines, each once, none over a line feed",
    run: (kernels, memory) => gather(kernels, memory, Buffer.from(NEAR)),
    expected: { found: grams(NEAR), lines: 6, moved: 4 * grams(NEAR).length, left: false },
  },
  {
    kernels: ["gatherGrams", "forgetGrams"],
    title: `grams of random bytes, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      return gather(
        kernels,
        memory,
        Uint8Array.from({ length: 20_000 }, () => random() ** 2 * 256),
      );
    },
  },
  {
    kernels: ["gatherGrams"],
    title: "texts of 0 to 4 bytes",
    run: (kernels, memory) =>
      ["", "a", "ab", "abc", "abcd", "\n", "a\n", "ab\n", "\nab"].map(
        (text) => gather(kernels, memory, Buffer.from(text)).found,
      ),
  },
  {
    kernels: ["sortGrams", "takeGram"],
    title: `entries by gram, those of one gram in order, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      const count = 5000;
      const entries = memory.putU32(
        Array.from(
          { length: count },
          (_, i) => (Math.floor(random() ** 8 * 2 ** 21) * 2 ** TAG_BITS + (i % 2048)) >>> 0,
        ),
      );
      kernels.sortGrams(entries, count, memory.alloc(4 * count + SORT_GRAMS_TABLE_BYTES));
      const taken: number[][] = [];
      const out = memory.alloc(4 * count);
      for (let at = 0; at < count; ) {
        const found = kernels.takeGram(entries + 4 * at, entries + 4 * count, 100_000, out);
        taken.push(memory.numbers(out, found));
        at += found;
      }
      return { sorted: memory.numbers(entries, count), taken };
    },
  },
  ...SHAPES.map(
    ([title, total, chance, clustered]): KernelCase => ({
      kernels: ["encodeChunks", "decodeChunks", "bitmapChunks"],
      title: `lists of ${title} chunks, seed ${SEED}`,
      run(kernels, memory) {
        const random = seeded(SEED);
        const trip = roundTrip(kernels, memory, chunks(random, total, chance, clustered), total);
        return trip.same ? trip.encoded : "lost";
      },
    }),
  ),
  {
    kernels: ["encodeChunks", "decodeChunks"],
    title: "lists with gaps that no short code has",
    run: (kernels, memory) =>
      [
        [[0], 1],
        [[7], 8],
        [[0, 4_000_000_000], 4_200_000_000],
        [[4_000_000_000], 4_200_000_000],
        [[...Array.from({ length: 63 }, (_, i) => i), 2_000_000_000, 2_000_000_001], 2_100_000_000],
        [Array.from({ length: 300 }, (_, i) => i * i * 1000), 1_000_000_000],
      ].map(([list, total]) => {
        // What a bitmap would take is not written here: the memory of a case is small.
        const out = memory.alloc(8192);
        const bytes = kernels.encodeChunks(
          memory.putU32(list as number[]),
          (list as number[]).length,
          total as number,
          out,
        );
        const back = memory.alloc(4 * (list as number[]).length);
        kernels.decodeChunks(out, (list as number[]).length, back);
        return [memory.bytes(out, bytes), memory.numbers(back, (list as number[]).length)];
      }),
  },
  {
    kernels: ["mapChunks"],
    title: "chunks mapped, dropped and joined",
    run(kernels, memory) {
      const map = memory.putU32([0, 0xffffffff, 0, 1, 2, 2, 2, 0xffffffff, 9]);
      const list = memory.putU32([0, 1, 2, 4, 5, 7, 8]);
      const count = kernels.mapChunks(list, 7, map, list);
      return memory.numbers(list, count);
    },
    expected: [0, 2, 9],
  },
];
