import type { ChangeStatus, CommitDocument } from "../../code/index.js";
import { gitPieces } from "./command.js";
import { type CommitLines, readCommitLines } from "./commit-lines.js";

/** What git says of a commit. */
export type Commit = Omit<CommitDocument, "repo" | "branches" | "stores" | "claims">;

/** Files of one commit that are kept by name. */
const MOST_FILES = 500;

const MARK = "\x01";
const FIELD = "\x02";
const END = "\x03";
const FORMAT = `${["%x01%H", "%P", "%an", "%ae", "%cn", "%aI", "%cI", "%s", "%b"].join("%x02")}%x03`;

/** Reads commits by their ids, with the files they touched and the lines they added and removed. */
export async function readCommits(folder: string, shas: readonly string[]): Promise<Commit[]> {
  // Git looks at the commits twice, each time with one thread.
  const [lines, raw] = await Promise.all([readCommitLines(folder, shas), rawCommits(folder, shas)]);
  return raw.map(({ header, changes, counts }) => commitOf(header, { changes, counts, lines: lines.get(header[0]!) }));
}

async function rawCommits(folder: string, shas: readonly string[]): Promise<RawCommit[]> {
  const commits: RawCommit[] = [];
  for await (const commit of pieces(folder, shas)) commits.push(commit);
  return commits;
}

/** One commit as it comes out of git. */
interface RawCommit {
  header: string[];
  changes: { status: ChangeStatus; path: string }[];
  counts: { insertions: number; deletions: number };
}

/**
 * With `-z` git gives the header, then for each file `:modes ids status`, its path (for a rename both), then for each
 * file `insertions TAB deletions TAB path` (for a rename an empty path and then both).
 */
async function* pieces(folder: string, shas: readonly string[]): AsyncGenerator<RawCommit> {
  const args = ["log", "--no-walk=unsorted", "--stdin", "-z", `--format=${FORMAT}`, "--raw", "--numstat", "-M"];
  const input = `${shas.join("\n")}\n`;
  let commit: RawCommit | undefined;
  /** Paths that are still to come for the last change, and whether they are of a change or of a count. */
  let due = 0;
  let last: RawCommit["changes"][number] | undefined;
  for await (const piece of gitPieces(folder, [...args, "--no-ext-diff", "--no-textconv"], { input })) {
    const text = piece.toString("utf8");
    if (due > 0) {
      due--;
      // Of a rename the second path is the new one.
      if (last) last.path = text;
      continue;
    }
    if (text.startsWith(MARK)) {
      if (commit) yield commit;
      commit = { header: fieldsOf(text), changes: [], counts: { insertions: 0, deletions: 0 } };
      continue;
    }
    if (!commit) continue;
    const change = /^\n?:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])/.exec(text)?.[1];
    if (change) {
      last = { status: change as ChangeStatus, path: "" };
      commit.changes.push(last);
      due = change === "R" || change === "C" ? 2 : 1;
      continue;
    }
    const count = /^\n?(\d+|-)\t(\d+|-)\t/.exec(text);
    if (!count) continue;
    commit.counts.insertions += Number(count[1]) || 0;
    commit.counts.deletions += Number(count[2]) || 0;
    last = undefined;
    due = count[0].length === text.length ? 2 : 0;
  }
  if (commit) yield commit;
}

/** The body comes last: it may hold anything but NUL. */
function fieldsOf(text: string): string[] {
  const end = text.lastIndexOf(END);
  const parts = text.slice(MARK.length, end < 0 ? undefined : end).split(FIELD);
  return [...parts.slice(0, 8), parts.slice(8).join(FIELD)];
}

function commitOf(
  header: string[],
  { changes, counts, lines }: Pick<RawCommit, "changes" | "counts"> & { lines: CommitLines | undefined },
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
    ...counts,
    ...(lines?.added && { added: lines.added }),
    ...(lines?.removed && { removed: lines.removed }),
    is_cut: changes.length > MOST_FILES || lines?.isCut === true,
  };
}
