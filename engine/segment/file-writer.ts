import { EngineError, InternalError } from "../errors.js";
import type { FileHandle } from "../store/files.js";
import type { SectionKind, SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import {
  ALIGNMENT,
  CHUNK_BYTES,
  COLD_KINDS,
  encodeHeader,
  encodeTable,
  HEADER_BYTES,
  padded,
  type SectionEntry,
  SMALL_CHUNK_BYTES,
} from "./format.js";

/** Bytes gathered before they are written. A multiple of both chunk sizes. */
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
  /** Bytes gathered and where in the file they begin. */
  #filled = 0;
  #position = HEADER_BYTES;
  #open: (SectionEntry & { length: number }) | null = null;

  constructor(
    readonly storage: Storage,
    readonly path: string,
  ) {
    this.#file = storage.files.open(path, "create");
    try {
      this.#staging = storage.arena.alloc(STAGING_BYTES);
      this.#file.writeAt(encodeHeader(), 0);
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  begin(kind: SectionKind, field: number): void {
    const name = `${kind}/${field}`;
    if (this.#open !== null) throw new InternalError(`section ${name} begins inside another`);
    if (this.#seen.has(name)) throw new InternalError(`section ${name} is written twice`);
    this.#seen.add(name);
    const chunk = COLD_KINDS.has(kind) ? SMALL_CHUNK_BYTES : CHUNK_BYTES;
    this.#open = { kind, field, offset: this.#position, length: 0, chunk, firstChecksum: this.#checksums.length };
  }

  append(bytes: Uint8Array): void {
    if (this.#open === null) throw new InternalError("bytes outside of a section");
    const { arena } = this.storage;
    this.#open.length += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      const count = Math.min(bytes.length - from, STAGING_BYTES - this.#filled);
      arena.u8.set(count === bytes.length ? bytes : bytes.subarray(from, from + count), this.#staging + this.#filled);
      this.#filled += count;
      from += count;
      if (this.#filled === STAGING_BYTES) this.#write();
    }
  }

  end(): void {
    const section = this.#open;
    if (section === null) throw new InternalError("a section ends that did not begin");
    const padding = padded(section.length) - section.length;
    if (padding > 0) {
      const { length } = section;
      this.append(new Uint8Array(padding));
      section.length = length;
    }
    this.#write();
    this.#entries.push(section);
    this.#open = null;
  }

  /** Writes the table; returns the file's size. The writer is closed then. */
  finish(): number {
    if (this.#open !== null) throw new InternalError("the file ends inside a section");
    const table = { entries: this.#entries, checksums: Uint32Array.from(this.#checksums), dataEnd: this.#position };
    const bytes = encodeTable(table);
    this.#file.writeAt(bytes, this.#position);
    this.close();
    return this.#position + bytes.length;
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

  /** Staging holds whole chunks of the open section, or its end. */
  #write(): void {
    const section = this.#open;
    if (section === null || this.#filled === 0) return;
    if (this.#staging === 0) throw new EngineError("closed", `${this.path} is closed`);
    const { arena, kernels } = this.storage;
    for (let at = 0; at < this.#filled; at += section.chunk) {
      const length = Math.min(section.chunk, this.#filled - at);
      this.#checksums.push(kernels.crc32c(this.#staging + at, length, 0));
    }
    this.#file.writeAt(arena.bytes(this.#staging, this.#filled), this.#position);
    this.#position += this.#filled;
    this.#filled = 0;
    if (this.#position % ALIGNMENT !== 0) throw new InternalError(`a section of ${this.path} is not padded`);
  }
}
