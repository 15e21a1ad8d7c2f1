/**
 * An open segment file. Its sections lie in the arena once for all threads; what a thread has of them is this object:
 * the file's own handle, and which pieces the thread keeps (store/pieces.ts). A piece is a section, or the whole file
 * where it is small.
 */
import { EngineError, InternalError } from "../errors.js";
import type { FileHandle } from "../store/files.js";
import { Pieces } from "../store/pieces.js";
import { type Extent, NO_FIELD, type SectionKind, type SectionSource, UNIT_BYTES } from "../store/section.js";
import type { SlotRun } from "../store/slot-slabs.js";
import type { Storage } from "../store/storage.js";
import {
  checkHeader,
  damaged,
  decodeTable,
  decodeTrailer,
  HEADER_BYTES,
  padded,
  type SectionEntry,
  type SectionTable,
  TRAILER_BYTES,
} from "./format.js";

/** A file no larger than this is loaded as one piece: a refresh after a few documents should not cost a page per section. */
const WHOLE_FILE_BYTES = 128 * 1024;
/** Reads of more than this go past the cache: a merge would empty it. */
const CACHED_READ_BYTES = 128 * 1024;
/** Cache keys: number of the open file * 2^24 + number of the checksum. */
const KEYS_PER_FILE = 2 ** 24;

let opened = 0;

/** Hands sections out, checked. See format.ts. */
export class SegmentFile implements SectionSource {
  readonly size: number;
  /** What of the file is in memory, and kept there by this thread. */
  readonly pieces: Pieces;
  readonly #file: FileHandle;
  readonly #table: SectionTable;
  /** The whole file is one piece. */
  readonly #whole: boolean;
  /** Numbers of sections, by kind and field. */
  readonly #numbers = new Map<number, number>();
  /** Pieces of first units, by kind and field: behind those of sections. */
  readonly #firstUnits = new Map<number, number>();
  readonly #key = ++opened * KEYS_PER_FILE;

