/**
 * How a file of the log begins.
 *
 *   offset  bytes  name                meaning, and what a reader checks
 *   0       8      magic               "PNKSLOG\n"
 *   8       4      version             format version, see version.ts; what follows is that of version 2
 *   12      4      salt                random; the same in all files that one log has at a time
 *   16      8      generation          u64 below 2^32, the number in the file's name
 *   24      8      previousGeneration  u64: the file before this one, 0: there was none. It may be pruned meanwhile
 *   32      8      previousEnd         u64: bytes of that file that count, all of them durable; 0 of a version 1 file
 *   40      20     zero
 *   60      4      crc                 CRC32C of the 60 bytes before
 *
 * The checksums of a file's records begin at the seed salt + generation (mod 2^32). Two files of a log never have the
 * same seed, so what a file still holds of the records of its former life never looks like a record of this one; and
 * nobody who does not know the salt can put bytes into a document that look like a record.
 *
 * Example, generation 3, salt 0x01020304, after 96 bytes of generation 2:
 *   50 4e 4b 53 4c 4f 47 0a  02 00 00 00  04 03 02 01  03 00 00 00 00 00 00 00  02 00 00 00 00 00 00 00
 *   60 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  7a d1 e5 07
 *
 * Version 1 has no salt, no link (generation at 16, CRC32C of 24 bytes at 24, 4 zeros): 32 bytes, seed 0.
 */
import { CorruptionError, EngineError } from "../errors.js";
import { crc32cRange } from "../kernels/crc32c.js";
import { CURRENT_LOG_VERSION, OLDEST_READABLE_LOG_VERSION } from "./version.js";

/** Where the records of a file begin. */
export const FILE_HEADER_BYTES = 64;
/** The same of a file of version 1. */
export const FILE_HEADER_BYTES_V1 = 32;

const MAGIC = "PNKSLOG\n";
const VERSION_AT = 8;
const SALT_AT = 12;
const GENERATION_AT = 16;
const PREVIOUS_GENERATION_AT = 24;
const PREVIOUS_END_AT = 32;
const CRC_AT = 60;
const CRC_AT_V1 = 24;
const TWO_32 = 0x1_0000_0000;

/** Which file it is, and with what its records are checked. */
export interface FileIdentity {
  generation: number;
  salt: number;
}

/** A file, and how many of its bytes count. */
export interface FileEnd {
  generation: number;
  end: number;
}

/** A header, whatever the version. */
export interface FileHeader extends FileIdentity {
  version: number;
  /** The file before; null: there was none, or version 1 does not say. */
  previous: FileEnd | null;
}

/**
 * What the first bytes of a file are. `unborn`: the file was being made when the machine stopped, and nothing in it was
 * ever synced: too short, zeros where its checksum should be, or still the header of the file's former life.
 */
export type HeaderState =
  | { kind: "good"; header: FileHeader }
  | { kind: "unborn"; error: CorruptionError }
  | { kind: "damaged"; error: CorruptionError };

/** Where the checksums of a file's records begin. */
export function seedOf({ generation, salt }: FileIdentity): number {
  return (salt + generation) % TWO_32;
}

/** The header of a new file. */
export function encodeFileHeader({ generation, salt }: FileIdentity, previous: FileEnd | null): Buffer {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  header.write(MAGIC, 0, "latin1");
  header.writeUInt32LE(CURRENT_LOG_VERSION, VERSION_AT);
  header.writeUInt32LE(salt, SALT_AT);
  writeU64(header, generation, GENERATION_AT);
  writeU64(header, previous?.generation ?? 0, PREVIOUS_GENERATION_AT);
  writeU64(header, previous?.end ?? 0, PREVIOUS_END_AT);
  header.writeUInt32LE(crc32cRange(header, 0, CRC_AT), CRC_AT);
  return header;
}

/** Reads the header at the begin of `bytes`. Throws `corrupt` for a version that this program can't read. */
export function readHeader(bytes: Buffer, file: string, generation: number): HeaderState {
  const found = decode(bytes);
  if (found === "short") {
    const error = new CorruptionError(file, 0, `a file header of ${FILE_HEADER_BYTES} bytes`, `${bytes.length} bytes`);
    return { kind: "unborn", error };
  }
  if (typeof found === "string") return { kind: kindOfBad(bytes), error: explain(bytes, file) };
  checkVersion(file, found.version);
  if (found.generation === generation) return { kind: "good", header: found };
  const wanted = `generation ${generation}`;
  const error = new CorruptionError(file, GENERATION_AT, wanted, `generation ${found.generation}`);
  // Used again: the name was changed, the new header was not written yet.
  return { kind: found.generation < generation ? "unborn" : "damaged", error };
}

