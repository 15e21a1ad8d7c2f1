/**
 * Durable key-value records for what belongs to the node rather than to documents: a snapshot of all of them, replaced
 * as a whole, and a log of the changes since. The folder holds
 *
 *   snapshot     small file (store/small-file.ts) with JSON `{"sequence": n, "values": {key: value, ...}}`
 *   log-<g>.wal  records `put` (record.ts) with sequences above the snapshot's; earlier ones are skipped
 *
 * All values live in memory. They are JSON: what is got is what JSON.parse(JSON.stringify(value)) gives.
 */
import path from "node:path";
import type { MetadataStore } from "../engine-types.js";
import { CorruptionError } from "../errors.js";
import type { Files } from "../store/files.js";
import { readSmallFile, replaceFile } from "../store/small-file.js";
import { ensureFolder } from "./folder.js";
import { Log } from "./log.js";

/** Where the records lie. */
export interface MetadataLogOptions {
  files: Files;
  folder: string;
  warn: (message: string) => void;
  /** The log is folded into the snapshot when it outgrows this and four snapshots. */
  compactBytes?: number;
}

interface Changes {
  set: Record<string, unknown>;
  delete: string[];
}

interface Snapshot {
  sequence: number;
  values: Record<string, unknown>;
}

const COMPACT_BYTES = 1 << 20;
const MAX_FILE_BYTES = 16 << 20;

/** See MetadataStore in engine-types.ts. Holds the log's file until `close`. */
export class MetadataLog implements MetadataStore {
  readonly #options: MetadataLogOptions;
  readonly #values: Map<string, unknown>;
  readonly #log: Log;
  /** Sequence of the next change. */
  #next: number;
  /** Sequence of the last change that is durable and in #values. */
  #applied: number;
  #snapshotBytes: number;

  private constructor(options: MetadataLogOptions, snapshot: Snapshot, snapshotBytes: number) {
    this.#options = options;
    this.#values = new Map(Object.entries(snapshot.values));
    this.#applied = snapshot.sequence;
    this.#snapshotBytes = snapshotBytes;
    const { files, folder, warn } = options;
    const logOptions = { files, folder, warn, syncIntervalMs: 0, maxFileBytes: MAX_FILE_BYTES };
    this.#log = Log.open({ ...logOptions, durability: "request" }, ({ sequence, payload }) => {
      if (sequence <= this.#applied) return;
      this.#apply(JSON.parse(Buffer.from(payload).toString("utf8")) as Changes);
      this.#applied = sequence;
    });
    this.#next = this.#applied + 1;
  }

  /** Opens the records of a folder, made if absent. Throws CorruptionError. */
  static open(options: MetadataLogOptions): MetadataLog {
    const { files, folder } = options;
    ensureFolder(files, folder);
    const file = path.join(folder, "snapshot");
    const payload = readSmallFile(files, file);
    if (!payload) return new MetadataLog(options, { sequence: 0, values: {} }, 0);
    return new MetadataLog(options, parseSnapshot(file, payload), payload.length);
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
    const kept = this.#log.append((buffer) => {
      buffer.appendPut(sequence, Buffer.from(text));
      return { records: 1, lastSequence: sequence };
    });
    this.#next = sequence + 1;
    await kept;
    this.#apply(JSON.parse(text) as Changes);
    this.#applied = sequence;
    if (this.#log.sizeBytes > Math.max(this.#options.compactBytes ?? COMPACT_BYTES, 4 * this.#snapshotBytes)) {
      this.#compact();
    }
  }

  async close(): Promise<void> {
    await this.#log.close();
  }

  #apply(changes: Changes): void {
    for (const [key, value] of Object.entries(changes.set)) this.#values.set(key, value);
    for (const key of changes.delete) this.#values.delete(key);
  }

  #compact(): void {
    const snapshot: Snapshot = { sequence: this.#applied, values: Object.fromEntries(this.#values) };
    const payload = Buffer.from(JSON.stringify(snapshot));
    try {
      replaceFile(this.#options.files, path.join(this.#options.folder, "snapshot"), payload);
    } catch (error) {
      // The change itself is durable: a folder that can't be tidied now is tidied after a later change.
      this.#options.warn(`the metadata log in ${this.#options.folder} could not be compacted: ${String(error)}`);
      return;
    }
    this.#snapshotBytes = payload.length;
    this.#log.prune(snapshot.sequence);
  }
}

function toRecord(changes: Record<string, unknown>): Changes {
  const record: Changes = { set: {}, delete: [] };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) record.delete.push(key);
    else record.set[key] = value;
  }
  return record;
}

function parseSnapshot(file: string, payload: Uint8Array): Snapshot {
  const parsed: unknown = JSON.parse(Buffer.from(payload).toString("utf8"));
  if (typeof parsed === "object" && parsed !== null && "sequence" in parsed && "values" in parsed) {
    return parsed as Snapshot;
  }
  throw new CorruptionError(file, 0, "a snapshot with sequence and values", "other JSON");
}

/** The records of a store whose keys begin with `prefix`, without it: a store of its own for someone else. */
export function prefixed(store: MetadataStore, prefix: string): MetadataStore {
  return {
    get: (key) => store.get(prefix + key),
    keys: (start) => store.keys(prefix + start).map((key) => key.slice(prefix.length)),
    put: (changes) =>
      store.put(Object.fromEntries(Object.entries(changes).map(([key, value]) => [prefix + key, value]))),
  };
}
