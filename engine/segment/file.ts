import { EngineError, InternalError } from "../errors.js";
import type { ExtentOwner, LoadedExtent } from "../store/extents.js";
import type { FileHandle } from "../store/files.js";
import { type Extent, NO_FIELD, type SectionKind, type SectionSource } from "../store/section.js";
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

/** An open segment file: hands its sections out, checked. See format.ts. */
export class SegmentFile implements SectionSource, ExtentOwner {
  readonly #file: FileHandle;
  readonly #table: SectionTable;
  readonly #byName = new Map<string, SectionEntry>();
  readonly #extents = new Map<SectionEntry, LoadedExtent>();
  readonly #key = ++opened * KEYS_PER_FILE;
  readonly size: number;
  /** The whole file where it is small: every section lies in it. */
  #whole: LoadedExtent | null = null;
  #uses = 0;
  /** When the use that now lasts began: the moment `#uses` left 0. */
  #useStart = 0;
  /** The piece of the arena that the section pinned last lies in. */
  pinned: LoadedExtent | null = null;
  #closed = false;
  /** Called when a piece was evicted: whatever holds addresses must be dropped. */
  onEvicted: () => void = () => {};

  private constructor(
    readonly storage: Storage,
    readonly path: string,
    file: FileHandle,
  ) {
    this.#file = file;
    this.size = file.size();
    this.#table = readTable(file, this.size);
    for (const entry of this.#table.entries) this.#byName.set(nameOf(entry.kind, entry.field), entry);
    storage.extents.add(this);
  }

  /** Opens and checks header, table and trailer; throws CorruptionError. */
  static open(storage: Storage, path: string): SegmentFile {
    const file = storage.files.open(path, "read");
    try {
      return new SegmentFile(storage, path, file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get entries(): readonly SectionEntry[] {
    return this.#table.entries;
  }

  get inUse(): boolean {
    return this.#uses > 0;
  }

  /** Bytes of arena held now. */
  get memoryBytes(): number {
    let total = 0;
    for (const extent of this.loaded()) total += this.storage.arena.sizeOf(extent.address);
    return total;
  }

  beginUse(): void {
    if (this.#closed) throw new EngineError("closed", `${this.path} is closed`);
    if (this.#uses++ === 0) this.#useStart = this.storage.extents.now();
  }

  endUse(): void {
    if (this.#uses === 0) throw new InternalError(`use of ${this.path} ends more often than it began`);
    this.#uses--;
  }

  /** Whoever uses a piece has touched it since the use began, so that others can go even then (a merge needs that). */
  protects(extent: LoadedExtent): boolean {
    return this.#uses > 0 && extent.lastUse >= this.#useStart;
  }

  pin(kind: SectionKind, field: number): Extent | null {
    const entry = this.#byName.get(nameOf(kind, field));
    if (entry === undefined) return null;
    if (this.#uses === 0) throw new InternalError(`${this.path} is pinned outside of beginUse and endUse`);
    if (this.#table.dataEnd <= WHOLE_FILE_BYTES) {
      this.#whole ??= this.#load(HEADER_BYTES, this.#table.dataEnd - HEADER_BYTES, this.#table.entries);
      this.#touch(this.#whole);
      return { address: this.#whole.address + entry.offset - HEADER_BYTES, length: entry.length };
    }
    let extent = this.#extents.get(entry);
    if (extent === undefined) {
      extent = { ...this.#load(entry.offset, padded(entry.length), [entry]), length: entry.length };
      this.#extents.set(entry, extent);
    }
    this.#touch(extent);
    return extent;
  }

  #touch(extent: LoadedExtent): void {
    extent.lastUse = this.storage.extents.now();
    this.pinned = extent;
  }

  read(kind: SectionKind, field: number, offset: number, length: number): Uint8Array {
    const into = new Uint8Array(length);
    this.readInto(kind, field, offset, into);
    return into;
  }

  readInto(kind: SectionKind, field: number, offset: number, into: Uint8Array): void {
    const { length } = into;
    const entry = this.#byName.get(nameOf(kind, field));
    if (entry === undefined || offset < 0 || offset + length > entry.length) {
      const size = entry?.length ?? 0;
      throw new InternalError(
        `${this.path}: ${length} bytes at ${offset} of section ${kind}/${field}, which has ${size}`,
      );
    }
    const loaded = this.#addressOf(entry);
    if (loaded !== 0) into.set(this.storage.arena.bytes(loaded + offset, length));
    else this.#copyChunks(entry, offset, into);
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
    return this.#byName.get(nameOf(kind, field))?.length ?? -1;
  }

  *loaded(): Iterable<LoadedExtent> {
    if (this.#whole !== null) yield this.#whole;
    yield* this.#extents.values();
  }

  evicted(extent: LoadedExtent): void {
    if (extent === this.#whole) this.#whole = null;
    for (const [entry, candidate] of this.#extents) if (candidate === extent) this.#extents.delete(entry);
    this.onEvicted();
  }

  /** Reads every byte and checks it. */
  verify(): void {
    for (const entry of this.#table.entries) {
      for (let chunk = 0; chunk * entry.chunk < entry.length; chunk++) this.#chunk(entry, chunk, false);
    }
  }

  /** Gives memory and file back; throws when somebody uses it still. */
  close(): void {
    if (this.#closed) return;
    this.storage.extents.remove(this);
    this.#closed = true;
    this.#file.close();
  }

  #addressOf(entry: SectionEntry): number {
    if (this.#whole !== null) return this.#whole.address + entry.offset - HEADER_BYTES;
    return this.#extents.get(entry)?.address ?? 0;
  }

  #load(offset: number, length: number, entries: readonly SectionEntry[]): LoadedExtent {
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
    return { address, length, lastUse: 0 };
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

function nameOf(kind: SectionKind, field: number): string {
  return field === NO_FIELD ? `${kind}` : `${kind}/${field}`;
}
