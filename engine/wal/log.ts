/**
 * The log: what was acknowledged is in it, or in segments that a commit names. One writer per index (and one for the
 * metadata). Requests that wait while a sync is under way gather in one buffer and share the next write and sync
 * (group commit); syncing runs on another thread, nothing that may take milliseconds on this one. Nothing is
 * acknowledged after a failed write or sync: the log then refuses everything until `reopen` has cut the file back to
 * what was acknowledged.
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { EngineError } from "../errors.js";
import type { Files } from "../store/files.js";
import { timed } from "../thread-log.js";
import type { Account } from "./account.js";
import { MARKER_BYTES } from "./control-record.js";
import { ensureFolder } from "./folder.js";
import { logFileName } from "./log-file.js";
import { FILE_HEADER_BYTES, type FileEnd, type FileIdentity, seedOf } from "./log-header.js";
import { LogSpace } from "./log-space.js";
import { type LogReading, readLog } from "./read-log.js";
import type { LogRecord } from "./record.js";
import { RecordBuffer } from "./record-buffer.js";
import type { FileScan } from "./scan.js";
import { Uncommitted } from "./uncommitted.js";
import { cutFile, WrittenFile } from "./written-file.js";

/** `request`: acknowledged when on disk. `async`: acknowledged when written, on disk within the sync interval. */
export type Durability = "request" | "async";

/** What may change while the log is open. */
export interface LogSettings {
  durability: Durability;
  /** Longest time between syncs when durability is `async`. */
  syncIntervalMs: number;
  /** A file that has grown past this is followed by a new one. */
  maxFileBytes: number;
}

/** Where a log lies and how it is kept. */
export interface LogOptions extends LogSettings {
  files: Files;
  /** Where the log's files lie; made if absent. */
  folder: string;
  /** Segments have everything up to this sequence, as far as is known; for `uncommitted` alone. */
  committed?: number;
  /** Told of a torn tail that was cut, and of files that can't be removed. */
  warn: (message: string) => void;
}

/** A file that is written no longer. */
interface ClosedFile extends FileEnd {
  /** Bytes on disk. */
  capacity: number;
  account: Account;
}

/** Records that will be written together, and who waits for them. */
interface Group {
  buffer: RecordBuffer;
  /** The file they are for: their checksums begin with its seed. */
  identity: FileIdentity | null;
  written: boolean;
  waiting: { resolve: () => void; reject: (error: unknown) => void }[];
}

/** A log's first file is followed when it has this size, each later one at twice that of the one before. */
const FIRST_LIMIT_BYTES = 1 << 20;
const FIRST_BUFFER_BYTES = 64 * 1024;
/** A group's buffer that grew past this in a burst is given back. */
const KEPT_BUFFER_BYTES = 16 * 1024 * 1024;

