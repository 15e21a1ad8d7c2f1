import { MAX_BATCH_FILES } from "../catalog/committer.js";
import { holdRefreshes, releaseRefreshes, restoreCodeIndices } from "../catalog/indices.js";
import type { FolderEntry } from "../catalog/manifest.js";
import { AutoindexError } from "../errors.js";
import { isSaid, readFacts } from "../git/facts.js";
import { type GitPath, openForPaths } from "../git/git-path.js";
import { GitRun } from "../git/git-run.js";
import type { AutoindexOptions, AutoindexSummary, OnProgress } from "../options.js";
import type { ExtractorPool } from "../process/pool.js";
import { applyBranches, gitSummary, type HeldFolder, holdFolder, restoreLost } from "../run/autoindex.js";
import { correlateDatasets } from "../run/correlate-datasets.js";
import { releaseOldNames } from "../run/folder.js";
import { FolderSink, type Written } from "../run/folder-sink.js";
import { contextFor, Pass, placeOf, startPool } from "../run/pass.js";
import type { Place } from "../run/plan.js";
import { suggestSearches } from "../run/suggest.js";
import { Tally } from "../run/tally.js";
import { UnreadRules } from "../run/unread-rules.js";
import { lookAt, type WalkEntry, type WalkOptions, walkFrom } from "../walk/index.js";
import type { ChangeBatch } from "./change-batches.js";
import type { FolderEvents } from "./folder-events.js";
import { ManifestTree } from "./manifest-tree.js";

/** What a batch came to. */
export interface BatchOutcome {
  extent: ChangeBatch["extent"];
  indexed: number;
  removed: number;
  seconds: number;
}

/** One pass of a session. */
interface PassOver {
  met: Iterable<WalkEntry>;
  unmet: HeldFolder["manifest"];
  git: Pick<GitPath, "check" | "claimsOf">;
  tally: Tally;
  tell: "always" | "when changed";
  signal: AbortSignal | undefined;
}

/** A folder that is held for watching: its manifest is in memory, its processes stay warm. */
export class WatchSession {
  readonly #tree: ManifestTree;
  readonly #pool: ExtractorPool;
  readonly #folder: HeldFolder;
  #place: Place;

  private constructor(
    private readonly options: AutoindexOptions,
    private readonly events: FolderEvents,
    folder: HeldFolder,
  ) {
    this.#folder = folder;
    this.#place = folder.place;
    this.#tree = new ManifestTree(folder.manifest.values());
    this.#pool = startPool(options, 0);
  }

  /** Takes the folder; throws `busy` when another run or watcher keeps it. */
  static async open(
    options: AutoindexOptions,
    events: FolderEvents,
    onWait: (who: string) => void,
  ): Promise<WatchSession> {
    return new WatchSession(options, events, await holdFolder(options, { onWait, does: "watch" }));
  }

