import type { Clause } from "./query-clauses.js";
import type { CodeQuery, QueryTerm } from "./query-terms.js";
import { conjunction } from "./term-clauses.js";

const PLACE_KEYS: ReadonlySet<string> = new Set(["repo", "path", "lang", "class"]);

/** The terms of a query that say where it searches, whatever it searches for; those inside groups are not among them. */
export function placeTerms({ terms }: Pick<CodeQuery, "terms">): QueryTerm[] {
  return terms.filter((term) =>
    term.type === "key"
      ? PLACE_KEYS.has(term.key)
      : term.type === "regex" && (term.on === "path" || term.on === "repo"),
  );
}

/** What these terms let through, of the index of declarations and that of files alike. */
export function placeClause(terms: readonly QueryTerm[]): Clause {
  const nothing = () => {
    throw new Error("a place has no words");
  };
  const query = { terms: [...terms], ignored: [] };
  const { filter, must_not } = conjunction(terms, { query, word: nothing, phrase: nothing, lines: "", scopes: [] });
  return { bool: { filter, must_not } };
}
