/**
 * How large a query may be. Elasticsearch's own limits, in its own words: what passes them is refused before any work is done,
 * because a query is compiled in one go.
 */
import { EngineError } from "../../errors.js";
import type { Plan } from "../exec/plan.js";
import type { Query } from "../query.js";

/**
 * Clauses of one query, words of one text (`indices.query.bool.max_clause_count`). Elasticsearch 8 computes it from heap and
 * threads and never goes below 1024; this is what it has on a few gigabytes.
 */
export const MAX_CLAUSES = 4096;

/** Queries inside of queries (`indices.query.bool.max_nested_depth`). */
export const MAX_NESTED_DEPTH = 30;

/** Values of one terms query (`index.max_terms_count`). */
export const MAX_TERMS = 65_536;

/** Throws `query_unsupported` when a query is nested too deeply or has too many clauses or terms. */
export function checkQueryLimits(query: Query): void {
  const open: { query: Query; depth: number }[] = [{ query, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { depth } = next;
    if (depth > MAX_NESTED_DEPTH) throw tooDeep();
    if (next.query.kind === "terms" && next.query.values.length > MAX_TERMS)
      throw tooManyTerms(next.query.values.length);
    const inner = innerQueries(next.query);
    if (inner.length > MAX_CLAUSES) throw tooManyClauses();
    for (const one of inner) open.push({ query: one, depth: depth + 1 });
  }
}

function innerQueries(query: Query): readonly Query[] {
  switch (query.kind) {
    case "bool":
      return [...query.must, ...query.should, ...query.filter, ...query.mustNot];
    case "dis_max":
      return query.queries;
    case "constant_score":
      return [query.filter];
    default:
      return [];
  }
}

/** Throws when a text has more words than a query may have clauses. */
export function checkWords(words: number): void {
  if (words > MAX_CLAUSES) throw tooManyClauses();
}

/** Throws when all that must be looked up for a plan is too much. */
export function checkPlanLimits(plan: Plan): void {
  let left = MAX_CLAUSES;
  const open: Plan[] = [plan];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    left -= next.kind === "bool" || next.kind === "dis_max" ? 0 : next.kind === "phrase" ? next.positions.length : 1;
    if (left < 0) throw tooManyNested();
    open.push(...innerPlans(next));
  }
}

function innerPlans(plan: Plan): readonly Plan[] {
  if (plan.kind === "bool") return [...plan.must, ...plan.should, ...plan.filter, ...plan.mustNot];
  if (plan.kind === "dis_max") return plan.plans;
  // The clauses of a set of values are its terms, which have a limit of their own.
  return [];
}

function tooDeep(): EngineError {
  return new EngineError(
    "query_unsupported",
    "The nested depth of the query exceeds the maximum nested depth for queries set in [indices.query.bool.max_nested_depth]",
    { limit: MAX_NESTED_DEPTH },
  );
}

function tooManyTerms(count: number): EngineError {
  return new EngineError(
    "query_unsupported",
    `The number of terms [${count}] used in the Terms Query request has exceeded the allowed maximum of [${MAX_TERMS}]. ` +
      "This maximum can be set by changing the [index.max_terms_count] index level setting.",
    { limit: MAX_TERMS, terms: count },
  );
}

function tooManyClauses(): EngineError {
  return new EngineError("query_unsupported", `maxClauseCount is set to ${MAX_CLAUSES}`, { limit: MAX_CLAUSES });
}

function tooManyNested(): EngineError {
  return new EngineError(
    "query_unsupported",
    `Query contains too many nested clauses; maxClauseCount is set to ${MAX_CLAUSES}`,
    { limit: MAX_CLAUSES },
  );
}
