/**
 * Versions that neither the write buffer nor a segment can tell: of `pending` operations, which have a sequence number
 * but are not yet durable (they count when the next operation is numbered, and for nobody else), and of deleted
 * documents for a minute, so that versions go on where they were and an old external version can't bring a document
 * back.
 */
import type { DocumentState } from "./conflicts.js";

/** What an operation with a sequence number made of its document. */
export interface VersionEntry extends DocumentState {
  /** The raw bytes; none for a delete. */
  readonly source: Uint8Array;
  readonly routing: string | undefined;
  /** Durable, and known to everyone. */
  published: boolean;
}

interface Tombstone {
  readonly state: DocumentState;
  /** When the delete was published, epoch milliseconds. */
  readonly since: number;
}

/** Elasticsearch's index.gc_deletes. */
const TOMBSTONE_MS = 60_000;

/** Newest versions by id, for the ids that nothing else can tell of. */
export class VersionMap {
  readonly #pending = new Map<string, VersionEntry>();
  readonly #tombstones = new Map<string, Tombstone>();

  /** The newest operation on this id that is not yet durable. */
  pending(id: string): VersionEntry | undefined {
    return this.#pending.get(id);
  }

  /** The delete that was the last durable operation on this id, if it was lately. */
  tombstone(id: string): DocumentState | undefined {
    return this.#tombstones.get(id)?.state;
  }

  addPending(id: string, entry: VersionEntry): void {
    this.#pending.set(id, entry);
  }

  /** Takes back the newest pending operation of an id; `before` is what was pending when it was added. */
  undoPending(id: string, before: VersionEntry | undefined): void {
    if (before && !before.published) this.#pending.set(id, before);
    else this.#pending.delete(id);
  }

  /** All pending operations failed: nothing of them remains. */
  dropPending(): void {
    this.#pending.clear();
  }

  /** The operation behind `entry` is durable, and the write buffer has its document. */
  publish(id: string, entry: VersionEntry, now: number): void {
    entry.published = true;
    if (this.#pending.size > 0 && this.#pending.get(id) === entry) this.#pending.delete(id);
    if (entry.deleted) this.#bury(id, entry, now);
    else if (this.#tombstones.size > 0) this.#tombstones.delete(id);
  }

  /** Forgets deletes that are older than a minute. */
  expireTombstones(now: number): void {
    for (const [id, { since }] of this.#tombstones) {
      if (since + TOMBSTONE_MS >= now) return;
      this.#tombstones.delete(id);
    }
  }

  /** Keeps tombstones in the order of their deletion; what else the entry holds on to is let go. */
  #bury(id: string, { seqNo, primaryTerm, version }: VersionEntry, since: number): void {
    this.#tombstones.delete(id);
    this.#tombstones.set(id, { state: { seqNo, primaryTerm, version, deleted: true }, since });
  }
}
