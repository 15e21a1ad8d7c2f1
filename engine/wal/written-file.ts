/**
 * The file of the log that is written now. It is longer than what is in it: written with zeros beforehand, or a used one
 * (log-space.ts); so a sync has data to write and nothing to tell the file system. Where the room ends the file grows with
 * a write, in steps that double up to 1 MB.
 */
import type { FileHandle } from "../store/files.js";
import { Account } from "./account.js";
import { encodeMarker, MARKER_BYTES } from "./control-record.js";
import { TERMINATOR_BYTES } from "./log-file.js";
import { encodeFileHeader, FILE_HEADER_BYTES, type FileEnd, type FileIdentity, seedOf } from "./log-header.js";
import type { RecordBuffer } from "./record-buffer.js";

/** Room behind the records that is always there: for a marker and the zeros that end the records. */
const SLACK_BYTES = MARKER_BYTES + TERMINATOR_BYTES;
/** A new file begins with this many bytes: there may be thousands of small indices. */
export const FIRST_FILE_BYTES = 16 * 1024;
const MOST_GROWTH_BYTES = 1 << 20;
const PAGE_BYTES = 4096;
const ZEROS = Buffer.alloc(MOST_GROWTH_BYTES);

/** Appends groups of records, syncs, marks what was synced. Nothing here is undone after a failure but by `cutBack`. */
export class WrittenFile {
  readonly account = new Account();
  readonly #handle: FileHandle;
  readonly #identity: FileIdentity;
  readonly #previous: FileEnd | null;
  readonly #seeding: { seed: number; salt: number };
  /** Bytes up to the end of the last record. */
  #end = FILE_HEADER_BYTES;
  #capacity: number;
  /** Bytes that a sync has covered. */
  #synced = 0;
  /** Bytes whose writers were told that they are kept. */
  #acknowledged = 0;
  /** Where the last marker that stands alone was put, and whether a sync has covered it. */
  #marked = 0;
  #markSynced = true;
  #syncs: Promise<void>[] = [];

  /** `handle`: a new file or a used one. `previous`: the file before, whole and synced. */
  constructor(handle: FileHandle, identity: FileIdentity, previous: FileEnd | null) {
    this.#handle = handle;
    this.#identity = identity;
    this.#previous = previous;
    this.#seeding = { seed: seedOf(identity), salt: identity.salt };
    this.#capacity = handle.size();
  }

  get identity(): FileIdentity {
    return this.#identity;
  }

  get path(): string {
    return this.#handle.path;
  }

  get end(): number {
    return this.#end;
  }

  /** Bytes of the file on disk. */
  get capacity(): number {
    return this.#capacity;
  }

  /** All that was written is synced. */
  get isSynced(): boolean {
    return this.#synced >= this.#end;
  }

  /** Where the file will end when these records are written too. */
  endWith(buffer: RecordBuffer): number {
    return this.#end + MARKER_BYTES + buffer.length;
  }

  /** Writes a group in one call. Throws `io`; then nothing of the file behind `end` counts. */
  write(buffer: RecordBuffer): void {
    const first = this.#end === FILE_HEADER_BYTES;
    const parts: Uint8Array[] = first ? [encodeFileHeader(this.#identity, this.#previous)] : [];
    parts.push(encodeMarker(this.#seeding, this.#synced), ...buffer.parts());
    const end = this.endWith(buffer);
    const capacity = this.#capacityFor(end + SLACK_BYTES);
    const zeros = capacity > this.#capacity ? capacity - end : TERMINATOR_BYTES;
    for (let left = zeros; left > 0; left -= ZEROS.length) parts.push(ZEROS.subarray(0, Math.min(left, ZEROS.length)));
    this.#handle.writev(parts, first ? 0 : this.#end);
    this.#end = end;
    this.#capacity = capacity;
  }

  /** What was written before this call is durable when it resolves. Throws `io`. */
  async sync(): Promise<void> {
    const end = this.#end;
    const marked = this.#marked;
    const sync = this.#handle.syncAsync();
    this.#syncs.push(sync);
    try {
      await sync;
      this.#synced = Math.max(this.#synced, end);
      if (marked === this.#marked) this.#markSynced = true;
    } finally {
      this.#syncs.splice(this.#syncs.indexOf(sync), 1);
    }
  }

  /** The last group's writers are told that it is kept. */
  acknowledge(buffer: RecordBuffer): void {
    this.account.addRun(buffer.firstSequence, buffer.lastSequence, buffer.records);
    this.#acknowledged = this.#end;
  }

  /** Puts a marker behind the last record: what is synced can be told from what was not, also without a next group. */
  mark(): void {
    if (!this.isSynced || this.#marked === this.#end) return;
    this.#handle.writev([encodeMarker(this.#seeding, this.#synced), ZEROS.subarray(0, TERMINATOR_BYTES)], this.#end);
    this.#marked = this.#end;
    this.#markSynced = false;
  }

  /**
   * Makes everything durable, and a marker that says so: what is followed by another file, or closed, must be whole to
   * the last byte. Throws `io`.
   */
  async finish(): Promise<void> {
    if (!this.isSynced) await this.sync();
    this.mark();
    if (!this.#markSynced) await this.sync();
  }

  /** After a failure: cuts off what was not acknowledged, and syncs. Throws `io`. */
  async cutBack(): Promise<void> {
    await this.#settled();
    cutFile(this.#handle, this.#acknowledged);
    await this.#handle.syncAsync();
    this.#end = this.#acknowledged;
    this.#capacity = this.#handle.size();
  }

  /** Closes when no sync is under way any more: one must not meet another file under the same number. */
  async close(): Promise<void> {
    await this.#settled();
    this.#handle.close();
  }

  async #settled(): Promise<void> {
    while (this.#syncs.length > 0) await Promise.allSettled(this.#syncs);
  }

  #capacityFor(needed: number): number {
    if (needed <= this.#capacity) return this.#capacity;
    const grown =
      this.#capacity === 0 ? FIRST_FILE_BYTES : this.#capacity + Math.min(this.#capacity, MOST_GROWTH_BYTES);
    return Math.max(grown, Math.ceil(needed / PAGE_BYTES) * PAGE_BYTES);
  }
}

/** Cuts a file so that its records end at `end`, with the zeros that say so behind them; the caller syncs. */
export function cutFile(handle: FileHandle, end: number): void {
  handle.truncate(end);
  handle.truncate(end + SLACK_BYTES);
}
