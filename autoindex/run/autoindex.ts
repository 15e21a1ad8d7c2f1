import { availableParallelism } from "node:os";
import type { Commit } from "../catalog/commit.js";
import { Committer } from "../catalog/committer.js";
import type { FolderLock } from "../catalog/folder-lock.js";
import { CODE_INDICES, refreshIndices } from "../catalog/indices.js";
import { type FileEntry, readManifest } from "../catalog/manifest.js";
import { dataIndex } from "../documents/ids.js";
import {
  type AutoindexOptions,
  type AutoindexSummary,
  DEFAULT_MAX_DATASETS,
  DEFAULT_MAX_FILE_BYTES,
  type OnProgress,
} from "../options.js";
import { ExtractorPool } from "../process/pool.js";
import type { FileResult, RunContext } from "../process/protocol.js";
import { currentBranch, walk, workTreeTop } from "../walk/index.js";
import { hasDocuments, openFolder, releaseOldNames } from "./folder.js";
import {
  branchesOf,
  commitEntry,
  commitKept,
  commitResult,
  jobFor,
  type Place,
  planStep,
  type ReadStep,
  type Step,
} from "./plan.js";
import { readInOrder } from "./read-in-order.js";
import { addStrays } from "./strays.js";
import { suggestSearches } from "./suggest.js";
import { Tally } from "./tally.js";

/** Files from which on compiling the grammars twice pays (see process/child.ts). */
const LONG_RUN_FILES = 20_000;
const DEFAULT_SILENCE_MS = 30_000;
/** Entries between two looks at the event loop while walking. */
const WALK_SLICE = 2000;

/**
 * Brings the index up to date with a folder: what is new or has changed is read and written, what has gone is removed,
 * what is the same costs one stat. Everything left out is in the catalog with its reason. One run at a time may be at a
 * folder: another one is waited for, then its work counts as done.
 */
export async function autoindex(
  options: AutoindexOptions,
  onProgress: OnProgress = () => {},
): Promise<AutoindexSummary> {
  const started = performance.now();
  const run = await Run.begin(options, onProgress);
  try {
    const hasChanges = await run.compare();
    if (hasChanges) await run.apply();
    await run.close();
  } catch (error) {
    await run.abandon();
    throw error;
  }
  return { ...(await run.summary()), seconds: (performance.now() - started) / 1000 };
}

/** The branch that is checked out in the work tree that a folder lies in, empty when there is none. */
export function branchOf(root: string): string {
  const top = workTreeTop(root);
  return (top !== undefined && currentBranch(top)) || "";
}

/** The context in which a folder's files are read. */
export function contextFor(place: Place, maxFileBytes = DEFAULT_MAX_FILE_BYTES): RunContext {
  return { root: place.root, repo: place.repo, branches: branchesOf(place), maxFileBytes };
}

/** One run over one folder. */
class Run {
  readonly #changes: Step[] = [];
  readonly #committer: Committer;
  readonly #context: RunContext;

  private constructor(
    private readonly options: AutoindexOptions,
    private readonly place: Place,
    private readonly lock: FolderLock,
    /** Entries of paths that the walk has not met; after it, what has gone. */
    private readonly unmet: Map<string, FileEntry>,
    private readonly tally: Tally,
  ) {
    const { client } = options;
    this.#committer = new Committer({ client, root: place.root, guard: () => lock.check() });
    this.#context = contextFor(place, options.maxFileBytes);
  }

  static async begin(options: AutoindexOptions, onProgress: OnProgress): Promise<Run> {
    const { client } = options;
    const tally = new Tally(onProgress);
    const { lock, root, repo, state } = await openFolder({ ...options, onWait: (who) => tally.waitsFor(who) });
    try {
      const isCutOff = state === "unfinished" && (await hasDocuments(client, repo));
      const place: Place = { root, repo, branch: branchOf(root), leftovers: isCutOff ? "possible" : "none" };
      const manifest = await readManifest(client, root);
      if (state === "unfinished") await addStrays(client, place, manifest);
      tally.enter("walking");
      return new Run(options, place, lock, manifest, tally);
    } catch (error) {
      await lock.abandon();
      throw error;
    }
  }

