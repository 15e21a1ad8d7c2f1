/**
 * What makes the order of hits, definitions first: a name that is exactly the word, then names with all words in them,
 * then signature, documentation and code. Kinds and file classes add constants, so that `explain` shows each of them.
 */
import { identifiersOf, partsOf } from "../identifier.js";
import { SECONDARY_CLASSES, TEXT_KINDS } from "../kinds.js";
import type { Clause } from "../query-clauses.js";
import { ROUTE_METHODS, routeNames } from "../routes.js";
import { constant } from "./constant.js";
import { priorClauses } from "./priors.js";
import { BOOST, KINDS } from "./weights.js";

/** By score; equal ones by where they stand, so that the same question has the same answer on every cluster. */
export const ORDER: readonly Clause[] = [
  { _score: { order: "desc" } },
  { path: { order: "asc" } },
  { start_byte: { order: "asc" } },
  { end_byte: { order: "desc" } },
  { repo: { order: "asc" } },
];

/** What a query asks for: its words, and the names that its keys filter by. */
export interface Asked {
  words: readonly string[];
  /** Values of `def:` and `sym:`: they filter; this orders what they let through. */
  named: readonly string[];
}

/** Clauses that only order, to be put into `should`. */
export function orderClauses({ words, named }: Asked): Clause[] {
  const names = named.flatMap(routeNames);
  return [
    ...nameClauses(words),
    ...(names.length === 0 ? [] : [constant({ terms: { name: names } }, BOOST.exactName)]),
    ...priorClauses({ kinds: KINDS, source: BOOST.source, implementation: BOOST.implementation }),
  ];
}

function nameClauses(words: readonly string[]): Clause[] {
  if (words.length === 0) return [];
  const identifiers = words.map(identifiersOf);
  const names = [...new Set([...words.flatMap(routeNames), ...identifiers.map((parts) => parts[parts.length - 1])])];
  const qualified = identifiers.map((parts) => parts.join("."));
  // A name that is one of several words answers a part of the question: `create server` means createServer, not server.
  const part = 1 / words.length ** 2;
  const clauses = [
    constant({ terms: { name: names } }, BOOST.exactName * part),
    constant({ terms: { qualified_name: qualified } }, BOOST.exactQualifiedName * part),
    ...(words.length === 1 ? otherCases(names) : []),
    constant({ match: { "name.text": { query: words.join(" "), operator: "and" } } }, BOOST.allWordsInName),
  ];
  const joined = [...joinedNames(words), ...writtenRoute(words)];
  if (joined.length > 0) clauses.push(constant({ terms: { name: joined } }, BOOST.joinedName));
  return clauses.map(ofDefinitions);
}

/** The names as other languages and kinds of declarations write them: `readTimeout` as `read_timeout`, `Parser` as `parser`. */
function otherCases(names: readonly string[]): Clause[] {
  const single = names.filter((name) => identifiersOf(name).length === 1);
  const capital = otherSpellings(single.filter(hasCapital));
  const plain = otherSpellings(single.filter((name) => !hasCapital(name)));
  return [
    ...(capital.length === 0 ? [] : [constant({ terms: { name: capital } }, BOOST.otherCaseName)]),
    ...(plain.length === 0 ? [] : [constant({ terms: { name: plain } }, BOOST.anyCaseName)]),
    ...(plain.length === 0 ? [] : [constant({ terms: { qualified_name: plain } }, BOOST.anyCaseQualifiedName)]),
  ];
}

function otherSpellings(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => spellings(partsOf(name)).filter((other) => other !== name)))];
}

function hasCapital(name: string): boolean {
  return name !== name.toLowerCase();
}

/** `read timeout handler` as one name: readTimeoutHandler, ReadTimeoutHandler, read_timeout_handler, and so on. */
function joinedNames(words: readonly string[]): string[] {
  return words.length < 2 || words.length > 6 ? [] : [...new Set(spellings(words.flatMap(partsOf)))];
}

/** Parts as one name, in the ways that languages write names. */
function spellings(parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  const capital = parts.map((part) => part[0].toUpperCase() + part.slice(1));
  return [
    parts[0] + capital.slice(1).join(""),
    capital.join(""),
    parts.join("_"),
    parts.join("_").toUpperCase(),
    parts.join("-"),
  ];
}

/** `get /users` as the name of a route. */
function writtenRoute(words: readonly string[]): string[] {
  const [method = "", path = ""] = words;
  const known = ROUTE_METHODS.find((one) => one === method.toUpperCase());
  return known !== undefined && words.length === 2 && path.startsWith("/") ? [`${known} ${path}`] : [];
}

/**
 * Only where a name is a definition that may be meant: a window is called as its file, a section as its heading, a test
 * as what it says, and what tests, vendored and generated files define is found but not put first.
 */
function ofDefinitions(clause: Clause): Clause {
  const must_not = [{ terms: { kind: [...TEXT_KINDS, "test"] } }, { terms: { class: [...SECONDARY_CLASSES] } }];
  return { bool: { must: [clause], must_not } };
}
