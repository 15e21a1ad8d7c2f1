import { LZ4_TABLE_BYTES } from "../kernels/lz4.js";
import { Growing } from "../store/growing.js";
import type { Storage } from "../store/storage.js";
import { MAX_BLOCK, TARGET_BLOCK } from "./format.js";

/** Packs the text of a field; packed blocks go to `emit` as they are full (valid during the call). */
export class TextWriter {
  /** Raw and packed offset of each finished block, then of the end. */
  readonly blocks: Growing<"f64">;
  readonly #address: number;
  #pending = 0;
  #rawBytes = 0;
  #packedBytes = 0;
  #closed = false;

  constructor(
    readonly storage: Storage,
    readonly emit: (packed: Uint8Array) => void,
  ) {
    this.blocks = new Growing(storage.arena, "f64");
    this.#address = storage.arena.alloc(MAX_BLOCK + 16);
    this.blocks.push(0);
    this.blocks.push(0);
  }

  /** Bytes that wait to be packed. */
  get pending(): number {
    return this.#pending;
  }

  /** Appends text that lies in the arena. */
  append(address: number, length: number): void {
    const { u8 } = this.storage.arena;
    for (let done = 0; done < length; ) {
      const count = Math.min(length - done, MAX_BLOCK - this.#pending);
      u8.copyWithin(this.#address + this.#pending, address + done, address + done + count);
      this.#pending += count;
      done += count;
      if (this.#pending === MAX_BLOCK) this.endBlock();
    }
  }

  /** Here a block may end: a chunk does. */
  mayBreak(): void {
    if (this.#pending >= TARGET_BLOCK) this.endBlock();
  }

  /** Appends a packed block of `raw` bytes as it is; nothing may be pending. */
  appendPacked(packed: Uint8Array, raw: number): void {
    this.#emitBlock(packed, raw);
  }

  /** Packs what is pending. */
  endBlock(): void {
    const pending = this.#pending;
    if (pending === 0) return;
    const { arena, kernels, scratch } = this.storage;
    const out = scratch.region("packed", MAX_BLOCK + 512);
    const size = kernels.lz4Compress(this.#address, pending, out, scratch.region("table", LZ4_TABLE_BYTES));
    this.#pending = 0;
    this.#emitBlock(size < pending ? arena.bytes(out, size) : arena.bytes(this.#address, pending), pending);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.storage.arena.free(this.#address);
    this.blocks.close();
  }

  #emitBlock(packed: Uint8Array, raw: number): void {
    this.emit(packed);
    this.#rawBytes += raw;
    this.#packedBytes += packed.length;
    this.blocks.push(this.#rawBytes);
    this.blocks.push(this.#packedBytes);
  }
}
