/** Searches of commits: which queries are one, and the `_search` body they become on the index of commits. */
import { printQuery } from "./grammar/print.js";
import { any, type Clause, pathClause, patternClause } from "./query-clauses.js";
import type { QueryKey } from "./query-keys.js";
import { type CodeQuery, leavesOf, type QueryLeaf, type QueryTerm, valuesOf } from "./query-terms.js";
import { wordIn } from "./ranking/word-in.js";
import { commitsClause, findingFor, type ScopeFinding } from "./scope.js";

/** A clause that does not go with the others; the message names it. */
export class CommitQueryError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "CommitQueryError";
  }
}

/** Whether a query asks for commits: `type:commit`, `diff:` or `author:`. */
export function isCommitQuery({ terms }: CodeQuery): boolean {
  return leavesOf(terms).some(({ leaf, wanted }) => {
    if (leaf.type !== "key" || !wanted) return false;
    return leaf.key === "diff" || leaf.key === "author" || (leaf.key === "type" && leaf.values.includes("commit"));
  });
}

/** A page of commits. */
export interface CommitSearchOptions {
  from: number;
  size: number;
  scopes?: readonly ScopeFinding[];
}

/** Where a word may stand in a commit, and in one whose lines are asked for. */
const FIELDS = ["subject^3", "body", "author.text^2", "author_email.text", "files.text"];

/** Fields that a commit is shown from. */
const SHOWN = ["repo", "sha", "author", "commit_date", "subject", "body", "changes", "files_count"];
const COUNTS = ["insertions", "deletions", "branches", "is_cut"];

/** Makes the `_search` body on the index of commits. Throws CommitQueryError, ScopeError. */
export function toCommitSearch(query: CodeQuery, options: CommitSearchOptions): Clause & { size: number } {
  if (query.terms.some((term) => term.type === "key" && term.key === "type" && term.negated))
    throw new CommitQueryError("-type: cannot be taken away: write type:code or type:commit");
  const sides = valuesOf(query, "diff");
  const clauseOf = (term: QueryTerm) => clauseFor(term, sides, options.scopes ?? []);
  const wanted = query.terms.filter((term) => !term.negated);
  const must = wanted.filter((term) => term.type !== "key").map(clauseOf);
  const filter = wanted.filter((term) => term.type === "key").map(clauseOf);
  const must_not = query.terms.filter((term) => term.negated).map(clauseOf);
  const lines = must.length === 0 ? [] : sides;
  return {
    query: { bool: { must: must.length > 0 ? must : [{ match_all: {} }], filter, must_not } },
    from: options.from,
    size: options.size,
    track_total_hits: true,
    // Without words all score the same, so that the latest come first.
    sort: [{ _score: { order: "desc" } }, { commit_date: { order: "desc" } }, { sha: { order: "asc" } }],
    _source: [...SHOWN, ...COUNTS, ...lines],
  };
}

function clauseFor(term: QueryTerm, sides: readonly string[], findings: readonly ScopeFinding[]): Clause {
  if (term.type !== "group") return leafClause(term, sides, findings);
  return any(
    term.any.map((branch) => ({
      bool: {
        must: branch.filter(({ negated }) => !negated).map((each) => clauseFor(each, sides, findings)),
        must_not: branch.filter(({ negated }) => negated).map((each) => clauseFor(each, sides, findings)),
      },
    })),
  );
}

function leafClause(term: QueryLeaf, sides: readonly string[], findings: readonly ScopeFinding[]): Clause {
  if (term.type === "regex" || term.type === "literal")
    throw new CommitQueryError(`${printQuery({ terms: [term] })} is looked for on lines of code, not in commits`);
  if (term.type === "key") return any(term.values.map((value) => keyClause(term.key, value, findings)));
  const fields = sides.length > 0 ? sides : FIELDS;
  const found =
    term.type === "phrase" ? { multi_match: { query: term.text, type: "phrase", fields } } : wordIn(fields, term.text);
  const isId = sides.length === 0 && /^[0-9a-f]{7,40}$/i.test(term.text);
  return isId ? any([found, { prefix: { sha: term.text.toLowerCase() } }]) : found;
}

/** Keys that mean something of a commit. */
const KEYS: Partial<Record<QueryKey, (value: string) => Clause>> = {
  author: (value) => ({
    multi_match: { query: value, fields: ["author.text", "author_email.text"], operator: "and", type: "best_fields" },
  }),
  branch: (value) => patternClause("branches", value),
  diff: (value) => ({ exists: { field: value } }),
  path: (value) => renamed(pathClause(value), { path: "files", "path.text": "files.text" }),
  repo: (value) => patternClause("repo", value),
};

function keyClause(key: QueryKey, value: string, findings: readonly ScopeFinding[]): Clause {
  if (key === "since") return commitsClause(findingFor({ key, value }, findings));
  if (key === "type" && value === "commit") return { match_all: {} };
  const clause = KEYS[key];
  if (clause) return clause(value);
  const known = [...Object.keys(KEYS), "since", "type"].sort().map((name) => `${name}:`);
  throw new CommitQueryError(`${key}:${value} means nothing of a commit; keys for commits are ${known.join(" ")}`);
}

/** The same clause on other fields. */
function renamed(clause: Clause, names: Readonly<Record<string, string>>): Clause {
  const entries = Object.entries(clause).map(([key, value]) => [names[key] ?? key, renamedValue(value, names)]);
  return Object.fromEntries(entries) as Clause;
}

function renamedValue(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamedValue(one, names));
  return typeof value === "object" && value !== null ? renamed(value as Clause, names) : value;
}
