/**
 * Facts about the one shared memory that every kernel works in, and views of it for plain TypeScript.
 *
 *   offset   bytes   what
 *   0        4096    never used, so that address 0 can mean "nothing"
 *   4096     28672   static data of kernels.wasm (asc --memoryBase); the same bytes at every instantiation
 *   32768    12288   CRC32C tables, 8 x 256 u32 (slicing-by-8) and 4 x 256 u32 (the effect of CRC_STRETCH zero bytes);
 *                    written by loadKernels, the same bytes every time
 *   45056    20480   free
 *   65536    ...     the arena's
 */

/** Where static data of the module begins; `--memoryBase` in scripts/build.mjs. */
export const KERNEL_MEMORY_BASE = 4096;
/** Where the CRC32C tables lie; crc32c.as.ts reads them there. */
export const CRC_TABLES_ADDRESS = 32_768;
/** Bytes of each of the three stretches that the kernel reads side by side. */
export const CRC_STRETCH = 1024;
/** Bytes at the start of the memory that belong to kernels: an allocator begins behind them. */
export const RESERVED_BYTES = 65_536;

/** Typed views of a memory, made anew after it has grown (a view keeps the length it was born with). */
export class MemoryViews {
  #buffer: ArrayBufferLike;
  #u8: Uint8Array;
  #u32: Uint32Array;
  #view: DataView;

  constructor(readonly memory: WebAssembly.Memory) {
    this.#buffer = memory.buffer;
    this.#u8 = new Uint8Array(memory.buffer);
    this.#u32 = new Uint32Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
  }

  #renew(): void {
    if (this.#buffer === this.memory.buffer) return;
    this.#buffer = this.memory.buffer;
    this.#u8 = new Uint8Array(this.#buffer);
    this.#u32 = new Uint32Array(this.#buffer);
    this.#view = new DataView(this.#buffer);
  }

  get u8(): Uint8Array {
    this.#renew();
    return this.#u8;
  }

  get u32(): Uint32Array {
    this.#renew();
    return this.#u32;
  }

  get view(): DataView {
    this.#renew();
    return this.#view;
  }
}
