import type { Kernels } from "./kernels.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

function common(kernels: Kernels, memory: CaseMemory, a: number[], b: number[], part = { from: 0, to: a.length }) {
  const inA = memory.alloc(4 * a.length + 4);
  const inB = memory.alloc(4 * a.length + 4);
  const lists = { a: memory.putU32(a), b: memory.putU32(b), inA, inB };
  const count = kernels.intersect({ ...lists, aFrom: part.from, aTo: part.to, bCount: b.length });
  return [memory.numbers(inA, count), memory.numbers(inB, count)];
}

function ascending(random: () => number, count: number, gap: number): number[] {
  let doc = -1;
  return Array.from({ length: count }, () => {
    doc += 1 + Math.floor(random() * gap);
    return doc;
  });
}

export const matchesCases: KernelCase[] = [
  {
    kernels: ["intersect"],
    title: "equal, apart, inside of each other, empty, the largest document",
    run: (kernels, memory) => [
      common(kernels, memory, [1, 2, 3], [1, 2, 3]),
      common(kernels, memory, [1, 3, 5], [2, 4, 6]),
      common(kernels, memory, [5, 100], [1, 2, 3, 4, 5]),
      common(kernels, memory, [], [1]),
      common(kernels, memory, [1], []),
      common(kernels, memory, [0, 0xfffffffe], [0xfffffffe]),
      common(kernels, memory, [1, 2, 3, 4], [1, 2, 3, 4], { from: 1, to: 3 }),
    ],
    expected: [
      [
        [0, 1, 2],
        [0, 1, 2],
      ],
      [[], []],
      [[0], [4]],
      [[], []],
      [[], []],
      [[1], [0]],
      [
        [1, 2],
        [1, 2],
      ],
    ],
  },
  {
    kernels: ["intersect"],
    title: `lists as dense and as long as each other, and not, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      return [1, 2, 7, 40].flatMap((gapA) =>
        [1, 3, 50].map((gapB) =>
          common(kernels, memory, ascending(random, 1 + random() * 128, gapA), ascending(random, 128, gapB)),
        ),
      );
    },
  },
  {
    kernels: ["gather", "gatherSums"],
    title: "values by their places, also in place",
    run(kernels, memory) {
      const sums = memory.alloc(24);
      memory.f64.set([1.5, 2.5, 3.5], sums / 8);
      kernels.gatherSums(sums, memory.putU32([0, 2]), 2, sums);
      const values = memory.putU32([10, 11, 12, 13, 14]);
      const out = memory.alloc(20);
      kernels.gather(values, memory.putU32([4, 0, 4]), 3, out);
      kernels.gather(values, memory.putU32([1, 3, 4]), 3, values);
      return [memory.numbers(out, 4), memory.numbers(values, 5), [...memory.f64.subarray(sums / 8, sums / 8 + 3)]];
    },
    expected: [
      [14, 10, 14, 0],
      [11, 13, 14, 13, 14],
      [1.5, 3.5, 3.5],
    ],
  },
  {
    kernels: ["keepLesser"],
    title: "the lesser of two, unsigned",
    run(kernels, memory) {
      const values = memory.putU32([5, 0xffffffff, 1, 7, 9]);
      kernels.keepLesser(values, memory.putU32([6, 3, 0x80000000, 7, 8]), 5);
      return memory.numbers(values, 5);
    },
    expected: [5, 3, 1, 7, 8],
  },
];
