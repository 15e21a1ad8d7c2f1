import type { Client } from "../../client/index.js";
import type { StoredVersion } from "../../code/index.js";
import { CODE_INDICES, refreshIndices } from "../catalog/indices.js";
import { type FileEntry, readEntry, readFolders, readManifest } from "../catalog/manifest.js";
import { catalogId } from "../documents/ids.js";
import type { ExtractorPool } from "../process/pool.js";
import type { RunContext } from "../process/protocol.js";
import type { Branch } from "./branches.js";
import { addFileClaim, Claims, type RepositoryEntry, readClaims } from "./claims.js";
import { GitError } from "./command.js";
import { datasetName } from "./dataset-repo.js";
import { type GitFacts, readFacts } from "./facts.js";
import {
  applyBranches,
  type BranchRun,
  type BranchTotals,
  blankEntry,
  countBranches,
  planBranches,
  repositoryEntry,
  strayPaths,
  writeRepository,
} from "./index-branches.js";
import { type CommitTotals, checkHistory, DEFAULT_HISTORY, hasCommits, indexCommits } from "./index-commits.js";
import { gitObstacle } from "./obstacle.js";
import { findRepository, type Repository } from "./repository.js";
import { RepositoryLock } from "./repository-lock.js";
import { addTracked, forgetDocuments, openTracked, type Tracked } from "./tracked.js";

/** What a run over a folder tells its git side when it begins. */
export interface GitRunRequest {
  client: Client;
  root: string;
  repo: string;
  /** Branches asked for; as before when absent. */
  branches?: readonly string[];
  /** Commits asked for: a number, `all`, `none`; as before when absent. */
  history?: string;
  hidden?: "skip" | "index";
  patienceMs?: number;
  onWait?: (who: string) => void;
  /** The folder's manifest as the run found it. */
  manifest: ReadonlyMap<string, FileEntry>;
}

/**
 * The git side of one run over one folder: holds the names that other folders of the repository share, knows who else
 * claims documents, and brings branches that are not checked out up to date. Without git it does nothing.
 */
export class GitRun {
  readonly #before: Map<string, FileEntry>;
  readonly #claims = new Map<string, Promise<Claims>>();
  readonly #notes: string[] = [];
  totals: BranchTotals | undefined;
  commits: CommitTotals | undefined;

  private constructor(
    private readonly request: GitRunRequest,
    private readonly repository: Repository | undefined,
    private readonly lock: RepositoryLock | undefined,
    private entry: RepositoryEntry | undefined,
    private readonly tracked: Tracked | undefined,
    readonly facts: GitFacts,
    /** Claims on documents of the present name: of other folders and object databases, and with the branches of this one. */
    private readonly folderClaims: Claims,
    readonly claims: Claims,
    readonly datasetRepo: string,
  ) {
    // Only branches ask for what the folder has and had.
    this.#before = tracked ? new Map(request.manifest) : new Map();
    this.#claims.set(request.repo, Promise.resolve(claims));
  }

