/** One query clause for one term of a code query. Only query kinds that every Elasticsearch has are used. */
import { TEXT_KINDS } from "./kinds.js";
import { languageNames } from "./language-names.js";
import { dottedName } from "./own-name.js";
import type { QueryKey } from "./query-keys.js";

/** Query DSL, as it is sent. */
export type Clause = Readonly<Record<string, unknown>>;

/** Where a word may stand, with how much it counts there. */
const WORD_FIELDS = ["name.text^5", "qualified_name.text^2", "signature^2", "docstring^1.5", "code", "path.text"];
const PHRASE_FIELDS = { "name.text": 5, signature: 2, docstring: 1.5, code: 1, "path.text": 1 };
/** How much the fields count that are not the best one. */
const TIE_BREAKER = 0.3;

/** All parts of a word in one of the fields. */
export function wordClause(word: string): Clause {
  return {
    multi_match: { query: word, type: "best_fields", fields: WORD_FIELDS, operator: "and", tie_breaker: TIE_BREAKER },
  };
}

/** The words of a phrase one after another in one of the fields. */
export function textClause(phrase: string): Clause {
  const should = Object.entries(PHRASE_FIELDS).map(([field, boost]) => ({
    match_phrase: { [field]: { query: phrase, boost } },
  }));
  return { bool: { should, minimum_should_match: 1 } };
}

/** Any of the values of a key. */
export function keyClause(key: QueryKey, values: readonly string[]): Clause {
  return any(values.map(CLAUSES[key]));
}

const CLAUSES: Readonly<Record<QueryKey, (value: string) => Clause>> = {
  class: (value) => ({ term: { class: value } }),
  def: definitionClause,
  kind: (value) => ({ term: { kind: value } }),
  lang: (value) => ({ terms: { language: languageNames(value) } }),
  path: pathClause,
  repo: (value) => patternClause("repo", value),
  sym: symbolClause,
};

function any(clauses: Clause[]): Clause {
  return clauses.length === 1 ? clauses[0] : { bool: { should: clauses, minimum_should_match: 1 } };
}

/** Exactly this name; `Server.start` and `Server::start` are the end of a container path. */
function definitionClause(value: string): Clause {
  const dotted = dottedName(value);
  const name = dotted.slice(dotted.lastIndexOf(".") + 1);
  const alternatives: Clause[] = [patternClause("name", value), patternClause("qualified_name", dotted)];
  if (name !== dotted && name !== "") {
    const container = { match: { "qualified_name.text": { query: dotted.replaceAll("*", " "), operator: "and" } } };
    alternatives.push({ bool: { filter: [patternClause("name", name), container] } });
  }
  return { bool: { filter: [any(alternatives)], must_not: [{ terms: { kind: [...TEXT_KINDS] } }] } };
}

/** A name with these words in it; windows have no name of their own. */
function symbolClause(value: string): Clause {
  const match = value.includes("*")
    ? any([patternClause("name", value), patternClause("qualified_name", value)])
    : any([
        { match: { "name.text": { query: value, operator: "and" } } },
        { match: { "qualified_name.text": { query: value, operator: "and" } } },
      ]);
  return { bool: { filter: [match], must_not: [{ term: { kind: "window" } }] } };
}

/** A pattern for the whole path, or a piece: the path itself, a folder at its start, or words in a row anywhere. */
function pathClause(value: string): Clause {
  if (value.includes("*")) return patternClause("path", value);
  const piece = value.replace(/^\.?\/+|\/+$/g, "");
  return any([
    { term: { path: piece } },
    { prefix: { path: `${piece}/` } },
    { match_phrase: { "path.text": { query: piece } } },
  ]);
}

/** The cheapest clause that means the pattern: equal, starts with, and `wildcard` only when a star stands elsewhere. */
function patternClause(field: string, pattern: string): Clause {
  const stars = pattern.replace(/\*+/g, "*");
  if (!stars.includes("*")) return { term: { [field]: pattern } };
  if (stars === "*") return { exists: { field } };
  if (stars.indexOf("*") === stars.length - 1) return { prefix: { [field]: stars.slice(0, -1) } };
  // `?` and `\` have a meaning in `wildcard` that they do not have here.
  return { wildcard: { [field]: { value: stars.replace(/[?\\]/g, "\\$&") } } };
}
