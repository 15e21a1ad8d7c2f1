/**
 * The log: what was acknowledged is in it, or in segments that a commit names. One writer per index (and one for the
 * metadata). Requests that wait while a sync is under way gather in one buffer and share the next write and sync
 * (group commit); syncing runs on another thread. Nothing is acknowledged after a failed write or sync: the log
 * then refuses everything until `reopen` has cut the file back to what was acknowledged.
 */
import path from "node:path";
import { EngineError } from "../errors.js";
import type { FileHandle, Files } from "../store/files.js";
import { ensureFolder } from "./folder.js";
import {
  encodeFileHeader,
  FILE_HEADER_BYTES,
  type LogFileScan,
  listGenerations,
  logFileName,
  readLogFile,
} from "./log-file.js";
import { type LogRecord, RecordBuffer } from "./record.js";

/** `request`: acknowledged when on disk. `async`: acknowledged when written, on disk within the sync interval. */
export type Durability = "request" | "async";

/** Where a log lies and how it is kept. */
export interface LogOptions {
  files: Files;
  /** Where the log's files lie; made if absent. */
  folder: string;
  durability: Durability;
  /** Longest time between syncs when durability is `async`. */
  syncIntervalMs: number;
  /** A file that has grown past this is followed by a new one. */
  maxFileBytes: number;
  /** Told of a torn tail that was cut. */
  warn: (message: string) => void;
}

interface LogFile {
  generation: number;
  /** Bytes written so far. */
  end: number;
  records: number;
  lastSequence: number;
}

/** Records that will be written together, and who waits for them. */
interface Group {
  buffer: RecordBuffer;
  records: number;
  lastSequence: number;
  waiting: { resolve: () => void; reject: (error: unknown) => void }[];
}

const FIRST_BUFFER_BYTES = 64 * 1024;
/** A group's buffer that grew past this in a burst is given back. */
const KEPT_BUFFER_BYTES = 16 * 1024 * 1024;

