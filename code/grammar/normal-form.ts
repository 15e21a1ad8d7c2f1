/** One form for queries that mean the same: no group within a group where signs and places allow to do without. */
import type { QueryGroup, QueryTerm } from "../query-terms.js";

/** Terms without needless groups, and without the leaves that `keep` does not want. */
export function normalForm(terms: readonly QueryTerm[], keep: (leaf: QueryTerm) => boolean): QueryTerm[] {
  return terms.flatMap((term) => (term.type === "group" ? normalGroup(term, keep) : keep(term) ? [term] : []));
}

function normalGroup(group: QueryGroup, keep: (leaf: QueryTerm) => boolean): QueryTerm[] {
  const { negated } = group;
  const any = group.any
    .map((branch) => normalForm(branch, keep))
    .filter((branch) => branch.length > 0)
    // `a or (b or c)` has three sides.
    .flatMap((branch) => (branch.length === 1 && isEither(branch[0]) ? branch[0].any : [branch]));
  if (any.length === 0) return [];
  if (any.length > 1) return [{ type: "group", any, negated }];
  if (!negated) return any[0];
  const [only, ...others] = any[0];
  if (others.length > 0) return [{ type: "group", any, negated }];
  // Twice taken away is asked for, and what that leaves may lie open again.
  return normalForm([{ ...only, negated: !only.negated }], keep);
}

function isEither(term: QueryTerm): term is QueryGroup {
  return term.type === "group" && !term.negated;
}
