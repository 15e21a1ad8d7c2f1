import path from "node:path";
import { lookAt } from "../walk/index.js";
import { GitError, gitPieces, gitText, runGit } from "./command.js";
import { findRepository, type Repository } from "./repository.js";

/** Who wrote a line, and where it was when it came in. */
export interface BlamedLine {
  /** Line of the file now, 1-based. */
  line: number;
  text: string;
  /** All zeros for a line that is not committed yet. */
  sha: string;
  author: string;
  authorEmail: string;
  /** ISO 8601. */
  date: string;
  subject: string;
  /** Path and line in that commit. */
  path: string;
  originalLine: number;
  /** The oldest commit that is there: of a shallow clone, the line may be older. */
  isBoundary: boolean;
}

/** The commit that brought something in. */
export interface Introduction {
  sha: string;
  author: string;
  authorEmail: string;
  date: string;
  subject: string;
  /** How it was found: by the history of a function, or by the oldest line of a range. */
  by: "history of lines" | "oldest line";
}

/** Lines of a file, 1-based, inclusive. */
export interface LineSpan {
  file: string;
  first: number;
  last: number;
}

/** Most lines that are asked about at once. */
export const MOST_LINES = 5000;
const NOT_COMMITTED = /^0+$/;

/** The commits that the lines of a file as it is on disk come from. Throws GitError. */
export async function blameLines({ file, first, last }: LineSpan): Promise<BlamedLine[]> {
  if (last - first >= MOST_LINES) throw new GitError("too_much", `at most ${MOST_LINES} lines at once`);
  const { repository, inside } = placeOf(file);
  const args = ["blame", "--line-porcelain", "-w", "-L", `${first},${last}`, "--", inside];
  const lines: BlamedLine[] = [];
  let facts: Record<string, string> = {};
  for await (const piece of gitPieces(repository.folder, args, { ending: 10 })) {
    const text = piece.toString("utf8");
    const head = /^([0-9a-f]{40,64}) (\d+) (\d+)/.exec(text);
    if (text.startsWith("\t")) {
      lines.push(lineOf(facts, text.slice(1)));
      facts = {};
    } else if (head && facts.sha === undefined) facts = { sha: head[1]!, original: head[2]!, line: head[3]! };
    else {
      const space = text.indexOf(" ");
      facts[space < 0 ? text : text.slice(0, space)] = space < 0 ? "yes" : text.slice(space + 1);
    }
  }
  return lines;
}

function lineOf(facts: Record<string, string>, text: string): BlamedLine {
  const isOpen = NOT_COMMITTED.test(facts.sha ?? "");
  return {
    line: Number(facts.line),
    text,
    sha: facts.sha ?? "",
    author: isOpen ? "" : (facts.author ?? ""),
    authorEmail: isOpen ? "" : (facts["author-mail"] ?? "").replace(/^<|>$/g, ""),
    date: new Date(Number(facts["author-time"]) * 1000).toISOString(),
    subject: isOpen ? "not committed yet" : (facts.summary ?? ""),
    path: facts.filename ?? "",
    originalLine: Number(facts.original),
    isBoundary: facts.boundary !== undefined,
  };
}

/**
 * The commit that brought a run of lines in, by following them back (`git log -L`), through renames of nothing but the
 * file. Lines that were moved here count as new here. Nothing when they are not committed. Throws GitError.
 */
export async function introducedBy(span: LineSpan): Promise<Introduction | undefined> {
  const lines = await blameLines(span);
  const committed = lines.filter(({ sha }) => !NOT_COMMITTED.test(sha));
  if (committed.length === 0) return undefined;
  const followed = await followLines(span, committed);
  if (followed) return followed;
  const [first] = [...committed].sort((a, b) => (a.date < b.date ? -1 : 1));
  const { sha, author, authorEmail, date, subject } = first!;
  return { sha, author, authorEmail, date, subject, by: "oldest line" };
}

/** `log -L` knows only committed files: it is asked where no line of the file is other than in HEAD. */
async function followLines(
  { file, first, last }: LineSpan,
  committed: readonly BlamedLine[],
): Promise<Introduction | undefined> {
  const { repository, inside } = placeOf(file);
  if (committed.length !== last - first + 1 || (await hasChanged(repository, inside))) return undefined;
  const format = "--format=%x01%H%x02%an%x02%ae%x02%aI%x02%s";
  const args = ["log", "-s", format, `-L${first},${last}:./${inside}`];
  const text = await gitText(repository.folder, args, { timeoutMs: 30_000 }).catch((error: unknown) => {
    if (error instanceof GitError) return "";
    throw error;
  });
  const oldest = text.split("\x01").at(-1) ?? "";
  const [sha, author = "", authorEmail = "", date = "", subject = ""] = oldest.trimEnd().split("\x02");
  return sha ? { sha, author, authorEmail, date, subject, by: "history of lines" } : undefined;
}

async function hasChanged({ folder }: Repository, inside: string): Promise<boolean> {
  return (
    (await runGit(folder, ["diff", "--name-only", "--no-ext-diff", "--no-textconv", "HEAD", "--", inside])).length > 0
  );
}

function placeOf(file: string): { repository: Repository; inside: string } {
  const folder = path.dirname(path.resolve(file));
  if (!lookAt(file, "follow")?.isFile()) throw new GitError("failed", `there is no file ${file}`);
  const repository = findRepository(folder);
  if (!repository || repository.kind === "bare") throw new GitError("failed", `${file} is in no git work tree`);
  const inside = path.relative(repository.folder, path.resolve(file)).split(path.sep).join("/");
  return { repository, inside };
}
