/**
 * The write side of an index: prepare, sequence, log, publish, acknowledge. Batches are planned, prepared and numbered
 * one at a time, in the order they came; while one waits for the log's sync the next is prepared, and all that wait
 * share a sync. They are published in the order of their numbers, each batch at once.
 */
import type { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import type { PreparedBatch } from "../memtable/prepared.js";
import { type Log, LogOp, type RecordBuffer } from "../wal/index.js";
import type { WriteOperation, WriteOutcome } from "../write.js";
import type { SequencedWrite, Sequencer } from "./sequencer.js";
import { endOfRun, type PlanContext, type PlannedWrite, planWrite } from "./write-plan.js";

/** Documents of one run, prepared: by place, deletes included. */
export interface PreparedRun {
  readonly batch: PreparedBatch;
  readonly errors: ReadonlyMap<number, EngineError>;
  /** The fields its records name, and the version of the mapping they are from. */
  readonly fields: readonly Field[];
  readonly mappingVersion: number;
}

/** What the writer needs of its shard. */
export interface WriterParts {
  readonly log: Log;
  readonly sequencer: Sequencer;
  readonly planContext: () => PlanContext;
  /** Makes room for another batch; throws when there can be none. */
  readonly admit: () => void;
  /** Prepares the documents among these writes; the mapping they need is durable when it resolves. */
  readonly prepare: (writes: readonly PlannedWrite[]) => Promise<PreparedRun>;
  /** Puts durable operations into the write buffer, all of them at once. */
  readonly publish: (writes: readonly NumberedWrite[]) => void;
  /** What was acknowledged without a sync must become durable in another way. */
  readonly afterLogReopened: () => Promise<void>;
}

/** A numbered operation and its document in the run that was prepared. */
export interface NumberedWrite extends SequencedWrite {
  readonly run: PreparedRun;
  readonly index: number;
}

/** One call of `write` on its way. */
interface Batch {
  readonly operations: readonly WriteOperation[];
  readonly outcomes: WriteOutcome[];
  readonly writes: NumberedWrite[];
  readonly prepared: PreparedBatch[];
}

export class Writer {
  /** Resolves when the batch before has its numbers and is in the log's buffer. */
  #turn: Promise<unknown> = Promise.resolve();
  /** First number of the batches that the log lost since it was last sound; Infinity: none. */
  #lostFrom = Number.POSITIVE_INFINITY;

  constructor(private readonly parts: WriterParts) {}

  /** See Index.write. */
  async write(operations: readonly WriteOperation[]): Promise<WriteOutcome[]> {
    const batch: Batch = { operations, outcomes: new Array(operations.length), writes: [], prepared: [] };
    try {
      const { published } = await this.inTurn(() => this.#number(batch));
      await published;
    } finally {
      for (const prepared of batch.prepared) prepared.release();
    }
    return batch.outcomes;
  }

  /** Runs something between two batches: none is being planned or numbered meanwhile. */
  inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Plans, prepares and numbers a batch and hands it to the log; `published` settles when it is durable and visible to get. */
  async #number(batch: Batch): Promise<{ published: Promise<void> }> {
    if (this.parts.log.failure) await this.#recover();
    this.parts.admit();
    try {
      for (let from = 0; from < batch.operations.length; ) from = await this.#numberRun(batch, from);
      return { published: this.#logAndPublish(batch.writes) };
    } catch (error) {
      // Nothing was handed to the log: the numbers are free again.
      this.parts.sequencer.undo(batch.writes);
      throw error;
    }
  }

  /** Takes the operations from `from` on that can be prepared together; returns where it stopped. */
  async #numberRun(batch: Batch, from: number): Promise<number> {
    const to = endOfRun(batch.operations, from);
    const context = this.parts.planContext();
    const planned: PlannedWrite[] = [];
    for (let i = from; i < to; i++) {
      const plan = planWrite(batch.operations[i], i, context);
      if ("write" in plan) planned.push(plan.write);
      else batch.outcomes[i] = plan.outcome;
    }
    const run = await this.parts.prepare(planned);
    batch.prepared.push(run.batch);
    planned.forEach((write, index) => {
      this.#numberOne(batch, write, run, index);
    });
    return to;
  }

  #numberOne(batch: Batch, write: PlannedWrite, run: PreparedRun, index: number): void {
    const error = run.errors.get(index);
    if (error) {
      batch.outcomes[write.position] = { ok: false, id: write.id, error };
      return;
    }
    const sequenced = this.parts.sequencer.sequence(write);
    batch.outcomes[write.position] = sequenced.outcome;
    if ("entry" in sequenced) batch.writes.push({ ...sequenced, run, index });
  }

  #logAndPublish(writes: readonly NumberedWrite[]): Promise<void> {
    if (writes.length === 0) return Promise.resolve();
    const { log, publish } = this.parts;
    const published = log
      .append((buffer) => encodeWrites(buffer, writes))
      .then(
        () => publish(writes),
        (error: unknown) => {
          this.#lostFrom = Math.min(this.#lostFrom, writes[0].entry.seqNo);
          throw error;
        },
      );
    // Whoever wrote the batch waits for it, but only after this turn of the event loop.
    published.catch(() => {});
    return published;
  }

  /** Makes the log sound again, if the disk allows; what it lost is as if it had never been asked for. */
  async #recover(): Promise<void> {
    await this.parts.log.reopen();
    this.parts.sequencer.rollBack(this.#lostFrom);
    this.#lostFrom = Number.POSITIVE_INFINITY;
    await this.parts.afterLogReopened();
  }
}

function encodeWrites(buffer: RecordBuffer, writes: readonly NumberedWrite[]) {
  for (const { write, entry, run } of writes) {
    const { version, primaryTerm, routing, deleted, seqNo } = entry;
    const metadata = { id: write.id, version, primaryTerm, mappingVersion: run.mappingVersion, routing };
    buffer.appendOperation(deleted ? LogOp.delete : LogOp.index, seqNo, metadata, entry.source ?? NOTHING);
  }
  return { records: writes.length, lastSequence: writes[writes.length - 1].entry.seqNo };
}

const NOTHING = new Uint8Array(0);
