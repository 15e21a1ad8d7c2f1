import type { Client } from "../../client/index.js";
import type { StoredVersion } from "../../code/index.js";
import { type Branch, resolveBranches } from "./branches.js";
import { addVersion, type Claims, type RepositoryEntry, versionsEntries } from "./claims.js";
import { GitError } from "./command.js";
import { findRepository, type Repository, readHead } from "./repository.js";
import { readTree, type TreeEntry } from "./tree.js";

/** A blob at a path with the branches that have it. */
export interface WantedVersion {
  blob: string;
  kind: TreeEntry["kind"];
  name: TreeEntry["name"];
  branches: readonly string[];
}

/** Branches that are indexed out of an object database: what the catalog has of them, and what git says. */
export interface Tracked {
  repository: Repository;
  wanted: string[];
  heads: Branch[];
  /** Branch whose files count as lying in a folder; empty where there is a work tree. */
  treeBranch: string;
  entry: RepositoryEntry | undefined;
  /** As the catalog has it. */
  stored: Map<string, StoredVersion[]>;
  /** As git has it; nothing when that could not be asked, and all stays as it is. */
  desired: Map<string, WantedVersion[]> | undefined;
  /** Why git could not be asked. */
  notes: string[];
}

/** What is asked of the branches of a folder. */
export interface TrackedRequest {
  client: Client;
  root: string;
  /** Names and patterns; as before when absent. */
  asked: readonly string[] | undefined;
  /** What the catalog says of the object database. */
  entry: RepositoryEntry | undefined;
  /** Branches for which folders speak, that are in the index with their working files. */
  checkedOut: ReadonlySet<string>;
}

/** The name that means no branch at all. */
export const NO_BRANCHES = "none";

/** Finds out what branches are wanted and what they hold. Nothing when none are and none were. */
export async function openTracked(request: TrackedRequest): Promise<Tracked | undefined> {
  const { client, root, asked, entry } = request;
  const repository = findRepository(root);
  if (!repository) {
    if (asked && asked.length > 0 && asked[0] !== NO_BRANCHES)
      throw new GitError("failed", `${root} is in no git repository`);
    return undefined;
  }
  const wanted = wantedNames(asked, entry, repository);
  if (wanted.length === 0 && (!entry || (entry.wanted.length === 0 && entry.state === "finished"))) return undefined;
  const stored = await readStored(client, repository.store);
  const tracked: Tracked = {
    repository,
    wanted,
    heads: [],
    treeBranch: "",
    entry,
    stored,
    desired: undefined,
    notes: [],
  };
  try {
    await ask(tracked, request);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // A mistake of the one who asks is told before anything is done; a damaged repository keeps no file from being read.
    if (error.git !== "ended" && (asked || !entry)) throw error;
    const state = entry ? "are as of an earlier run" : "could not be read";
    tracked.notes.push(`the branches ${wanted.join(", ")} ${state}: ${error.message}`);
  }
  return tracked;
}

function wantedNames(
  asked: readonly string[] | undefined,
  entry: RepositoryEntry | undefined,
  { kind }: Repository,
): string[] {
  if (asked) return asked.filter((name) => name !== NO_BRANCHES && name !== "");
  // Of a bare repository there is nothing else to index.
  return entry?.wanted ?? (kind === "bare" ? ["HEAD"] : []);
}

async function readStored(client: Client, store: string): Promise<Map<string, StoredVersion[]>> {
  const stored = new Map<string, StoredVersion[]>();
  for await (const { path, versions } of versionsEntries(client, store)) stored.set(path, versions);
  return stored;
}