/** The log of one folder: append, prune, and after a failure reopen. Holds a file until `close`. */
export class Log {
  readonly #options: LogOptions;
  #durability: Durability;
  /** Files that are no longer written, oldest first. */
  readonly #closed: LogFile[] = [];
  #current: LogFile | null = null;
  #handle: FileHandle | null = null;
  #nextGeneration: number;
  #gathering: Group = emptyGroup(new RecordBuffer(FIRST_BUFFER_BYTES));
  #spare: RecordBuffer | null = new RecordBuffer(FIRST_BUFFER_BYTES);
  #draining: Promise<void> | null = null;
  /** A group is being written or synced. */
  #writing = false;
  #failure: EngineError | null = null;
  /** Bytes of the current file whose writers were told that they are kept. */
  #acknowledged = 0;
  /** Bytes of the current file that a sync has covered. */
  #synced = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  private constructor(options: LogOptions, found: LogFile[], nextGeneration: number) {
    this.#options = options;
    this.#durability = options.durability;
    this.#closed = found;
    this.#nextGeneration = nextGeneration;
  }

  /**
   * Opens the log of a folder and hands every record in it, oldest first, to `onRecord` (whose payload is valid during
   * the call only). A torn tail is cut with a warning. Throws CorruptionError for a bad entry with a good one after it.
   */
  static open(options: LogOptions, onRecord: (record: LogRecord) => void): Log {
    const { files, folder } = options;
    ensureFolder(files, folder);
    const generations = listGenerations(files, folder);
    const scans: LogFileScan[] = [];
    let lastSequence = -1;
    for (const generation of generations) {
      const torn = scans.find((scan) => scan.tail);
      const scan = readLogFile(files, folder, generation, (record) => {
        if (torn?.tail) throw torn.tail; // a bad entry with a good one after it, in a later file
        if (record.sequence > lastSequence) onRecord(record);
        lastSequence = Math.max(lastSequence, record.sequence);
      });
      scans.push(scan);
    }
    const kept = scans.filter((scan) => cutTail(options, scan));
    const found = kept.map(({ generation, goodBytes, records, lastSequence }) => {
      return { generation, end: goodBytes, records, lastSequence };
    });
    return new Log(options, found, (generations.at(-1) ?? 0) + 1);
  }

  /** Records in files that are still needed. */
  get records(): number {
    return this.#files().reduce((sum, file) => sum + file.records, 0);
  }

  /** Bytes of the files that are still needed. */
  get sizeBytes(): number {
    return this.#files().reduce((sum, file) => sum + file.end, 0);
  }

  /** Bytes that wait to be written. */
  get pendingBytes(): number {
    return this.#gathering.buffer.length;
  }

  /** Why the log refuses writes, if it does. */
  get failure(): EngineError | null {
    return this.#failure;
  }

  setDurability(durability: Durability): void {
    this.#durability = durability;
  }

  /**
   * Appends what `encode` puts into the buffer as one batch; resolves when it is as durable as promised. Throws at once
   * (and appends nothing) if `encode` throws or the log is closed or has failed; rejects with `io` when the write or
   * the sync fails.
   */
  append(encode: (buffer: RecordBuffer) => { records: number; lastSequence: number }): Promise<void> {
    if (this.#isClosed) throw new EngineError("closed", `the log in ${this.#options.folder} is closed`);
    if (this.#failure) throw this.#failure;
    const group = this.#gathering;
    const before = group.buffer.length;
    try {
      const { records, lastSequence } = encode(group.buffer);
      group.records += records;
      group.lastSequence = lastSequence;
    } catch (error) {
      group.buffer.truncate(before);
      throw error;
    }
    return new Promise((resolve, reject) => {
      group.waiting.push({ resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing waits to be written any more; never rejects. */
  async settled(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Syncs what was written but not yet synced (async durability). */
  async sync(): Promise<void> {
    await this.settled();
    if (this.#failure) throw this.#failure;
    const handle = this.#handle;
    const end = this.#current?.end ?? 0;
    if (!handle || this.#synced >= end) return;
    try {
      await handle.syncAsync();
      this.#synced = Math.max(this.#synced, end);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Deletes the files all of whose records have sequences up to `sequence`, which committed segments hold. */
  prune(sequence: number): void {
    const { files, folder } = this.#options;
    const current = this.#current;
    const idle = !this.#writing && this.#gathering.waiting.length === 0 && !this.#failure;
    if (current && idle && current.lastSequence <= sequence) this.#retireCurrent();
    // Oldest first, and stop at the first that is needed: what is left is always a run without gaps.
    while (this.#closed.length > 0 && this.#closed[0].lastSequence <= sequence) {
      files.unlink(path.join(folder, logFileName(this.#closed[0].generation)));
      this.#closed.shift();
    }
  }

  /**
   * Makes a failed log usable again: cuts its file back to what was acknowledged, syncs that, and goes on in a new
   * file. Throws `io`, and stays as it was, while the disk does not allow it. What was acknowledged without a sync
   * (async durability) may not be on the disk: the caller makes it durable by a flush.
   */
  async reopen(): Promise<void> {
    // Whoever waits must be refused first: their sequence numbers build on what failed.
    await this.settled();
    if (!this.#failure) return;
    try {
      this.#handle?.truncate(this.#acknowledged);
      this.#handle?.sync();
    } catch (error) {
      throw this.#fail(error);
    }
    if (this.#current) {
      this.#current.end = this.#acknowledged;
      this.#retireCurrent();
    }
    this.#failure = null;
  }

  /** Writes and syncs what waits, then closes the file. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.settled();
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    try {
      if (!this.#failure) await this.sync();
    } finally {
      this.#handle?.close();
      this.#handle = null;
    }
  }

  #files(): LogFile[] {
    return this.#current ? [...this.#closed, this.#current] : this.#closed;
  }

  async #drain(): Promise<void> {
    // Requests of the same turn of the event loop share the first write too.
    await Promise.resolve();
    while (this.#gathering.waiting.length > 0) {
      const group = this.#gathering;
      this.#gathering = emptyGroup(this.#spare ?? new RecordBuffer(FIRST_BUFFER_BYTES));
      this.#spare = null;
      await this.#writeGroup(group);
      group.buffer.clear();
      if (group.buffer.capacity <= KEPT_BUFFER_BYTES) this.#spare = group.buffer;
    }
    this.#draining = null;
  }

  async #writeGroup(group: Group): Promise<void> {
    this.#writing = true;
    try {
      if (this.#failure) throw this.#failure;
      const file = this.#fileToWrite();
      const handle = this.#handle as FileHandle;
      handle.writeAt(group.buffer.bytes(), file.end);
      file.end += group.buffer.length;
      if (this.#durability === "request") {
        await handle.syncAsync();
        this.#synced = file.end;
      } else {
        this.#syncLater();
      }
      file.records += group.records;
      file.lastSequence = group.lastSequence;
      this.#acknowledged = file.end;
      this.#writing = false;
      for (const waiter of group.waiting) waiter.resolve();
    } catch (error) {
      const failure = this.#fail(error);
      this.#writing = false;
      for (const waiter of group.waiting) waiter.reject(failure);
    }
  }

  /** The current file, or a new one when there is none or it is full. */
  #fileToWrite(): LogFile {
    const { files, folder, maxFileBytes } = this.#options;
    if (this.#current && this.#current.end < maxFileBytes) return this.#current;
    if (this.#current && this.#handle) {
      // A torn tail is only ever looked for in the last file: an older one must be on disk before it is followed.
      if (this.#synced < this.#current.end) this.#handle.sync();
      this.#retireCurrent();
    }
    const generation = this.#nextGeneration++;
    const file = path.join(folder, logFileName(generation));
    const handle = files.open(file, "create");
    try {
      handle.writeAt(encodeFileHeader(generation), 0);
      files.syncDirectory(folder);
    } catch (error) {
      handle.close();
      files.unlink(file);
      throw error;
    }
    this.#handle = handle;
    this.#acknowledged = FILE_HEADER_BYTES;
    this.#synced = 0;
    this.#current = { generation, end: FILE_HEADER_BYTES, records: 0, lastSequence: -1 };
    return this.#current;
  }

  #retireCurrent(): void {
    if (this.#current) this.#closed.push(this.#current);
    this.#handle?.close();
    this.#handle = null;
    this.#current = null;
  }

  #syncLater(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.sync().catch(() => {}); // kept in #failure: the next append says so
    }, this.#options.syncIntervalMs);
    this.#timer.unref();
  }

  #fail(cause: unknown): EngineError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#failure ??= new EngineError(
      "io",
      `the log in ${this.#options.folder} could not be written: ${reason}; nothing is acknowledged until it can`,
      { folder: this.#options.folder },
      { cause },
    );
    return this.#failure;
  }
}

function emptyGroup(buffer: RecordBuffer): Group {
  return { buffer, records: 0, lastSequence: -1, waiting: [] };
}

/** Cuts what is torn off a file that was read; false when nothing of the file is left. */
function cutTail(options: LogOptions, scan: LogFileScan): boolean {
  const { files, folder, warn } = options;
  const file = path.join(folder, logFileName(scan.generation));
  if (scan.tail) {
    const lost = scan.totalBytes - scan.goodBytes;
    warn(`cut ${lost} bytes of an unfinished write off the end of ${file}: ${scan.tail.message}`);
  }
  if (scan.records === 0) {
    files.unlink(file);
    return false;
  }
  if (scan.tail) {
    const handle = files.open(file, "update");
    try {
      handle.truncate(scan.goodBytes);
      handle.sync();
    } finally {
      handle.close();
    }
  }
  return true;
}
