import { MOST_SCOPED, type Scope, ScopeError, type ScopeFinding } from "../../code/index.js";
import { GitError, gitPieces, gitText } from "./command.js";
import { workTreeObstacle } from "./obstacle.js";
import { findRepository, type Repository } from "./repository.js";

/** An indexed folder that is on this disk. */
export interface ScopeFolder {
  root: string;
  repo: string;
}

/** What `changed:` and `since:` mean now, and what could not be looked at. */
export interface ScopeFindings {
  findings: ScopeFinding[];
  notes: string[];
  /** Where the files of `changed:` are. */
  changed: { root: string; paths: string[] }[];
}

/** What the findings are for: commits need their ids, code needs paths. */
export type ScopeUse = "code" | "commits";

/**
 * Asks git what the clauses of a query mean in some folders. A folder without git has no changed files. Throws ScopeError
 * when a clause can be answered in none of them; where only some cannot, or nothing is changed, `notes` says so.
 */
export async function resolveScopes(
  folders: readonly ScopeFolder[],
  scopes: readonly Scope[],
  use: ScopeUse,
): Promise<ScopeFindings> {
  const inGit = folders.flatMap((folder) => {
    const repository = findRepository(folder.root);
    return repository ? [{ ...folder, repository }] : [];
  });
  const findings: ScopeFinding[] = [];
  const notes: string[] = [];
  const changed: ScopeFindings["changed"] = [];
  for (const scope of scopes) {
    if (inGit.length === 0) throw new ScopeError(scope, "none of the indexed folders is in a git repository here");
    const finding: ScopeFinding = { ...scope, files: [], commits: [], after: undefined };
    const failures: { repo: string; reason: string }[] = [];
    for (const { root, repo, repository } of inGit) {
      try {
        await addTo(finding, { repo, repository, use });
        if (scope.key === "changed") changed.push({ root, paths: finding.files.at(-1)?.paths ?? [] });
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        failures.push({ repo, reason: error.message });
      }
    }
    if (failures.length === inGit.length) throw new ScopeError(scope, failures[0]!.reason);
    for (const { repo, reason } of failures) notes.push(`${scope.key}:${scope.value} leaves out ${repo}: ${reason}`);
    notes.push(...withoutGit(scope, folders, inGit), ...nothingChanged(finding, use));
    findings.push(finding);
  }
  return { findings, notes, changed };
}

/** Folders that a clause is silent about, for git knows nothing of them. */
function withoutGit({ key, value }: Scope, folders: readonly ScopeFolder[], inGit: readonly ScopeFolder[]): string[] {
  const known = new Set(inGit.map(({ root }) => root));
  const others = folders.filter(({ root }) => !known.has(root)).map(({ repo }) => repo);
  if (others.length === 0) return [];
  const shown = others.slice(0, MOST_NAMED).join(", ");
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : "";
  return [`${key}:${value} leaves out ${shown}${more}: in no git repository here`];
}

const MOST_NAMED = 5;

/** What is asked of no file finds nothing, whatever else the query says. */
function nothingChanged({ key, value, files }: ScopeFinding, use: ScopeUse): string[] {
  if (use === "commits" || files.some(({ paths }) => paths.length > 0)) return [];
  const what = key === "changed" ? "no file differs from the last commit in this way" : "no file has changed since";
  return [`${key}:${value}: ${what}`];
}

async function addTo(
  finding: ScopeFinding,
  at: { repo: string; repository: Repository; use: ScopeUse },
): Promise<void> {
  const { repo, repository, use } = at;
  if (finding.key === "changed") {
    finding.files.push({ repo, paths: await changedFiles(repository, finding.value) });
    return;
  }
  const moment = await momentOf(repository, finding.value);
  if (use === "code") finding.files.push({ repo, paths: await filesSince(repository, moment) });
  else if (moment.kind === "date") finding.after = new Date(moment.seconds * 1000).toISOString();
  else finding.commits.push({ repo, shas: await commitsSince(repository, moment.commit) });
}

/** Paths of the work tree that differ from HEAD, by where they do. */
async function changedFiles(repository: Repository, which: string): Promise<string[]> {
  if (repository.kind === "bare") return [];
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all"];
  const paths: string[] = [];
  for await (const piece of inWorkTree(repository.folder, args)) {
    const text = piece.toString("utf8");
    const [index = " ", tree = " "] = text;
    const isUntracked = index === "?";
    const kinds = [
      ...(isUntracked ? ["untracked"] : []),
      ...(!isUntracked && index !== " " ? ["staged"] : []),
      ...(!isUntracked && tree !== " " ? ["unstaged"] : []),
    ];
    if (which === "all" || kinds.includes(which)) addPath(paths, repository, text.slice(3));
  }
  return paths;
}

/** Somebody waits for the answer, and a file of rules in the work tree may be a pipe, which git waits for without end. */
const MOST_SILENCE_MS = 30_000;

