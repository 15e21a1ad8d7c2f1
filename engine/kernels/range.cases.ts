import { type KernelCase, SEED, seeded } from "./testing.js";

const COUNTS = [0, 1, 15, 16, 31, 32, 33, 100, 128, 257];

function whole(width: 1 | 2 | 4): KernelCase {
  const top = 256 ** width - 1;
  return {
    kernels: ["rangeToBits"],
    title: `unsigned values of ${width} bytes: bounds inside, outside, empty, fractions, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED + width);
      const ranges: [number, number][] = [
        [0, top],
        [top / 3, top / 2],
        [top, top],
        [-5, top * 2],
        [5, 4],
        [top + 1, top + 2],
        [-3, -1],
        [Number.NaN, top],
        [-Infinity, Infinity],
        [0.5, top - 0.5],
      ];
      return COUNTS.flatMap((count) =>
        ranges.map(([low, high]) => {
          const values = Uint32Array.from({ length: count }, () => (random() < 0.1 ? top : random() * (top + 1)));
          const raw = memory.alloc(count * width);
          values.forEach((value, i) => {
            if (width === 1) memory.view.setUint8(raw + i, value);
            else if (width === 2) memory.view.setUint16(raw + 2 * i, value, true);
            else memory.view.setUint32(raw + 4 * i, value, true);
          });
          const bits = memory.putU32(new Array(9).fill(0xdeadbeef));
          kernels.rangeToBits(raw, width, count, low, high, bits);
          return memory.numbers(bits, 9);
        }),
      );
    },
  };
}

function fraction(width: 4 | 8): KernelCase {
  return {
    kernels: ["rangeToBitsDouble"],
    title: `fractions of ${width} bytes: infinities, NaN, negative zero, seed ${SEED}`,
    run(kernels, memory) {
      const random = seeded(SEED + width);
      const special = [Infinity, -Infinity, Number.NaN, -0, 0, 0.1];
      const ranges = [
        [-Infinity, Infinity],
        [0, 0],
        [0.1, 0.5],
        [-0.5, -0.1],
        [1, -1],
        [Number.NaN, 1],
      ];
      return COUNTS.flatMap((count) =>
        ranges.map(([low, high]) => {
          const raw = memory.alloc(count * width);
          for (let i = 0; i < count; i++) {
            const value = random() < 0.2 ? special[Math.floor(random() * special.length)] : random() * 2 - 1;
            if (width === 4) memory.view.setFloat32(raw + 4 * i, value, true);
            else memory.view.setFloat64(raw + 8 * i, value, true);
          }
          const bits = memory.putU32(new Array(9).fill(0xdeadbeef));
          kernels.rangeToBitsDouble(raw, width, count, low, high, bits);
          return memory.numbers(bits, 9);
        }),
      );
    },
  };
}

export const rangeCases: KernelCase[] = [whole(1), whole(2), whole(4), fraction(4), fraction(8)];
