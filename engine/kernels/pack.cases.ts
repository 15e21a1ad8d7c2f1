import { type KernelCase, SEED, seeded } from "./testing.js";

export const packCases: KernelCase[] = [
  {
    kernels: ["pack128"],
    title: "number i goes to lane i mod 4, lowest bits first",
    run(kernels, memory) {
      const out = memory.alloc(16);
      kernels.pack128(memory.putU32(Array.from({ length: 128 }, (_, i) => (i < 8 ? 1 : 0))), 1, out);
      return memory.numbers(out, 4);
    },
    expected: [3, 3, 3, 3],
  },
  ...Array.from(
    { length: 33 },
    (_, width): KernelCase => ({
      kernels: ["pack128", "unpack128"],
      title: `random numbers of ${width} bits come back, seed ${SEED}`,
      run(kernels, memory) {
        const random = seeded(SEED + width);
        const values = Array.from({ length: 128 }, () => Math.floor(random() * 2 ** width));
        values[5] = 2 ** width - 1;
        const packed = memory.alloc(16 * width);
        kernels.pack128(memory.putU32(values), width, packed);
        const back = memory.alloc(512);
        kernels.unpack128(packed, width, back);
        if (memory.numbers(back, 128).some((value, i) => value !== values[i])) throw new Error(`width ${width}`);
        return memory.bytes(packed, 16 * width);
      },
    }),
  ),
  {
    kernels: ["prefixSum128"],
    title: `running sums wrap at 32 bits, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      const at = memory.putU32(Array.from({ length: 128 }, () => random() * 2 ** 31));
      kernels.prefixSum128(at, 0xffffffff);
      return memory.numbers(at, 128);
    },
  },
];
