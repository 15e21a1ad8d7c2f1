/** Reading the raw stream of `_source` bytes through its packed blocks; shared by write buffer and segment. */
import { CorruptionError, InternalError } from "../errors.js";
import type { Storage } from "../store/storage.js";
import { MAX_BLOCK } from "./source-format.js";

/** Pairs (raw offset, packed offset) of blocks, one pair more for the end, and how to copy packed bytes out. */
export interface BlockList {
  offsets(): Float64Array;
  copyPacked(from: number, into: Uint8Array): void;
}

/** Reads parts of the stream; keeps the block unpacked last, for reading in order, always in the same memory. */
export class BlockStream {
  #block = -1;
  #memory: Uint8Array = new Uint8Array(0);
  #raw: Uint8Array = this.#memory;
  #rawStart = 0;

  constructor(
    readonly storage: Storage,
    readonly name: string,
    readonly list: BlockList,
  ) {}

  /** Raw bytes [from, to); may be a view that is valid until the next call. */
  view(from: number, to: number): Uint8Array {
    if (from === to) return new Uint8Array(0);
    if (from >= this.#rawStart && to <= this.#rawStart + this.#raw.length) {
      return this.#raw.subarray(from - this.#rawStart, to - this.#rawStart);
    }
    const offsets = this.list.offsets();
    let block = blockAt(offsets, from);
    this.#unpack(offsets, block);
    if (to <= this.#rawStart + this.#raw.length) {
      return this.#raw.subarray(from - this.#rawStart, to - this.#rawStart);
    }
    const joined = new Uint8Array(to - from);
    for (let at = from; at < to; at = this.#rawStart + this.#raw.length, block++) {
      if (at > from) this.#unpack(offsets, block);
      joined.set(this.#raw.subarray(at - this.#rawStart, to - this.#rawStart), at - from);
    }
    return joined;
  }

  #unpack(offsets: Float64Array, block: number): void {
    if (block === this.#block) return;
    const [rawFrom, packedFrom, rawTo, packedTo] = offsets.subarray(2 * block, 2 * block + 4);
    const length = rawTo - rawFrom;
    if (!(length > 0 && length <= MAX_BLOCK))
      throw new InternalError(`${this.name}: source block ${block} of ${length} bytes`);
    const { arena, scratch } = this.storage;
    const packedLength = packedTo - packedFrom;
    const packed = scratch.region("packed", MAX_BLOCK + 512);
    this.list.copyPacked(packedFrom, arena.bytes(packed, packedLength));
    const raw = packedLength === length ? packed : this.#decompress({ packed, packedLength, packedFrom }, length);
    if (this.#memory.length < length) this.#memory = new Uint8Array(length);
    this.#raw = this.#memory.subarray(0, length);
    this.#raw.set(arena.bytes(raw, length));
    this.#block = block;
    this.#rawStart = rawFrom;
  }

  /** Address of the unpacked bytes. */
  #decompress(from: { packed: number; packedLength: number; packedFrom: number }, length: number): number {
    const { kernels, scratch } = this.storage;
    const raw = scratch.region("raw", MAX_BLOCK);
    const size = kernels.lz4Decompress(from.packed, from.packedLength, raw, length);
    if (size !== length)
      throw new CorruptionError(`${this.name} (_source)`, from.packedFrom, `a block of ${length} bytes`, `${size}`);
    return raw;
  }
}

/** Number of the block that holds this raw offset. */
function blockAt(offsets: Float64Array, raw: number): number {
  let [low, high] = [0, offsets.length / 2 - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[2 * middle] <= raw) low = middle;
    else high = middle;
  }
  return low;
}
