/** Reading the raw stream of `_source` bytes through its packed blocks; shared by write buffer and segment. */
import { CorruptionError, InternalError } from "../errors.js";
import type { Storage } from "../store/storage.js";
import { type UnpackedBlock, UnpackedBlocks } from "../store/unpacked-blocks.js";
import { MAX_BLOCK } from "./source-format.js";

/** Pairs (raw offset, packed offset) of blocks, one pair more for the end, and how to copy packed bytes out. */
export interface BlockList {
  offsets(): Float64Array;
  copyPacked(from: number, into: Uint8Array): void;
}

/** Reads parts of the stream. Blocks unpacked before may still be at hand (store/unpacked-blocks.ts). */
export class BlockStream {
  readonly #keys = UnpackedBlocks.newKeys();

  constructor(
    readonly storage: Storage,
    readonly name: string,
    readonly list: BlockList,
  ) {}

  /** Raw bytes [from, to); may be a view that is valid until the next call. */
  view(from: number, to: number): Uint8Array {
    if (from === to) return new Uint8Array(0);
    const offsets = this.list.offsets();
    let block = blockAt(offsets, from);
    const start = offsets[2 * block];
    if (to <= offsets[2 * block + 2])
      return this.#unpacked(offsets, block, to - start).subarray(from - start, to - start);
    const joined = new Uint8Array(to - from);
    for (let at = from; at < to; block++) {
      const [rawFrom, , rawTo] = offsets.subarray(2 * block, 2 * block + 3);
      const end = Math.min(to, rawTo);
      joined.set(this.#unpacked(offsets, block, end - rawFrom).subarray(at - rawFrom, end - rawFrom), at - from);
      at = end;
    }
    return joined;
  }

  /**
   * A block's bytes, `wanted` of them at least. No more are unpacked when the block is first looked at: a search shows one
   * document of it. Who comes again will come more often.
   */
  #unpacked(offsets: Float64Array, block: number, wanted: number): Uint8Array {
    const { unpacked } = this.storage;
    const key = this.#keys + block;
    const known = unpacked.get(key);
    if (known !== undefined && known.length >= wanted) return known.buffer;
    const size = offsets[2 * block + 2] - offsets[2 * block];
    return this.#unpack(offsets, block, { key, size, wanted: known === undefined ? wanted : size }).buffer;
  }

  #unpack(offsets: Float64Array, block: number, into: { key: number; size: number; wanted: number }): UnpackedBlock {
    const { size } = into;
    if (!(size > 0 && size <= MAX_BLOCK))
      throw new InternalError(`${this.name}: source block ${block} of ${size} bytes`);
    const { arena, scratch, unpacked } = this.storage;
    const packedFrom = offsets[2 * block + 1];
    const packedLength = offsets[2 * block + 3] - packedFrom;
    const packed = scratch.region("packed", MAX_BLOCK + 512);
    this.list.copyPacked(packedFrom, arena.bytes(packed, packedLength));
    if (packedLength === size) return unpacked.put(into.key, size, arena.bytes(packed, size));
    const raw = scratch.region("raw", MAX_BLOCK);
    const length = this.storage.kernels.lz4DecompressPart(packed, packedLength, raw, size, into.wanted);
    if (length < into.wanted)
      throw new CorruptionError(`${this.name} (_source)`, packedFrom, `a block of ${size} bytes`, `${length}`);
    return unpacked.put(into.key, size, arena.bytes(raw, length));
  }
}

/** Number of the block that holds this raw offset. */
export function blockAt(offsets: Float64Array, raw: number): number {
  let [low, high] = [0, offsets.length / 2 - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[2 * middle] <= raw) low = middle;
    else high = middle;
  }
  return low;
}
