/**
 * From a code query to the `_search` body that answers it on the declarations index. The body can be sent by hand to any
 * Elasticsearch or OpenSearch that holds the index, and gives the same hits.
 *
 * What must hold is in `must`, `filter` and `must_not`; the order is made in `should`, definitions first: a name that is
 * exactly the word, then names with all words in them, then signature, documentation and code. Kinds and file classes
 * add constants, so that `explain` shows each of them.
 */
import { identifiersOf, partsOf } from "./identifier.js";
import { LEADING_KINDS, SECONDARY_CLASSES, TEXT_KINDS } from "./kinds.js";
import type { CodeQuery, QueryTerm } from "./query.js";
import { type Clause, keyClause, textClause, wordClause } from "./query-clauses.js";

/** A page of hits, and whether all words are asked for or only most of them. */
export interface SearchOptions {
  from: number;
  size: number;
  words: "all" | "most";
}

/** A `_search` body, ready to be sent. */
export interface SearchBody {
  query: Clause;
  from: number;
  size: number;
  sort: readonly Clause[];
  _source: readonly string[];
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
] as const;

/** By score; equal ones by where they stand, so that the same question has the same answer on every cluster. */
const ORDER: readonly Clause[] = [
  { _score: { order: "desc" } },
  { path: { order: "asc" } },
  { start_byte: { order: "asc" } },
  { end_byte: { order: "desc" } },
  { repo: { order: "asc" } },
];

/** Constants added to the score. BM25 sums here are mostly between 5 and 40. */
const BOOST = {
  exactQualifiedName: 30,
  exactName: 24,
  joinedName: 18,
  allWordsInName: 10,
  leadingKind: 3,
  anyDeclaration: 2,
  source: 12,
} as const;

/** Makes the `_search` body of a query. */
export function toSearch(query: CodeQuery, options: SearchOptions): SearchBody {
  const wanted = query.terms.filter((term) => !term.negated);
  const words = wanted.filter((term) => term.type === "word").map((term) => term.text);
  const must = [...wordClauses(words, options.words), ...wanted.filter((term) => term.type === "phrase").map(clauseOf)];
  const filter = wanted.filter((term) => term.type === "key").map(clauseOf);
  const must_not = query.terms.filter((term) => term.negated).map(clauseOf);
  return {
    query: {
      bool: {
        // Without a `must`, Elasticsearch would make one of the `should` clauses required.
        must: must.length > 0 ? must : [{ match_all: {} }],
        ...(filter.length > 0 ? { filter } : {}),
        ...(must_not.length > 0 ? { must_not } : {}),
        should: [...nameClauses(words), ...namedByKey(wanted), ...kindClauses()],
      },
    },
    from: options.from,
    size: options.size,
    sort: ORDER,
    _source: HIT_FIELDS,
  };
}

/** Share of the words that "most" asks for. */
const MOST = 0.6;

function wordClauses(words: string[], mode: SearchOptions["words"]): Clause[] {
  const clauses = words.map(wordClause);
  if (mode === "all" || clauses.length < 2) return clauses;
  return [{ bool: { should: clauses, minimum_should_match: Math.max(1, Math.floor(clauses.length * MOST)) } }];
}

function clauseOf(term: QueryTerm): Clause {
  if (term.type === "word") return wordClause(term.text);
  return term.type === "phrase" ? textClause(term.text) : keyClause(term.key, term.values);
}

function constant(filter: Clause, boost: number): Clause {
  return { constant_score: { filter, boost } };
}

function nameClauses(words: string[]): Clause[] {
  if (words.length === 0) return [];
  const identifiers = words.map(identifiersOf);
  const names = [...new Set([...words, ...identifiers.map((parts) => parts[parts.length - 1])])];
  const qualified = identifiers.map((parts) => parts.join("."));
  // A name that is one of several words answers a part of the question: `create server` means createServer, not server.
  const part = 1 / words.length ** 2;
  const clauses = [
    constant({ terms: { name: names } }, BOOST.exactName * part),
    constant({ terms: { qualified_name: qualified } }, BOOST.exactQualifiedName * part),
    constant({ match: { "name.text": { query: words.join(" "), operator: "and" } } }, BOOST.allWordsInName),
  ];
  const joined = joinedNames(words);
  if (joined.length > 0) clauses.push(constant({ terms: { name: joined } }, BOOST.joinedName));
  return clauses.map(ofDefinitions);
}

/** `def:` and `sym:` filter; this orders what they let through. */
function namedByKey(wanted: QueryTerm[]): Clause[] {
  const names = wanted.flatMap((term) =>
    term.type === "key" && (term.key === "sym" || term.key === "def") ? term.values : [],
  );
  return names.length === 0 ? [] : [constant({ terms: { name: names } }, BOOST.exactName)];
}

/** `read timeout handler` as one name: readTimeoutHandler, ReadTimeoutHandler, read_timeout_handler, and so on. */
function joinedNames(words: string[]): string[] {
  const parts = words.flatMap(partsOf);
  if (words.length < 2 || words.length > 6 || parts.length === 0) return [];
  const capital = parts.map((part) => part[0].toUpperCase() + part.slice(1));
  return [
    parts[0] + capital.slice(1).join(""),
    capital.join(""),
    parts.join("_"),
    parts.join("_").toUpperCase(),
    parts.join("-"),
  ];
}

function kindClauses(): Clause[] {
  return [
    constant({ terms: { kind: [...LEADING_KINDS] } }, BOOST.leadingKind),
    constant({ bool: { must_not: [{ terms: { kind: [...TEXT_KINDS] } }] } }, BOOST.anyDeclaration),
    constant({ term: { class: "source" } }, BOOST.source),
  ];
}

/**
 * Only where a name is a definition that may be meant: a window is called as its file, a section as its heading, a test
 * as what it says, and what tests, vendored and generated files define is found but not put first.
 */
function ofDefinitions(clause: Clause): Clause {
  const must_not = [{ terms: { kind: [...TEXT_KINDS, "test"] } }, { terms: { class: [...SECONDARY_CLASSES] } }];
  return { bool: { must: [clause], must_not } };
}
