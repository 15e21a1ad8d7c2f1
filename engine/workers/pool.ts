/**
 * Worker threads and who gets which job. The thread that asks keeps the queues and knows what every worker has, so a job
 * is sent only where it can begin: never behind something as urgent that may take long.
 */
import os from "node:os";
import { EngineError } from "../errors.js";
import type { Executor, JobCounts, JobKind, Jobs, RunOptions, WorkerActivity } from "../jobs.js";
import { MAX_THREADS } from "../store/arena.js";
import { releaseThread, type Storage } from "../store/storage.js";
import { cancelled, closed, receivedError } from "./errors.js";
import { JobQueue, JobTally } from "./job-queue.js";
import { JOB_KINDS } from "./kinds.js";
import type { FromWorker } from "./messages.js";
import type { PendingJob } from "./pending-job.js";
import { place } from "./placement.js";
import { WorkerSlot } from "./worker-slot.js";

/** How a pool is made. */
export interface PoolOptions {
  /** Whose arena all threads share. */
  readonly storage: Storage;
  readonly workers: number;
  /** `lazy`: threads start with the first job, `eager`: at once. */
  readonly start: "lazy" | "eager";
  readonly warn?: (message: string) => void;
  /** Linux: how far workers give way to the thread that asks, 0 to 19. */
  readonly niceness?: Niceness;
  /** Bytes of each thread's cache of cold blocks. */
  readonly cacheBytes?: number;
  /** Bound of each thread's JavaScript heap. */
  readonly heapMb?: number;
  /** Path of a module that exports `handlers`; the engine's own unless said. */
  readonly handlers?: string;
}

/** By what a worker is there for: searches, or what nobody waits for. */
export interface Niceness {
  readonly search: number;
  readonly background: number;
}

/**
 * Measured on two cores (`npm run bench -- mixed`), another process writing 20,000 documents/s: p99 of the dearest kind of
 * search 27 to 41 ms with 5 and 10, 16 to 19 with these, 18 to 22 with 0 and 19; of the cheap kinds, which the main thread
 * runs, 4 to 9 ms with all three. Workers that give way to nobody made cheap searches wait when three loops of expensive
 * ones kept them busy, so they give way a little.
 */
const NICENESS: Niceness = { search: 1, background: 15 };
/** Milliseconds that jobs get to end when the pool is closed. */
const CLOSING_MS = 5000;
/** Threads that may die with a job before it is given up. */
const MOST_DEATHS = 2;

/** As many workers as cores beside the main thread's, and two at least: a search never queues behind a merge. */
export function defaultWorkers(): number {
  return Math.min(MAX_THREADS - 1, Math.max(2, os.availableParallelism() - 1));
}

function defaultHeapMb(): number {
  return Math.round(Math.min(2048, Math.max(256, os.totalmem() / 2 ** 20 / 8)));
}

/** Worker threads that die are replaced; see Executor for what it promises. */
export class WorkerPool implements Executor {
  readonly #options: PoolOptions;
  readonly #slots: readonly WorkerSlot[];
  readonly #queue = new JobQueue();
  readonly #tally = new JobTally();
  #nextId = 1;
  #closed = false;
  /** Called when nothing runs any more. */
  #idle: (() => void) | null = null;

  /** Throws `invalid_value` for more workers than can share an arena. */
  constructor(options: PoolOptions) {
    if (!(options.workers >= 1 && options.workers < MAX_THREADS)) {
      throw new EngineError("invalid_value", `workers must be 1 to ${MAX_THREADS - 1}, not ${options.workers}`);
    }
    this.#options = options;
    this.#slots = Array.from({ length: options.workers }, (_, i) => this.#newSlot(i));
    if (options.start === "eager") for (const slot of this.#slots) slot.start();
  }

  get workers(): number {
    return this.#slots.length;
  }

  run<K extends JobKind>(kind: K, request: Jobs[K]["request"], options: RunOptions = {}): Promise<Jobs[K]["result"]> {
    const { signal, shared = [], transfer = [], description = kind } = options;
    if (this.#closed) return Promise.reject(closed());
    if (signal?.aborted) return Promise.reject(cancelled());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const job: PendingJob = {
        id,
        kind,
        request,
        shared,
        transfer,
        description,
        since: 0,
        deaths: 0,
        cancelled: false,
        resolve: (result) => {
          signal?.removeEventListener("abort", cancel);
          resolve(result as Jobs[K]["result"]);
        },
        reject: (error) => {
          signal?.removeEventListener("abort", cancel);
          reject(error);
        },
      };
      const cancel = () => this.#cancel(job);
      signal?.addEventListener("abort", cancel, { once: true });
      this.#queue.add(job);
      this.#dispatch();
    });
  }

