/** CRC32C (Castagnoli; RFC 3720 appendix B.4): reflected polynomial 0x82f63b78, initial and final value inverted. */
import { CRC_STRETCH, CRC_TABLES_ADDRESS, type MemoryViews } from "./memory.js";

const POLYNOMIAL = 0x82f63b78;

/** Tables for slicing-by-8: entry [k][byte] is the effect of `byte` followed by k zero bytes. */
function makeTables(): Uint32Array {
  const tables = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    tables[byte] = value;
  }
  for (let at = 256; at < tables.length; at++) {
    const shorter = tables[at - 256];
    tables[at] = (shorter >>> 8) ^ tables[shorter & 0xff];
  }
  return tables;
}

const TABLES = makeTables();

/** Four tables: entry [k][byte] is the effect of CRC_STRETCH zero bytes on a value whose byte k is `byte`, the others 0. */
function makeZeroTables(): Uint32Array {
  const tables = new Uint32Array(4 * 256);
  for (let bit = 0; bit < 32; bit++) {
    let value = 2 ** bit;
    for (let i = 0; i < CRC_STRETCH; i++) value = (value >>> 8) ^ TABLES[value & 0xff];
    tables[256 * (bit >>> 3) + 2 ** (bit & 7)] = value;
  }
  // The effect is linear: that of a byte is that of its bits together.
  for (let at = 0; at < tables.length; at++) {
    const byte = at & 0xff;
    const lowest = byte & -byte;
    if (byte !== lowest) tables[at] = tables[at - lowest] ^ tables[at - byte + lowest];
  }
  return tables;
}

let zeroTables: Uint32Array | undefined;

/** Puts the tables where the kernel reads them; called at every load, always the same bytes. */
export function writeCrcTables(memory: MemoryViews): void {
  zeroTables ??= makeZeroTables();
  memory.u32.set(TABLES, CRC_TABLES_ADDRESS / 4);
  memory.u32.set(zeroTables, CRC_TABLES_ADDRESS / 4 + TABLES.length);
}

/** See Kernels.crc32c. */
export function crc32cInMemory(memory: MemoryViews, address: number, length: number, crc: number): number {
  return crc32cRange(memory.u8, address, address + length, crc);
}

/** CRC32C of bytes outside the arena, continuing from `crc` (0 to begin). */
export function crc32cOf(bytes: Uint8Array, crc = 0): number {
  return crc32cRange(bytes, 0, bytes.length, crc);
}

/** CRC32C of bytes[start, end), continuing from `crc`. Eight bytes a step (slicing-by-8), as a log's every record needs it. */
export function crc32cRange(bytes: Uint8Array, start: number, end: number, crc = 0): number {
  const t = TABLES;
  let value = ~crc;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    value ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    value =
      t[0x700 + (value & 0xff)] ^
      t[0x600 + ((value >>> 8) & 0xff)] ^
      t[0x500 + ((value >>> 16) & 0xff)] ^
      t[0x400 + (value >>> 24)] ^
      t[0x300 + bytes[at + 4]] ^
      t[0x200 + bytes[at + 5]] ^
      t[0x100 + bytes[at + 6]] ^
      t[bytes[at + 7]];
  }
  for (; at < end; at++) value = (value >>> 8) ^ t[(value ^ bytes[at]) & 0xff];
  return ~value >>> 0;
}
