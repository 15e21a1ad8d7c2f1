import { AutoindexError } from "../errors.js";
import type { SkipReason } from "../skip.js";
import { NO_STAMP } from "../stamp.js";
import { type Extractor, startExtractor, type Tuning } from "./child.js";
import type { Batch, FileJob, FileResult, RunContext } from "./protocol.js";
import { kindOf, type Task, TaskQueue } from "./task-queue.js";

/** How many processes, and how long one may be silent. */
export interface PoolOptions {
  workers: number;
  tuning: Tuning;
  /** Longest time between a file and its answer before the process is ended. */
  silenceMs: number;
  /** Starts a process; for tests that need one that misbehaves. */
  start?: (tuning: Tuning) => Extractor;
}

/** A process with the files it has been sent and not yet answered. */
interface Worker {
  extractor: Extractor;
  tasks: Task[];
  /** Kinds of files that it was sent so far. */
  known: Set<string>;
  timer: NodeJS.Timeout | undefined;
  /** Why it was ended by us. */
  ended: SkipReason | undefined;
}

/** Files sent to one process at a time: enough to keep it busy while the parent does other things. */
const BATCH = 16;
/** Processes that may end in a row without one answer from any; then it is not the files. */
const MAX_BARREN = 20;

/**
 * Keeps `workers` processes busy with files, what a folder has little of with one of them; a file is answered in any order.
 *
 * When a process dies, its first unanswered file is tried again alone and the others go back to the queue. A file that
 * ends a process while it is alone in it is read without grammars, for these crash on texts that nest deeper than their
 * authors thought of; one that ends a process even so is answered with `extractor_crashed` (or `extractor_timeout`). So a
 * bad file costs three starts, and an innocent one nothing.
 */
export class ExtractorPool {
  readonly #queue = new TaskQueue();
  readonly #workers = new Set<Worker>();
  #closed = false;
  #isDispatchDue = false;
  #barren = 0;

  constructor(private readonly options: PoolOptions) {}

  /** Reads one file; never rejects for what is in it. `bytes`: its length, where that is known. */
  extract(context: RunContext, job: FileJob, bytes = job.stored?.bytes.length ?? 0): Promise<FileResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error("the extractor pool is closed"));
      this.#queue.push({ context, job, bytes, resolve, reject, isSuspect: false });
      this.#dispatchSoon();
    });
  }

  /** Ends all processes; files not yet answered are rejected. */
  close(): void {
    this.#closed = true;
    const left = [...this.#queue.drain(), ...[...this.#workers].flatMap(({ tasks }) => tasks.splice(0))];
    for (const task of left) task.reject(new Error("the extractor pool was closed"));
    for (const worker of this.#workers) {
      clearTimeout(worker.timer);
      worker.extractor.kill();
    }
  }

  /** When all are asked for that are asked for at once: which process a file goes to depends on what else waits. */
  #dispatchSoon(): void {
    if (this.#isDispatchDue) return;
    this.#isDispatchDue = true;
    queueMicrotask(() => {
      this.#isDispatchDue = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const worker of this.#workers) if (worker.tasks.length === 0 && !worker.ended) this.#sendNext(worker);
    while (this.#queue.length > 0 && !this.#closed && this.#workers.size < this.options.workers) {
      const tasks = this.#take(undefined);
      if (tasks.length === 0) return;
      this.#send(this.#startWorker(), tasks);
    }
  }

  #sendNext(worker: Worker): void {
    const tasks = this.#closed ? [] : this.#take(worker);
    if (tasks.length > 0) this.#send(worker, tasks);
  }

  /** As many as make a batch without starving the other processes; without a worker, for one that is to be started. */
  #take(worker: Worker | undefined): Task[] {
    const fair = Math.max(1, Math.ceil(this.#queue.length / this.options.workers));
    const others = [...this.#workers].filter((other) => other !== worker && !other.ended);
    return this.#queue.take({
      most: Math.min(BATCH, fair),
      known: worker?.known ?? new Set(),
      knownToOthers: new Set(others.flatMap(({ known }) => [...known])),
    });
  }

  #startWorker(): Worker {
    const extractor = (this.options.start ?? startExtractor)(this.options.tuning);
    const worker: Worker = { extractor, tasks: [], known: new Set(), timer: undefined, ended: undefined };
    this.#workers.add(worker);
    extractor.onResult((result) => this.#answered(worker, result));
    extractor.onEnd((reason) => this.#ended(worker, reason));
    return worker;
  }

  #send(worker: Worker, tasks: Task[]): void {
    worker.tasks = tasks;
    for (const task of tasks) worker.known.add(kindOf(task));
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
    for (const task of this.#queue.drain()) task.reject(new AutoindexError("extractor_missing", message));
    this.close();
  }
}

function blame(job: FileJob, reason: SkipReason, detail: string): FileResult {
  const nothing = { stamp: NO_STAMP, readAtMs: 0, blob: "", language: "", version: "" };
  return { ...nothing, kind: "skipped", path: job.path, reason, detail };
}
