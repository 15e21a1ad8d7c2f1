import { type KernelCase, SEED, seeded } from "./testing.js";

export const crcCases: KernelCase[] = [
  {
    kernels: ["crc32c"],
    title: "check value of the Castagnoli polynomial: 123456789 gives e3069283",
    run: (kernels, memory) => kernels.crc32c(memory.putText("123456789"), 9, 0),
    expected: 0xe3069283,
  },
  {
    kernels: ["crc32c"],
    title: "RFC 3720: 32 zero bytes give 8a9136aa; none give 0",
    run: (kernels, memory) => [kernels.crc32c(memory.alloc(32), 32, 0), kernels.crc32c(memory.alloc(1), 0, 0)],
    expected: [0x8a9136aa, 0],
  },
  {
    kernels: ["crc32c"],
    title: `lengths about those that are read in three stretches, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED + 1);
      const at = memory.put(Uint8Array.from({ length: 16_400 }, () => random() * 256));
      return [3071, 3072, 3073, 3080, 6143, 6144, 9999, 16_384, 16_400].map((length) =>
        kernels.crc32c(at, length, length),
      );
    },
  },
  {
    kernels: ["crc32c"],
    title: `continues from any cut of random bytes, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      const at = memory.put(Uint8Array.from({ length: 1000 }, () => random() * 256));
      const whole = kernels.crc32c(at, 1000, 0);
      const cuts = Array.from({ length: 50 }, () => Math.floor(random() * 1001));
      return cuts.map((cut) =>
        kernels.crc32c(at + cut, 1000 - cut, kernels.crc32c(at, cut, 0)) === whole ? whole : cut,
      );
    },
  },
];
