import type { Client } from "../../client/index.js";
import { Committer } from "../catalog/committer.js";
import { CODE_INDICES, refreshIndices } from "../catalog/indices.js";
import { type FileEntry, readEntry, readFolders } from "../catalog/manifest.js";
import { catalogId, dataIndex } from "../documents/ids.js";
import { AutoindexError } from "../errors.js";
import { DEFAULT_MAX_FILE_BYTES } from "../options.js";
import { ExtractorPool } from "../process/pool.js";
import type { FileStatus } from "../skip.js";
import { walkOne } from "../walk/index.js";
import { contextFor } from "./autoindex.js";
import { pathInside, resolveRoot } from "./identity.js";
import { commitEntry, commitResult, jobFor, type Place, planStep } from "./plan.js";

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

async function reindexNow(client: Client, root: string, relativePath: string): Promise<ReindexedFile> {
  const place = await placeOf(client, resolveRoot(root));
  const path = pathInside(place.root, relativePath);
  const prior = await readEntry<FileEntry>(client, catalogId("file", place.root, path));
  // A hidden file that is in the index was wanted by the run that put it there.
  const hidden = prior?.status === "indexed" ? "index" : "skip";
  const met = walkOne(place.root, path, { hidden, globalIgnore: "user" });
  if (!met || met.path !== path) {
    if (!prior) return { path, status: "gone", outcome: "unchanged" };
    await commitNow(client, place.root, commitEntry(path, undefined, prior, place));
    return { path, status: "gone", outcome: "removed" };
  }
  const step = planStep(met, prior, place, DEFAULT_MAX_FILE_BYTES);
  if (step.kind === "unchanged") return { path, status: step.entry.status as FileStatus, outcome: "unchanged" };
  if (step.kind === "write") {
    await commitNow(client, place.root, commitEntry(path, step.entry, prior, place));
    return { path, status: step.entry.status as FileStatus, outcome: "written" };
  }
  const result = await sharedPool().extract(contextFor(place), jobFor(step, place, "dataset"));
  const { entry, commit } = commitResult(result, step, place);
  if (commit) await commitNow(client, place.root, commit);
  return { path, status: entry.status as FileStatus, outcome: commit ? "written" : "unchanged" };
}

async function placeOf(client: Client, root: string): Promise<Place> {
  const [folder] = await readFolders(client, root);
  if (!folder) throw new AutoindexError("not_indexed", `${root} is not an indexed folder`);
  return { root, repo: folder.repo, leftovers: "none" };
}

async function commitNow(client: Client, root: string, commit: ReturnType<typeof commitEntry>): Promise<void> {
  // Documents of an earlier call must be visible to be found and removed.
  await refreshIndices(client, CODE_INDICES);
  const committer = new Committer(client, root, "refresh=true");
  await committer.add(commit);
  await committer.finish();
  const data = [...committer.touchedData].map(dataIndex);
  if (data.length > 0) await refreshIndices(client, data);
}