function decode(bytes: Buffer): FileHeader | "short" | "bad" {
  if (bytes.length < FILE_HEADER_BYTES_V1) return "short";
  if (bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return "bad";
  const version = bytes.readUInt32LE(VERSION_AT);
  const generation = readU64(bytes, GENERATION_AT);
  if (version === 1 && crcHolds(bytes, CRC_AT_V1)) return { version, generation, salt: 0, previous: null };
  if (bytes.length < FILE_HEADER_BYTES) return version === 1 ? "bad" : "short";
  if (!crcHolds(bytes, CRC_AT) && !crcBegins(bytes))
    return isLaterVersion(bytes) ? { version, generation, salt: 0, previous: null } : "bad";
  const previous = { generation: readU64(bytes, PREVIOUS_GENERATION_AT), end: readU64(bytes, PREVIOUS_END_AT) };
  const salt = bytes.readUInt32LE(SALT_AT);
  return { version, generation, salt, previous: previous.generation === 0 ? null : previous };
}

/** A version we don't know may have its checksum elsewhere; one flipped bit in our own number is damage, though. */
function isLaterVersion(bytes: Buffer): boolean {
  if (bytes.readUInt32LE(VERSION_AT) <= CURRENT_LOG_VERSION) return false;
  return [1, CURRENT_LOG_VERSION].every((version) => {
    const own = Buffer.from(bytes.subarray(0, FILE_HEADER_BYTES));
    own.writeUInt32LE(version, VERSION_AT);
    return !crcHolds(own, version === 1 ? CRC_AT_V1 : CRC_AT);
  });
}

/** A header is written over zeros: one that is not finished ends in them. */
function kindOfBad(bytes: Buffer): "unborn" | "damaged" {
  return bytes.subarray(CRC_AT, FILE_HEADER_BYTES).every((byte) => byte === 0) ? "unborn" : "damaged";
}

function explain(bytes: Buffer, file: string): CorruptionError {
  const magic = bytes.toString("latin1", 0, MAGIC.length);
  if (magic !== MAGIC) return new CorruptionError(file, 0, JSON.stringify(MAGIC), JSON.stringify(magic));
  const at = bytes.readUInt32LE(VERSION_AT) === 1 ? CRC_AT_V1 : CRC_AT;
  const expected = `checksum ${bytes.readUInt32LE(at)} of the file header`;
  return new CorruptionError(file, 0, expected, String(crc32cRange(bytes, 0, at)));
}

function checkVersion(file: string, version: number): void {
  if (version >= OLDEST_READABLE_LOG_VERSION && version <= CURRENT_LOG_VERSION) return;
  throw new EngineError(
    "corrupt",
    `${file} has log format version ${version}; this program reads ${OLDEST_READABLE_LOG_VERSION} to ` +
      `${CURRENT_LOG_VERSION}: open the data folder with the version that wrote it`,
    { file, offset: VERSION_AT, version },
  );
}

function crcHolds(bytes: Buffer, at: number): boolean {
  return crc32cRange(bytes, 0, at) === bytes.readUInt32LE(at);
}

/** All of a header was written but the end of its checksum: whether it is the begin of the right one. */
function crcBegins(bytes: Buffer): boolean {
  let written = FILE_HEADER_BYTES;
  while (written > CRC_AT && bytes[written - 1] === 0) written--;
  const crc = Buffer.alloc(FILE_HEADER_BYTES - CRC_AT);
  crc.writeUInt32LE(crc32cRange(bytes, 0, CRC_AT));
  return written > CRC_AT && bytes.compare(crc, 0, written - CRC_AT, CRC_AT, written) === 0;
}

function readU64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + TWO_32 * bytes.readUInt32LE(at + 4);
}

function writeU64(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32LE(value % TWO_32, at);
  bytes.writeUInt32LE(Math.floor(value / TWO_32), at + 4);
}