  /** The whole folder, as a run of its own would do it. */
  async first(onProgress: OnProgress): Promise<AutoindexSummary> {
    const started = performance.now();
    const { client } = this.options;
    const { lock, place, git } = this.#folder;
    const tally = new Tally(onProgress);
    tally.enter("walking");
    try {
      const isKnown = lock.found.state !== "unfinished" && lock.found.repo === place.repo;
      const isSame = isKnown && isSaid(lock.found, git.facts);
      await this.#passOverAll(git, tally, isSame ? "when changed" : "always");
      await releaseOldNames(client, lock, place);
    } finally {
      await git.close();
    }
    this.#place = { ...place, leftovers: "none" };
    this.#warmUp();
    const suggestions = await suggestSearches(client, place.repo);
    const seconds = (performance.now() - started) / 1000;
    const said = gitSummary(git);
    const notes = [...this.#unread.notes, ...this.#folder.notes, ...(said.notes ?? [])];
    return { ...tally.summary(place), suggestions, seconds, ...said, notes };
  }

  /** Brings up to date what a batch names; everything when another branch is checked out now. */
  async update(batch: ChangeBatch): Promise<BatchOutcome> {
    const started = performance.now();
    const isSwitched = readFacts(this.#place.root).branch !== this.#place.branch;
    const tally = new Tally(() => {});
    if (!lookAt(this.#place.root, "show")?.isDirectory()) throw rootGone(this.#place.root);
    const isLost = (await restoreCodeIndices(this.options.client)) === "made anew";
    const extent = isSwitched || isLost ? "whole folder" : batch.extent;
    if (extent === "whole folder") await this.#updateAll(tally);
    else await this.#updatePaths(batch.paths, tally);
    const { indexed, removed } = tally.summary(this.#place);
    return { extent, indexed, removed, seconds: (performance.now() - started) / 1000 };
  }

  /** Lets go of the folder. */
  async close(): Promise<void> {
    this.#pool.close();
    await this.#folder.git.close();
    await this.#folder.lock.abandon();
  }

  async #updateAll(tally: Tally): Promise<void> {
    const { root, repo } = this.#place;
    // What was asked for when the watching began is what the repository says by now.
    const git = await GitRun.open({ client: this.options.client, root, repo, manifest: this.#tree.under("") });
    try {
      this.#place = placeOf(git, { root, repo, leftovers: "none" });
      await this.#restoreLost(git);
      await this.#passOverAll(git, tally, "when changed");
    } finally {
      await git.close();
    }
  }

  /** What was lost from the indices since the last look is read again by this one. */
  async #restoreLost(git: GitRun): Promise<void> {
    const manifest = this.#tree.under("");
    const before = new Map(manifest);
    await restoreLost(this.options.client, { place: this.#place, manifest, git });
    for (const [path, entry] of manifest) if (before.get(path) !== entry) this.#tree.set(path, entry);
  }

  async #passOverAll(git: GitRun, tally: Tally, tell: "always" | "when changed"): Promise<void> {
    const unmet = this.#tree.under("");
    const { signal } = this.options;
    await this.#pass({ met: git.hasTree ? this.#meet([""], unmet) : [], unmet, git, tally, tell, signal });
    await applyBranches(this.options, { git, place: this.#place });
  }

  /** The repository is held, and asked who else has these files, only when it is known which they are. */
  async #updatePaths(starts: readonly string[], tally: Tally): Promise<void> {
    const { root, repo } = this.#place;
    const unmet = new Map(starts.flatMap((path) => [...this.#tree.under(path)]));
    const met = [...this.#meet(starts, unmet)];
    const paths = [...new Set([...unmet.keys(), ...met.map(({ path }) => path)])];
    for (const { path, datasets } of this.#tree.values()) if (!unmet.has(path)) tally.datasets.push(...datasets);
    const { client } = this.options;
    const git = await openForPaths({ client, root, repo, paths, patienceMs: Number.POSITIVE_INFINITY });
    try {
      this.#place = placeOf(git, { root, repo, leftovers: "none" });
      // What is little is brought to its end, so that the folder is left whole: no signal ends it.
      await this.#pass({ met, unmet, git, tally, tell: "when changed", signal: undefined });
    } finally {
      await git.close();
    }
  }

  async #pass({ met, unmet, git, tally, tell, signal }: PassOver): Promise<void> {
    const { options } = this;
    const { lock } = this.#folder;
    const written: Written = new Map();
    const sink = new FolderSink({ client: options.client, lock, git, written });
    const pool = this.#isWarm ? this.#pool : undefined;
    const pass = new Pass({ options, place: this.#place, unmet, tally, sink, pool, signal });
    const hasChanges = await pass.compare(met);
    // A switch of branches is seen as a whole; of a folder that was never read whole, all is better seen as it comes.
    const isHeld = this.#isWarm && pass.size > MAX_BATCH_FILES;
    if (isHeld) await holdRefreshes(options.client);
    try {
      if (hasChanges) await pass.apply();
      for (const [path, entry] of written) this.#tree.set(path, entry);
      if (sink.committer.hasChangedData) await correlateDatasets(options.client, this.#place);
      // Said before the refresh, so that searches see that the folder is whole as soon as they see that it is.
      if (sink.isOpen || tell === "always") await lock.write({ ...this.#folderEntry(), state: "finished" });
      if (sink.isOpen) await sink.refresh();
    } finally {
      if (isHeld) await releaseRefreshes(options.client);
    }
  }

  /** What lies at some paths and below them. What speaks of a folder above them is compared with its entry too. */
  *#meet(starts: readonly string[], unmet: HeldFolder["manifest"]): Generator<WalkEntry> {
    const { root } = this.#place;
    const { hidden = "skip", globalIgnore = "user" } = this.options;
    const entering = (folder: string, prefix: string) => this.events.entering(folder, prefix);
    const options: WalkOptions = { hidden, globalIgnore, entering, unread: this.#unread.add };
    const above = new Set<string>();
    this.events.begin();
    for (const start of starts) {
      for (const met of walkFrom(root, start, options)) {
        const isAbove = start !== "" && met.path !== start && !met.path.startsWith(`${start}/`);
        if (isAbove) {
          if (above.has(met.path)) continue;
          above.add(met.path);
          const known = this.#tree.get(met.path);
          if (known) unmet.set(met.path, known);
        }
        yield met;
      }
      this.events.end(start);
    }
  }

  #folderEntry(): Omit<FolderEntry, "holder" | "state"> {
    const { root, repo, facts } = this.#place;
    const totals = { files: 0, declarations: 0, records: 0 };
    const skipped: Record<string, number> = {};
    for (const { status, declarations, records } of this.#tree.values()) {
      if (status !== "indexed") skipped[status] = (skipped[status] ?? 0) + 1;
      else {
        totals.files++;
        totals.declarations += declarations;
        totals.records += records;
      }
    }
    return { entry: "folder", root, repo, ...totals, skipped, finished_at: new Date().toISOString(), ...facts };
  }

  #isWarm = false;
  readonly #unread = new UnreadRules();

  /** Starts a process before it is needed: the first save is to be as fast as the others. */
  #warmUp(): void {
    this.#isWarm = true;
    const nothing = { path: ".", knownBlob: "", knownVersion: "", records: "text" } as const;
    this.#pool.extract(contextFor(this.#place), nothing).catch(() => {});
  }
}

function rootGone(root: string): AutoindexError {
  return new AutoindexError("not_a_folder", `${root} is gone; it stays in the index until: pinakes remove ${root}`);
}