/** The log of one folder: append, prune, and after a failure reopen. Holds a file until `close`. */
export class Log {
  readonly #files: Files;
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  readonly #settings: LogSettings;
  readonly #space: LogSpace;
  readonly #uncommitted = new Uncommitted();
  readonly #salt: number;
  /** Files that are no longer written, oldest first. */
  readonly #closed: ClosedFile[];
  /** Generations of files that can't be pruned though all in them seems committed: told of once. */
  readonly #unproven = new Set<number>();
  #current: WrittenFile | null = null;
  /** The newest file before the current one, pruned or not. */
  #previous: FileEnd | null;
  #nextGeneration: number;
  /** The current file is followed when it has grown past this. */
  #limit: number;
  #gathering: Group = newGroup(new RecordBuffer(FIRST_BUFFER_BYTES));
  #spareBuffer: RecordBuffer | null = new RecordBuffer(FIRST_BUFFER_BYTES);
  #draining: Promise<void> | null = null;
  /** The group that is being written or synced. */
  #writing: Group | null = null;
  #failure: EngineError | null = null;
  #reopening: Promise<void> | null = null;
  #lastAppended: number;
  #lastAcknowledged: number;
  #committed: number;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  private constructor(options: LogOptions, { scans, generation }: LogReading) {
    const { files, folder, warn, durability, syncIntervalMs, maxFileBytes } = options;
    this.#files = files;
    this.#folder = folder;
    this.#warn = warn;
    this.#settings = { durability, syncIntervalMs, maxFileBytes };
    this.#space = new LogSpace(files, folder, warn);
    this.#closed = scans.map(({ header, end, totalBytes, account }) => {
      return { generation: header.generation, end, capacity: totalBytes, account };
    });
    const last = scans.at(-1);
    this.#previous = last
      ? { generation: last.header.generation, end: last.header.version === 1 ? 0 : last.end }
      : null;
    this.#nextGeneration = generation + 1;
    this.#limit = Math.min(FIRST_LIMIT_BYTES, maxFileBytes);
    this.#salt = scans.findLast(({ header }) => header.version > 1)?.header.salt ?? randomBytes(4).readUInt32LE();
    for (const { account, end } of scans) this.#uncommitted.note(account.highest, end);
    this.#committed = options.committed ?? -1;
    this.#uncommitted.commit(this.#committed);
    this.#lastAppended = last?.account.highest ?? -1;
    this.#lastAcknowledged = this.#lastAppended;
  }

  /**
   * Opens the log of a folder and hands every record in it, oldest first, to `onRecord` (whose payload is valid during
   * the call only); which of them segments have already is for the caller to know. What a power cut left torn is cut
   * with a warning. Throws CorruptionError when anything is damaged that may have been acknowledged (see scan.ts).
   */
  static open(options: LogOptions, onRecord: (record: LogRecord) => void): Log {
    const { files, folder } = options;
    ensureFolder(files, folder);
    const reading = readLog(files, folder, {
      record: onRecord,
      damaged: (error) => {
        throw error;
      },
    });
    if (reading.unborn) {
      const { file, error } = reading.unborn;
      options.warn(`removed ${file}, which the machine stopped before it held anything: ${error.message}`);
      files.unlink(file);
    }
    const scans = reading.scans.filter((scan) => cutTail(options, scan));
    // A later file will be made: one that a power cut brought back before it would look like one that was synced.
    if (reading.unborn || scans.length < reading.scans.length) files.syncDirectory(folder);
    const last = scans.at(-1);
    // What a killed process wrote may be in the system's memory only, and is believed from now on.
    if (last && !last.fault) syncFile(files, last.file);
    return new Log(options, { ...reading, scans });
  }

  /** Records in files that are still needed. */
  get records(): number {
    return this.#accounts().reduce((sum, account) => sum + account.records, 0);
  }

  /** Bytes of records in files that are still needed, their headers included. */
  get sizeBytes(): number {
    return this.#closed.reduce((sum, file) => sum + file.end, this.#current?.end ?? 0);
  }

  /** Bytes that the log takes on the disk: files are longer than what is in them, and some wait to be used again. */
  get diskBytes(): number {
    const used = this.#closed.reduce((sum, file) => sum + file.capacity, this.#current?.capacity ?? 0);
    return used + this.#space.idleBytes;
  }

  /** What segments would have to be made of before the log could be pruned whole; the bytes to within 64 KB. */
  get uncommitted(): { operations: number; bytes: number } {
    const operations = this.#accounts().reduce((sum, { records, highest, lowest }) => {
      if (highest <= this.#committed) return sum;
      return sum + Math.min(records, highest - Math.max(lowest - 1, this.#committed));
    }, 0);
    return { operations, bytes: operations === 0 ? 0 : this.#uncommitted.bytes };
  }

  /** When the oldest file was last written, in ms since 1970; undefined: there is no file. */
  get oldestWriteMs(): number | undefined {
    const [oldest] = this.#closed;
    const file = oldest ? path.join(this.#folder, logFileName(oldest.generation)) : this.#current?.path;
    return file === undefined ? undefined : this.#files.stat(file)?.modifiedMs;
  }

  /** Bytes that wait to be written. */
  get pendingBytes(): number {
    return this.#gathering.buffer.length;
  }

  /** Why the log refuses writes, if it does. */
  get failure(): EngineError | null {
    return this.#failure;
  }

  /** Changes how the log is kept from the next group on. */
  configure(change: Partial<LogSettings>): void {
    Object.assign(this.#settings, change);
    this.#limit = Math.min(this.#limit, this.#settings.maxFileBytes);
    if (change.syncIntervalMs === undefined || !this.#timer) return;
    this.#stopTimer();
    this.#syncLater();
  }

  /**
   * Appends what `encode` puts into the buffer as one batch, whose sequences are above all before; resolves when it is as
   * durable as promised. Throws at once (and appends nothing) if `encode` throws or the log is closed or has failed;
   * rejects with `io` when the write or the sync fails. Large payloads must stay as they are until then.
   */
  append(encode: (buffer: RecordBuffer) => unknown): Promise<void> {
    if (this.#isClosed) throw new EngineError("closed", `the log in ${this.#folder} is closed`);
    if (this.#failure) throw this.#failure;
    const group = this.#gathering;
    if (group.waiting.length === 0) this.#begin(group);
    const mark = group.buffer.mark();
    try {
      encode(group.buffer);
    } catch (error) {
      group.buffer.rewind(mark);
      throw error;
    }
    this.#lastAppended = group.buffer.lastSequence;
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
    await this.#syncWritten();
  }

  /**
   * Deletes, oldest first, the files that hold only records with sequences up to `sequence`, which committed segments
   * have. A file goes only when its records add up: one for each sequence from its lowest to its highest, but those
   * that `repair` has declared lost. Resolves when they are gone; what can't be deleted now is tried again next time.
   */
  async prune(sequence: number): Promise<void> {
    this.#committed = Math.max(this.#committed, sequence);
    this.#uncommitted.commit(this.#committed);
    await this.#retireIfCommitted();
    const removable: ClosedFile[] = [];
    while (this.#closed.length > 0 && this.#isProven(this.#closed[0]))
      removable.push(this.#closed.shift() as ClosedFile);
    const resting = this.#current === null && this.#closed.length === 0 && this.#gathering.waiting.length === 0;
    if (resting) this.#limit = Math.min(FIRST_LIMIT_BYTES, this.#settings.maxFileBytes);
    await this.#space.remove(removable, resting ? "resting" : { busy: this.#limit });
  }

  /**
   * Makes a failed log usable again: cuts its file back to what was acknowledged, syncs that, and goes on in a new
   * file. Throws `io`, and stays as it was, while the disk does not allow it. What was acknowledged without a sync
   * (async durability) may not be on the disk: the caller makes it durable by a flush.
   */
  reopen(): Promise<void> {
    this.#reopening ??= this.#reopenOnce().finally(() => {
      this.#reopening = null;
    });
    return this.#reopening;
  }

  /** Writes and syncs what waits, then closes the file. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.settled();
    this.#stopTimer();
    const file = this.#current;
    try {
      if (!this.#failure) await file?.finish();
    } finally {
      this.#current = null;
      await file?.close();
      await this.#space.close();
    }
  }

  #accounts(): Account[] {
    const accounts = this.#closed.map(({ account }) => account);
    return this.#current ? [...accounts, this.#current.account] : accounts;
  }

  /** Chooses the file that a group will be written to, before its first record is encoded. */
  #begin(group: Group): void {
    group.identity = this.#nextIdentity();
    group.buffer.begin(seedOf(group.identity), this.#lastAppended);
  }

  #nextIdentity(): FileIdentity {
    const current = this.#current;
    const writing = this.#writing;
    if (!writing?.identity) {
      if (current && current.end < this.#limit) return current.identity;
      return this.#newIdentity(current ? current.identity.generation + 1 : this.#nextGeneration);
    }
    const { identity, buffer, written } = writing;
    // The group before may be about to fill its file, or to begin another.
    const inCurrent = current?.identity === identity;
    const filled = FILE_HEADER_BYTES + MARKER_BYTES + buffer.length;
    const end = inCurrent ? (written ? current.end : current.endWith(buffer)) : filled;
    return end < this.#limit ? identity : this.#newIdentity(identity.generation + 1);
  }

  #newIdentity(generation: number): FileIdentity {
    return { generation, salt: this.#salt };
  }

  async #drain(): Promise<void> {
    // Requests of the same turn of the event loop share the first write too.
    await Promise.resolve();
    while (this.#gathering.waiting.length > 0) {
      const group = this.#gathering;
      this.#gathering = newGroup(this.#spareBuffer ?? new RecordBuffer(FIRST_BUFFER_BYTES));
      this.#spareBuffer = null;
      await this.#writeGroup(group);
      // Lets go of payloads.
      group.buffer.begin(0, -1);
      if (group.buffer.capacity <= KEPT_BUFFER_BYTES) this.#spareBuffer = group.buffer;
    }
    this.#draining = null;
    this.#markSynced();
  }

  async #writeGroup(group: Group): Promise<void> {
    this.#writing = group;
    try {
      if (this.#failure) throw this.#failure;
      const file = this.#current?.identity === group.identity ? this.#current : await this.#follow(group);
      timed("log", () => file.write(group.buffer));
      group.written = true;
      if (this.#settings.durability === "request") await file.sync();
      else this.#syncLater();
      this.#acknowledge(file, group);
    } catch (error) {
      const failure = this.#fail(error);
      this.#writing = null;
      for (const waiter of group.waiting) waiter.reject(failure);
    }
  }

  #acknowledge(file: WrittenFile, { buffer, waiting }: Group): void {
    file.acknowledge(buffer);
    this.#uncommitted.note(buffer.lastSequence, buffer.length);
    this.#lastAcknowledged = buffer.lastSequence;
    this.#writing = null;
    for (const waiter of waiting) waiter.resolve();
    this.#lookAhead(file);
  }

  /** Begins the file that a group is for; all of the file before is synced first, so that its end can be relied on. */
  async #follow({ identity }: Group): Promise<WrittenFile> {
    const before = this.#current;
    if (before) {
      await before.finish();
      await this.#retire(before);
      this.#limit = this.#nextLimit();
    }
    const { generation } = identity as FileIdentity;
    const handle = await this.#space.create(generation);
    this.#current = new WrittenFile(handle, identity as FileIdentity, this.#previous);
    return this.#current;
  }

  #nextLimit(): number {
    return Math.min(this.#limit * 2, this.#settings.maxFileBytes);
  }

  /** The next file is made while this one still has room. */
  #lookAhead(file: WrittenFile): void {
    if (file.end > this.#limit / 2 && this.#limit >= FIRST_LIMIT_BYTES) this.#space.prepare(this.#nextLimit());
  }

  /** The current file is written no longer. */
  async #retire(file: WrittenFile): Promise<void> {
    const { generation } = file.identity;
    this.#current = null;
    this.#nextGeneration = generation + 1;
    this.#previous = { generation, end: file.end };
    this.#closed.push({ generation, end: file.end, capacity: file.capacity, account: file.account });
    await file.close();
  }

  /** A file that nobody writes to and all of which is committed need not stay because it is the newest. */
  async #retireIfCommitted(): Promise<void> {
    const file = this.#current;
    if (!file || file.account.highest > this.#committed || !this.#isIdle()) return;
    try {
      // It may stay after all, and must be whole when another file follows it.
      await file.finish();
    } catch (error) {
      this.#fail(error);
    }
    if (this.#current === file && this.#isIdle() && file.isSynced) await this.#retire(file);
  }

  #isIdle(): boolean {
    return !this.#writing && this.#gathering.waiting.length === 0 && !this.#failure;
  }

  #isProven({ generation, account }: ClosedFile): boolean {
    if (account.highest > this.#committed) return false;
    if (account.addsUp) return true;
    const { records, lost, lowest, highest } = account;
    if (!this.#unproven.has(generation)) {
      const file = path.join(this.#folder, logFileName(generation));
      this.#warn(`${file} is kept: it holds ${records} records of ${lowest} to ${highest}, and ${lost} lost ones`);
    }
    this.#unproven.add(generation);
    return false;
  }

  async #reopenOnce(): Promise<void> {
    // Whoever waits must be refused first: their sequence numbers build on what failed.
    await this.settled();
    if (!this.#failure) return;
    const file = this.#current;
    try {
      if (file && file.account.records > 0) await file.cutBack();
    } catch (error) {
      throw this.#fail(error);
    }
    if (file) await this.#leave(file);
    this.#lastAppended = this.#lastAcknowledged;
    this.#failure = null;
  }

  /** Leaves a file that was cut back; one without any acknowledged record goes, and the next takes its number. */
  async #leave(file: WrittenFile): Promise<void> {
    if (file.account.records > 0) return this.#retire(file);
    this.#current = null;
    await file.close();
    this.#files.unlink(file.path);
  }

  async #syncWritten(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const file = this.#current;
    if (!file || file.isSynced) return;
    try {
      await file.sync();
    } catch (error) {
      throw this.#fail(error);
    }
    this.#markSynced();
  }

  /** Says on the disk what is synced, unless the next group is about to. */
  #markSynced(): void {
    if (!this.#writing && !this.#failure && this.#current) tryMark(this.#current);
  }

  #syncLater(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // Whatever is on its way meanwhile: while writes come without a pause the log is never settled.
      this.#syncWritten().catch(() => {}); // kept in #failure: the next append says so
    }, this.#settings.syncIntervalMs);
    this.#timer.unref();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }

  #fail(cause: unknown): EngineError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#failure ??= new EngineError(
      "io",
      `the log in ${this.#folder} could not be written: ${reason}; nothing is acknowledged until it can`,
      { folder: this.#folder },
      { cause },
    );
    return this.#failure;
  }
}

/** Nobody waits for a marker. */
function tryMark(file: WrittenFile): void {
  try {
    file.mark();
  } catch {
    // Without it a damaged last group would look torn: no reason to refuse what is safe. The next write fails too.
  }
}

function newGroup(buffer: RecordBuffer): Group {
  return { buffer, identity: null, written: false, waiting: [] };
}

function syncFile(files: Files, file: string): void {
  const handle = files.open(file, "update");
  try {
    handle.sync();
  } finally {
    handle.close();
  }
}

/** Cuts what is torn off a file that was read; false when nothing of the file is left. */
function cutTail({ files, warn }: LogOptions, { file, header, fault, end, totalBytes, account }: FileScan): boolean {
  if (fault)
    warn(`cut ${totalBytes - end} bytes of an unfinished write off the end of ${file}: ${fault.error.message}`);
  if (account.records === 0) {
    files.unlink(file);
    return false;
  }
  if (fault) {
    const handle = files.open(file, "update");
    try {
      if (header.version === 1) handle.truncate(end);
      else cutFile(handle, end);
      handle.sync();
    } finally {
      handle.close();
    }
  }
  return true;
}
