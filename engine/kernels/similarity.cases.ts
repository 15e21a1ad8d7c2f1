import { type KernelCase, SEED, seeded } from "./testing.js";

export const similarityCases: KernelCase[] = [0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 64, 100, 384, 1027].map((dims) => ({
  kernels: ["dot", "squaredDistance"],
  title: `random vectors of ${dims} dimensions agree to the bit, seed ${SEED}`,
  run(kernels, memory) {
    const random = seeded(SEED + dims);
    const a = memory.putF32(Array.from({ length: dims + 16 }, () => random() - 0.5));
    const b = memory.putF32(Array.from({ length: dims + 16 }, () => random() * 100 - 50));
    return [kernels.dot(a, b, dims), kernels.squaredDistance(a, b, dims)];
  },
}));
