/**
 * The write side of an index: prepare, sequence, log, publish, acknowledge. Batches are planned, prepared and numbered
 * one at a time, in the order they came; while one waits for the log's sync the next is prepared, and all that wait
 * share a sync. They are published in the order of their numbers, each batch at once.
 */
import { EngineError } from "../errors.js";
import type { PreparedBatch } from "../memtable/prepared.js";
import { type Log, LogOp, type RecordBuffer } from "../wal/index.js";
import type { WriteOperation, WriteOutcome } from "../write.js";
import type { PreparedRun } from "./prepared-run.js";
import { outcomeOf, type SequencedWrite, type Sequencer } from "./sequencer.js";
import { endOfRun, type PlanContext, type PlannedWrite, planWrite } from "./write-plan.js";

/** What the writer needs of its shard. */
export interface WriterParts {
  readonly log: Log;
  readonly sequencer: Sequencer;
  readonly planContext: () => PlanContext;
  /** Makes room for another batch; throws when there can be none. */
  readonly admit: () => void;
  /** Prepares the documents among these writes; the mapping they need is durable when it resolves. */
  readonly prepare: (writes: readonly PlannedWrite[]) => Promise<PreparedRun>;
  /** Puts durable operations into the write buffer, after those of earlier calls. */
  readonly publish: (writes: readonly SequencedWrite[]) => Promise<void>;
  /** What was acknowledged without a sync must become durable in another way. */
  readonly afterLogReopened: () => Promise<void>;
}

/** Documents prepared and numbered before others get the thread: some milliseconds' work. */
const CHUNK_DOCS = 1000;

/** One call of `write` on its way. */
interface Batch {
  readonly operations: readonly WriteOperation[];
  readonly outcomes: WriteOutcome[];
  readonly writes: SequencedWrite[];
  readonly prepared: PreparedBatch[];
}

/** Takes the batches of one index in order, from the call of `write` to its outcomes. */
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
    for (let first = 0; first < planned.length; first += CHUNK_DOCS) {
      const chunk = planned.slice(first, first + CHUNK_DOCS);
      const run = await this.parts.prepare(chunk);
      batch.prepared.push(run.batch);
      for (let place = 0; place < chunk.length; place++) this.#numberOne(batch, chunk[place], run, place);
      if (first + CHUNK_DOCS < planned.length) await pause();
    }
    return to;
  }

  #numberOne(batch: Batch, write: PlannedWrite, run: PreparedRun, place: number): void {
    const result = run.errors.get(place) ?? this.parts.sequencer.sequence(write, run, place);
    if (result instanceof EngineError) {
      batch.outcomes[write.position] = { ok: false, id: write.id, error: result };
      return;
    }
    batch.outcomes[write.position] = outcomeOf(result);
    batch.writes.push(result);
  }

  #logAndPublish(writes: readonly SequencedWrite[]): Promise<void> {
    if (writes.length === 0) return Promise.resolve();
    const { log, publish } = this.parts;
    const published = log
      .append((buffer) => encodeWrites(buffer, writes))
      .then(
        () => publish(writes),
        (error: unknown) => {
          this.#lostFrom = Math.min(this.#lostFrom, writes[0].seqNo);
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

function encodeWrites(buffer: RecordBuffer, writes: readonly SequencedWrite[]) {
  for (const write of writes) {
    const op = write.deleted ? LogOp.delete : LogOp.index;
    buffer.appendOperation(op, write.seqNo, write, write.source);
  }
  return { records: writes.length, lastSequence: writes[writes.length - 1].seqNo };
}

/** Lets others have the thread. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