  forget(prefix: string): void {
    for (const slot of this.#slots) slot.forget(prefix);
  }

  forgetSegment(folder: string, name: string): void {
    for (const slot of this.#slots) slot.forgetSegment(folder, name);
  }

  activity(): WorkerActivity[] {
    return this.#slots.map((slot) => slot.activity());
  }

  counts(): Record<JobKind, JobCounts> {
    const running = (kind: JobKind) => this.#running().filter((job) => job.kind === kind).length;
    return this.#tally.counts((kind) => this.#queue.size(kind), running);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.drain()) this.#fail(job, closed());
    for (const slot of this.#slots) for (const id of slot.jobs.keys()) slot.cancel(id);
    if (this.#running().length > 0) await this.#untilIdle(CLOSING_MS);
    await Promise.all(this.#slots.map((slot) => slot.stop()));
    for (const slot of this.#slots) this.#releaseMemory(slot);
    for (const job of this.#running()) this.#fail(job, closed());
  }

  #newSlot(number: number): WorkerSlot {
    const { storage, handlers, niceness: wanted = NICENESS } = this.#options;
    // The first is there for whoever waits; when it is the only one it does everything.
    const background = number > 0;
    const niceness = background ? wanted.background : wanted.search;
    return new WorkerSlot({
      background,
      data: {
        memory: storage.arena.memory,
        thread: number + 1,
        handlers,
        niceness,
        name: `pinakes-${background ? "work" : "query"}-${number + 1}`,
        cacheBytes: this.#options.cacheBytes,
      },
      heapMb: this.#options.heapMb ?? defaultHeapMb(),
      answered: (slot, message) => this.#answered(slot, message),
      died: (slot, cause, jobs) => this.#died(slot, cause, jobs),
    });
  }

  /** Gives away what can be given. */
  #dispatch(): void {
    for (const kind of JOB_KINDS) {
      for (let job = this.#queue.next(kind); job !== undefined; job = this.#queue.next(kind)) {
        const slot = this.#slots[place(kind, this.#loads())];
        if (slot === undefined) break;
        this.#queue.remove(job);
        this.#give(slot, job);
      }
    }
    if (this.#slots.every((slot) => slot.down)) {
      const cause = this.#slots[0].failure;
      const message = `no worker thread can be started: ${cause?.message}`;
      const error = new EngineError("internal", message, { retryable: true }, { cause });
      for (const job of this.#queue.drain()) this.#fail(job, error);
    }
  }

  #give(slot: WorkerSlot, job: PendingJob): void {
    try {
      slot.run(job);
    } catch (error) {
      this.#fail(job, error);
    }
  }

  #loads() {
    return this.#slots.map(({ jobs, background, down }) => {
      return { kinds: [...jobs.values()].map((job) => job.kind), background, down };
    });
  }

  #cancel(job: PendingJob): void {
    job.cancelled = true;
    if (this.#queue.remove(job)) this.#fail(job, cancelled());
    else this.#slots.find((slot) => slot.jobs.has(job.id))?.cancel(job.id);
  }

  #answered(slot: WorkerSlot, message: FromWorker): void {
    if (message.type === "ready") return;
    const job = slot.finish(message.id);
    if (job === undefined) return;
    if (message.type === "done") {
      this.#tally.done(job.kind);
      job.resolve(message.result);
    } else this.#fail(job, receivedError(message.error));
    this.#afterEnd();
  }

  #died(slot: WorkerSlot, cause: EngineError, jobs: readonly PendingJob[]): void {
    this.#options.warn?.(`${cause.message}; it had ${jobs.length} jobs`);
    this.#releaseMemory(slot);
    for (const job of [...jobs].reverse()) {
      const again = ++job.deaths < MOST_DEATHS && job.transfer.length === 0 && !this.#closed;
      if (job.cancelled) this.#fail(job, cancelled());
      else if (again) this.#queue.addFirst(job);
      else this.#fail(job, cause);
    }
    if (!this.#closed && !slot.down) slot.start();
    this.#afterEnd();
  }

  /** What a thread that has ended held in the arena; the next thread may take its number then. */
  #releaseMemory({ thread }: WorkerSlot): void {
    releaseThread(this.#options.storage, thread, "reclaim");
  }

  #afterEnd(): void {
    if (!this.#closed) this.#dispatch();
    if (this.#running().length === 0) this.#idle?.();
  }

  #fail(job: PendingJob, error: unknown): void {
    this.#tally.failed(job.kind);
    job.reject(error);
  }

  #running(): PendingJob[] {
    return this.#slots.flatMap((slot) => [...slot.jobs.values()]);
  }

  async #untilIdle(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
