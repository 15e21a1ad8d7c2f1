/**
 * Hash of a term's bytes: 32 bits, two multiplications per eight bytes (the constants are those of MurmurHash3's
 * finaliser). Not kept on disk: the kernel may change it together with this twin. Bytes behind the term don't count.
 */
import type { MemoryViews } from "./memory.js";

/** Hash of `length` bytes at `address`. */
export function hashBytes(memory: MemoryViews, address: number, length: number): number {
  const { u8 } = memory;
  const byte = (at: number): number => (at < length ? u8[address + at] : 0);
  const word = (at: number): number => byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24);
  let hash = Math.imul(length, 0x9e3779b1);
  for (let at = 0; at < length; at += 8) {
    hash = Math.imul(hash ^ word(at), 0x85ebca6b);
    hash = (hash << 15) | (hash >>> 17);
    hash = Math.imul(hash ^ word(at + 4), 0xc2b2ae35);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Fills the hash of `count` token entries (engine/memtable/prepared.ts) at `tokens`, whose text begins at `text`. */
export function hashTokens(memory: MemoryViews, text: number, tokens: number, count: number): void {
  const { view } = memory;
  for (let entry = tokens; entry < tokens + count * 16; entry += 16) {
    const start = view.getUint32(entry, true);
    view.setUint32(entry + 12, hashBytes(memory, text + start, view.getUint32(entry + 4, true)), true);
  }
}
