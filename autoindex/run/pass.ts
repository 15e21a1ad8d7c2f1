import { availableParallelism } from "node:os";
import type { Commit } from "../catalog/commit.js";
import type { FileEntry } from "../catalog/manifest.js";
import type { GitSide } from "../git/git-path.js";
import { type AutoindexOptions, DEFAULT_MAX_DATASETS, DEFAULT_MAX_FILE_BYTES } from "../options.js";
import { ExtractorPool } from "../process/pool.js";
import type { FileResult, RunContext } from "../process/protocol.js";
import type { WalkEntry } from "../walk/index.js";
import {
  branchesOf,
  commitEntry,
  commitKept,
  commitResult,
  isStray,
  jobFor,
  type Place,
  planStep,
  type ReadStep,
  type Step,
} from "./plan.js";
import { readInOrder } from "./read-in-order.js";
import type { Tally } from "./tally.js";

/** Files from which on compiling parsers for speed pays (see process/child.ts). */
const LONG_RUN_FILES = 500;
const DEFAULT_SILENCE_MS = 30_000;
/** Entries between two looks at the event loop while walking. */
const WALK_SLICE = 2000;

/** Where the changes of a pass go; those given together are committed together. */
export interface Sink {
  add(...commits: Commit[]): Promise<void>;
  finish(): Promise<void>;
  /** After a failure: nothing is written any more when this is done. */
  stop(): Promise<void>;
}

/** What a pass works with. */
export interface PassParts {
  options: Pick<AutoindexOptions, "workers" | "silenceMs" | "maxFileBytes" | "maxDatasets">;
  place: Place;
  /** Entries of the catalog within what is walked; after the walk, of what has gone. */
  unmet: Map<string, FileEntry>;
  tally: Tally;
  sink: Sink;
  /** Processes that outlive the pass; without them it starts its own. */
  pool?: ExtractorPool;
  /** Ends the pass between two files: it throws the signal's reason. */
  signal?: AbortSignal;
}

/** A folder with what git says of it and who else has its documents. */
export function placeOf({ facts, claims, datasetRepo }: GitSide, place: Omit<Place, "branch">): Place {
  return { ...place, branch: facts.branch, facts, claims, datasetRepo };
}

/** The context in which a folder's files are read. */
export function contextFor(place: Place, maxFileBytes = DEFAULT_MAX_FILE_BYTES): RunContext {
  const { root, repo, datasetRepo } = place;
  return { root, repo, branches: branchesOf(place), maxFileBytes, ...(datasetRepo !== undefined && { datasetRepo }) };
}

/** Processes for some files of a run. */
export function startPool(options: PassParts["options"], files: number): ExtractorPool {
  return new ExtractorPool({
    workers: Math.max(1, options.workers ?? Math.min(2, availableParallelism())),
    tuning: files >= LONG_RUN_FILES ? "long_run" : "quick_start",
    silenceMs: options.silenceMs ?? DEFAULT_SILENCE_MS,
  });
}

/** One comparison of what a folder, or a part of it, holds with what the catalog says of it, and the changes that follow. */
export class Pass {
  readonly #changes: Step[] = [];
  readonly #context: RunContext;

  constructor(private readonly parts: PassParts) {
    this.#context = contextFor(parts.place, parts.options.maxFileBytes);
  }

