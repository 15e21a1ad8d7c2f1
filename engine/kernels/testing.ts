/**
 * How kernels are compared with their twins: a case is a function of kernels and a fresh memory, run once on each. What
 * it returns must be equal; cases copy out of memory whatever they want compared.
 */
import type { Kernels } from "./kernels.js";
import { RESERVED_BYTES } from "./memory.js";

/** One comparison of a kernel with its twin. */
export interface KernelCase {
  /** Kernels that this case exercises. */
  readonly kernels: readonly (keyof Kernels)[];
  readonly title: string;
  run(kernels: Kernels, memory: CaseMemory): unknown;
  /** What both must return; absent where equality of the two is all that is asked. */
  readonly expected?: unknown;
}

/** A bump allocator over a memory, for cases. */
export class CaseMemory {
  #next = RESERVED_BYTES;
  readonly u8: Uint8Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly view: DataView;

  constructor(readonly memory: WebAssembly.Memory) {
    this.u8 = new Uint8Array(memory.buffer);
    this.u32 = new Uint32Array(memory.buffer);
    this.f32 = new Float32Array(memory.buffer);
    this.f64 = new Float64Array(memory.buffer);
    this.view = new DataView(memory.buffer);
  }

  /** A zeroed, 16-byte aligned place with 64 bytes of slack behind it. */
  alloc(bytes: number): number {
    const address = this.#next;
    this.#next += Math.ceil((bytes + 64) / 16) * 16;
    if (this.#next > this.u8.length) throw new RangeError(`case needs more than ${this.u8.length} bytes`);
    return address;
  }

  put(bytes: Uint8Array): number {
    const address = this.alloc(bytes.length);
    this.u8.set(bytes, address);
    return address;
  }

  putText(text: string): number {
    return this.put(Buffer.from(text));
  }

  putU32(numbers: ArrayLike<number>): number {
    const address = this.alloc(4 * numbers.length);
    this.u32.set(numbers, address / 4);
    return address;
  }

  putF32(numbers: ArrayLike<number>): number {
    const address = this.alloc(4 * numbers.length);
    this.f32.set(numbers, address / 4);
    return address;
  }

  bytes(address: number, length: number): number[] {
    return Array.from(this.u8.subarray(address, address + length));
  }

  numbers(address: number, count: number): number[] {
    return Array.from(this.u32.subarray(address / 4, address / 4 + count));
  }
}

/** Numbers in [0, 1) from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Seed of this run's random cases; KERNEL_SEED repeats a run. Printed with every title. */
export const SEED = Number(process.env.KERNEL_SEED ?? Date.now() % 2 ** 31);
