import { type KernelCase, SEED, seeded } from "./testing.js";

export const hashCases: KernelCase[] = [
  {
    kernels: ["hashBytes"],
    title: "hashes of every length from 0 to 40, whatever follows the bytes",
    run(kernels, memory) {
      const text = memory.putText("the quick brown fox jumps over the lazy dog, twice");
      const hashes: number[] = [];
      for (let length = 0; length <= 40; length++) hashes.push(kernels.hashBytes(text, length));
      return hashes;
    },
  },
  {
    kernels: ["hashBytes"],
    title: "bytes behind the term do not count",
    run(kernels, memory) {
      const a = kernels.hashBytes(memory.putText("termXXXXXXXXXXXX"), 4);
      return a === kernels.hashBytes(memory.putText("term"), 4);
    },
    expected: true,
  },
  {
    kernels: ["hashTokens"],
    title: `hashes of random token entries, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      const text = memory.put(Uint8Array.from({ length: 2000 }, () => random() * 256));
      const entries = Array.from({ length: 100 }, () => [random() * 1900, random() * 60, 7, 0]).flat();
      const tokens = memory.putU32(entries);
      kernels.hashTokens(text, tokens, 100);
      return memory.numbers(tokens, 400);
    },
  },
];
