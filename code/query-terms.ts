/** The parts of a code query, as plain data: what the grammar reads and everything else is made from. */
import type { QueryKey } from "./query-keys.js";

/** What a regular expression is tried on: lines of code, or all of a path, repository or declared name. */
export type RegexTarget = "lines" | "path" | "repo" | "sym";

/** One part of a query that holds no others. */
export type QueryLeaf =
  | { type: "word"; text: string; negated: boolean }
  | { type: "phrase"; text: string; negated: boolean }
  /** Any of the values. */
  | { type: "key"; key: QueryKey; values: string[]; negated: boolean }
  /** `/pattern/`; RE2's syntax. `multiline`: `\s` and `[^x]` may cross line ends. */
  | { type: "regex"; on: RegexTarget; pattern: string; ignoreCase: boolean; multiline: boolean; negated: boolean }
  /** `content:`, a piece of a line as it is written. */
  | { type: "literal"; text: string; negated: boolean };

/** Any of some lists of terms, each of which must hold whole. Never an unnegated one of one list: that is no group. */
export interface QueryGroup {
  type: "group";
  any: QueryTerm[][];
  negated: boolean;
}

/** One part of a query. */
export type QueryTerm = QueryLeaf | QueryGroup;

/** A query as typed terms that must all hold, in the order they were written. */
export interface CodeQuery {
  terms: QueryTerm[];
  /** Punctuation standing alone, which no index of words keeps: not part of the search, to be named in the answer. */
  ignored: string[];
  /** A question, message or report that is understood as a whole, see ranking/read-query.ts; the terms then only filter. */
  prose?: string;
}

/** A leaf, and whether it is asked for or taken away once all signs around it are counted. */
export interface SignedLeaf {
  leaf: QueryLeaf;
  wanted: boolean;
}

/** All leaves of a query in order, those inside groups too. */
export function leavesOf(terms: readonly QueryTerm[], wanted = true): SignedLeaf[] {
  return terms.flatMap((term) => {
    const here = term.negated ? !wanted : wanted;
    return term.type === "group"
      ? term.any.flatMap((branch) => leavesOf(branch, here))
      : [{ leaf: term, wanted: here }];
  });
}

/** Values of a key that is asked for anywhere in a query. */
export function valuesOf(query: Pick<CodeQuery, "terms">, key: QueryKey): string[] {
  return leavesOf(query.terms).flatMap(({ leaf, wanted }) =>
    wanted && leaf.type === "key" && leaf.key === key ? leaf.values : [],
  );
}
