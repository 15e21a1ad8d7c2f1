/**
 * Clauses that only git can answer. This folder knows no files: whoever searches asks `scopesOf` what a query needs, has
 * it found out where the folders are (autoindex/git/scopes.ts), and gives the findings to `toSearch`.
 */
import { momentFault } from "./moment.js";
import { any, type Clause } from "./query-clauses.js";
import { type CodeQuery, leavesOf } from "./query-terms.js";

/** What a clause asks for: `changed:staged`, `since:v1.2`. */
export interface Scope {
  key: "changed" | "since";
  value: string;
}

/** What a clause means now. */
export interface ScopeFinding extends Scope {
  /** The files by repository; none where nothing has changed. */
  files: { repo: string; paths: string[] }[];
  /** For searches of commits: those since then, by repository, or all since a moment (ISO 8601). */
  commits: { repo: string; shas: string[] }[];
  after: string | undefined;
}

/** Files or commits that one clause may name together: Elasticsearch takes 65,536 terms. */
export const MOST_SCOPED = 50_000;

/** A clause that cannot be answered; the message names it. */
export class ScopeError extends Error {
  readonly key: Scope["key"];
  readonly value: string;

  constructor({ key, value }: Scope, reason: string) {
    super(`${key}:${value}: ${reason}`);
    this.name = "ScopeError";
    this.key = key;
    this.value = value;
  }
}

/** The clauses of a query that need git, each once. Throws ScopeError for one that git need not be asked about. */
export function scopesOf(query: CodeQuery): Scope[] {
  const scopes = leavesOf(query.terms).flatMap(({ leaf }) => {
    if (leaf.type !== "key" || (leaf.key !== "changed" && leaf.key !== "since")) return [];
    const { key } = leaf;
    return leaf.values.map((value) => ({ key, value }));
  });
  for (const scope of scopes) refuseNoMoment(scope);
  return [...new Map(scopes.map((scope) => [`${scope.key}:${scope.value}`, scope])).values()];
}

function refuseNoMoment(scope: Scope): void {
  const fault = scope.key === "since" ? momentFault(scope.value) : undefined;
  if (fault !== undefined) throw new ScopeError(scope, fault);
}

/** The finding for a clause. Throws ScopeError when there is none. */
export function findingFor(scope: Scope, findings: readonly ScopeFinding[]): ScopeFinding {
  refuseNoMoment(scope);
  const found = findings.find(({ key, value }) => key === scope.key && value === scope.value);
  if (!found) throw new ScopeError(scope, "it needs the folders and their git, which are not at hand here");
  return found;
}

/** Documents of the files of a finding. */
export function filesClause(finding: ScopeFinding): Clause {
  check(finding, finding.files, (one) => one.paths);
  const clauses = finding.files
    .filter(({ paths }) => paths.length > 0)
    .map(({ repo, paths }) => ({ bool: { filter: [{ term: { repo } }, { terms: { path: paths } }] } }));
  return any(clauses);
}

/** Commits of a finding. */
export function commitsClause(finding: ScopeFinding): Clause {
  if (finding.after !== undefined) return { range: { commit_date: { gte: finding.after } } };
  check(finding, finding.commits, (one) => one.shas);
  const clauses = finding.commits
    .filter(({ shas }) => shas.length > 0)
    .map(({ repo, shas }) => ({ bool: { filter: [{ term: { repo } }, { terms: { sha: shas } }] } }));
  return any(clauses);
}

function check<T>(scope: Scope, all: readonly T[], listed: (one: T) => readonly string[]): void {
  const count = all.reduce((sum, one) => sum + listed(one).length, 0);
  if (count > MOST_SCOPED)
    throw new ScopeError(scope, `it names more than ${MOST_SCOPED} things: ask for less at once`);
}
