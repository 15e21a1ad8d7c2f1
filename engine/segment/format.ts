/**
 * The segment file: a header, sections, a table of them, a trailer. All numbers little-endian.
 *
 *   header, 64 bytes at 0
 *   offset  bytes  name      meaning, and what a reader checks
 *   0       8      magic     "PNKSSEG1"
 *   8       4      version   OLDEST_READABLE..FORMAT_VERSION
 *   12      4      features  only bits of KNOWN_FEATURES
 *   16      44     zero
 *   60      4      crc       CRC32C of the 60 bytes before
 *
 *   sections, each at a multiple of 64, padded with zero bytes to the next multiple
 *
 *   table: one entry of 32 bytes a section, in file order, then the checksums
 *   0       4      kind      SectionKind
 *   4       4      field     field ordinal, or NO_FIELD
 *   8       8      offset    of the section in the file
 *   16      8      length    of its bytes, padding not counted
 *   24      4      chunk     bytes that one checksum covers
 *   28      4      first     number of its first checksum
 *   then 4 bytes a checksum: CRC32C of each `chunk` bytes of the padded section, from its beginning
 *
 *   trailer, the last 64 bytes
 *   0       8      magic     "PNKSEND1"
 *   8       8      table     offset of the table: where the sections end
 *   16      4      sections  number of entries
 *   20      4      checksums number of checksums; table, entries, checksums and trailer end the file exactly
 *   24      4      crc       CRC32C of the table
 *   28      32     zero
 *   60      4      crc       CRC32C of the 60 bytes before
 *
 * Example: the header of version 4 is
 *   504e4b53 53454731 04000000 00000000, 44 zero bytes, bc286536
 */
import { CorruptionError, EngineError } from "../errors.js";
import { crc32cOf } from "../kernels/crc32c.js";
import { SectionKind } from "../store/section.js";
import { FORMAT_VERSION, KNOWN_FEATURES, OLDEST_READABLE } from "./version.js";

export const ALIGNMENT = 64;
export const HEADER_BYTES = 64;
export const TRAILER_BYTES = 64;
export const ENTRY_BYTES = 32;

const HEADER_MAGIC = "PNKSSEG1";
const TRAILER_MAGIC = "PNKSEND1";
const CRC_AT = 60;

/** Checksums of sections that are loaded whole. */
export const CHUNK_BYTES = 65_536;
/** Checksums of sections that are read here and there. */
export const SMALL_CHUNK_BYTES = 16_384;

/** Sections of which parts are read where they lie: their checksums cover little, so that little is read for them. */
export const COLD_KINDS: ReadonlySet<SectionKind> = new Set([
  SectionKind.sourceData,
  SectionKind.idData,
  SectionKind.vectorRows,
  SectionKind.sourceShapes,
  // For putting `_source` together, where they are not loaded anyway.
  SectionKind.columnMeta,
  SectionKind.columnOffsets,
  SectionKind.columnValues,
  SectionKind.termIndex,
  SectionKind.termData,
  SectionKind.textData,
  SectionKind.gramLists,
]);

/** Where one section lies. */
export interface SectionEntry {
  readonly kind: SectionKind;
  readonly field: number;
  readonly offset: number;
  readonly length: number;
  readonly chunk: number;
  readonly firstChecksum: number;
}

export interface SectionTable {
  readonly entries: readonly SectionEntry[];
  readonly checksums: Uint32Array;
  /** Where the sections end. */
  readonly dataEnd: number;
}

/** `length` with its padding. */
export function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

/** The header's bytes. */
export function encodeHeader(): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  putMagic(bytes, HEADER_MAGIC);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(12, KNOWN_FEATURES, true);
  return seal(bytes);
}

/** Throws CorruptionError, or `corrupt` saying that the file is of a version this program can't read. */
export function checkHeader(file: string, bytes: Uint8Array): void {
  checkFrame(file, 0, bytes, HEADER_MAGIC);
  const view = viewOf(bytes);
  const version = view.getUint32(8, true);
  const features = view.getUint32(12, true);
  if (version < OLDEST_READABLE || version > FORMAT_VERSION || (features & ~KNOWN_FEATURES) !== 0) {
    throw new EngineError(
      "corrupt",
      `${file} has format version ${version} with features ${features}; this program reads versions ${OLDEST_READABLE} to ` +
        `${FORMAT_VERSION}: open it with the program that wrote it, or index again`,
      { file, version, features },
    );
  }
}

