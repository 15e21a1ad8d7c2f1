/**
 * Versions that neither the write buffer nor a segment can tell: of `pending` operations, which have a sequence number
 * but are not yet durable (they count when the next operation is numbered, and for nobody else), and of deleted
 * documents for a while (Elasticsearch's index.gc_deletes), so that versions go on where they were and an old external
 * version can't bring a document back. A commit keeps the newest of these, so that a restart does not shorten the while.
 */
import { type DocumentState, PRIMARY_TERM } from "./conflicts.js";

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

/** A tombstone as a commit keeps it: id, sequence number, version, when. */
export type KeptTombstone = readonly [id: string, seqNo: number, version: number, since: number];

/** How long a delete is remembered, by which clock. */
export interface Aging {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly keepMs: () => number;
}

/** Elasticsearch's default of index.gc_deletes. */
export const DEFAULT_GC_DELETES_MS = 60_000;

/** Newest versions by id, for the ids that nothing else can tell of. */
export class VersionMap {
  readonly #pending = new Map<string, VersionEntry>();
  /** In the order of their deletion. */
  readonly #tombstones = new Map<string, Tombstone>();

  constructor(private readonly aging: Aging) {}

  /** The newest operation on this id that is not yet durable. */
  pending(id: string): VersionEntry | undefined {
    return this.#pending.get(id);
  }

  /** The delete that was the last durable operation on this id, if it was lately. */
  tombstone(id: string): DocumentState | undefined {
    const found = this.#tombstones.size > 0 ? this.#tombstones.get(id) : undefined;
    return found && this.#isYoung(found) ? found.state : undefined;
  }

  /** The newest tombstones, as a commit keeps them: no more than `limit`. */
  newestTombstones(limit: number): KeptTombstone[] {
    const newest: KeptTombstone[] = [];
    let skip = this.#tombstones.size - limit;
    for (const [id, tombstone] of this.#tombstones) {
      if (skip-- > 0 || !this.#isYoung(tombstone)) continue;
      const { state, since } = tombstone;
      newest.push([id, state.seqNo, state.version, since]);
    }
    return newest;
  }

  /** Brings back what a commit kept; before anything else is known. */
  restoreTombstones(kept: readonly KeptTombstone[]): void {
    for (const [id, seqNo, version, since] of kept) {
      this.#tombstones.set(id, { state: { seqNo, primaryTerm: PRIMARY_TERM, version, deleted: true }, since });
    }
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

  /** Forgets deletes that are too long ago. */
  expireTombstones(): void {
    for (const [id, tombstone] of this.#tombstones) {
      if (this.#isYoung(tombstone)) return;
      this.#tombstones.delete(id);
    }
  }

  #isYoung({ since }: Tombstone): boolean {
    return this.aging.now() - since <= this.aging.keepMs();
  }

  /** Keeps tombstones in the order of their deletion; what else the entry holds on to is let go. */
  #bury(id: string, { seqNo, primaryTerm, version }: VersionEntry, since: number): void {
    this.#tombstones.delete(id);
    // An index that is never refreshed must not remember for ever.
    this.expireTombstones();
    this.#tombstones.set(id, { state: { seqNo, primaryTerm, version, deleted: true }, since });
  }
}
