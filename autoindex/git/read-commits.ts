import type { ChangeStatus, CommitDocument } from "../../code/index.js";
import { gitPieces } from "./command.js";
import { type CommitPatch, readPatches } from "./commit-patches.js";

/** What git says of a commit. */
export type Commit = Omit<CommitDocument, "repo" | "branches" | "stores" | "claims">;

/** Files of one commit that are kept by name. */
const MOST_FILES = 500;

const MARK = "\x01";
const FIELD = "\x02";
const END = "\x03";
const FORMAT = `${["%x01%H", "%P", "%an", "%ae", "%cn", "%aI", "%cI", "%s", "%b"].join("%x02")}%x03`;

/**
 * Reads commits by their ids in groups of so many, with the files they touched and the lines they added and removed.
 * Throws GitError.
 */
export async function* readCommits(
  folder: string,
  shas: readonly string[],
  groupSize: number,
): AsyncGenerator<Commit[]> {
  // Git looks at the commits twice, each time with one thread: comparing trees is cheap, comparing texts is not.
  const touched = readTouched(folder, shas);
  const patches = readPatches(folder, shas);
  try {
    for (let at = 0; at < shas.length; at += groupSize) {
      const size = Math.min(groupSize, shas.length - at);
      const group = await Promise.all([take(touched, size), take(patches, size)]);
      yield await joined(folder, ...group);
    }
  } finally {
    await Promise.all([touched.return(undefined), patches.return(undefined)]);
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

async function joined(folder: string, touched: Touched[], patches: CommitPatch[]): Promise<Commit[]> {
  const counted = await countRenames(folder, touched);
  const patchOf = new Map(patches.map((patch) => [patch.sha, patch]));
  return touched.map(({ header, changes }) => {
    const patch = patchOf.get(header[0]!);
    return commitOf(header, changes, patch, counted.get(header[0]!) ?? patch ?? NO_LINES);
  });
}

/** Lines that a commit added and removed. */
type LineCounts = Pick<Commit, "insertions" | "deletions">;

const NO_LINES: LineCounts = { insertions: 0, deletions: 0 };

/** What a commit touched, as it comes out of git. */
interface Touched {
  header: string[];
  changes: { status: ChangeStatus; path: string }[];
}

const LOG = ["log", "--no-walk=unsorted", "--stdin", "-z", "--no-relative", "--no-ext-diff", "--no-textconv", "-M"];

/**
 * With `-z` git gives the header, then for each file `:modes ids status` and its path, for a rename both.
 */
async function* readTouched(folder: string, shas: readonly string[]): AsyncGenerator<Touched> {
  const input = `${shas.join("\n")}\n`;
  let commit: Touched | undefined;
  /** Paths that are still to come for the last change. */
  let due = 0;
  for await (const piece of gitPieces(folder, [...LOG, `--format=${FORMAT}`, "--raw"], { input })) {
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

/**
 * Lines of the commits in which a file was renamed or became something else: a patch has such a file as one that went and
 * one that came, but git counts only what is different.
 */
async function countRenames(folder: string, touched: readonly Touched[]): Promise<Map<string, LineCounts>> {
  const counts = new Map<string, LineCounts>();
  const isPlain = ({ status }: Touched["changes"][number]) => status === "A" || status === "M" || status === "D";
  const asked = touched.filter(({ changes }) => !changes.every(isPlain)).map(({ header }) => header[0]!);
  if (asked.length === 0) return counts;
  const input = `${asked.join("\n")}\n`;
  let commit: LineCounts | undefined;
  /** Paths that are still to come for a rename. */
  let due = 0;
  for await (const piece of gitPieces(folder, [...LOG, "--format=%x01%H", "--numstat", "-U0"], { input })) {
    if (due > 0) {
      due--;
      continue;
    }
    const text = piece.toString("utf8");
    if (text.startsWith(MARK)) {
      commit = { ...NO_LINES };
      counts.set(text.slice(MARK.length), commit);
      continue;
    }
    // `insertions TAB deletions TAB path`; the path of a rename is empty, and both of its paths follow.
    const count = /^\n?(\d+|-)\t(\d+|-)\t/.exec(text);
    if (!commit || !count) continue;
    commit.insertions += Number(count[1]) || 0;
    commit.deletions += Number(count[2]) || 0;
    due = count[0].length === text.length ? 2 : 0;
  }
  return counts;
}

/** The body comes last: it may hold anything but NUL. */
function fieldsOf(text: string): string[] {
  const end = text.lastIndexOf(END);
  const parts = text.slice(MARK.length, end < 0 ? undefined : end).split(FIELD);
  return [...parts.slice(0, 8), parts.slice(8).join(FIELD)];
}

function commitOf(
  header: string[],
  changes: Touched["changes"],
  patch: CommitPatch | undefined,
  { insertions, deletions }: LineCounts,
): Commit {
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
    insertions,
    deletions,
    ...(patch?.added && { added: patch.added }),
    ...(patch?.removed && { removed: patch.removed }),
    is_cut: changes.length > MOST_FILES || patch?.isCut === true,
  };
}
