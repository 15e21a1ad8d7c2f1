/**
 * The work of a request by query or a reindex: pages of documents become operations, slices write them side by side, each
 * at its pace; cancelling ends it between batches, and what was written stays written.
 */
import type { Index, RunningActivity, WriteOperation } from "../../engine/index.js";
import { refreshAfterWrite } from "../bulk/refresh.js";
import { itemError } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { type DocumentSource, type FoundDocument, PageFeed } from "./feed.js";
import type { CopyOptions } from "./options.js";
import { ALL_COUNTS, newProgress, type Progress, printProgress, printSlices, type ShownCounts } from "./progress.js";
import { Throttle } from "./throttle.js";
import { writeBatch } from "./write-batch.js";

/** A document as it is to be written. */
export interface PlannedWrite {
  /** The index or alias it goes to. */
  readonly name: string;
  readonly operation: WriteOperation;
}

/** What is done. */
export interface CopyJob {
  readonly source: DocumentSource;
  readonly options: CopyOptions;
  /** Slices that work side by side. */
  readonly slices: number;
  /** Ingest pipeline that the request names. */
  readonly pipeline: string | undefined;
  /** Documents may only go to an alias. */
  readonly requireAlias: boolean;
  readonly plan: (document: FoundDocument) => PlannedWrite;
  readonly shown: ShownCounts;
  readonly describe: () => string;
}

/** Runs a job, within the request or after it (`wait_for_completion=false`). */
export function runJob(request: ApiRequest, job: CopyJob): Reply | Promise<Reply> {
  const { node, task, parameters } = request;
  const work = new CopyWork(request, job);
  task.outlastClient();
  task.describe(job.describe);
  task.report(() => work.status(ALL_COUNTS));
  const forget = node.throttles.add(task.id, (pace) => work.rethrottle(pace));
  const run = () => work.run().finally(forget);
  return parameters.boolean("wait_for_completion", true) ? run() : node.tasks.runOn(request, run);
}

class CopyWork {
  readonly #feed: PageFeed;
  readonly #slices: Progress[];
  readonly #written = new Set<Index>();
  readonly #began = performance.now();

  constructor(
    private readonly request: ApiRequest,
    private readonly job: CopyJob,
  ) {
    const { options, slices, source } = job;
    this.#feed = new PageFeed(source, options.pageSize, options.maxDocs);
    const pace = options.requestsPerSecond / slices;
    this.#slices = Array.from({ length: slices }, () => newProgress(new Throttle(pace)));
  }

  status(shown: ShownCounts): Record<string, unknown> {
    const [only] = this.#slices;
    if (this.#slices.length === 1) only.total = this.#feed.total;
    return printSlices(this.#slices, this.#feed.total, shown);
  }

  rethrottle(pace: number): void {
    for (const { throttle } of this.#slices) throttle.change(pace / this.#slices.length);
  }

  async run(): Promise<Reply> {
    const { request, job } = this;
    try {
      await this.#runSlices();
    } finally {
      await job.source.close();
    }
    await refreshAfterWrite(request.node.engine, this.#written, job.options.refresh);
    return this.#answer();
  }

  /** All slices end before the first failure of one is told: nothing is written after the answer. */
  async #runSlices(): Promise<void> {
    const running = this.#slices.map((progress, at) => this.#runSlice(progress, at));
    const ended = await Promise.allSettled(running);
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  async #runSlice(progress: Progress, at: number): Promise<void> {
    const child = this.#slices.length === 1 ? undefined : this.#startChild(progress, at);
    const { signal } = this.request.task;
    try {
      for (;;) {
        const began = performance.now();
        const page = signal.aborted ? undefined : await this.#feed.next();
        if (page === undefined) return;
        const found = page.documents.length;
        if (this.#slices.length > 1) progress.total += found;
        await this.#write(page.documents, progress).finally(() => page.release());
        if (progress.failures.length > 0) this.#feed.stop();
        if (this.#feed.ended) return;
        await progress.throttle.pause(found, began, signal);
      }
    } catch (error) {
      this.#feed.stop();
      throw error;
    } finally {
      child?.end();
    }
  }

  #write(documents: readonly FoundDocument[], progress: Progress): Promise<void> {
    const { plan, pipeline, requireAlias, options } = this.job;
    return writeBatch(this.request, documents.map(plan), {
      progress,
      pipeline,
      requireAlias,
      conflicts: options.conflicts,
      written: this.#written,
    });
  }

  #startChild(progress: Progress, at: number): RunningActivity {
    const { node, task } = this.request;
    const parent = node.engine.resources.activities.find(task.id);
    return node.engine.resources.activities.start({
      kind: "generic",
      action: parent?.start.action ?? "",
      type: "direct",
      parent: task.id,
      describe: () => `slice [${at}]: ${this.job.describe()}`,
      status: () => ({ slice_id: at, ...printProgress(progress, ALL_COUNTS) }),
      cancel: () => node.engine.resources.activities.cancel(task.id, "by user request"),
    });
  }

  #answer(): Reply {
    const { task, identity } = this.request;
    const failures = this.#slices.flatMap((slice) => slice.failures);
    const took = Math.round(performance.now() - this.#began);
    const body = {
      took,
      timed_out: false,
      ...this.status(this.job.shown),
      ...(task.cancelled ? { canceled: "by user request" } : {}),
      failures: failures.map(({ index, id, error }) => ({
        index,
        id,
        cause: itemError(error, identity),
        status: error.status,
      })),
    };
    const status = Math.max(200, ...failures.map(({ error }) => error.status));
    return json(body, status);
  }
}
