import type { Kernels } from "./kernels.js";
import { CURSOR_BYTES, Cursor, NOT_DECODED } from "./phrase.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";
import { writeVarint } from "./varint.js";

/** Positions of one word, per document of its block; more of them may lie before. */
interface Word {
  offset: number;
  positions: number[][];
  before?: number;
}

/** Encodes the stream of a word's positions; returns the address of the group that holds the first of the block. */
function putPositions(kernels: Kernels, memory: CaseMemory, { positions, before = 0 }: Word): number {
  const deltas = positions.flatMap((own) => own.map((position, i) => position - (i === 0 ? 0 : own[i - 1])));
  const all = [...Array.from({ length: before % 128 }, () => 3), ...deltas];
  const address = memory.alloc(6 * all.length + 600);
  let at = address;
  for (let from = 0; from < all.length; from += 128) {
    const group = all.slice(from, from + 128);
    if (group.length < 128) {
      for (const delta of group) at = writeVarint(memory.u8, at, delta);
      break;
    }
    const width = 32 - Math.clz32(Math.max(...group));
    memory.u8[at] = width;
    kernels.pack128(memory.putU32(group), width, at + 1);
    at += 1 + 16 * width;
  }
  return address;
}

function putCursor(kernels: Kernels, memory: CaseMemory, cursor: number, word: Word, places: number[]): void {
  const before = word.before ?? 0;
  const total = before + word.positions.flat().length;
  const fields: [keyof typeof Cursor, number][] = [
    ["freqs", memory.putU32(word.positions.map((own) => own.length))],
    ["places", memory.putU32(places)],
    ["offset", word.offset],
    ["group", Math.floor(before / 128)],
    ["groupAt", putPositions(kernels, memory, word)],
    ["fullGroups", Math.floor(total / 128)],
    ["rest", total % 128],
    ["before", before],
    ["summed", 0],
    ["decoded", NOT_DECODED],
  ];
  for (const [name, value] of fields) memory.view.setUint32(cursor + Cursor[name], value, true);
}

/** Document numbers and frequencies of the phrase, asked for in two calls. */
function matches(kernels: Kernels, memory: CaseMemory, words: Word[], places: number[][] = words.map(() => [])) {
  const asked = places.map((own, i) => (own.length > 0 ? own : words[i].positions.map((_, place) => place)));
  const cursors = memory.alloc(words.length * CURSOR_BYTES);
  words.forEach((word, i) => {
    putCursor(kernels, memory, cursors + i * CURSOR_BYTES, word, asked[i]);
  });
  const kept = memory.alloc(1024);
  const freqs = memory.alloc(1024);
  const phrase = { cursors, words: words.length, count: asked[0].length, kept, freqs };
  const found = kernels.phraseMatches(phrase);
  return [memory.numbers(kept, found), memory.numbers(freqs, found)];
}

/** Ascending positions, some of them twice where the words repeat themselves. */
function randomPositions(random: () => number, most: number): number[] {
  const count = 1 + Math.floor(random() ** 3 * most);
  return Array.from({ length: count }, () => Math.floor(random() * (4 + 2 * count))).sort((a, b) => a - b);
}

export const phraseCases: KernelCase[] = [
  {
    kernels: ["phraseMatches", "pack128"],
    title: "adjacent, in the other order, apart, repeated, one word alone",
    run: (kernels, memory) => [
      matches(kernels, memory, [
        { offset: 0, positions: [[1, 7], [5], [0]] },
        { offset: 1, positions: [[2, 8], [4], [2]] },
      ]),
      matches(kernels, memory, [
        { offset: 0, positions: [[0, 1, 2, 3]] },
        { offset: 1, positions: [[0, 1, 2, 3]] },
        { offset: 2, positions: [[0, 1, 2, 3]] },
      ]),
      matches(kernels, memory, [{ offset: 0, positions: [[4], [1, 9]] }]),
      matches(kernels, memory, [
        { offset: 2, positions: [[0, 5]] },
        { offset: 0, positions: [[3]] },
      ]),
    ],
    expected: [
      [[0], [2]],
      [[0], [2]],
      [
        [0, 1],
        [1, 2],
      ],
      [[0], [1]],
    ],
  },
  {
    kernels: ["phraseMatches", "pack128"],
    title: "a position that a word has twice counts twice where all words have it twice",
    run: (kernels, memory) => [
      matches(kernels, memory, [
        { offset: 0, positions: [[5, 5]] },
        { offset: 1, positions: [[6]] },
      ]),
      matches(kernels, memory, [
        { offset: 0, positions: [[5, 5]] },
        { offset: 1, positions: [[6, 6]] },
      ]),
    ],
    expected: [
      [[0], [1]],
      [[0], [2]],
    ],
  },
  ...[1, 2, 3].map(
    (length): KernelCase => ({
      kernels: ["phraseMatches", "pack128"],
      title: `${length} words in 60 documents, few and many occurrences, some documents left out, seed ${SEED}`,
      run(kernels, memory) {
        const random = seeded(SEED + length);
        return [3, 40, 200].map((most) => {
          const words = Array.from({ length }, (_, offset) => ({
            offset,
            before: Math.floor(random() * 1000),
            positions: Array.from({ length: 60 }, () => randomPositions(random, most)),
          }));
          const common = Array.from({ length: 60 }, (_, place) => place).filter(() => random() < 0.6);
          return matches(
            kernels,
            memory,
            words,
            words.map(() => common),
          );
        });
      },
    }),
  ),
];
