import { AutoindexError } from "../errors.js";
import type { SkipReason } from "../skip.js";
import { NO_STAMP } from "../stamp.js";
import { type Extractor, startExtractor, type Tuning } from "./child.js";
import type { Batch, FileJob, FileResult, RunContext } from "./protocol.js";

/** How many processes, and how long one may be silent. */
export interface PoolOptions {
  workers: number;
  tuning: Tuning;
  /** Longest time between a file and its answer before the process is ended. */
  silenceMs: number;
  /** Starts a process; for tests that need one that misbehaves. */
  start?: (tuning: Tuning) => Extractor;
}

/** A file waiting for its answer. */
interface Task {
  context: RunContext;
  job: FileJob;
  resolve: (result: FileResult) => void;
  reject: (error: unknown) => void;
  /** A process has died over it once already, so it is tried alone. */
  isSuspect: boolean;
}

/** A process with the files it has been sent and not yet answered. */
interface Worker {
  extractor: Extractor;
  tasks: Task[];
  timer: NodeJS.Timeout | undefined;
  /** Why it was ended by us. */
  ended: SkipReason | undefined;
}

/** Files sent to one process at a time: enough to keep it busy while the parent does other things. */
const BATCH = 16;
/** Processes that may end in a row without one answer from any; then it is not the files. */
const MAX_BARREN = 20;

/**
 * Keeps `workers` processes busy with files; a file is answered in any order.
 *
 * When a process dies, its first unanswered file is tried again alone and the others go back to the queue. A file that
 * ends a process while it is alone in it is read without grammars, for these crash on texts that nest deeper than their
 * authors thought of; one that ends a process even so is answered with `extractor_crashed` (or `extractor_timeout`). So a
 * bad file costs three starts, and an innocent one nothing.
 */
export class ExtractorPool {
  readonly #queue: Task[] = [];
  readonly #workers = new Set<Worker>();
  #closed = false;
  #barren = 0;

  constructor(private readonly options: PoolOptions) {}

  /** Reads one file; never rejects for what is in it. */
  extract(context: RunContext, job: FileJob): Promise<FileResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error("the extractor pool is closed"));
      this.#queue.push({ context, job, resolve, reject, isSuspect: false });
      this.#dispatch();
    });
  }

  /** Ends all processes; files not yet answered are rejected. */
  close(): void {
    this.#closed = true;
    const left = [...this.#queue.splice(0), ...[...this.#workers].flatMap(({ tasks }) => tasks.splice(0))];
    for (const task of left) task.reject(new Error("the extractor pool was closed"));
    for (const worker of this.#workers) {
      clearTimeout(worker.timer);
      worker.extractor.kill();
    }
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      const worker = this.#idleWorker();
      if (!worker) return;
      this.#send(worker, this.#takeBatch());
    }
  }

  /** Alone if suspect, else as many of one context as make a batch without starving the other processes. */
  #takeBatch(): Task[] {
    const fair = Math.max(1, Math.ceil(this.#queue.length / this.options.workers));
    const batch = this.#queue.splice(0, 1);
    const { isSuspect, context } = batch[0]!;
    while (!isSuspect && batch.length < Math.min(BATCH, fair)) {
      const next = this.#queue[0];
      if (!next || next.isSuspect || next.context !== context) break;
      batch.push(this.#queue.shift()!);
    }
    return batch;
  }

  #idleWorker(): Worker | undefined {
    for (const worker of this.#workers) if (worker.tasks.length === 0 && !worker.ended) return worker;
    return this.#workers.size < this.options.workers ? this.#startWorker() : undefined;
  }

  #startWorker(): Worker {
    const extractor = (this.options.start ?? startExtractor)(this.options.tuning);
    const worker: Worker = { extractor, tasks: [], timer: undefined, ended: undefined };
    this.#workers.add(worker);
    extractor.onResult((result) => this.#answered(worker, result));
    extractor.onEnd((reason) => this.#ended(worker, reason));
    return worker;
  }

  #send(worker: Worker, tasks: Task[]): void {
    worker.tasks = tasks;
    worker.extractor.setHolding("hold");
    const batch: Batch = { context: tasks[0]!.context, jobs: tasks.map(({ job }) => job) };
    worker.extractor.send(batch);
    this.#watch(worker);
  }

  #answered(worker: Worker, result: FileResult): void {
    const task = worker.tasks.shift();
    this.#barren = 0;
    if (task && task.job.path !== result.path) {
      task.reject(new Error(`answer for ${result.path} where ${task.job.path} was due`));
      worker.extractor.kill();
      return;
    }
    task?.resolve(result);
    this.#watch(worker);
    if (worker.tasks.length === 0) {
      worker.extractor.setHolding("release");
      this.#dispatch();
    }
  }

  #watch(worker: Worker): void {
    clearTimeout(worker.timer);
    if (worker.tasks.length === 0) return;
    worker.timer = setTimeout(() => {
      worker.ended = "extractor_timeout";
      worker.extractor.kill();
    }, this.options.silenceMs);
  }

  #ended(worker: Worker, reason: string): void {
    clearTimeout(worker.timer);
    this.#workers.delete(worker);
    const [first, ...others] = worker.tasks.splice(0);
    const isAlone = first?.isSuspect || (first && others.length === 0 && worker.ended);
    if (first && isAlone && worker.ended === undefined && first.job.grammars !== "none") {
      others.unshift({ ...first, isSuspect: true, job: { ...first.job, grammars: "none" } });
    } else if (first && isAlone) {
      first.resolve(blame(first.job, worker.ended ?? "extractor_crashed", reason));
    } else if (first) others.unshift({ ...first, isSuspect: true });
    this.#queue.unshift(...others);
    if (++this.#barren > MAX_BARREN) this.#giveUp(reason);
    else this.#dispatch();
  }

  #giveUp(reason: string): void {
    const message = `${MAX_BARREN} extractor processes in a row ended without an answer; the last said: ${reason}`;
    for (const task of this.#queue.splice(0)) task.reject(new AutoindexError("extractor_missing", message));
    this.close();
  }
}

function blame(job: FileJob, reason: SkipReason, detail: string): FileResult {
  const nothing = { stamp: NO_STAMP, readAtMs: 0, blob: "", language: "", version: "" };
  return { ...nothing, kind: "skipped", path: job.path, reason, detail };
}
