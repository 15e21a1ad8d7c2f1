import { availableParallelism } from "node:os";
import { Committer } from "../catalog/committer.js";
import { CODE_INDICES, ensureCodeIndices, refreshIndices } from "../catalog/indices.js";
import { type FileEntry, readFolders, readManifest } from "../catalog/manifest.js";
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
import { dropFolderEntry, hasDocuments, writeFolderEntry } from "./folder.js";
import { chooseRepo, resolveRoot } from "./identity.js";
import { commitEntry, commitResult, jobFor, type Place, planStep, type ReadStep, type Step } from "./plan.js";
import { readInOrder } from "./read-in-order.js";
import { suggestSearches } from "./suggest.js";
import { Tally } from "./tally.js";

/** Files from which on compiling the grammars twice pays (see process/child.ts). */
const LONG_RUN_FILES = 20_000;
const DEFAULT_SILENCE_MS = 30_000;
/** Entries between two looks at the event loop while walking. */
const WALK_SLICE = 2000;

/**
 * Brings the index up to date with a folder: what is new or has changed is read and written, what has gone is removed,
 * what is the same costs one stat. Everything left out is in the catalog with its reason.
 */
export async function autoindex(
  options: AutoindexOptions,
  onProgress: OnProgress = () => {},
): Promise<AutoindexSummary> {
  const started = performance.now();
  const run = await Run.begin(options, onProgress);
  const hasChanges = await run.compare();
  if (hasChanges) await run.apply();
  return { ...(await run.summary()), seconds: (performance.now() - started) / 1000 };
}

/** The context in which a folder's files are read. */
export function contextFor({ root, repo }: Place, maxFileBytes = DEFAULT_MAX_FILE_BYTES): RunContext {
  const top = workTreeTop(root);
  const branch = top === undefined ? undefined : currentBranch(top);
  return { root, repo, branches: branch === undefined ? [] : [branch], maxFileBytes };
}

/** One run over one folder. */
class Run {
  readonly #changes: Step[] = [];
  readonly #committer: Committer;
  readonly #context: RunContext;

  private constructor(
    private readonly options: AutoindexOptions,
    private readonly place: Place,
    /** Entries of paths that the walk has not met; after it, what has gone. */
    private readonly unmet: Map<string, FileEntry>,
    private readonly isFinished: boolean,
    private readonly tally: Tally,
  ) {
    this.#committer = new Committer(options.client, place.root);
    this.#context = contextFor(place, options.maxFileBytes);
  }

  static async begin(options: AutoindexOptions, onProgress: OnProgress): Promise<Run> {
    const { client } = options;
    const root = resolveRoot(options.folder);
    await ensureCodeIndices(client);
    await refreshIndices(client, CODE_INDICES);
    const folders = await readFolders(client);
    const repo = chooseRepo(root, folders, options.repo);
    const isFinished = folders.some((folder) => folder.root === root);
    const leftovers = !isFinished && (await hasDocuments(client, repo)) ? "possible" : "none";
    const manifest = await readManifest(client, root);
    return new Run(options, { root, repo, leftovers }, manifest, isFinished, new Tally(onProgress));
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
    return this.#changes.length > 0 || this.unmet.size > 0 || !this.isFinished;
  }

  /** Reads and writes what has changed, and closes the run. */
  async apply(): Promise<void> {
    this.tally.enter("indexing");
    const pool = this.#pool();
    try {
      for await (const { step, result } of readInOrder(pool, this.#changes, this.#context, this.place)) {
        if (result) await this.#commit(step, result, pool);
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
    await this.#close();
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
    if (!commit) return;
    await this.#open();
    await this.#committer.add(commit);
  }

  /** A list of records beyond the limit of data sets is read again, as text. */
  async #withinDatasetLimit(step: ReadStep, result: FileResult, pool: ExtractorPool): Promise<FileResult> {
    if (result.kind !== "indexed" || !result.dataset) return result;
    if (this.tally.datasets.length < (this.options.maxDatasets ?? DEFAULT_MAX_DATASETS)) return result;
    this.tally.datasetsBeyondLimit++;
    return pool.extract(this.#context, jobFor(step, this.place, "text"));
  }

  async #write(path: string, entry: FileEntry | undefined, prior: FileEntry | undefined): Promise<void> {
    await this.#open();
    await this.#committer.add(commitEntry(path, entry, prior, this.place));
  }

  #isOpen = false;

  /** Before the first change: from here on a run that is cut off shows. */
  async #open(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    await dropFolderEntry(this.options.client, this.place.root);
  }

  async #close(): Promise<void> {
    await this.#committer.finish();
    if (!this.#isOpen && this.isFinished) return;
    this.tally.rejected(this.#committer.rejections.length);
    const { client } = this.options;
    await writeFolderEntry(client, this.tally.folderEntry(this.place, new Date().toISOString()));
    const data = [...this.#committer.touchedData].map(dataIndex);
    await refreshIndices(client, [...CODE_INDICES, ...data]);
  }
}