  /** Walks the folder beside the manifest; says whether there is anything to do. */
  async compare(): Promise<boolean> {
    const { hidden = "skip", globalIgnore = "user", maxFileBytes = DEFAULT_MAX_FILE_BYTES } = this.options;
    let count = 0;
    for (const met of walk(this.place.root, { hidden, globalIgnore })) {
      const step = planStep(met, this.unmet.get(met.path), this.place, maxFileBytes);
      this.unmet.delete(met.path);
      if (step.kind !== "unchanged") this.#changes.push(step);
      this.tally.met(step);
      if (++count % WALK_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return this.#changes.length > 0 || this.unmet.size > 0;
  }

  /** Reads and writes what has changed, and closes the run. */
  async apply(): Promise<void> {
    this.tally.enter("indexing");
    const pool = this.#pool();
    try {
      for await (const { step, result } of readInOrder(pool, this.#changes, this.#context, this.place)) {
        if (result) await this.#commit(step, result, pool);
        else if (step.kind === "branch") await this.#add(commitKept(step.entry, step.prior, this.place));
        else if (step.kind === "write") {
          await this.#write(step.path, step.entry, step.prior);
          this.tally.leftOut(step.entry);
        }
      }
    } finally {
      pool.close();
    }
    for (const [path, prior] of this.unmet) {
      await this.#write(path, undefined, prior);
      this.tally.removed++;
    }
    this.tally.enter("finishing");
    await this.#committer.finish();
  }

  /** Says in the catalog that the folder is whole, and lets go of it. */
  async close(): Promise<void> {
    const { client } = this.options;
    const { found } = this.lock;
    if (!this.#isOpen && found.state !== "unfinished" && found.repo === this.place.repo) return this.lock.release();
    for (const correction of this.#committer.corrections) this.tally.corrected(correction);
    await releaseOldNames(client, this.lock, this.place);
    await this.lock.release(this.tally.folderEntry(this.place, new Date().toISOString()));
    const data = [...this.#committer.touchedData].map(dataIndex);
    await refreshIndices(client, [...CODE_INDICES, ...data]);
  }

  /** Lets go of the folder after a failure; the next run goes on from here. */
  async abandon(): Promise<void> {
    await this.lock.abandon();
  }

  async summary(): Promise<Omit<AutoindexSummary, "seconds">> {
    const suggestions = await suggestSearches(this.options.client, this.place.repo);
    return { ...this.tally.summary(this.place), suggestions };
  }

  #pool(): ExtractorPool {
    const files = this.#changes.filter((step) => step.kind === "read").length;
    return new ExtractorPool({
      workers: Math.max(1, this.options.workers ?? Math.min(2, availableParallelism())),
      tuning: files >= LONG_RUN_FILES ? "long_run" : "quick_start",
      silenceMs: this.options.silenceMs ?? DEFAULT_SILENCE_MS,
    });
  }

  async #commit(step: ReadStep, result: FileResult, pool: ExtractorPool): Promise<void> {
    const kept = await this.#withinDatasetLimit(step, result, pool);
    const { entry, commit } = commitResult(kept, step, this.place);
    this.tally.read(entry, kept);
    if (commit) await this.#add(commit);
  }

  /** A list of records beyond the limit of data sets is read again, as text. */
  async #withinDatasetLimit(step: ReadStep, result: FileResult, pool: ExtractorPool): Promise<FileResult> {
    if (result.kind !== "indexed" || !result.dataset) return result;
    if (this.tally.datasets.length < (this.options.maxDatasets ?? DEFAULT_MAX_DATASETS)) return result;
    this.tally.datasetsBeyondLimit++;
    return pool.extract(this.#context, jobFor(step, this.place, "text"));
  }

  async #write(path: string, entry: FileEntry | undefined, prior: FileEntry | undefined): Promise<void> {
    await this.#add(commitEntry(path, entry, prior, this.place));
  }

  #isOpen = false;

  /** Before the first change the folder is marked: from here on a run that is cut off shows. */
  async #add(commit: Commit): Promise<void> {
    if (!this.#isOpen) {
      this.#isOpen = true;
      await this.lock.write({ state: "unfinished" });
    }
    await this.#committer.add(commit);
  }
}
