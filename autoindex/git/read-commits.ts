import type { ChangeStatus, CommitDocument } from "../../code/index.js";
import { GitError, gitPieces } from "./command.js";
import { type CommitPatch, LOG_CHANGES, readPatches } from "./commit-patches.js";

/** What git says of a commit. */
export type Commit = Omit<CommitDocument, "repo" | "branches" | "stores" | "claims">;

/** Files of one commit that are kept by name. */
const MOST_FILES = 500;

const MARK = "\x01";
const FIELD = "\x02";
const END = "\x03";
const FORMAT = `${["%x01%H", "%P", "%an", "%ae", "%cn", "%aI", "%cI", "%s", "%b"].join("%x02")}%x03`;

/**
 * Reads commits by their ids in groups of so many, with the files they touched and the lines they added and removed. Where
 * git has not all texts (a partial clone, a damaged repository) `withoutLines` is told why, and what is left comes without
 * lines. Throws GitError.
 */
export async function* readCommits(
  folder: string,
  shas: readonly string[],
  groupSize: number,
  withoutLines: (why: GitError) => void,
): AsyncGenerator<Commit[]> {
  let count = 0;
  try {
    for await (const group of readGroups({ folder, shas, groupSize }, "lines")) {
      count += group.length;
      yield group;
    }
  } catch (error) {
    if (!(error instanceof GitError) || error.git !== "ended") throw error;
    withoutLines(error);
    yield* readGroups({ folder, shas: shas.slice(count), groupSize }, "names alone");
  }
}

/** What is read of a commit's changes: names alone need no text of a file. */
type Depth = "lines" | "names alone";

async function* readGroups(
  { folder, shas, groupSize }: { folder: string; shas: readonly string[]; groupSize: number },
  depth: Depth,
): AsyncGenerator<Commit[]> {
  // Git looks at the commits twice, each time with one thread: comparing trees is cheap, comparing texts is not.
  const touched = readTouched(folder, shas, depth);
  const patches = depth === "lines" ? readPatches(folder, shas) : undefined;
  try {
    for (let at = 0; at < shas.length; at += groupSize) {
      const size = Math.min(groupSize, shas.length - at);
      const [facts, lines] = await Promise.all([take(touched, size), patches ? take(patches, size) : []]);
      const patchOf = new Map(lines.map((patch) => [patch.sha, patch]));
      yield facts.map(({ header, changes }) => commitOf(header, changes, patchOf.get(header[0]!)));
    }
  } finally {
    await Promise.all([touched.return(undefined), patches?.return(undefined)]);
  }
}

/** So many of what comes, or fewer at the end. */
async function take<T>(from: AsyncGenerator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = await from.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** What a commit touched, as it comes out of git. */
interface Touched {
  header: string[];
  changes: { status: ChangeStatus; path: string }[];
}

/**
 * With `-z` git gives the header, then for each file `:modes ids status` and its path, for a rename both.
 */
async function* readTouched(folder: string, shas: readonly string[], depth: Depth): AsyncGenerator<Touched> {
  const renames = depth === "lines" ? [] : ["--no-renames"];
  const args = [...LOG_CHANGES, ...renames, "-z", `--format=${FORMAT}`, "--raw"];
  const input = `${shas.join("\n")}\n`;
  let commit: Touched | undefined;
  /** Paths that are still to come for the last change. */
  let due = 0;
  for await (const piece of gitPieces(folder, args, { input })) {
    const text = piece.toString("utf8");
    if (due > 0) {
      due--;
      // Of a rename the second path is the new one.
      commit!.changes.at(-1)!.path = text;
      continue;
    }
    if (text.startsWith(MARK)) {
      if (commit) yield commit;
      commit = { header: fieldsOf(text), changes: [] };
      continue;
    }
    const status = /^\n?:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])/.exec(text)?.[1];
    if (!commit || !status) continue;
    commit.changes.push({ status: status as ChangeStatus, path: "" });
    due = status === "R" || status === "C" ? 2 : 1;
  }
  if (commit) yield commit;
}

/** The body comes last: it may hold anything but NUL. */
function fieldsOf(text: string): string[] {
  const end = text.lastIndexOf(END);
  const parts = text.slice(MARK.length, end < 0 ? undefined : end).split(FIELD);
  return [...parts.slice(0, 8), parts.slice(8).join(FIELD)];
}

/** Without a patch it has no lines, and there may be some. */
function commitOf(header: string[], changes: Touched["changes"], patch: CommitPatch | undefined): Commit {
  const [sha, parents, author, email, committer, authorDate, commitDate, subject, body] = header as [
    string,
    ...string[],
  ];
  const kept = changes.slice(0, MOST_FILES);
  return {
    sha,
    parents: (parents ?? "").split(" ").filter((id) => id !== ""),
    author: author ?? "",
    author_email: email ?? "",
    committer: committer ?? "",
    author_date: authorDate ?? "",
    commit_date: commitDate ?? "",
    subject: subject ?? "",
    body: (body ?? "").trim(),
    files: kept.map(({ path }) => path),
    changes: kept.map(({ status, path }) => `${status} ${path}`),
    files_count: changes.length,
    insertions: patch?.insertions ?? 0,
    deletions: patch?.deletions ?? 0,
    ...(patch?.added && { added: patch.added }),
    ...(patch?.removed && { removed: patch.removed }),
    is_cut: changes.length > MOST_FILES || patch?.isCut !== false,
  };
}
