/** The place of one worker in the pool: its thread, and the next one when that dies. */
import { Worker } from "node:worker_threads";
import { EngineError } from "../errors.js";
import type { WorkerActivity } from "../jobs.js";
import type { FromWorker, ToWorker, WorkerData } from "./messages.js";
import type { PendingJob } from "./pending-job.js";
import { SentKeys } from "./sent-keys.js";
import { processorSeconds } from "./system-thread.js";
import { compiledFile } from "./worker-file.js";

/** Starts in a row that may fail before a worker is given a rest. */
const MOST_FAILURES = 3;
const REST_MS = 5000;
/** Young garbage is cheap in a small space, and every worker has one of its own: RSS of an idle node. */
const YOUNG_MB = 16;

/** What a slot is made of, and whom it tells. */
export interface SlotParts {
  /** It is there for what nobody waits for. */
  readonly background: boolean;
  readonly data: WorkerData;
  /** Bound of the thread's JavaScript heap. */
  readonly heapMb: number;
  readonly answered: (slot: WorkerSlot, message: FromWorker) => void;
  /** The thread ended by itself; `jobs` are what it had. */
  readonly died: (slot: WorkerSlot, cause: EngineError, jobs: PendingJob[]) => void;
}

/** One worker: posts jobs to its thread, and counts what it does. */
export class WorkerSlot {
  readonly jobs = new Map<number, PendingJob>();
  #worker: Worker | null = null;
  #sent = new SentKeys();
  #systemThreadId: number | undefined;
  #jobsDone = 0;
  #restarts = -1;
  /** Starts that failed since one succeeded. */
  #failures = 0;
  #ready = false;
  #restUntil = 0;
  /** Why the last thread died. */
  failure: EngineError | null = null;

  constructor(private readonly parts: SlotParts) {}

  get name(): string {
    return this.parts.data.name;
  }

  /** Number of its threads among those that share the arena. */
  get thread(): number {
    return this.parts.data.thread;
  }

  get background(): boolean {
    return this.parts.background;
  }

  /** Its thread could not be started again and again: not to be tried for a while. */
  get down(): boolean {
    return this.#failures >= MOST_FAILURES && performance.now() < this.#restUntil;
  }

  /** Starts the thread unless it runs. */
  start(): void {
    if (this.#worker !== null) return;
    const worker = new Worker(compiledFile("worker.js"), {
      name: this.name,
      workerData: this.parts.data,
      resourceLimits: { maxOldGenerationSizeMb: this.parts.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    let cause: Error | undefined;
    worker.unref();
    worker.on("message", (message: FromWorker) => this.#hear(message));
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", (status) => this.#ended(worker, cause ?? new Error(`exit status ${status}`)));
    this.#worker = worker;
    this.#restarts++;
  }

  /** Gives a job to the thread. Throws what posting throws: a request that can't be cloned. */
  run(job: PendingJob): void {
    this.start();
    const { id, kind, request, shared } = job;
    const keys = shared.map(({ key }) => key);
    this.#post({ type: "run", id, kind, request, keys, ...this.#sent.use(shared) }, job.transfer);
    job.since = Date.now();
    this.jobs.set(id, job);
    // An idle worker must not keep the process alive.
    if (this.jobs.size === 1) this.#worker?.ref();
  }

  /** Takes a job off the list of what runs. */
  finish(id: number): PendingJob | undefined {
    const job = this.jobs.get(id);
    this.jobs.delete(id);
    this.#jobsDone++;
    if (this.jobs.size === 0) this.#worker?.unref();
    return job;
  }

  cancel(id: number): void {
    this.#post({ type: "cancel", id });
  }

  forget(prefix: string): void {
    this.#sent.forget(prefix);
    this.#post({ type: "forget", prefix });
  }

  forgetSegment(folder: string, name: string): void {
    this.#post({ type: "forget-segment", folder, name });
  }

  activity(): WorkerActivity {
    const worker = this.#worker;
    const thread = this.#systemThreadId;
    return {
      name: this.name,
      threadId: worker?.threadId ?? -1,
      systemThreadId: thread,
      jobs: [...this.jobs.values()].map(({ kind, description, since }) => ({ kind, description, since })),
      cpuSeconds: thread === undefined ? undefined : processorSeconds(thread),
      utilization: worker?.performance.eventLoopUtilization().utilization ?? 0,
      jobsDone: this.#jobsDone,
      restarts: Math.max(0, this.#restarts),
    };
  }

  /** Ends the thread, whatever it does. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #post(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  #hear(message: FromWorker): void {
    if (message.type !== "ready") {
      this.parts.answered(this, message);
      return;
    }
    this.#systemThreadId = message.systemThreadId;
    this.#ready = true;
    this.#failures = 0;
  }

  #ended(worker: Worker, cause: Error): void {
    // It was stopped.
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#systemThreadId = undefined;
    this.#sent = new SentKeys();
    if (!this.#ready) this.#failures++;
    this.#ready = false;
    this.#restUntil = performance.now() + REST_MS;
    const jobs = [...this.jobs.values()];
    this.jobs.clear();
    const message = `the worker thread ${this.name} died: ${cause.message}`;
    this.failure = new EngineError("internal", message, { retryable: true }, { cause });
    this.parts.died(this, this.failure, jobs);
  }
}
