/**
 * Durable key-value records for what belongs to the node rather than to documents: a snapshot of all of them, replaced
 * as a whole, and a log of the changes since. The folder holds
 *
 *   snapshot           small file (store/small-file.ts) with JSON `{"sequence": n, "values": {key: value, ...}}`
 *   snapshot.previous  the one before it; the log keeps all changes since that one, so either can be lost
 *   log-<g>.wal        records `put` (record.ts), one for each change; those up to the snapshot's sequence are skipped
 *
 * All values live in memory. They are JSON: what is got is what JSON.parse(JSON.stringify(value)) gives.
 */
import path from "node:path";
import type { MetadataStore } from "../engine-types.js";
import { CorruptionError, EngineError } from "../errors.js";
import type { Files } from "../store/files.js";
import { readSmallFile, replaceFileAsync } from "../store/small-file.js";
import { ensureFolder } from "./folder.js";
import { Log } from "./log.js";
import type { LogRecord } from "./record.js";

/** Where the records lie. */
export interface MetadataLogOptions {
  files: Files;
  folder: string;
  warn: (message: string) => void;
  /** The log is folded into the snapshot when it has grown by more than this and than four snapshots. */
  compactBytes?: number;
}

/** One change: what a put record's payload says. */
export interface MetadataChanges {
  set: Record<string, unknown>;
  delete: string[];
}

/** All values after the change with this sequence. */
export interface MetadataSnapshot {
  sequence: number;
  values: Record<string, unknown>;
}

/** Names of the newest snapshot and the one before. */
export const SNAPSHOT_NAME = "snapshot";
export const PREVIOUS_SNAPSHOT_NAME = "snapshot.previous";

/** Suffix of a damaged file that was put aside. */
export const DAMAGED_SUFFIX = ".damaged";

const EMPTY: MetadataSnapshot = { sequence: 0, values: {} };
const COMPACT_BYTES = 1 << 20;
/** A file of the log is followed by a new one when it has grown past this and past what a snapshot is made after. */
const LEAST_FILE_BYTES = 16 << 10;

/** See MetadataStore in engine-types.ts. Holds the log's file until `close`. */
export class MetadataLog implements MetadataStore {
  readonly #options: MetadataLogOptions;
  readonly #values: Map<string, unknown>;
  readonly #log: Log;
  /** Sequence of the next change. */
  #next: number;
  /** Sequence of the last change that is durable and in #values. */
  #applied: number;
  #snapshot: { sequence: number; bytes: number };
  /** Bytes of the changes since the snapshot. */
  #grown = 0;
  #compacting: Promise<void> | null = null;

  private constructor(options: MetadataLogOptions, snapshot: MetadataSnapshot, snapshotBytes: number) {
    this.#options = options;
    this.#values = new Map(Object.entries(snapshot.values));
    this.#applied = snapshot.sequence;
    this.#snapshot = { sequence: snapshot.sequence, bytes: snapshotBytes };
    const { files, folder, warn, compactBytes } = options;
    const maxFileBytes = Math.max(LEAST_FILE_BYTES, compactBytes ?? COMPACT_BYTES);
    const logOptions = { files, folder, warn, syncIntervalMs: 0, maxFileBytes };
    this.#log = Log.open({ ...logOptions, durability: "request" }, (record) => this.#replay(record));
    this.#next = this.#applied + 1;
  }

  /**
   * Opens the records of a folder, made if absent. Throws CorruptionError; but a snapshot that is damaged is made up for
   * by the one before it and the log, with a warning.
   */
  static open(options: MetadataLogOptions): MetadataLog {
    const { files, folder } = options;
    ensureFolder(files, folder);
    const newest = path.join(folder, SNAPSHOT_NAME);
    let damage: EngineError | undefined;
    try {
      const payload = readSmallFile(files, newest);
      if (payload) return new MetadataLog(options, parseSnapshot(newest, payload), payload.length);
    } catch (error) {
      if (!(error instanceof CorruptionError) || error.details.file !== newest) throw error;
      damage = error;
    }
    return MetadataLog.#openPrevious(options, damage);
  }

  /** Opens without the newest snapshot, which is missing or damaged: as good as with it while the log goes back far enough. */
  static #openPrevious(options: MetadataLogOptions, damage: EngineError | undefined): MetadataLog {
    const { files, folder, warn } = options;
    const file = path.join(folder, PREVIOUS_SNAPSHOT_NAME);
    let opened: MetadataLog;
    let payload: Uint8Array | undefined;
    try {
      payload = readSmallFile(files, file);
      opened = new MetadataLog(options, payload ? parseSnapshot(file, payload) : EMPTY, payload?.length ?? 0);
    } catch (error) {
      // The first damage is what made the second one matter.
      throw damage ?? error;
    }
    if (!damage && !payload) return opened;
    // A snapshot is only ever made of changes that the log has too: without any, the log has lost them.
    if (opened.#applied === opened.#snapshot.sequence) throw damage ?? missingSnapshot(folder);
    if (damage) {
      warn(`${damage.message}; nothing is lost: the log has all changes since ${payload ? file : "the beginning"}`);
      files.rename(path.join(folder, SNAPSHOT_NAME), path.join(folder, SNAPSHOT_NAME + DAMAGED_SUFFIX));
    }
    return opened;
  }

