/**
 * From a code query to the `_search` body that answers it on the declarations index. The body can be sent by hand to any
 * Elasticsearch or OpenSearch that holds the index, and gives the same hits.
 *
 * What must hold is in `must`, `filter` and `must_not`; the order is made in `should`, see ranking/order.ts.
 */
import { LINES_FIELD, linePattern, wantedPatterns } from "./line-patterns.js";
import type { Clause } from "./query-clauses.js";
import type { CodeQuery, QueryTerm } from "./query-terms.js";
import { ORDER, orderClauses } from "./ranking/order.js";
import { readProse } from "./ranking/prose.js";
import { proseClauses } from "./ranking/prose-clauses.js";
import { textClause, wordClause, wordClauses } from "./ranking/word-clauses.js";
import type { ScopeFinding } from "./scope.js";
import { type ClauseOptions, conjunction, ofFolders, refuseForCommits } from "./term-clauses.js";

/** A page of hits, and whether all words are asked for or only most of them. */
export interface SearchOptions {
  from: number;
  size: number;
  words: "all" | "most";
  /** What the clauses mean that only git can answer, see scope.ts. */
  scopes?: readonly ScopeFinding[];
  /** Which lines to give of hits that patterns found. */
  lines?: LineOptions;
  /** `best`: source first, then by score and path. `path`: by path, to go on behind the last hit of a page (`after`). */
  order?: "best" | "path";
  /** Sort values of the last hit seen, with `path`. */
  after?: readonly unknown[];
}

/** Lines given of one hit. */
export interface LineOptions {
  size: number;
  /** Lines around each. */
  before: number;
  after: number;
  /** A longer line is cut, in UTF-8 bytes. */
  maxLineBytes: number;
}

/** What is given of a hit unless told otherwise. */
const SOME_LINES: LineOptions = { size: 20, before: 0, after: 0, maxLineBytes: 1000 };

/** A `_search` body, ready to be sent. */
export interface SearchBody {
  query: Clause;
  from: number;
  size: number;
  sort: readonly (Clause | string)[];
  _source: readonly string[];
  track_total_hits?: boolean;
  search_after?: readonly unknown[];
  ext?: Clause;
}

/** Fields that a hit is parsed from, see hit.ts. */
export const HIT_FIELDS = [
  "repo",
  "path",
  "language",
  "class",
  "blob",
  "kind",
  "name",
  "qualified_name",
  "signature",
  "docstring",
  "code",
  "start_line",
  "end_line",
  "start_byte",
  "end_byte",
  "comment",
  "doc_start_line",
  "span",
  "locator",
  "branches",
  "in_tree",
] as const;

/** Makes the `_search` body of a query. Throws ScopeError for a clause that needs git and has no finding. */
export function toSearch(query: CodeQuery, options: SearchOptions): SearchBody {
  refuseForCommits(query);
  const lines = LINES_FIELD.declarations;
  const parts: ClauseOptions = { query, word: wordClause, phrase: textClause, lines, scopes: options.scopes ?? [] };
  // Words that are looked for on lines order hits as others do, but do not filter by what the index cuts them to.
  const cut = query.terms.filter((term) => isWord(term) && linePattern(term, query) === undefined);
  const { must, filter, must_not } = conjunction(
    query.terms.filter((term) => !cut.includes(term)),
    parts,
  );
  const prose = query.prose === undefined ? undefined : proseClauses(readProse(query.prose));
  const all = [...wordClauses(wordsOf(cut), options.words), ...must, ...(prose === undefined ? [] : [prose.must])];
  const without = [...must_not, ...ofFolders(query)];
  return {
    query: {
      bool: {
        // Without a `must`, Elasticsearch would make one of the `should` clauses required.
        must: all.length > 0 ? all : [{ match_all: {} }],
        ...(filter.length > 0 ? { filter } : {}),
        ...(without.length > 0 ? { must_not: without } : {}),
        should: prose?.should ?? order(query.terms),
      },
    },
    from: options.from,
    size: options.size,
    ...(options.order === "path" ? { sort: BY_PLACE, ...behind(options.after) } : { sort: ORDER }),
    _source: HIT_FIELDS,
    ...(wantedPatterns(query).length > 0 ? { ext: linesOfHits(options.lines) } : {}),
  };
}

/** By where they stand; the last keys tell apart what stands at one place, so that no hit falls between two pages. */
const BY_PLACE = ["path", "repo", "blob", "start_byte", "end_byte", "kind", "qualified_name"].map((field) => ({
  [field]: { order: "asc" },
}));

/** What makes a page begin behind the last hit seen. */
export function behind(after: readonly unknown[] | undefined): Pick<SearchBody, "search_after"> {
  return after === undefined ? {} : { search_after: after };
}

/** What a body asks for beside each hit: the lines that patterns found. */
export function linesOfHits({ size, before, after, maxLineBytes }: LineOptions = SOME_LINES): Clause {
  return { matching_lines: { size, before, after, max_line_bytes: maxLineBytes } };
}

type Word = Extract<QueryTerm, { type: "word" }>;

function isWord(term: QueryTerm): term is Word {
  return term.type === "word" && !term.negated;
}

function wordsOf(terms: readonly QueryTerm[]): string[] {
  return terms.filter(isWord).map((term) => term.text);
}

/** What orders the hits of terms; of each side of an `or` as if it were asked alone, and no clause twice. */
function order(terms: readonly QueryTerm[]): Clause[] {
  const own = orderClauses({ words: wordsOf(terms), named: namesOf(terms) });
  const sides = terms.flatMap((term) => (term.type === "group" && !term.negated ? term.any.flatMap(order) : []));
  return [...new Map([...own, ...sides].map((clause) => [JSON.stringify(clause), clause])).values()];
}

/** Names that `def:` and `sym:` ask for. */
function namesOf(terms: readonly QueryTerm[]): string[] {
  return terms.flatMap((term) =>
    term.type === "key" && !term.negated && (term.key === "sym" || term.key === "def") ? term.values : [],
  );
}