  private constructor(
    readonly storage: Storage,
    readonly path: string,
    file: FileHandle,
    run: SlotRun | null,
  ) {
    this.#file = file;
    this.size = file.size();
    this.#table = readTable(file, this.size);
    this.#table.entries.forEach((entry, number) => {
      this.#numbers.set(nameOf(entry.kind, entry.field), number);
    });
    this.#whole = this.#table.dataEnd <= WHOLE_FILE_BYTES;
    let count = this.#whole ? 1 : this.#table.entries.length;
    for (const { kind, field, length } of this.#table.entries) {
      const unit = UNIT_BYTES.get(kind);
      if (unit === undefined) continue;
      this.#firstUnits.set(nameOf(kind, field), count);
      count += Math.ceil(length / unit);
    }
    this.pieces = new Pieces(storage.extents, { path, count, load: (piece) => this.#load(piece) }, run);
  }

  /** Opens and checks header, table and trailer; throws CorruptionError. */
  static open(storage: Storage, path: string): SegmentFile {
    return SegmentFile.#open(storage, path, null);
  }

  /**
   * Opens a file that another thread has open, whose slots those are. Must be closed here before it is closed there, or
   * not be used any more; `close` leaves the slots alone.
   */
  static attach(storage: Storage, path: string, run: SlotRun): SegmentFile {
    storage.extents.slabs.check(run);
    return SegmentFile.#open(storage, path, run);
  }

  static #open(storage: Storage, path: string, run: SlotRun | null): SegmentFile {
    const file = storage.files.open(path, "read");
    try {
      return new SegmentFile(storage, path, file, run);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get entries(): readonly SectionEntry[] {
    return this.#table.entries;
  }

  /** Bytes of arena held now, for whatever thread. */
  get memoryBytes(): number {
    return this.pieces.memoryBytes;
  }

  /** Bytes to read before the section can be pinned; 0: it is in memory at this moment, or there is none. */
  coldBytes(kind: SectionKind, field: number): number {
    const number = this.#numbers.get(nameOf(kind, field));
    if (number === undefined) return 0;
    if (this.pieces.isLoaded(this.#whole ? 0 : number)) return 0;
    return this.#table.entries[number].length;
  }

  beginUse(): void {
    this.pieces.beginUse();
  }

  endUse(): void {
    this.pieces.endUse();
  }

  /** Number of the piece that a section lies in; -1: there is no such section. */
  pieceOf(kind: SectionKind, field: number): number {
    const number = this.#numbers.get(nameOf(kind, field)) ?? -1;
    return this.#whole && number > 0 ? 0 : number;
  }

  pin(kind: SectionKind, field: number): Extent | null {
    const number = this.#numbers.get(nameOf(kind, field));
    if (number === undefined) return null;
    const entry = this.#table.entries[number];
    if (!this.#whole) return { address: this.pieces.keep(number), length: entry.length };
    return { address: this.pieces.keep(0) + entry.offset - HEADER_BYTES, length: entry.length };
  }

  /** Piece of the first unit of a section (section.ts); -1: it has none. */
  firstUnit(kind: SectionKind, field: number): number {
    return this.#firstUnits.get(nameOf(kind, field)) ?? -1;
  }

  /** Address of a section that is in memory now, within a use: it stays there until that ends. 0: it is not. */
  loadedAddress(kind: SectionKind, field: number): number {
    const number = this.#numbers.get(nameOf(kind, field));
    if (number === undefined) return 0;
    const address = this.pieces.keepLoaded(this.#whole ? 0 : number);
    if (address === 0 || !this.#whole) return address;
    return address + this.#table.entries[number].offset - HEADER_BYTES;
  }

  read(kind: SectionKind, field: number, offset: number, length: number): Uint8Array {
    const into = new Uint8Array(length);
    this.readInto(kind, field, offset, into);
    return into;
  }

  readInto(kind: SectionKind, field: number, offset: number, into: Uint8Array): void {
    const { length } = into;
    const number = this.#numbers.get(nameOf(kind, field)) ?? -1;
    const entry = this.#table.entries[number];
    if (entry === undefined || offset < 0 || offset + length > entry.length) {
      const size = entry?.length ?? 0;
      throw new InternalError(
        `${this.path}: ${length} bytes at ${offset} of section ${kind}/${field}, which has ${size}`,
      );
    }
    const within = this.#whole ? entry.offset - HEADER_BYTES + offset : offset;
    const copied = this.pieces.ifLoaded(this.#whole ? 0 : number, (address) => {
      into.set(this.storage.arena.bytes(address + within, length));
    });
    if (!copied) this.#copyChunks(entry, offset, into);
  }

  #copyChunks(entry: SectionEntry, offset: number, into: Uint8Array): void {
    const cached = into.length <= CACHED_READ_BYTES;
    for (let done = 0; done < into.length; ) {
      const chunk = Math.floor((offset + done) / entry.chunk);
      const from = offset + done - chunk * entry.chunk;
      const piece = this.#chunk(entry, chunk, cached).subarray(from, from + into.length - done);
      into.set(piece, done);
      done += piece.length;
    }
  }

  sectionSize(kind: SectionKind, field: number): number {
    const number = this.#numbers.get(nameOf(kind, field));
    return number === undefined ? -1 : this.#table.entries[number].length;
  }

  /** Reads every byte and checks it; `damaged` is told of each chunk that is not what it was, and throws it unless given. */
  verify(damaged: (error: EngineError) => void = rethrow): void {
    for (const entry of this.#table.entries) {
      for (let chunk = 0; chunk * entry.chunk < entry.length; chunk++) {
        try {
          this.#chunk(entry, chunk, false);
        } catch (error) {
          if (!(error instanceof EngineError) || error.code !== "corrupt") throw error;
          damaged(error);
        }
      }
    }
  }

  /** Gives memory (if this thread opened the file first) and file back; throws when somebody uses it still. */
  close(): void {
    this.pieces.close();
    this.#file.close();
  }

  /** Address of fresh memory with a piece. */
  #load(piece: number): number {
    const { entries, dataEnd } = this.#table;
    if (this.#whole) return this.#read(HEADER_BYTES, dataEnd - HEADER_BYTES, entries);
    const entry = entries[piece];
    return this.#read(entry.offset, padded(entry.length), [entry]);
  }

  /** Address of fresh memory with this part of the file, the entries in it checked. */
  #read(offset: number, length: number, entries: readonly SectionEntry[]): number {
    const { arena } = this.storage;
    const address = arena.alloc(length + 16);
    try {
      this.#readExactly(arena.bytes(address, length), offset);
      for (const entry of entries) {
        const end = padded(entry.length);
        for (let at = 0; at < end; at += entry.chunk) {
          this.#check(entry, at / entry.chunk, address + entry.offset - offset + at, Math.min(entry.chunk, end - at));
        }
      }
    } catch (error) {
      arena.free(address);
      throw error;
    }
    return address;
  }

  /** One chunk's bytes, checked; through the cache or not. A view, valid until the next call. */
  #chunk(entry: SectionEntry, chunk: number, cached: boolean): Uint8Array {
    const key = this.#key + entry.firstChecksum + chunk;
    const found = this.storage.cache.get(key);
    if (found !== undefined) return found;
    const at = chunk * entry.chunk;
    const length = Math.min(entry.chunk, padded(entry.length) - at);
    const address = this.storage.scratch.region("crc", entry.chunk);
    const bytes = this.storage.arena.bytes(address, length);
    this.#readExactly(bytes, entry.offset + at);
    this.#check(entry, chunk, address, length);
    if (cached) this.storage.cache.put(key, bytes);
    return bytes;
  }

  #check(entry: SectionEntry, chunk: number, address: number, length: number): void {
    const expected = this.#table.checksums[entry.firstChecksum + chunk];
    const found = this.storage.kernels.crc32c(address, length, 0);
    if (found !== expected) throw damaged(this.path, entry.offset + chunk * entry.chunk, expected, found);
  }

  #readExactly(into: Uint8Array, offset: number): void {
    const count = this.#file.readAt(into, offset);
    if (count !== into.length) throw damagedEnd(this.path, offset + count, this.size);
  }
}

function rethrow(error: EngineError): never {
  throw error;
}

function readTable(file: FileHandle, size: number): SectionTable {
  if (size < HEADER_BYTES + TRAILER_BYTES) throw damagedEnd(file.path, size, HEADER_BYTES + TRAILER_BYTES);
  const header = new Uint8Array(HEADER_BYTES);
  file.readAt(header, 0);
  checkHeader(file.path, header);
  const end = new Uint8Array(TRAILER_BYTES);
  file.readAt(end, size - TRAILER_BYTES);
  const trailer = decodeTrailer(file.path, end, size);
  const bytes = new Uint8Array(size - TRAILER_BYTES - trailer.at);
  file.readAt(bytes, trailer.at);
  return decodeTable(file.path, bytes, trailer);
}

function damagedEnd(path: string, found: number, expected: number): EngineError {
  return new EngineError("corrupt", `${path} is cut: it has ${found} bytes where ${expected} are meant`, {
    file: path,
    offset: found,
  });
}

function nameOf(kind: SectionKind, field: number): number {
  return kind * (NO_FIELD + 1) + field;
}
