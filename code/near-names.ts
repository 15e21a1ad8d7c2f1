import { nearest } from "./edit-distance.js";
import { identifiersOf, partsOf } from "./identifier.js";
import { TEXT_KINDS } from "./kinds.js";
import type { Clause } from "./query-clauses.js";

/** How many candidates the index is asked for. */
const CANDIDATES = 200;
/** Letters that a near name shares with the wanted one at the start of some part. */
const SHARED = 3;

/** The `_search` body that fetches names which may be what was meant; undefined when the texts hold no word. */
export function toNearNamesSearch(wanted: readonly string[]): Clause | undefined {
  const parts = [...new Set(wanted.flatMap(identifiersOf).flatMap(partsOf))].filter((part) => part.length > 1);
  if (parts.length === 0) return undefined;
  const should = [
    { match: { "name.text": { query: parts.join(" ") } } },
    ...parts.map((part) => ({ prefix: { "name.text": part.slice(0, SHARED) } })),
  ];
  const must_not = [{ terms: { kind: [...TEXT_KINDS, "test"] } }];
  return {
    query: { bool: { should, minimum_should_match: 1, must_not } },
    size: CANDIDATES,
    sort: [{ _score: { order: "desc" } }, { name: { order: "asc" } }],
    _source: ["name", "qualified_name"],
  };
}

/** The names nearest to any wanted text, by edit distance; then those that share a part with it. */
export function rankNearNames(wanted: readonly string[], names: readonly string[], count: number): string[] {
  const distinct = [...new Set(names)];
  const words = wanted.flatMap((text) => [identifiersOf(text).join(""), ...identifiersOf(text)]);
  const close = words.flatMap((word) => nearest(word, distinct, count));
  const parts = new Set(words.flatMap(partsOf).filter((part) => part.length > 2));
  const sharing = distinct.filter((name) => partsOf(name).some((part) => parts.has(part)));
  return [...new Set([...close, ...sharing])].slice(0, count);
}
