import type { Kernels } from "./kernels.js";
import { WINDOW } from "./score.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

interface Block {
  docs: number[];
  freqs: number[];
  norms: boolean;
  from: number;
  windowBase: number;
  windowEnd: number;
}

function score(kernels: Kernels, memory: CaseMemory, block: Block): unknown {
  const random = seeded(SEED);
  const accumulators = memory.alloc(8 * 4096);
  const marks = memory.alloc(4096);
  const norms = memory.put(Uint8Array.from({ length: 8192 }, () => random() * 256));
  const args = {
    docs: memory.putU32(block.docs),
    freqs: memory.putU32(block.freqs),
    from: block.from,
    count: block.docs.length,
    windowBase: block.windowBase,
    windowEnd: block.windowEnd,
    norms: block.norms ? norms : 0,
    normInverse: memory.putF32(Array.from({ length: 256 }, () => random() * 3)),
    weight: 6.91,
    accumulators,
    marks,
  };
  const stopped = kernels.scoreBlock(args);
  const again = kernels.scoreBlock({ ...args, weight: 0.7, windowEnd: block.windowBase + 50 });
  return [stopped, again, memory.numbers(accumulators, 2 * 4096), memory.numbers(marks, 1024)];
}

function ascending(random: () => number, count: number, gap: number): number[] {
  let doc = 0;
  return Array.from({ length: count }, () => {
    doc += 1 + Math.floor(random() * gap);
    return doc;
  });
}

const blockCases: KernelCase[] = [true, false].flatMap((norms) =>
  [0, 1, 3, 4, 7, 128].map(
    (count): KernelCase => ({
      kernels: ["scoreBlock"],
      title: `${count} documents ${norms ? "with" : "without"} norms, all or half in the window, seed ${SEED}`,
      run(kernels, memory) {
        const random = seeded(SEED + count);
        const docs = ascending(random, count, 30);
        const freqs = docs.map(() => 1 + Math.floor(random() ** 4 * 1000));
        const half = docs[count >> 1] ?? 1;
        return [
          score(kernels, memory, { docs, freqs, norms, from: 0, windowBase: 0, windowEnd: 4096 }),
          score(kernels, memory, { docs, freqs, norms, from: 0, windowBase: 0, windowEnd: half }),
          score(kernels, memory, {
            docs,
            freqs,
            norms,
            from: Math.floor(count / 2),
            windowBase: half,
            windowEnd: 4096,
          }),
        ];
      },
    }),
  ),
);

/** A row of documents with frequencies, norms and all else that scoring one term takes. */
function termRow(memory: CaseMemory, random: () => number, count: number, norms: boolean) {
  const docs = ascending(random, count, 30);
  return {
    docs: memory.putU32(docs),
    freqs: memory.putU32(docs.map(() => 1 + Math.floor(random() ** 4 * 1000))),
    count,
    norms: norms ? memory.put(Uint8Array.from({ length: 8192 }, () => random() * 256)) : 0,
    normInverse: memory.putF32(Array.from({ length: 256 }, () => random() * 3)),
    weight: 0.5 + random() * 9,
  };
}

function putF64(memory: CaseMemory, numbers: readonly number[]): number {
  const address = memory.alloc(8 * numbers.length);
  memory.f64.set(numbers, address / 8);
  return address;
}

const rowCases: KernelCase[] = [true, false].flatMap((norms) =>
  [0, 1, 4, 6, 128].map(
    (count): KernelCase => ({
      kernels: ["addScores", "addScoresOf", "setScores"],
      title: `sums beside ${count} documents ${norms ? "with" : "without"} norms, seed ${SEED}`,
      run(kernels, memory) {
        const random = seeded(SEED + count);
        const row = { ...termRow(memory, random, count, norms), sums: memory.alloc(8 * 128) };
        memory.f64.fill(3, row.sums / 8, row.sums / 8 + count);
        kernels.setScores(row);
        kernels.addScores({ ...row, weight: 1.25 });
        const wanted = ascending(random, 60, 50);
        const others = { ...row, wanted: memory.putU32(wanted), wantedCount: 60, sums: memory.alloc(8 * 60) };
        const stopped = kernels.addScoresOf({ ...others, from: 0 });
        const again = kernels.addScoresOf({ ...others, from: 5 });
        return [stopped, again, memory.numbers(row.sums, 256), memory.numbers(others.sums, 120)];
      },
    }),
  ),
);

const keepCases: KernelCase[] = [
  {
    kernels: ["keepAbove"],
    title: "above, equal and below, after rounding to float32; nothing is below minus infinity",
    run(kernels, memory) {
      const third = Math.fround(1 / 3);
      const sums = putF64(memory, [third, third + 1e-12, third + 1e-7, 0, 5, third - 1e-7]);
      const out = memory.alloc(32);
      const kept = (count: number, bound: number, threshold: number) =>
        memory.numbers(out, kernels.keepAbove(sums, count, bound, threshold, out));
      return [
        kept(6, 0, third),
        kept(6, 0.25, Math.fround(third + 0.25)),
        kept(5, 0, Number.NEGATIVE_INFINITY),
        kept(6, 0, Number.POSITIVE_INFINITY),
        kept(0, 0, -1),
      ];
    },
    expected: [[2, 4], [2, 4], [0, 1, 2, 3, 4], [], []],
  },
];

const harvestCases: KernelCase[] = [0, 0.001, 0.1, 1].map(
  (density): KernelCase => ({
    kernels: ["harvest"],
    title: `a window of which ${density} is marked, all, some and none above the threshold, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      const docs = memory.alloc(4 * WINDOW);
      const sums = memory.alloc(8 * WINDOW);
      const accumulators = memory.alloc(8 * WINDOW);
      const marks = memory.alloc(WINDOW);
      const half = memory.put(Uint8Array.from({ length: WINDOW / 8 }, () => random() * 256));
      return [Number.NEGATIVE_INFINITY, 2, 3.75, 100].flatMap((threshold) =>
        [0, half].map((accept) => {
          for (let slot = 0; slot < WINDOW; slot++) {
            if (random() >= density) continue;
            memory.f64[accumulators / 8 + slot] = random() * 4;
            memory.u8[marks + slot] = 255;
          }
          const packed = kernels.harvest({
            accumulators,
            marks,
            accept,
            base: 4096,
            bound: 0.25,
            threshold,
            docs,
            sums,
          });
          const found = packed & 0xffff;
          const left = memory.numbers(accumulators, 2 * WINDOW).some((word) => word !== 0);
          return [
            packed,
            memory.numbers(docs, found),
            memory.numbers(sums, 2 * found),
            memory.numbers(marks, WINDOW / 4),
            left,
          ];
        }),
      );
    },
  }),
);

export const scoreCases: KernelCase[] = [...blockCases, ...rowCases, ...keepCases, ...harvestCases];
