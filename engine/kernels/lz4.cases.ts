import type { Kernels } from "./kernels.js";
import { LZ4_TABLE_BYTES } from "./lz4.js";
import { type CaseMemory, type KernelCase, SEED, seeded } from "./testing.js";

function roundTrip(kernels: Kernels, memory: CaseMemory, input: Uint8Array): number[] {
  const source = memory.put(input);
  const packed = memory.alloc(input.length + input.length / 255 + 16);
  const size = kernels.lz4Compress(source, input.length, packed, memory.alloc(LZ4_TABLE_BYTES));
  const out = memory.alloc(input.length);
  const back = kernels.lz4Decompress(packed, size, out, input.length);
  if (back !== input.length || Buffer.compare(memory.u8.subarray(out, out + back), input) !== 0) {
    throw new Error(`${input.length} bytes came back as ${back}`);
  }
  return memory.bytes(packed, size);
}

const bytes = (...numbers: number[]): Uint8Array => Uint8Array.from(numbers);

/** Not valid, with the reason. */
const DAMAGED: readonly (readonly [string, Uint8Array])[] = [
  ["nothing at all", bytes()],
  ["literals cut off", bytes(0x50, 1, 2)],
  ["literal count cut off", bytes(0xf0, 255)],
  ["distance cut off", bytes(0x14, 1, 1)],
  ["distance zero", bytes(0x14, 1, 0, 0, 0x10, 1)],
  ["distance before the start", bytes(0x14, 1, 2, 0, 0x10, 1)],
  ["match beyond the capacity", bytes(0x1f, 1, 1, 0, 255, 255, 10, 0x10, 1)],
  ["ends with a match", bytes(0x14, 1, 1, 0)],
];

export const lz4Cases: KernelCase[] = [
  {
    kernels: ["lz4Compress", "lz4Decompress"],
    title: "every short length of repeating bytes",
    run: (kernels, memory) =>
      Array.from({ length: 40 }, (_, length) => roundTrip(kernels, memory, new Uint8Array(length).fill(7))),
  },
  {
    kernels: ["lz4Compress", "lz4Decompress"],
    title: `words, noise, long literals and long matches, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED);
      const noise = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, () => random() * 256));
      const words = Array.from({ length: 3000 }, () => `word${Math.floor(random() ** 3 * 500)}`).join(" ");
      const inputs = [Buffer.from(words), noise(5000), Buffer.concat([noise(300), Buffer.alloc(70_000, 9), noise(40)])];
      return inputs.map((input) => roundTrip(kernels, memory, input));
    },
  },
  {
    kernels: ["lz4Compress", "lz4Decompress"],
    title: "a repetition farther away than 65535 is not used",
    run(kernels, memory) {
      const random = seeded(SEED + 2);
      const far = Buffer.from(Uint8Array.from({ length: 70_000 }, () => random() * 256));
      return roundTrip(kernels, memory, Buffer.concat([far, far.subarray(0, 2000)]));
    },
  },
  {
    kernels: ["lz4Compress", "lz4DecompressPart"],
    title: `the first bytes of a block, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED + 3);
      const words = Array.from({ length: 500 }, () => `word${Math.floor(random() ** 3 * 100)}`).join(" ");
      const input = Buffer.concat([Buffer.from(words), Buffer.alloc(300, 9), Buffer.from(words)]);
      const packed = memory.alloc(input.length + input.length / 255 + 16);
      const size = kernels.lz4Compress(memory.put(input), input.length, packed, memory.alloc(LZ4_TABLE_BYTES));
      return [0, 1, 100, 3000, input.length - 1, input.length, input.length + 1].map((wanted) => {
        const out = memory.alloc(input.length);
        const got = kernels.lz4DecompressPart(packed, size, out, input.length, wanted);
        const right = Buffer.compare(memory.u8.subarray(out, out + got), input.subarray(0, got)) === 0;
        return [got, right && got >= Math.min(wanted, input.length)];
      });
    },
  },
  ...DAMAGED.map(
    ([title, block]): KernelCase => ({
      kernels: ["lz4Decompress"],
      title: `refuses ${title}`,
      run: (kernels, memory) => kernels.lz4Decompress(memory.put(block), block.length, memory.alloc(100), 100),
      expected: -1,
    }),
  ),
];