  /** Holds what was met beside the entries; says whether there is anything to do. */
  async compare(met: Iterable<WalkEntry>): Promise<boolean> {
    const { place, unmet, tally, options, signal } = this.parts;
    let count = 0;
    for (const entry of met) {
      const step = planStep(entry, unmet.get(entry.path), place, options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES);
      unmet.delete(entry.path);
      if (step.kind !== "unchanged") this.#changes.push(step);
      tally.met(step);
      if (++count % WALK_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    return this.#changes.length > 0 || unmet.size > 0;
  }

  /** Files that have changed or gone, once they were compared. */
  get size(): number {
    return this.#changes.length + this.parts.unmet.size;
  }

  /** Reads what has changed and hands out the changes in the order of the walk; then what has gone. */
  async apply(): Promise<void> {
    try {
      await this.#applyAll();
    } catch (error) {
      await this.parts.sink.stop();
      throw error;
    }
  }

  async #applyAll(): Promise<void> {
    const { place, unmet, tally, sink, signal } = this.parts;
    tally.enter("indexing");
    const files = this.#changes.filter((step) => step.kind === "read").length;
    const pool = this.parts.pool ?? startPool(this.parts.options, files);
    const moved = new MovedFiles(unmet);
    try {
      for await (const { step, result } of readInOrder(pool, this.#changes, this.#context, place)) {
        signal?.throwIfAborted();
        if (result) await this.#commit(step, result, { pool, moved });
        else if (step.kind === "branch") await sink.add(commitKept(step.entry, step.prior, place));
        else if (step.kind === "write") {
          await sink.add(commitEntry(step.path, step.entry, step.prior, place));
          tally.leftOut(step.entry);
        }
      }
    } finally {
      if (!this.parts.pool) pool.close();
    }
    for (const [path, prior] of unmet) await sink.add(this.#removal(path, prior));
    tally.enter("finishing");
    await sink.finish();
  }

  #removal(path: string, prior: FileEntry): Commit {
    // What a run left that was cut off, or what another folder has under the same name, was no file of this one.
    if (!isStray(prior)) this.parts.tally.removed++;
    return commitEntry(path, undefined, prior, this.parts.place);
  }

  async #commit(step: ReadStep, result: FileResult, at: { pool: ExtractorPool; moved: MovedFiles }): Promise<void> {
    const kept = await this.#withinDatasetLimit(step, result, at.pool);
    const { entry, commit } = commitResult(kept, step, this.parts.place);
    this.parts.tally.read(entry, kept, step.prior !== undefined && !isStray(step.prior));
    if (!commit) return;
    // A file that was moved is never in the index twice, nor missing: both sides of the move are one commit.
    const from = step.prior ? undefined : at.moved.take(entry.blob);
    await this.parts.sink.add(...(from ? [this.#removal(from.path, from)] : []), commit);
  }

  /** A list of records beyond the limit of data sets is read again, as text. */
  async #withinDatasetLimit(step: ReadStep, result: FileResult, pool: ExtractorPool): Promise<FileResult> {
    const { tally, options, place } = this.parts;
    if (result.kind !== "indexed") return result;
    const most = options.maxDatasets ?? DEFAULT_MAX_DATASETS;
    const room = Math.max(0, most - tally.datasets.length);
    const left = result.datasets.length - room;
    if (left <= 0) return result;
    tally.datasetsBeyondLimit++;
    const recordsNote = `${left} of its lists of records left out: a folder has ${most} data sets at most`;
    if (room > 0) return { ...result, datasets: result.datasets.slice(0, room), recordsNote };
    const asText = await pool.extract(this.#context, jobFor(step, place, "text"));
    return asText.kind === "indexed" ? { ...asText, recordsNote } : asText;
  }
}

/** Files that have gone from their paths, by what was in them. */
class MovedFiles {
  #byBlob: Map<string, FileEntry[]> | undefined;

  constructor(private readonly gone: Map<string, FileEntry>) {}

  /** A file that had this content, which counts as dealt with from now on. */
  take(blob: string): FileEntry | undefined {
    if (this.gone.size === 0 || blob === "") return undefined;
    this.#byBlob ??= this.#index();
    const found = this.#byBlob.get(blob)?.shift();
    if (found) this.gone.delete(found.path);
    return found;
  }

  #index(): Map<string, FileEntry[]> {
    const byBlob = new Map<string, FileEntry[]>();
    for (const entry of this.gone.values()) {
      if (entry.blob === "") continue;
      const same = byBlob.get(entry.blob);
      if (same) same.push(entry);
      else byBlob.set(entry.blob, [entry]);
    }
    return byBlob;
  }
}
