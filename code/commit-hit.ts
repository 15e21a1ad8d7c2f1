import type { CommitDocument } from "./documents.js";
import { HitError } from "./hit.js";

/** A commit as a search gives it; lines only where they were searched. */
export type CommitHit = Pick<
  CommitDocument,
  | "repo"
  | "sha"
  | "author"
  | "commit_date"
  | "subject"
  | "body"
  | "changes"
  | "files_count"
  | "insertions"
  | "deletions"
> & { branches: string[]; is_cut: boolean; added: string; removed: string };

/** A page of commits, and how many there are in all. */
export interface CommitHits {
  total: number;
  hits: CommitHit[];
}

/** Reads a `_search` answer on the index of commits. Throws HitError for one that has another shape. */
export function parseCommits(response: unknown): CommitHits {
  const { hits } = (response ?? {}) as {
    hits?: { total?: { value?: number } | number; hits?: { _source?: object }[] };
  };
  if (!hits || !Array.isArray(hits.hits)) throw new HitError("the answer has no list of commits");
  const total = typeof hits.total === "number" ? hits.total : (hits.total?.value ?? hits.hits.length);
  return { total, hits: hits.hits.map(({ _source }) => parseCommit(_source)) };
}

function parseCommit(source: Partial<CommitHit> = {}): CommitHit {
  if (typeof source.sha !== "string" || typeof source.subject !== "string") throw new HitError("a commit has no sha");
  const texts = { repo: "", author: "", commit_date: "", body: "", added: "", removed: "" };
  const counts = { changes: [], files_count: 0, insertions: 0, deletions: 0, branches: [], is_cut: false };
  return { ...texts, ...counts, ...source, sha: source.sha, subject: source.subject };
}

/** `1a2b3c4d5e6f 2024-01-31 Ada: subject (3 files, +10 -2)`. */
export function commitLine({ sha, commit_date, author, subject, ...counts }: CommitHit): string {
  const { files_count: files, insertions, deletions } = counts;
  const size = files === 0 ? "" : ` (${files} ${files === 1 ? "file" : "files"}, +${insertions} -${deletions})`;
  return `${sha.slice(0, 12)} ${commit_date.slice(0, 10)} ${author}: ${subject}${size}`;
}

/** The lines of a commit that have a word of the query in them, with the mark of a diff; at most `count` of each side. */
export function commitLinesWith({ added, removed }: CommitHit, wanted: readonly string[], count: number): string[] {
  const words = wanted.map((word) => word.toLowerCase());
  const matching = (text: string, mark: string) =>
    text
      .split("\n")
      .filter((line) => words.some((word) => line.toLowerCase().includes(word)))
      .slice(0, count)
      .map((line) => `${mark} ${line.trim()}`);
  return [...matching(removed, "-"), ...matching(added, "+")];
}
