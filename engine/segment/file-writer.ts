import { EngineError, InternalError } from "../errors.js";
import type { FileHandle } from "../store/files.js";
import type { SectionKind, SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import {
  CHUNK_BYTES,
  COLD_KINDS,
  encodeHeader,
  encodeTable,
  padded,
  type SectionEntry,
  SMALL_CHUNK_BYTES,
} from "./format.js";

/** Bytes gathered before they are written: a small segment is one write. */
const STAGING_BYTES = 4 * CHUNK_BYTES;

/**
 * Writes a segment file, section by section, in one pass and constant memory. The bytes are gathered in the arena,
 * where the checksum kernel sees them. Nothing is synced: a segment becomes durable when it is committed.
 */
export class SegmentFileWriter implements SectionSink {
  readonly #file: FileHandle;
  readonly #entries: SectionEntry[] = [];
  readonly #checksums: number[] = [];
  readonly #seen = new Set<string>();
  #staging = 0;
  /** Bytes gathered, how many of them are in a checksum, and where in the file they begin. */
  #filled = 0;
  #summed = 0;
  #position = 0;
  #open: (SectionEntry & { length: number }) | null = null;
  /** Checksum of the chunk that is being filled, and bytes it still takes. */
  #crc = 0;
  #chunkLeft = 0;

  constructor(
    readonly storage: Storage,
    readonly path: string,
  ) {
    this.#file = storage.files.open(path, "create");
    try {
      this.#staging = storage.arena.alloc(STAGING_BYTES);
    } catch (error) {
      this.abandon();
      throw error;
    }
    this.#gather(encodeHeader());
    this.#summed = this.#filled;
  }

  begin(kind: SectionKind, field: number): void {
    const name = `${kind}/${field}`;
    if (this.#open !== null) throw new InternalError(`section ${name} begins inside another`);
    if (this.#seen.has(name)) throw new InternalError(`section ${name} is written twice`);
    this.#seen.add(name);
    const chunk = COLD_KINDS.has(kind) ? SMALL_CHUNK_BYTES : CHUNK_BYTES;
    const offset = this.#position + this.#filled;
    this.#open = { kind, field, offset, length: 0, chunk, firstChecksum: this.#checksums.length };
    this.#chunkLeft = chunk;
    this.#crc = 0;
  }

  append(bytes: Uint8Array): void {
    if (this.#open === null) throw new InternalError("bytes outside of a section");
    this.#open.length += bytes.length;
    this.#gather(bytes);
  }

  end(): void {
    const section = this.#open;
    if (section === null) throw new InternalError("a section ends that did not begin");
    this.#gather(new Uint8Array(padded(section.length) - section.length));
    this.#sum();
    if (this.#chunkLeft < section.chunk) this.#checksums.push(this.#crc);
    this.#entries.push(section);
    this.#open = null;
  }

  /** Writes the table; returns the file's size. The writer is closed then. */
  finish(): number {
    if (this.#open !== null) throw new InternalError("the file ends inside a section");
    const dataEnd = this.#position + this.#filled;
    this.#gather(encodeTable({ entries: this.#entries, checksums: Uint32Array.from(this.#checksums), dataEnd }));
    this.#write();
    this.close();
    return this.#position;
  }

  /** Gives up: closes and removes the file. */
  abandon(): void {
    this.close();
    this.storage.files.unlink(this.path);
  }

  close(): void {
    if (this.#staging !== 0) this.storage.arena.free(this.#staging);
    this.#staging = 0;
    this.#file.close();
  }

  #gather(bytes: Uint8Array): void {
    if (this.#staging === 0) throw new EngineError("closed", `${this.path} is closed`);
    const { u8 } = this.storage.arena;
    for (let from = 0; from < bytes.length; ) {
      const count = Math.min(bytes.length - from, STAGING_BYTES - this.#filled);
      u8.set(count === bytes.length ? bytes : bytes.subarray(from, from + count), this.#staging + this.#filled);
      this.#filled += count;
      from += count;
      if (this.#filled === STAGING_BYTES) this.#write();
    }
  }

  /** Brings the checksums of the open section up to date. */
  #sum(): void {
    const section = this.#open;
    while (section !== null && this.#summed < this.#filled) {
      const count = Math.min(this.#filled - this.#summed, this.#chunkLeft);
      this.#crc = this.storage.kernels.crc32c(this.#staging + this.#summed, count, this.#crc);
      this.#summed += count;
      this.#chunkLeft -= count;
      if (this.#chunkLeft > 0) continue;
      this.#checksums.push(this.#crc);
      this.#chunkLeft = section.chunk;
      this.#crc = 0;
    }
  }

  #write(): void {
    this.#sum();
    this.#file.writeAt(this.storage.arena.bytes(this.#staging, this.#filled), this.#position);
    this.#position += this.#filled;
    this.#filled = 0;
    this.#summed = 0;
  }
}
