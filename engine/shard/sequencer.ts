/**
 * The second step of a write: operations that could be prepared are checked against the document they meet, and get
 * their sequence numbers and versions, one after the other. From here on an operation counts for the next one, but for
 * nobody else until it is durable.
 */
import { EngineError } from "../errors.js";
import type { WriteOutcome } from "../write.js";
import { checkConflicts, nextVersion } from "./conflicts.js";
import { type CurrentDocument, type CurrentDocuments, PRIMARY_TERM } from "./current-documents.js";
import type { VersionEntry, VersionMap } from "./version-map.js";
import type { PlannedWrite } from "./write-plan.js";

/** An operation with its number, ready for the log and the write buffer. */
export interface SequencedWrite {
  readonly write: PlannedWrite;
  readonly entry: VersionEntry;
  /** The document that was there, which this operation deletes or replaces. */
  readonly replaces: CurrentDocument | undefined;
  readonly outcome: Extract<WriteOutcome, { ok: true }>;
  /** The entry of an earlier operation, not durable either, that `entry` took the place of. */
  readonly covers: VersionEntry | undefined;
}

export class Sequencer {
  /** Number of the next operation. */
  #next: number;

  constructor(
    private readonly documents: CurrentDocuments,
    private readonly versions: VersionMap,
    first: number,
  ) {
    this.#next = first;
  }

  /** Highest number given so far; -1: none. */
  get last(): number {
    return this.#next - 1;
  }

  /** Numbers one operation; null and an outcome where its conditions do not hold. */
  sequence(write: PlannedWrite): SequencedWrite | { outcome: WriteOutcome } {
    const { operation, id, fresh } = write;
    const current = fresh ? undefined : this.documents.newest(id);
    try {
      checkConflicts(operation, id, current?.state);
    } catch (error) {
      if (error instanceof EngineError) return { outcome: { ok: false, id, error } };
      throw error;
    }
    const replaces = current && !current.state.deleted ? current : undefined;
    const entry: VersionEntry = {
      seqNo: this.#next++,
      primaryTerm: PRIMARY_TERM,
      version: nextVersion(operation, current?.state),
      deleted: operation.kind === "delete",
      source: operation.kind === "delete" ? null : operation.source,
      routing: operation.routing,
      published: false,
    };
    const covers = fresh ? undefined : this.versions.addPending(id, entry);
    return { write, entry, replaces, outcome: outcomeOf(write, entry, replaces !== undefined), covers };
  }

  /** Takes the newest operations back, before anyone else got a number. */
  undo(writes: readonly SequencedWrite[]): void {
    for (let i = writes.length - 1; i >= 0; i--) {
      const { write, entry, covers } = writes[i];
      if (!write.fresh) this.versions.undoPending(write.id, covers);
      this.#next = entry.seqNo;
    }
  }

  /** The log lost all pending operations, this number the first of them: their numbers are given again. */
  rollBack(first: number): void {
    this.versions.dropPending();
    this.#next = Math.min(this.#next, first);
  }
}

function outcomeOf(write: PlannedWrite, entry: VersionEntry, existed: boolean): Extract<WriteOutcome, { ok: true }> {
  const { operation, id, update } = write;
  const { seqNo, primaryTerm, version, routing } = entry;
  const removed = existed ? "deleted" : "not_found";
  const written = existed ? "updated" : "created";
  const outcome = { ok: true, id, seqNo, primaryTerm, version, routing } as const;
  if (operation.kind === "delete") return { ...outcome, result: removed };
  return update ? { ...outcome, result: written, source: operation.source } : { ...outcome, result: written };
}
