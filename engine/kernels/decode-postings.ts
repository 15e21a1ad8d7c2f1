/** Reading what encode-postings.ts wrote; the bytes are described in postings/format.ts. */
import { BLOCK } from "./encode-postings.js";
import type { MemoryViews } from "./memory.js";
import { prefixSum128, unpack128 } from "./pack.js";
import { readVarint } from "./varint.js";

/** What `decodePostings` is called with. */
export interface PostingsBlock {
  /** Address of the block's data. */
  data: number;
  /** Last document of the block before, -1 for the first. */
  base: number;
  /** Documents in the block; 128: a full one. */
  count: number;
  /** Whether frequencies were written. */
  withFreqs: boolean;
  /** Where 128 u32 documents go, and frequencies (0: not wanted). */
  docs: number;
  freqs: number;
}

/** See Kernels.decodePostings. */
export function decodePostings(memory: MemoryViews, block: PostingsBlock): number {
  return block.count === BLOCK ? fullBlock(memory, block) : lastBlock(memory, block);
}

function fullBlock(memory: MemoryViews, block: PostingsBlock): number {
  const { u8, u32 } = memory;
  const docWidth = u8[block.data];
  const freqWidth = block.withFreqs ? u8[block.data + 1] : 0;
  const packed = block.data + (block.withFreqs ? 2 : 1);
  unpack128(memory, packed, docWidth, block.docs);
  const docs = u32.subarray(block.docs >>> 2, (block.docs >>> 2) + BLOCK);
  docs.forEach((gap, i) => {
    docs[i] = gap + 1;
  });
  prefixSum128(memory, block.docs, block.base);
  if (block.freqs !== 0) {
    const freqs = u32.subarray(block.freqs >>> 2, (block.freqs >>> 2) + BLOCK);
    if (block.withFreqs) unpack128(memory, packed + 16 * docWidth, freqWidth, block.freqs);
    else freqs.fill(0);
    freqs.forEach((less, i) => {
      freqs[i] = less + 1;
    });
  }
  return packed + 16 * (docWidth + freqWidth) - block.data;
}

function lastBlock(memory: MemoryViews, block: PostingsBlock): number {
  const { u8, u32 } = memory;
  let at = block.data;
  const next = (): number => {
    const read = readVarint(u8, at);
    at = read.next;
    return read.value;
  };
  let doc = block.base;
  for (let i = 0; i < block.count; i++) {
    const head = next();
    doc += 1 + (block.withFreqs ? head >>> 1 : head);
    const freq = !block.withFreqs || head & 1 ? 1 : next() + 2;
    u32[(block.docs >>> 2) + i] = doc;
    if (block.freqs !== 0) u32[(block.freqs >>> 2) + i] = freq;
  }
  return at - block.data;
}

/** See Kernels.decodePositions. */
export function decodePositions(memory: MemoryViews, address: number, count: number, out: number): number {
  const { u8, u32 } = memory;
  if (count === BLOCK) {
    unpack128(memory, address + 1, u8[address], out);
    return 1 + 16 * u8[address];
  }
  let at = address;
  for (let i = 0; i < count; i++) {
    const { value, next } = readVarint(u8, at);
    u32[(out >>> 2) + i] = value;
    at = next;
  }
  return at - address;
}
