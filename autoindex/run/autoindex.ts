import type { Client } from "../../client/index.js";
import type { FolderLock } from "../catalog/folder-lock.js";
import { CODE_INDICES, refreshIndices, releaseRefreshes } from "../catalog/indices.js";
import { type FileEntry, readManifest } from "../catalog/manifest.js";
import { checkGitOptions } from "../git/check-options.js";
import { isSaid } from "../git/facts.js";
import { GitRun } from "../git/git-run.js";
import type { AutoindexOptions, AutoindexSummary, OnProgress } from "../options.js";
import type { ExtractorPool } from "../process/pool.js";
import { walk } from "../walk/index.js";
import { correlateDatasets } from "./correlate-datasets.js";
import { hasDocuments, openFolder, releaseOldNames } from "./folder.js";
import { FolderSink } from "./folder-sink.js";
import { findLosses, lossNotes, markLost } from "./losses.js";
import { contextFor, Pass, placeOf, startPool } from "./pass.js";
import type { Place } from "./plan.js";
import { addStrays } from "./strays.js";
import { suggestSearches } from "./suggest.js";
import { Tally } from "./tally.js";
import { UnreadRules } from "./unread-rules.js";

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
  await checkGitOptions(options);
  const run = await Run.begin(options, onProgress);
  try {
    await run.work();
    await run.applyBranches();
    await run.close();
  } catch (error) {
    await run.abandon();
    throw error;
  }
  return { ...(await run.summary()), seconds: (performance.now() - started) / 1000 };
}

/** A folder that is held for writing, what the catalog and what git say of it. */
export interface HeldFolder {
  lock: FolderLock;
  place: Place;
  manifest: Map<string, FileEntry>;
  git: GitRun;
  /** What was found out about the folder, for the one who asked. */
  notes: readonly string[];
}

/** Takes a folder and reads its manifest, what a run that was cut off has left included. */
export async function holdFolder(
  options: AutoindexOptions,
  more: { onWait?: (who: string) => void; does?: "watch" } = {},
): Promise<HeldFolder> {
  const { client } = options;
  const { lock, root, repo, state } = await openFolder({ ...options, ...more });
  let git: GitRun | undefined;
  try {
    const manifest = await readManifest(client, root);
    git = await GitRun.open({ ...options, root, repo, manifest, ...(more.onWait && { onWait: more.onWait }) });
    const isCutOff = state === "unfinished" && (await hasDocuments(client, repo));
    const place = placeOf(git, { root, repo, leftovers: isCutOff ? "possible" : "none" });
    if (state === "unfinished") {
      await releaseRefreshes(client);
      await addStrays(client, place, manifest);
    }
    const notes = await restoreLost(client, { place, manifest, git });
    return { lock, place, manifest, git, notes };
  } catch (error) {
    await git?.close();
    await lock.abandon();
    throw error;
  }
}

/** Has what was lost from the indices read again; answers what is to be said of it. */
export async function restoreLost(
  client: Client,
  { place, manifest, git }: Pick<HeldFolder, "place" | "manifest" | "git">,
): Promise<string[]> {
  const lost = await findLosses({ client, place, manifest, claims: git.claims });
  markLost(lost, place, manifest);
  git.distrust(lost);
  return lossNotes(lost);
}

/** Brings branches that are not checked out up to date. */
export async function applyBranches(options: AutoindexOptions, { git, place }: Pick<HeldFolder, "git" | "place">) {
  let pool: ExtractorPool | undefined;
  try {
    const hasChanged = await git.apply(contextFor(place, options.maxFileBytes), () => {
      pool = startPool(options, 0);
      return pool;
    });
    if (hasChanged) await refreshIndices(options.client, CODE_INDICES);
  } finally {
    pool?.close();
  }
}

/** One run over one folder. */
class Run {
  readonly #sink: FolderSink;
  readonly #unread = new UnreadRules();

  private constructor(
    private readonly options: AutoindexOptions,
    private readonly folder: HeldFolder,
    private readonly tally: Tally,
  ) {
    this.#sink = new FolderSink({ client: options.client, ...folder });
  }

  static async begin(options: AutoindexOptions, onProgress: OnProgress): Promise<Run> {
    const tally = new Tally(onProgress);
    const folder = await holdFolder(options, { onWait: (who) => tally.waitsFor(who) });
    tally.enter("walking");
    return new Run(options, folder, tally);
  }

  /** Walks the folder beside the manifest, then reads and writes what has changed. */
  async work(): Promise<void> {
    const { options, tally } = this;
    const { place, manifest, git } = this.folder;
    const { hidden = "skip", globalIgnore = "user", signal } = options;
    const pass = new Pass({ options, place, unmet: manifest, tally, sink: this.#sink, signal });
    const met = git.hasTree ? walk(place.root, { hidden, globalIgnore, unread: this.#unread.add }) : [];
    if (await pass.compare(met)) await pass.apply();
  }

  /** Brings branches that are not checked out up to date. */
  async applyBranches(): Promise<void> {
    await applyBranches(this.options, this.folder);
  }

  /** Says in the catalog that the folder is whole, and lets go of it. */
  async close(): Promise<void> {
    await this.#closeFolder();
    await this.folder.git.close();
  }

  async #closeFolder(): Promise<void> {
    const { client } = this.options;
    const { lock, place, git } = this.folder;
    const { found } = lock;
    const isSame = found.state !== "unfinished" && found.repo === place.repo && isSaid(found, git.facts);
    if (!this.#sink.isOpen && isSame) return lock.release();
    for (const correction of this.#sink.committer.corrections) this.tally.corrected(correction);
    await releaseOldNames(client, lock, place);
    if (this.#sink.committer.hasChangedData || found.state === "unfinished") await correlateDatasets(client, place);
    await lock.release(this.tally.folderEntry(place, new Date().toISOString()));
    await this.#sink.refresh();
  }

  /** Lets go of the folder after a failure; the next run goes on from here. */
  async abandon(): Promise<void> {
    await this.folder.git.close();
    await this.folder.lock.abandon();
  }

  async summary(): Promise<Omit<AutoindexSummary, "seconds">> {
    const { place, git } = this.folder;
    const suggestions = await suggestSearches(this.options.client, place.repo);
    const said = gitSummary(git);
    return {
      ...this.tally.summary(place),
      suggestions,
      ...said,
      notes: [...this.#unread.notes, ...this.folder.notes, ...(said.notes ?? [])],
    };
  }
}

/** What a run's git side has to say. */
export function gitSummary({
  totals,
  notes,
  commits,
}: GitRun): Pick<AutoindexSummary, "notes" | "branches" | "commits"> {
  return { notes: [...notes], ...(totals && { branches: totals }), ...(commits && { commits }) };
}
