/**
 * The write side of an index: prepare, sequence, log, publish, acknowledge. Batches are planned, prepared and numbered
 * one at a time, in the order they came; while one waits for the log's sync the next is prepared, and all that wait
 * share a sync. They are published in the order of their numbers, each batch at once.
 */
import { EngineError } from "../errors.js";
import type { PreparedBatch } from "../memtable/prepared.js";
import type { WriteOperation, WriteOutcome } from "../write.js";
import { type Log, LogOp, type RecordBuffer } from "../wal/index.js";
import type { SequencedWrite, Sequencer } from "./sequencer.js";
import { endOfRun, type PlanContext, type PlannedWrite, planWrite } from "./write-plan.js";

/** Documents of one run, prepared; `errors` has one place a document. */
export interface PreparedRun {
  batch: PreparedBatch;
  errors: readonly (EngineError | null)[];
  mappingVersion: number;
}

/** What the writer needs of its shard. */
export interface WriterParts {
  readonly index: string;
  readonly log: Log;
  readonly sequencer: Sequencer;
  readonly planContext: () => PlanContext;
  /** Waits until there is room for a batch of this many bytes; throws `overloaded`. */
  readonly admit: (bytes: number) => Promise<void>;
  /** Prepares documents; the mapping they need is durable when it resolves. */
  readonly prepare: (sources: readonly { id: string; source: Uint8Array }[]) => Promise<PreparedRun>;
  /** Puts durable operations into the write buffer, all of them at once. */
  readonly publish: (writes: readonly NumberedWrite[]) => void;
  /** What was acknowledged without a sync must become durable in another way. */
  readonly afterLogReopened: () => Promise<void>;
}

/** A numbered operation with the place of its prepared document (null: a delete). */
export interface NumberedWrite extends SequencedWrite {
  readonly prepared: { batch: PreparedBatch; index: number } | null;
  readonly mappingVersion: number;
}

/** One call of `write` on its way. */
interface Batch {
  readonly outcomes: WriteOutcome[];
  readonly writes: NumberedWrite[];
  readonly prepared: PreparedBatch[];
}

export class Writer {
  /** Resolves when the batch before has its numbers and is in the log's buffer. */
  #turn: Promise<void> = Promise.resolve();
  /** First number of the batches that failed since the log was last sound; Infinity: none did. */
  #failedFrom = Number.POSITIVE_INFINITY;

  constructor(private readonly parts: WriterParts) {}

  /** See Index.write. */
  async write(operations: readonly WriteOperation[]): Promise<WriteOutcome[]> {
    const batch: Batch = { outcomes: new Array(operations.length), writes: [], prepared: [] };
    try {
      await this.#inTurn(() => this.#number(operations, batch)).kept;
      this.parts.publish(batch.writes);
    } catch (error) {
      const first = batch.writes[0];
      if (first && this.parts.log.failure) this.#failedFrom = Math.min(this.#failedFrom, first.entry.seqNo);
      throw error;
    } finally {
      for (const prepared of batch.prepared) prepared.release();
    }
    return batch.outcomes;
  }
}