async function ask(tracked: Tracked, { asked, checkedOut }: TrackedRequest): Promise<void> {
  const { repository, wanted } = tracked;
  const head = readHead(repository);
  const names = wanted.flatMap((name) => (name === "HEAD" ? [head.branch].filter((branch) => branch !== "") : [name]));
  // HEAD of a repository without a commit names a branch that is not there yet.
  const missing = asked ? "refuse" : "leave out";
  const found = names.length === 0 ? [] : await resolveBranches(repository, names, missing);
  tracked.heads = found.filter(({ name }) => !checkedOut.has(name));
  if (repository.kind === "bare") {
    const own = tracked.heads.find(({ name }) => name === head.branch) ?? tracked.heads[0];
    tracked.treeBranch = own?.name ?? "";
  }
  tracked.desired = isUnchanged(tracked)
    ? new Map([...tracked.stored].map(([path, versions]) => [path, versions.map(wantedAgain)]))
    : await readDesired(repository, tracked.heads);
}

/** Whether the catalog says of just these heads what they hold: then git need not list their trees again. */
function isUnchanged({ entry, heads, treeBranch }: Tracked): boolean {
  if (entry?.state !== "finished" || entry.tree_branch !== treeBranch) return false;
  return entry.heads.join("\n") === heads.map(headLine).join("\n");
}

/** A head as the catalog has it. */
export function headLine({ name, commit }: Branch): string {
  return `${commit} ${name}`;
}

function wantedAgain({ blob, branches, status }: StoredVersion): WantedVersion {
  const kind = status === "symlink" || status === "submodule" ? status : "file";
  return { blob, kind, name: status === "bad_name" ? "odd bytes" : "text", branches };
}

/** What the branches hold together. Branches of one commit are listed once, equal lists of branches are kept once. */
async function readDesired(repository: Repository, heads: readonly Branch[]): Promise<Map<string, WantedVersion[]>> {
  const byCommit = new Map<string, string[]>();
  for (const { name, commit } of heads) byCommit.set(commit, [...(byCommit.get(commit) ?? []), name]);
  const desired = new Map<string, WantedVersion[]>();
  const lists = new Map<string, readonly string[]>();
  const joined = (a: readonly string[], b: readonly string[]): readonly string[] => {
    const both = [...a, ...b].sort();
    const key = both.join("\0");
    const list = lists.get(key) ?? both;
    lists.set(key, list);
    return list;
  };
  for (const [commit, names] of byCommit) {
    for await (const { path, id, kind, name } of readTreeIfThere(repository, commit)) {
      const versions = desired.get(path) ?? [];
      const known = versions.find(({ blob }) => blob === id);
      if (known) known.branches = joined(known.branches, names);
      else versions.push({ blob: id, kind, name, branches: joined([], names) });
      desired.set(path, versions);
    }
  }
  return desired;
}

/** A branch may not have the folder that is indexed: then it holds nothing there. */
async function* readTreeIfThere(repository: Repository, commit: string): AsyncGenerator<TreeEntry> {
  try {
    yield* readTree(repository, commit);
  } catch (error) {
    const isAbsent = error instanceof GitError && /Not a valid object name|not a tree object/i.test(error.message);
    if (repository.prefix === "" || !isAbsent) throw error;
  }
}

/**
 * Adds the claims of these branches: those that they have by git, and without branches those that the catalog still has,
 * so that nothing else removes their documents before they are dealt with.
 */
export function addTracked(claims: Claims, { stored, desired, treeBranch }: Tracked): void {
  for (const [path, versions] of stored) {
    for (const version of versions) {
      const branches = desired ? [] : version.branches;
      addVersion(claims, path, { ...version, branches }, treeBranch);
    }
  }
  for (const [path, versions] of desired ?? []) {
    for (const { blob, branches, kind } of versions) {
      if (kind === "file") claims.add(path, blob, { branches, inTree: branches.includes(treeBranch) });
    }
  }
}

/** What was written under a name that the folder has no more does not stand for what is to be written under its new one. */
export function forgetDocuments(tracked: Tracked): void {
  for (const versions of tracked.stored.values()) for (const version of versions) version.version = FORMER_NAME;
}

/** No version of an extractor, and not the empty one of what needs none. */
const FORMER_NAME = "former name";
