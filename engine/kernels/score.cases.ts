import type { Kernels } from "./kernels.js";
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
  const bits = memory.alloc(512);
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
    bits,
  };
  const stopped = kernels.scoreBlock(args);
  const again = kernels.scoreBlock({ ...args, weight: 0.7, windowEnd: block.windowBase + 50 });
  return [stopped, again, memory.numbers(accumulators, 2 * 4096), memory.numbers(bits, 128)];
}

function ascending(random: () => number, count: number, gap: number): number[] {
  let doc = 0;
  return Array.from({ length: count }, () => {
    doc += 1 + Math.floor(random() * gap);
    return doc;
  });
}

export const scoreCases: KernelCase[] = [true, false].flatMap((norms) =>
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
