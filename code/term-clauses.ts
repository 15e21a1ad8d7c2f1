/** From terms to clauses, for any index of code: how conjunctions, groups and signs become `bool` queries. */
import { CommitQueryError } from "./commit-query.js";
import { linePattern, linesClause, valueClause } from "./line-patterns.js";
import { any, type Clause, keyClause, notWindow, type PlainKey } from "./query-clauses.js";
import { type CodeQuery, leavesOf, type QueryGroup, type QueryLeaf, type QueryTerm } from "./query-terms.js";
import { filesClause, findingFor, type ScopeFinding } from "./scope.js";

/** What terms mean on one index. */
export interface ClauseOptions {
  query: CodeQuery;
  /** Clause of a word, and of a phrase: these count in the score. */
  word: (text: string) => Clause;
  phrase: (text: string) => Clause;
  /** Field that is searched by lines. */
  lines: string;
  scopes: readonly ScopeFinding[];
}

/** The parts of a `bool` query. */
export interface BoolParts {
  /** What counts in the score. */
  must: Clause[];
  filter: Clause[];
  must_not: Clause[];
}

/** What no folder has is found only by those who ask for a branch. Documents of earlier versions do not have the field. */
const ELSEWHERE: Clause = { term: { in_tree: false } };

/** The clauses of terms that must all hold. Throws ScopeError for a clause that needs git and has no finding. */
export function conjunction(terms: readonly QueryTerm[], options: ClauseOptions): BoolParts {
  const meant = terms.filter((term) => term.type !== "key" || !SAID_ELSEWHERE.includes(term.key));
  const clauses = (some: readonly QueryTerm[]) => some.map((term) => termClause(term, options));
  const wanted = meant.filter((term) => !term.negated);
  return {
    must: clauses(wanted.filter((term) => isScored(term, options))),
    filter: clauses(wanted.filter((term) => !isScored(term, options))),
    must_not: clauses(meant.filter((term) => term.negated)),
  };
}

/** Clauses that keep out what only other branches have; none where a branch is asked for. */
export function ofFolders({ terms }: CodeQuery): Clause[] {
  const asksForBranch = leavesOf(terms).some(
    ({ leaf, wanted }) => wanted && leaf.type === "key" && leaf.key === "branch",
  );
  return asksForBranch ? [] : [ELSEWHERE];
}

/** `type:code` says what is so anyway; what only commits have must not be ignored. */
export function refuseForCommits({ terms }: CodeQuery): void {
  for (const { leaf, wanted } of leavesOf(terms)) {
    if (leaf.type !== "key") continue;
    if (leaf.key === "type" && !wanted)
      throw new CommitQueryError("-type: cannot be taken away: write type:code or type:commit");
    if (leaf.key === "author" || leaf.key === "diff")
      throw new CommitQueryError(`${wanted ? "" : "-"}${leaf.key}: is for commits: add type:commit`);
  }
}

/** Keys that are no clause: they choose the index, or say how others are meant. */
const SAID_ELSEWHERE: readonly string[] = ["type", "case", "word"];

/** Whether a term counts in the score: words and phrases do, and groups that hold some. */
function isScored(term: QueryTerm, { query }: ClauseOptions): boolean {
  return leavesOf([term]).some(
    ({ leaf }) => (leaf.type === "word" || leaf.type === "phrase") && linePattern(leaf, query) === undefined,
  );
}

function termClause(term: QueryTerm, options: ClauseOptions): Clause {
  return term.type === "group" ? groupClause(term, options) : leafClause(term, options);
}

function groupClause({ any: branches }: QueryGroup, options: ClauseOptions): Clause {
  return any(branches.map((branch) => branchClause(conjunction(branch, options))));
}

function branchClause({ must, filter, must_not }: BoolParts): Clause {
  if (must.length === 1 && filter.length + must_not.length === 0) return must[0];
  const parts = Object.entries({ must, filter, must_not }).filter(([, clauses]) => clauses.length > 0);
  return { bool: Object.fromEntries(parts) };
}

function leafClause(leaf: QueryLeaf, options: ClauseOptions): Clause {
  const pattern = linePattern(leaf, options.query);
  if (pattern !== undefined) return linesClause(options.lines, pattern);
  if (leaf.type === "regex") return regexClause(leaf);
  if (leaf.type === "word") return options.word(leaf.text);
  if (leaf.type !== "key") return options.phrase(leaf.text);
  const { key, values } = leaf;
  if (key === "changed" || key === "since")
    return any(values.map((value) => filesClause(findingFor({ key, value }, options.scopes))));
  return keyClause(key as PlainKey, values);
}

/** A `/regex/` on a path, a repository or a declared name. */
function regexClause(leaf: Extract<QueryLeaf, { type: "regex" }>): Clause {
  if (leaf.on === "sym") return notWindow(any([valueClause("name", leaf), valueClause("qualified_name", leaf)]));
  return valueClause(leaf.on, leaf);
}
