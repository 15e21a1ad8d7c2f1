/**
 * The write side of an index: prepare, sequence, log, publish, acknowledge. Batches are numbered one at a time, in the
 * order they came; while one waits for its turn or for the log's sync others are prepared on other threads, and all that
 * wait share a sync. They are published in the order of their numbers, each batch at once.
 */
import { EngineError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { timed } from "../thread-log.js";
import { type Log, LogOp, type RecordBuffer } from "../wal/index.js";
import type { WriteOperation, WriteOutcome } from "../write.js";
import type { Intake } from "./intake.js";
import { type PreparedRun, releaseRun } from "./prepared-run.js";
import { type NumberedRun, outcomeOf, type SequencedWrite, type Sequencer } from "./sequencer.js";
import { endOfRun, type PlanContext, type PlannedWrite, planWrite } from "./write-plan.js";

/** What the writer needs of its shard. */
export interface WriterParts {
  readonly log: Log;
  readonly kernels: Pick<Kernels, "crc32c">;
  readonly sequencer: Sequencer;
  readonly planContext: () => PlanContext;
  /** Throws when nothing can be written. */
  readonly admit: () => void;
  readonly intake: Pick<Intake, "begin" | "settle">;
  /** Puts durable operations into the write buffer, after those of earlier calls. */
  readonly publish: (writes: readonly SequencedWrite[]) => Promise<void>;
  /** What was acknowledged without a sync must become durable in another way. */
  readonly afterLogReopened: () => Promise<void>;
}

/** Most documents, and most bytes of them, that are prepared together: some milliseconds' work. */
const CHUNK_DOCS = 1000;
const CHUNK_BYTES = 1 << 20;

/** Operations that are prepared together. */
interface Chunk {
  readonly writes: readonly PlannedWrite[];
  readonly run: Promise<PreparedRun>;
}

/** One call of `write` on its way. */
interface Batch {
  readonly operations: readonly WriteOperation[];
  readonly outcomes: WriteOutcome[];
  readonly writes: SequencedWrite[];
  /** Runs that are held until the batch is published. */
  readonly runs: PreparedRun[];
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
    const batch: Batch = { operations, outcomes: new Array(operations.length), writes: [], runs: [] };
    // An update depends on the operations before it: such a batch is planned, piece by piece, when it has the turn.
    const ahead = endOfRun(operations, 0) === operations.length && !hasUpdates(operations);
    const chunks = ahead ? this.#plan(batch, 0, operations.length) : [];
    try {
      const { published } = await this.inTurn(() => this.#number(batch, chunks, ahead));
      await published;
    } finally {
      for (const run of batch.runs) releaseRun(run);
    }
    return batch.outcomes;
  }

  /** Runs something between two batches: none is being planned or numbered meanwhile. */
  inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Prepares and numbers a batch and hands it to the log; `published` settles when it is durable and visible to get. */
  async #number(batch: Batch, chunks: Chunk[], ahead: boolean): Promise<{ published: Promise<void> }> {
    try {
      if (this.parts.log.failure) await this.#recover();
      this.parts.admit();
      await this.#numberChunks(batch, chunks);
      for (let from = 0; !ahead && from < batch.operations.length; ) {
        const to = endOfRun(batch.operations, from);
        await this.#numberChunks(batch, this.#plan(batch, from, to));
        from = to;
      }
      return { published: this.#logAndPublish(batch.writes) };
    } catch (error) {
      // Nothing was handed to the log: the numbers are free again.
      this.parts.sequencer.undo(batch.writes);
      await releaseAll(chunks);
      throw error;
    }
  }

  /** Plans the operations [from, to) and begins to prepare them. */
  #plan(batch: Batch, from: number, to: number): Chunk[] {
    const context = this.parts.planContext();
    const chunks: Chunk[] = [];
    let writes: PlannedWrite[] = [];
    let bytes = 0;
    const close = () => {
      if (writes.length > 0) chunks.push(this.#chunk(writes));
      writes = [];
      bytes = 0;
    };
    for (let i = from; i < to; i++) {
      const plan = planWrite(batch.operations[i], i, context);
      if ("outcome" in plan) {
        batch.outcomes[i] = plan.outcome;
        continue;
      }
      writes.push(plan.write);
      if (plan.write.operation.kind !== "delete") bytes += plan.write.operation.source.length;
      if (writes.length === CHUNK_DOCS || bytes >= CHUNK_BYTES) close();
    }
    close();
    return chunks;
  }

  #chunk(writes: readonly PlannedWrite[]): Chunk {
    const run = this.parts.intake.begin(writes);
    run.catch(() => {}); // it is awaited when the batch has its turn
    return { writes, run };
  }

  /** Numbers chunks in order, each as the mapping of now has it. */
  async #numberChunks(batch: Batch, chunks: Chunk[]): Promise<void> {
    const waiting = chunks.splice(0);
    try {
      for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
        const { writes } = chunk;
        const run = await this.parts.intake.settle(writes, await chunk.run);
        batch.runs.push(run);
        timed("numbering writes", () => {
          const numbered = this.parts.sequencer.begin(writes, run);
          writes.forEach((write, place) => {
            this.#numberOne(batch, write, numbered, place);
          });
        });
        if (waiting.length > 0) await pause();
      }
    } finally {
      await releaseAll(waiting);
    }
  }

  #numberOne(batch: Batch, write: PlannedWrite, numbered: NumberedRun, place: number): void {
    const result = numbered.run.errors.get(place) ?? this.parts.sequencer.sequence(write, numbered, place);
    if (result instanceof EngineError) {
      batch.outcomes[write.position] = { ok: false, id: write.id, error: result };
      return;
    }
    batch.outcomes[write.position] = outcomeOf(result);
    batch.writes.push(result);
  }

  #logAndPublish(writes: readonly SequencedWrite[]): Promise<void> {
    if (writes.length === 0) return Promise.resolve();
    const { log, kernels, publish } = this.parts;
    const published = log
      .append((buffer) => timed("log", () => encodeWrites(buffer, writes, kernels)))
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

function encodeWrites(buffer: RecordBuffer, writes: readonly SequencedWrite[], kernels: WriterParts["kernels"]) {
  for (const write of writes) {
    const op = write.deleted ? LogOp.delete : LogOp.index;
    const { source, sourceAddress } = write;
    // The same bytes are in the arena, where a kernel sums them (twice as fast).
    const checksum = (crc: number) => kernels.crc32c(sourceAddress, source.length, crc);
    buffer.appendOperation(op, write.seqNo, write, write.deleted ? source : { bytes: source, checksum });
  }
  return { records: writes.length, lastSequence: writes[writes.length - 1].seqNo };
}

/** Lets others have the thread. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function hasUpdates(operations: readonly WriteOperation[]): boolean {
  return operations.some(({ kind }) => kind === "update");
}

/** Lets go of chunks that nobody will take any more. */
async function releaseAll(chunks: readonly Chunk[]): Promise<void> {
  for (const result of await Promise.allSettled(chunks.map(({ run }) => run))) {
    if (result.status === "fulfilled") releaseRun(result.value);
  }
}