  /** Takes the repository for a run. Throws `busy` when another run holds it for longer than the patience. */
  static async open(request: GitRunRequest): Promise<GitRun> {
    const { client, root, repo, branches } = request;
    const repository = findRepository(root);
    const facts = readFacts(root, repository);
    const lock = repository && (await RepositoryLock.acquire(request));
    try {
      if (lock) await refreshIndices(client, CODE_INDICES);
      const checkedOut = await checkedOutBranches(client, root, facts, repository);
      const entry = repository && (await readEntry<RepositoryEntry>(client, catalogId("repository", facts.store, "")));
      const tracked = await openTracked({ client, root, entry, asked: branches, checkedOut });
      if (tracked && entry && entry.repo !== repo) forgetDocuments(tracked);
      const others = repository ? await readClaims({ client, repo, root, store: facts.store }) : new Claims();
      const claims = others.copy();
      if (tracked) addTracked(claims, tracked);
      const datasetRepo = repository ? await datasetName(client, root, repo) : repo;
      return new GitRun(request, repository, lock, entry, tracked, facts, others, claims, datasetRepo);
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  /** Whether the folder has files of its own: a bare repository has none. */
  get hasTree(): boolean {
    return this.repository?.kind !== "bare";
  }

  /** What could not be found out, for the one who asked. */
  get notes(): readonly string[] {
    const obstacle = this.repository ? gitObstacle(this.repository.folder) : "";
    const unread = obstacle === "" ? [] : [`what git knows of ${this.request.root} is not read: ${obstacle}`];
    return [...unread, ...(this.tracked?.notes ?? []), ...this.#notes];
  }

  /** Documents at some paths are not all there: nobody's word that they are counts in this run. */
  distrust(paths: ReadonlySet<string>): void {
    this.folderClaims.distrust(paths);
    this.claims.distrust(paths);
    for (const path of paths) {
      this.#before.delete(path);
      const versions = this.tracked?.stored.get(path);
      if (versions) this.tracked!.stored.set(path, versions.map(notWritten));
    }
  }

  /** The claims of others on documents of a name that this folder has or had. */
  claimsOf(repo: string): Promise<Claims> {
    const { client, root } = this.request;
    const known = this.#claims.get(repo) ?? readClaims({ client, repo, root, store: "" });
    this.#claims.set(repo, known);
    return known;
  }

  /** Throws when another run has taken a shared name over. */
  check(): void {
    this.lock?.check();
  }

  /**
   * Brings branches and commits up to date; the folder's own documents are written. `pool` is asked for only when there
   * is something to read. Says whether documents of code were changed.
   */
  async apply(context: RunContext, pool: () => ExtractorPool): Promise<boolean> {
    const former = this.entry?.repo;
    const hasChanged = await this.#applyBranches(context, pool);
    await this.#applyCommits(former);
    return hasChanged;
  }

  async #applyBranches(context: RunContext, pool: () => ExtractorPool): Promise<boolean> {
    if (!this.tracked?.desired) return false;
    const { client, root } = this.request;
    await refreshIndices(client, CODE_INDICES);
    const run = this.#run(context, await readManifest(client, root));
    const steps = planBranches(run, await strayPaths(run));
    const last = repositoryEntry(run, "finished");
    if (steps.length > 0) {
      // Until all is written under a new name, the former one says what has to be.
      const repo = this.entry?.repo ?? run.repo;
      await writeRepository(client, { ...repositoryEntry(run, "unfinished"), repo });
      await applyBranches(run, steps, pool);
    }
    if (steps.length > 0 || JSON.stringify(last) !== JSON.stringify(this.entry)) await writeRepository(client, last);
    this.entry = last;
    this.totals = countBranches(run, steps);
    return steps.length > 0;
  }

  /** `former`: the name by which the commits are there. */
  async #applyCommits(former: string | undefined): Promise<void> {
    const { repository, entry } = this;
    const { client, root, repo, history: asked } = this.request;
    if (!repository) return;
    const history = checkHistory(asked ?? (entry?.history || DEFAULT_HISTORY));
    const heads = await this.#heads();
    const names = heads.map(({ name, commit }) => `${commit} ${name}`).sort();
    const isSame = history === entry?.history && names.join("\n") === entry.history_heads.join("\n");
    const isThere = async () => hasCommits({ client, repo, store: repository.store }, entry?.commits ?? 0);
    if (isSame && former === repo && (await isThere())) return;
    if ((entry?.history ?? "") === "" && (history === "none" || names.length === 0)) return;
    const { folder, store } = repository;
    try {
      const guard = () => this.check();
      this.commits = await indexCommits({ client, repo, folder, store, heads, history, guard });
    } catch (error) {
      if (asked !== undefined || !(error instanceof GitError)) throw error;
      this.#notes.push(`the commits of ${root} are not up to date: ${error.message}`);
      return;
    }
    const { linesUnread } = this.commits;
    if (linesUnread) this.#notes.push(`commits of ${root} are without the lines they changed: ${linesUnread}`);
    await writeRepository(client, {
      ...(entry ?? blankEntry(store, repo)),
      repo,
      history,
      history_heads: names,
      commits: this.commits.commits,
    });
  }

  /** What is checked out here and in other work trees, and the branches that are indexed. */
  async #heads(): Promise<Branch[]> {
    const { client, root } = this.request;
    const { store, branch, commit } = this.facts;
    const own = this.hasTree ? [{ name: branch, commit }] : [];
    const others = (await readFolders(client)).filter((folder) => folder.root !== root && folder.store === store);
    const trees = others.map((folder) => ({ name: folder.branch ?? "", commit: folder.commit ?? "" }));
    const all = [...own, ...trees, ...(this.tracked?.heads ?? [])].filter((head) => head.commit !== "");
    return [...new Map(all.map((head) => [`${head.commit} ${head.name}`, head])).values()];
  }

  /** Lets go of the shared names. */
  async close(): Promise<void> {
    await this.lock?.release();
  }

  #run(context: RunContext, manifest: ReadonlyMap<string, FileEntry>): BranchRun {
    const { client, root, repo } = this.request;
    return {
      client,
      repo,
      tracked: this.tracked!,
      others: this.#folderClaims(manifest),
      before: (path, blob) => {
        const entry = this.#before.get(path);
        return entry?.blob === blob && entry.repo === repo ? entry : undefined;
      },
      hidden: this.request.hidden ?? "skip",
      context: { ...context, root, branches: [] },
      guard: () => this.check(),
    };
  }

  /** Claims of everything but the branches themselves. */
  #folderClaims(manifest: ReadonlyMap<string, FileEntry>): Claims {
    const claims = this.folderClaims.copy();
    for (const entry of manifest.values()) addFileClaim(claims, entry);
    return claims;
  }
}

/** A version whose documents are to be written again. */
function notWritten({ documents: _, ...version }: StoredVersion): StoredVersion {
  return version.status === "indexed" ? { ...version, status: "not_written" } : version;
}

/** Branches for which folders of the same object database speak, as they are in the index. */
async function checkedOutBranches(
  client: Client,
  root: string,
  { branch, store }: GitFacts,
  repository: Repository | undefined,
): Promise<Set<string>> {
  if (!repository) return new Set();
  const others = (await readFolders(client)).filter((folder) => folder.root !== root && folder.store === store);
  const own = repository.kind === "bare" ? [] : [branch];
  return new Set([...own, ...others.map((folder) => folder.branch ?? "")].filter((name) => name !== ""));
}
