import type { Client } from "../../client/index.js";
import type { Commit } from "../catalog/commit.js";
import { Committer } from "../catalog/committer.js";
import { FolderLock, readFolder } from "../catalog/folder-lock.js";
import { isWatched } from "../catalog/holder.js";
import { CODE_INDICES, refreshIndices, restoreCodeIndices } from "../catalog/indices.js";
import { readFileEntry } from "../catalog/manifest.js";
import { dataIndex } from "../documents/ids.js";
import { AutoindexError } from "../errors.js";
import { type GitPath, openForPaths } from "../git/git-path.js";
import { DEFAULT_MAX_FILE_BYTES } from "../options.js";
import { ExtractorPool } from "../process/pool.js";
import type { FileStatus } from "../skip.js";
import { walkOne } from "../walk/index.js";
import { followWatcher } from "./follow-watcher.js";
import { pathInside, resolveRoot } from "./identity.js";
import { contextFor, placeOf } from "./pass.js";
import { commitEntry, commitKept, commitResult, jobFor, type Place, planStep } from "./plan.js";

/** What became of the file: its new status, or `gone` when neither folder nor index has it any more. */
export interface ReindexedFile {
  path: string;
  status: FileStatus | "gone";
  /** Whether the index was changed. */
  outcome: "written" | "unchanged" | "removed";
}

/** One process for single files, kept between calls; it does not keep the program alive. */
let pool: ExtractorPool | undefined;

function sharedPool(): ExtractorPool {
  pool ??= new ExtractorPool({ workers: 1, tuning: "quick_start", silenceMs: 30_000 });
  return pool;
}

/**
 * Brings the index up to date with one file of an indexed folder, by the rules of a whole run, and makes the change
 * visible before it returns. Throws when `root` is not an indexed folder or the path lies outside.
 */
export function reindexFile(client: Client, root: string, relativePath: string): Promise<ReindexedFile> {
  const turn = lastCall.then(() => reindexNow(client, root, relativePath));
  lastCall = turn.then(
    () => {},
    () => {},
  );
  return turn;
}

/** Calls wait for each other: two over the same file would not see each other's documents to remove them. */
let lastCall: Promise<void> = Promise.resolve();

/** How long a whole run over the folder is waited for: it brings the file up to date itself. */
const PATIENCE_MS = 2000;

async function reindexNow(client: Client, given: string, relativePath: string): Promise<ReindexedFile> {
  const root = resolveRoot(given);
  const path = pathInside(root, relativePath);
  const folder = await readFolder(client, root);
  if (!folder) throw new AutoindexError("not_indexed", `${root} is not an indexed folder`);
  if (isWatched(folder)) {
    const status = await followWatcher(client, root, path);
    if (status) return { path, status, outcome: "unchanged" };
  }
  await restoreCodeIndices(client);
  const { repo } = folder;
  const lock = await FolderLock.acquire({ client, root, repo, patienceMs: PATIENCE_MS });
  try {
    // What the folder says of itself while it was waited for counts.
    const { repo, state = "finished" } = lock.found;
    const leftovers = state === "finished" ? "none" : "possible";
    const git = await openForPaths({ client, root, repo, paths: [path], patienceMs: PATIENCE_MS });
    try {
      const place = placeOf(git, { root, repo, leftovers });
      const done = await reindexHeld({ client, place, lock, git }, path);
      await lock.release({ state });
      return done;
    } finally {
      await git.close();
    }
  } catch (error) {
    await lock.abandon();
    throw error;
  }
}

interface Held {
  client: Client;
  place: Place;
  lock: FolderLock;
  git: GitPath;
}

async function reindexHeld(held: Held, path: string): Promise<ReindexedFile> {
  const { client, place } = held;
  const prior = await readFileEntry(client, place.root, path);
  // A hidden file that is in the index was wanted by the run that put it there.
  const hidden = prior?.status === "indexed" ? "index" : "skip";
  const met = walkOne(place.root, path, { hidden, globalIgnore: "user" });
  if (!met || met.path !== path) {
    if (!prior) return { path, status: "gone", outcome: "unchanged" };
    await commitNow(held, commitEntry(path, undefined, prior, place));
    return { path, status: "gone", outcome: "removed" };
  }
  const step = planStep(met, prior, place, DEFAULT_MAX_FILE_BYTES);
  if (step.kind === "unchanged") return { path, status: step.entry.status as FileStatus, outcome: "unchanged" };
  if (step.kind !== "read") {
    const { entry } = step;
    const commit =
      step.kind === "branch" ? commitKept(entry, step.prior, place) : commitEntry(path, entry, prior, place);
    return { path, status: await commitNow(held, commit), outcome: "written" };
  }
  const result = await sharedPool().extract(contextFor(place), jobFor(step, place, "dataset"));
  const { entry, commit } = commitResult(result, step, place);
  if (!commit) return { path, status: entry.status as FileStatus, outcome: "unchanged" };
  return { path, status: await commitNow(held, commit), outcome: "written" };
}

/** Commits and makes it visible; answers what the file's status is now. */
async function commitNow({ client, lock, git }: Held, commit: Commit): Promise<FileStatus> {
  await lock.write({ state: "unfinished" });
  // Documents of an earlier call must be visible to be found and removed.
  await refreshIndices(client, CODE_INDICES);
  const { root } = lock.found;
  const guard = () => {
    lock.check();
    git.check();
  };
  const claimsOf = (repo: string) => git.claimsOf(repo);
  const committer = new Committer({ client, root, query: "refresh=true", guard, claimsOf });
  await committer.add(commit);
  await committer.finish();
  const data = [...committer.touchedData].map(dataIndex);
  if (data.length > 0) await refreshIndices(client, data);
  return (commit.entry?.status ?? "vanished") as FileStatus;
}