  get version(): number {
    return this.#applied;
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  keys(prefix: string): string[] {
    return [...this.#values.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  async put(changes: Record<string, unknown>): Promise<void> {
    if (this.#log.failure) {
      await this.#log.reopen();
      this.#next = this.#applied + 1;
    }
    const text = JSON.stringify(toRecord(changes));
    const sequence = this.#next;
    const kept = this.#log.append((buffer) => buffer.appendPut(sequence, Buffer.from(text)));
    this.#next = sequence + 1;
    await kept;
    this.#apply(sequence, text);
    if (this.#grown > Math.max(this.#options.compactBytes ?? COMPACT_BYTES, 4 * this.#snapshot.bytes)) this.#compact();
  }

  async close(): Promise<void> {
    await this.#compacting;
    await this.#log.close();
  }

  #replay({ sequence, payload }: LogRecord): void {
    if (sequence <= this.#applied) return;
    if (sequence > this.#applied + 1) throw missingChanges(this.#options.folder, this.#applied + 1, sequence - 1);
    this.#apply(sequence, Buffer.from(payload).toString("utf8"));
  }

  #apply(sequence: number, text: string): void {
    applyChanges(this.#values, JSON.parse(text) as MetadataChanges);
    this.#applied = sequence;
    this.#grown += text.length;
  }

  /** Folds the log into a new snapshot in the background; changes go on meanwhile. */
  #compact(): void {
    this.#compacting ??= this.#compactOnce()
      .catch((error: unknown) => {
        // The changes themselves are durable: a folder that can't be tidied now is tidied after a later change.
        this.#options.warn(`the metadata log in ${this.#options.folder} could not be compacted: ${String(error)}`);
      })
      .finally(() => {
        this.#compacting = null;
      });
  }

  async #compactOnce(): Promise<void> {
    const { files, folder } = this.#options;
    const before = this.#snapshot.sequence;
    const snapshot = { sequence: this.#applied, values: Object.fromEntries(this.#values) };
    this.#grown = 0;
    this.#snapshot = { sequence: snapshot.sequence, bytes: await writeSnapshot(files, folder, snapshot) };
    // Only up to the snapshot before: with the changes since, it stands in for this one.
    await this.#log.prune(before);
  }
}

/** Puts a snapshot in place of the newest, which becomes the previous one; returns its bytes. Durable when it resolves. */
export async function writeSnapshot(files: Files, folder: string, snapshot: MetadataSnapshot): Promise<number> {
  const payload = Buffer.from(JSON.stringify(snapshot));
  const newest = path.join(folder, SNAPSHOT_NAME);
  if (files.stat(newest)) files.rename(newest, path.join(folder, PREVIOUS_SNAPSHOT_NAME));
  await replaceFileAsync(files, newest, payload);
  return payload.length;
}

/** The values after a change. */
export function applyChanges(values: Map<string, unknown>, changes: MetadataChanges): void {
  for (const [key, value] of Object.entries(changes.set)) values.set(key, value);
  for (const key of changes.delete) values.delete(key);
}

function toRecord(changes: Record<string, unknown>): MetadataChanges {
  const record: MetadataChanges = { set: {}, delete: [] };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) record.delete.push(key);
    else record.set[key] = value;
  }
  return record;
}

/** What a snapshot file's payload says. Throws CorruptionError. */
export function parseSnapshot(file: string, payload: Uint8Array): MetadataSnapshot {
  const parsed: unknown = JSON.parse(Buffer.from(payload).toString("utf8"));
  if (typeof parsed === "object" && parsed !== null && "sequence" in parsed && "values" in parsed) {
    return parsed as MetadataSnapshot;
  }
  throw new CorruptionError(file, 0, "a snapshot with sequence and values", "other JSON");
}

function missingChanges(folder: string, first: number, last: number): EngineError {
  const message = `the metadata log in ${folder} lacks the changes ${first} to ${last}`;
  return new EngineError("corrupt", message, { file: folder, offset: 0, first, last });
}

function missingSnapshot(folder: string): EngineError {
  return new CorruptionError(
    path.join(folder, SNAPSHOT_NAME),
    0,
    "a snapshot, or the changes since the one before",
    "none",
  );
}

/** The records of a store whose keys begin with `prefix`, without it: a store of its own for someone else. */
export function prefixed(store: MetadataStore, prefix: string): MetadataStore {
  return {
    get version() {
      return store.version;
    },
    get: (key) => store.get(prefix + key),
    keys: (start) => store.keys(prefix + start).map((key) => key.slice(prefix.length)),
    put: (changes) =>
      store.put(Object.fromEntries(Object.entries(changes).map(([key, value]) => [prefix + key, value]))),
  };
}
