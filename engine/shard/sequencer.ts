/**
 * The second step of a write: operations that could be prepared are checked against the document they meet, and get
 * their sequence numbers and versions, one after the other. From here on an operation counts for the next one, but for
 * nobody else until it is durable.
 */
import { EngineError } from "../errors.js";
import type { WriteOutcome } from "../write.js";
import { checkConflicts, nextVersion, PRIMARY_TERM } from "./conflicts.js";
import type { CurrentDocuments } from "./current-documents.js";
import type { Operation } from "./operation.js";
import type { PreparedRun } from "./prepared-run.js";
import type { Located } from "./segment-set.js";
import type { VersionEntry, VersionMap } from "./version-map.js";
import type { PlannedWrite } from "./write-plan.js";

/** An operation that a write asked for, ready for the log (whose metadata it has) and for the write buffer. */
export interface SequencedWrite extends Operation {
  readonly write: PlannedWrite;
  /** The mapping it was prepared with. */
  readonly mappingVersion: number;
  /** What an earlier operation, not durable either, made of the document: this one took its place in the version map. */
  readonly covers: VersionEntry | undefined;
}

/** A run whose documents get their numbers now, in one piece. */
export interface NumberedRun {
  readonly run: PreparedRun;
  /** By place, what segments have of the documents' ids. */
  readonly located: readonly (Located | null)[];
}

const NOTHING = new Uint8Array(0);

/** Gives operations of one index their numbers and versions. */
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

  /** What is to be known of a run's documents before they are numbered, within this turn of the event loop. */
  begin(writes: readonly PlannedWrite[], run: PreparedRun): NumberedRun {
    const isKnown = writes.some(({ fresh }) => !fresh);
    return { run, located: isKnown ? this.documents.locate(writes.map(({ id }) => id)) : [] };
  }

  /**
   * Numbers an operation whose document is at `place` of a run. Where its conditions do not hold, the error; throws
   * what is no fault of the operation.
   */
  sequence(write: PlannedWrite, { run, located }: NumberedRun, place: number): SequencedWrite | EngineError {
    const { operation, id, fresh } = write;
    const current = fresh ? undefined : this.documents.newest(id, located[place]);
    try {
      checkConflicts(operation, id, current?.state);
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
    const deleted = operation.kind === "delete";
    const sequenced: SequencedWrite = {
      id,
      seqNo: this.#next++,
      primaryTerm: PRIMARY_TERM,
      version: nextVersion(operation, current?.state),
      deleted,
      source: deleted ? NOTHING : operation.source,
      routing: operation.routing,
      start: run.batch.starts[place],
      end: run.batch.ends[place],
      sourceAddress: run.sources.addresses[place],
      sourceLength: run.sources.lengths[place],
      memory: run.memory,
      replaces: current && !current.state.deleted ? current : undefined,
      published: false,
      write,
      mappingVersion: run.mappingVersion,
      covers: current?.where === "operation" ? current.entry : undefined,
    };
    if (!fresh) this.versions.addPending(id, sequenced);
    return sequenced;
  }

  /** Takes the newest operations back, before anyone else got a number. */
  undo(writes: readonly SequencedWrite[]): void {
    for (let i = writes.length - 1; i >= 0; i--) {
      const { id, write, seqNo, covers } = writes[i];
      if (!write.fresh) this.versions.undoPending(id, covers);
      this.#next = seqNo;
    }
  }

  /** The log lost all pending operations, this number the first of them: their numbers are given again. */
  rollBack(first: number): void {
    this.versions.dropPending();
    this.#next = Math.min(this.#next, first);
  }
}

/** What the writer of an operation is told when it is durable. */
export function outcomeOf(sequenced: SequencedWrite): WriteOutcome {
  const { id, seqNo, primaryTerm, version, routing, replaces, deleted, write, source } = sequenced;
  const [there, absent] = deleted ? (["deleted", "not_found"] as const) : (["updated", "created"] as const);
  const result = replaces ? there : absent;
  return { ok: true, id, result, seqNo, primaryTerm, version, source: write.update ? source : undefined, routing };
}
