/** One query clause for one term of a code query. Only query kinds that every Elasticsearch has are used. */
import { TEXT_KINDS } from "./kinds.js";
import { languageNames } from "./language-names.js";
import { dottedName, ownName } from "./own-name.js";
import { globPatterns } from "./path-glob.js";
import type { QueryKey } from "./query-keys.js";
import { isRouteName, routeNames } from "./routes.js";

/** Query DSL, as it is sent. */
export type Clause = Readonly<Record<string, unknown>>;

/**
 * Keys whose clause needs what git says (scope.ts), that ask for commits (commit-query.ts), that are no term of their own
 * (`content`), or that only say how others are meant.
 */
type OtherKey = "author" | "changed" | "diff" | "since" | "type" | "content" | "case" | "word";

/** Keys that say it all by themselves. */
export type PlainKey = Exclude<QueryKey, OtherKey>;

/** Any of the values of a key. */
export function keyClause(key: PlainKey, values: readonly string[]): Clause {
  return any(values.map(CLAUSES[key]));
}

const CLAUSES: Readonly<Record<PlainKey, (value: string) => Clause>> = {
  branch: (value) => patternClause("branches", value),
  calls: (value) => patternClause("calls", usedName(value)),
  class: (value) => ({ term: { class: value } }),
  def: definitionClause,
  kind: (value) => ({ term: { kind: value } }),
  lang: (value) => ({ terms: { language: languageNames(value) } }),
  path: pathClause,
  ref: (value) => any(USES.map((field) => patternClause(field, usedName(value)))),
  repo: (value) => patternClause("repo", value),
  sym: symbolClause,
};

/** Names that stand in a declaration, each by how it is used: called, used as a type or value, extended. */
const USES = ["calls", "uses", "supers"] as const;

/** Uses are kept by their last name: `Server.start()` is a use of `start`. */
function usedName(value: string): string {
  const own = ownName(value);
  return /^\*+$/.test(own) ? value : own;
}

/** Any of some clauses; nothing matches where there are none. */
export function any(clauses: Clause[]): Clause {
  if (clauses.length === 0) return NOTHING;
  return clauses.length === 1 ? clauses[0] : { bool: { should: clauses, minimum_should_match: 1 } };
}

const NOTHING: Clause = { bool: { must_not: [{ match_all: {} }] } };

/** Exactly this name, a route's with or without its method; `Server.start` and `Server::start` end a container path. */
function definitionClause(value: string): Clause {
  const named = isRouteName(value)
    ? [...routeNames(value).map((name) => patternClause("name", name)), patternClause("qualified_name", value)]
    : alternativesOf(value);
  return { bool: { filter: [any(named)], must_not: [{ terms: { kind: [...TEXT_KINDS] } }] } };
}

function alternativesOf(value: string): Clause[] {
  const dotted = dottedName(value);
  const name = dotted.slice(dotted.lastIndexOf(".") + 1);
  const alternatives: Clause[] = namePatterns(value);
  if (name !== dotted && name !== "") {
    const container = { match: { "qualified_name.text": { query: dotted.replaceAll("*", " "), operator: "and" } } };
    alternatives.push({ bool: { filter: [patternClause("name", name), container] } });
  }
  return alternatives;
}

/**
 * A pattern is for the name, and for the container path where it has one: in `serve*` the star stands for the end of a
 * name, not for what a class `Server` holds.
 */
function namePatterns(value: string): Clause[] {
  const dotted = dottedName(value);
  const name = patternClause("name", value);
  return value.includes("*") && !dotted.includes(".") ? [name] : [name, patternClause("qualified_name", dotted)];
}

/** A name with these words in it. */
function symbolClause(value: string): Clause {
  const match = value.includes("*")
    ? any(namePatterns(value))
    : any([
        { match: { "name.text": { query: value, operator: "and" } } },
        { match: { "qualified_name.text": { query: value, operator: "and" } } },
      ]);
  return notWindow(match);
}

/** Declarations and sections that match: windows have no name of their own. */
export function notWindow(match: Clause): Clause {
  return { bool: { filter: [match], must_not: [{ term: { kind: "window" } }] } };
}

/** A pattern for the whole path or base name, or a piece: the path itself, a folder at its start, or words in a row anywhere. */
export function pathClause(value: string): Clause {
  const piece = value.replace(/^(\.?\/+)+|\/+$/g, "");
  const patterns = globPatterns(piece);
  if (patterns !== undefined) return any(patterns.map((pattern) => patternClause("path", pattern)));
  return any([
    { term: { path: piece } },
    { prefix: { path: `${piece}/` } },
    { match_phrase: { "path.text": { query: piece } } },
  ]);
}

/** The cheapest clause that means the pattern: equal, starts with, and `wildcard` only when a star stands elsewhere. */
export function patternClause(field: string, pattern: string): Clause {
  const stars = pattern.replace(/\*+/g, "*");
  if (!stars.includes("*")) return { term: { [field]: pattern } };
  if (stars === "*") return { exists: { field } };
  if (stars.indexOf("*") === stars.length - 1) return { prefix: { [field]: stars.slice(0, -1) } };
  // `?` and `\` have a meaning in `wildcard` that they do not have here.
  return { wildcard: { [field]: { value: stars.replace(/[?\\]/g, "\\$&") } } };
}