/** What git says of the work tree. Throws GitError where it would wait for ever. */
function inWorkTree(folder: string, args: readonly string[]): AsyncGenerator<Buffer> {
  const obstacle = workTreeObstacle(folder);
  if (obstacle !== "") throw new GitError("ended", `git is not asked: ${obstacle}`);
  return gitPieces(folder, args, { silenceMs: MOST_SILENCE_MS });
}

/** Keeps a path of the work tree that lies in the indexed folder. */
function addPath(paths: string[], { prefix }: Repository, path: string): void {
  if (!path.startsWith(prefix)) return;
  paths.push(path.slice(prefix.length));
  if (paths.length > MOST_SCOPED) throw new GitError("too_much", `more than ${MOST_SCOPED} files have changed`);
}

/** A moment of a repository's history. */
type Moment = { kind: "commit"; commit: string } | { kind: "date"; seconds: number };

const UNITS: Readonly<Record<string, string>> = { h: "hours", d: "days", w: "weeks", m: "months", y: "years" };
/** Git takes any text for a date; only these are taken for one here. */
const DATE =
  /^(\d{4}-\d\d?-\d\d?([T ]\S.*)?|yesterday|today|\d+[ .](second|minute|hour|day|week|month|year)s?[ .]ago)$/i;

const DAYS: Readonly<Record<string, string>> = { today: "midnight", yesterday: "yesterday 00:00:00" };

/** A commit where the text names one, else a date. Throws GitError when it is neither. */
async function momentOf({ folder }: Repository, text: string): Promise<Moment> {
  if (!text.startsWith("-")) {
    const found = await revision(folder, text);
    if (found !== undefined) return { kind: "commit", commit: found };
  }
  const short = /^(\d+)([hdwmy])$/.exec(text);
  const date = short ? `${short[1]} ${UNITS[short[2]!]} ago` : text;
  if (!DATE.test(date)) throw new GitError("failed", "there is no such commit, branch or tag, and it is no date");
  // Git completes a day without a time by the time it is now.
  const whole = DAYS[date.toLowerCase()] ?? (/^\d{4}-\d\d?-\d\d?$/.test(date) ? `${date} 00:00:00` : date);
  const said = await gitText(folder, ["rev-parse", `--since=${whole}`]);
  return { kind: "date", seconds: Number(said.replace("--max-age=", "")) };
}

async function revision(folder: string, text: string): Promise<string | undefined> {
  try {
    return await gitText(folder, ["rev-parse", "--verify", "--quiet", `${text}^{commit}`]);
  } catch (error) {
    // Quiet: no such revision is no message, anything else is.
    if (error instanceof GitError && error.git === "ended" && !error.message.includes(": ")) return undefined;
    throw error;
  }
}

/** Files that differ now from what they were at a moment: of a commit, since the last one that HEAD has in common with it. */
async function filesSince(repository: Repository, moment: Moment): Promise<string[]> {
  const { folder, kind } = repository;
  const base = moment.kind === "commit" ? await commonBase(folder, moment.commit) : await lastBefore(folder, moment);
  const paths: string[] = [];
  const target = kind === "bare" ? ["HEAD"] : [];
  const options = ["-z", "--name-only", "--no-renames", "--ignore-submodules=all", "--no-ext-diff", "--no-textconv"];
  for await (const piece of (kind === "bare" ? gitPieces : inWorkTree)(folder, [
    "diff",
    ...options,
    base,
    ...target,
    "--",
  ])) {
    addPath(paths, repository, piece.toString("utf8"));
  }
  if (kind === "bare") return paths;
  for await (const piece of inWorkTree(folder, ["ls-files", "-z", "--others", "--exclude-standard"])) {
    addPath(paths, repository, piece.toString("utf8"));
  }
  return paths;
}

async function commonBase(folder: string, commit: string): Promise<string> {
  try {
    return (await gitText(folder, ["merge-base", commit, "HEAD"])) || commit;
  } catch (error) {
    // Histories without a common commit, or one that is cut off by a shallow clone.
    if (error instanceof GitError && error.git === "ended") return commit;
    throw error;
  }
}

async function lastBefore(folder: string, { seconds }: { seconds: number }): Promise<string> {
  const commit = await gitText(folder, ["rev-list", "--max-count=1", `--before=${seconds - 1}`, "HEAD"]);
  // Before the first commit there was the tree without anything, whose id depends on the repository's kind of hash.
  return commit || gitText(folder, ["hash-object", "-t", "tree", "--stdin"]);
}

async function commitsSince({ folder }: Repository, commit: string): Promise<string[]> {
  const shas: string[] = [];
  const args = ["rev-list", `--max-count=${MOST_SCOPED + 1}`, "HEAD", "--branches", `^${commit}`];
  for await (const piece of gitPieces(folder, args, { ending: 10 })) shas.push(piece.toString("latin1"));
  if (shas.length > MOST_SCOPED) throw new GitError("too_much", `there are more than ${MOST_SCOPED} commits`);
  return shas;
}
