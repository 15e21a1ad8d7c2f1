/**
 * From a code query with patterns on lines to the `_search` body that answers it on the index of files. Words and phrases
 * beside the patterns must stand somewhere in the file, its path or its declared names.
 */
import { LINES_FIELD, wantedPatterns } from "./line-patterns.js";
import { any, type Clause } from "./query-clauses.js";
import { type CodeQuery, leavesOf } from "./query-terms.js";
import { wordIn } from "./ranking/word-in.js";
import { conjunction, ofFolders, refuseForCommits } from "./term-clauses.js";
import { behind, linesOfHits, type SearchBody, type SearchOptions } from "./to-search.js";

/** `first`: as the index meets them, so that the search ends with the page, and no total is counted. */
export interface LineSearchOptions extends Omit<SearchOptions, "order"> {
  order?: "best" | "first" | "path";
}

/** Fields that a hit is parsed from, see file-hit.ts. */
export const FILE_HIT_FIELDS = ["repo", "path", "language", "class", "blob", "branches", "in_tree"] as const;

const WORD_FIELDS = ["symbols.text^3", "path.text^2", "body"];
const BY_PATH = [{ path: { order: "asc" } }, { repo: { order: "asc" } }, { blob: { order: "asc" } }];
/** Scores here are those of words in files, mostly between 1 and 20. */
const SOURCE_BOOST = 12;

/** Makes the `_search` body on the index of files. Throws ScopeError for a clause that needs git and has no finding. */
export function toLineSearch(query: CodeQuery, options: LineSearchOptions): SearchBody {
  refuseForCommits(query);
  const parts = { query, word, phrase, lines: LINES_FIELD.files, scopes: options.scopes ?? [] };
  const { must, filter, must_not } = conjunction(query.terms, parts);
  const { order = "best", after } = options;
  const without = [...must_not, ...ofFolders(query)];
  const should =
    order === "best" ? [{ constant_score: { filter: { term: { class: "source" } }, boost: SOURCE_BOOST } }] : [];
  return {
    query: {
      bool: {
        // Without a `must`, Elasticsearch would require one of the `should` clauses.
        ...(must.length > 0 || should.length > 0 ? { must: must.length > 0 ? must : [{ match_all: {} }] } : {}),
        ...(filter.length > 0 ? { filter } : {}),
        ...(without.length > 0 ? { must_not: without } : {}),
        ...(should.length > 0 ? { should } : {}),
      },
    },
    from: options.from,
    size: options.size,
    ...sorting(order, after),
    _source: FILE_HIT_FIELDS,
    ...(wantedPatterns(query).length > 0 ? { ext: linesOfHits(options.lines) } : {}),
  };
}

function sorting(order: "best" | "first" | "path", after?: readonly unknown[]): Pick<SearchBody, "sort"> {
  if (order === "first") return { sort: ["_doc"], ...{ track_total_hits: false } };
  if (order === "path") return { sort: BY_PATH, ...behind(after) };
  return { sort: [{ _score: { order: "desc" } }, ...BY_PATH] };
}

function word(text: string): Clause {
  return wordIn(WORD_FIELDS, text);
}

function phrase(text: string): Clause {
  return any(["body", "path.text"].map((field) => ({ match_phrase: { [field]: { query: text } } })));
}

/** Keys that only declarations have. */
const DECLARATION_KEYS: readonly string[] = ["kind", "def", "sym", "calls", "ref"];

/**
 * Whether a query asks for lines of files: it has a pattern on lines, no key that only declarations have, and does not
 * only take patterns away from what words find.
 */
export function isLineQuery(query: CodeQuery): boolean {
  const leaves = leavesOf(query.terms);
  const isOfDeclarations = leaves.some(
    ({ leaf }) =>
      (leaf.type === "key" && DECLARATION_KEYS.includes(leaf.key)) || (leaf.type === "regex" && leaf.on === "sym"),
  );
  if (isOfDeclarations) return false;
  if (wantedPatterns(query).length > 0) return true;
  const takesAway = leaves.some(
    ({ leaf }) => (leaf.type === "regex" && leaf.on === "lines") || leaf.type === "literal",
  );
  return takesAway && !leaves.some(({ leaf, wanted }) => wanted && (leaf.type === "word" || leaf.type === "phrase"));
}
