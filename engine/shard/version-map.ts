/**
 * What became of documents since the last refresh: the newest state of every id that was written since, and
 * tombstones of deleted ids for a while longer, so that versions go on where they were and an old external version
 * can't bring a document back. Two layers: `pending` operations have a sequence number but are not yet durable; they
 * count when the next operation is sequenced, and for nobody else.
 */
import type { DocumentState } from "./conflicts.js";

/** State of an id by an operation that has a sequence number. */
export interface VersionEntry extends DocumentState {
  /** The document's number in the memtable once published there; -1 before, and for tombstones. */
  doc: number;
  /** Raw source while pending (null: a delete); dropped once the memtable has it. */
  source: Uint8Array | null;
  readonly routing: string | undefined;
}

interface Tombstone {
  readonly entry: VersionEntry;
  /** When the delete was published, epoch milliseconds. */
  readonly since: number;
}

/** Elasticsearch's index.gc_deletes. */
const TOMBSTONE_MS = 60_000;

export class VersionMap {
  readonly #pending = new Map<string, VersionEntry>();
  #published = new Map<string, VersionEntry>();
  readonly #tombstones = new Map<string, Tombstone>();

  /** The newest state that an operation sequenced now builds on. */
  newest(id: string): VersionEntry | undefined {
    return this.#pending.get(id) ?? this.published(id);
  }

  /** The newest state that was made durable since the last refresh, or a tombstone. */
  published(id: string): VersionEntry | undefined {
    return this.#published.get(id) ?? this.#tombstones.get(id)?.entry;
  }

  addPending(id: string, entry: VersionEntry): void {
    this.#pending.set(id, entry);
  }

  /** The operation behind `entry` is durable; `doc` is where the memtable has its document, -1 for a delete. */
  publish(id: string, entry: VersionEntry, doc: number, now: number): void {
    if (this.#pending.get(id) === entry) this.#pending.delete(id);
    entry.doc = doc;
    entry.source = null;
    if (entry.deleted) {
      this.#published.delete(id);
      this.#tombstones.set(id, { entry, since: now });
    } else {
      this.#published.set(id, entry);
      if (this.#tombstones.size > 0) this.#tombstones.delete(id);
    }
  }

  /** All pending operations failed: nothing of them remains. */
  dropPending(): void {
    this.#pending.clear();
  }

  /** Segments hold everything published so far: only tombstones younger than a minute are still needed. */
  afterRefresh(now: number): void {
    this.#published = new Map();
    for (const [id, { since }] of this.#tombstones) if (since + TOMBSTONE_MS < now) this.#tombstones.delete(id);
  }
}