/** Table and trailer, as they end the file. */
export function encodeTable(table: SectionTable): Uint8Array {
  const size = table.entries.length * ENTRY_BYTES + table.checksums.length * 4;
  const bytes = new Uint8Array(size + TRAILER_BYTES);
  const view = viewOf(bytes);
  let at = 0;
  for (const entry of table.entries) {
    view.setUint32(at, entry.kind, true);
    view.setUint32(at + 4, entry.field, true);
    view.setBigUint64(at + 8, BigInt(entry.offset), true);
    view.setBigUint64(at + 16, BigInt(entry.length), true);
    view.setUint32(at + 24, entry.chunk, true);
    view.setUint32(at + 28, entry.firstChecksum, true);
    at += ENTRY_BYTES;
  }
  for (const checksum of table.checksums) {
    view.setUint32(at, checksum, true);
    at += 4;
  }
  bytes.set(encodeTrailer(table, crc32cOf(bytes.subarray(0, size))), size);
  return bytes;
}

function encodeTrailer(table: SectionTable, crc: number): Uint8Array {
  const bytes = new Uint8Array(TRAILER_BYTES);
  putMagic(bytes, TRAILER_MAGIC);
  const view = viewOf(bytes);
  view.setBigUint64(8, BigInt(table.dataEnd), true);
  view.setUint32(16, table.entries.length, true);
  view.setUint32(20, table.checksums.length, true);
  view.setUint32(24, crc, true);
  return seal(bytes);
}

/** What the trailer says, checked: where the table is and how long. */
export function decodeTrailer(
  file: string,
  bytes: Uint8Array,
  fileSize: number,
): { at: number; sections: number; checksums: number; crc: number } {
  const start = fileSize - TRAILER_BYTES;
  checkFrame(file, start, bytes, TRAILER_MAGIC);
  const view = viewOf(bytes);
  const at = Number(view.getBigUint64(8, true));
  const sections = view.getUint32(16, true);
  const checksums = view.getUint32(20, true);
  const size = at + sections * ENTRY_BYTES + checksums * 4 + TRAILER_BYTES;
  if (size !== fileSize) throw new CorruptionError(file, start, `a file of ${size} bytes`, `${fileSize}`);
  return { at, sections, checksums, crc: view.getUint32(24, true) };
}

/** The table behind a checked trailer. */
export function decodeTable(file: string, bytes: Uint8Array, trailer: ReturnType<typeof decodeTrailer>): SectionTable {
  const found = crc32cOf(bytes);
  if (found !== trailer.crc) throw damaged(file, trailer.at, trailer.crc, found);
  const view = viewOf(bytes);
  const entries: SectionEntry[] = [];
  for (let i = 0; i < trailer.sections; i++) {
    const at = i * ENTRY_BYTES;
    entries.push({
      kind: view.getUint32(at, true) as SectionKind,
      field: view.getUint32(at + 4, true),
      offset: Number(view.getBigUint64(at + 8, true)),
      length: Number(view.getBigUint64(at + 16, true)),
      chunk: view.getUint32(at + 24, true),
      firstChecksum: view.getUint32(at + 28, true),
    });
  }
  const checksums = new Uint32Array(trailer.checksums);
  const first = trailer.sections * ENTRY_BYTES;
  for (let i = 0; i < checksums.length; i++) checksums[i] = view.getUint32(first + 4 * i, true);
  return { entries, checksums, dataEnd: trailer.at };
}

/** The error for a checksum that does not hold. */
export function damaged(file: string, offset: number, expected: number, found: number): CorruptionError {
  return new CorruptionError(file, offset, `checksum ${expected.toString(16)}`, found.toString(16));
}

function putMagic(bytes: Uint8Array, magic: string): void {
  for (let i = 0; i < magic.length; i++) bytes[i] = magic.charCodeAt(i);
}

function seal(bytes: Uint8Array): Uint8Array {
  viewOf(bytes).setUint32(CRC_AT, crc32cOf(bytes.subarray(0, CRC_AT)), true);
  return bytes;
}

function checkFrame(file: string, offset: number, bytes: Uint8Array, magic: string): void {
  const found = String.fromCharCode(...bytes.subarray(0, magic.length));
  if (found !== magic) throw new CorruptionError(file, offset, `"${magic}"`, JSON.stringify(found));
  const crc = crc32cOf(bytes.subarray(0, CRC_AT));
  const expected = viewOf(bytes).getUint32(CRC_AT, true);
  if (crc !== expected) throw damaged(file, offset, expected, crc);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
