/**
 * A segment file's bytes checked as they pass by, for whoever copies it: against the checksums in the file itself, so
 * that a copy is never made of damage.
 */
import { CorruptionError } from "../errors.js";
import { crc32cOf } from "../kernels/crc32c.js";
import type { FileHandle } from "../store/files.js";
import { checkHeader, damaged, decodeTable, decodeTrailer, HEADER_BYTES, padded, TRAILER_BYTES } from "./format.js";

/** Bytes from where the last range ended up to `end`, and their checksum. */
interface Range {
  readonly end: number;
  readonly crc: number;
}

/** Takes a segment file's bytes in order. */
export class ByteCheck {
  /** Bytes of the file. */
  readonly size: number;
  /** Checksum of the table, which has the checksums of everything else: with the size it stands for the contents. */
  readonly seal: number;
  readonly #path: string;
  readonly #ranges: readonly Range[];
  #range = 0;
  #position = 0;
  #crc = 0;

  private constructor(path: string, size: number, seal: number, ranges: readonly Range[]) {
    this.#path = path;
    this.size = size;
    this.seal = seal;
    this.#ranges = ranges;
  }

  /** Reads header, table and trailer. Throws CorruptionError. */
  static open(file: FileHandle): ByteCheck {
    const size = file.size();
    const header = readExactly(file, 0, HEADER_BYTES);
    checkHeader(file.path, header);
    const trailerAt = Math.max(0, size - TRAILER_BYTES);
    const trailer = decodeTrailer(file.path, readExactly(file, trailerAt, TRAILER_BYTES), size);
    const table = decodeTable(file.path, readExactly(file, trailer.at, trailerAt - trailer.at), trailer);
    const ranges: Range[] = [{ end: HEADER_BYTES, crc: crc32cOf(header) }];
    for (const entry of table.entries) {
      const length = padded(entry.length);
      for (let from = 0, sum = entry.firstChecksum; from < length; from += entry.chunk, sum++) {
        ranges.push({ end: entry.offset + Math.min(length, from + entry.chunk), crc: table.checksums[sum] });
      }
    }
    ranges.push({ end: size, crc: crc32cOf(readExactly(file, trailer.at, size - trailer.at)) });
    return new ByteCheck(file.path, size, trailer.crc, ranges);
  }

  /** The next bytes. Throws CorruptionError when a range that ends in them is not what was written. */
  next(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const range = this.#ranges[this.#range];
      if (!range) throw new CorruptionError(this.#path, this.#position, "the end of the file", "more bytes");
      const count = Math.min(bytes.length - from, range.end - this.#position);
      this.#crc = crc32cOf(bytes.subarray(from, from + count), this.#crc);
      this.#position += count;
      from += count;
      if (this.#position === range.end) this.#endRange(range);
    }
  }

  /** There are no more bytes. Throws CorruptionError when some are missing. */
  end(): void {
    if (this.#range < this.#ranges.length) {
      throw new CorruptionError(this.#path, this.#position, `${this.size} bytes`, `${this.#position}`);
    }
  }

  #endRange(range: Range): void {
    const start = this.#range === 0 ? 0 : this.#ranges[this.#range - 1].end;
    if (this.#crc !== range.crc) throw damaged(this.#path, start, range.crc, this.#crc);
    this.#range++;
    this.#crc = 0;
  }
}

function readExactly(file: FileHandle, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const count = file.readAt(bytes, offset);
  if (count < length)
    throw new CorruptionError(file.path, offset, `${length} bytes of a segment`, `${count}: the file is cut`);
  return bytes;
}
