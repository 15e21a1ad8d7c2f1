/**
 * From a query to a plan for one index: each kind of query has its function in the table below. `boost` is the product of
 * the boosts above, float32.
 */
import type { ReaderContext } from "../exec/context.js";
import type { Plan } from "../exec/plan.js";
import type { Query } from "../query.js";
import { markBoosted, planBool, planConstantScore, planDisMax, simplifyBool } from "./compound.js";
import type { Compile } from "./contract.js";
import { planEachField } from "./each-field.js";
import { planGeo } from "./geo.js";
import {
  planAll,
  planExists,
  planIds,
  planNone,
  planPrefix,
  planRange,
  planRegexp,
  planTerm,
  planTerms,
  planVirtualShard,
  planWildcard,
} from "./leaf-queries.js";
import { checkPlanLimits, checkQueryLimits } from "./limits.js";
import { planMatchingLines } from "./lines-queries.js";
import { planMultiMatch } from "./multi-match.js";
import { planMatch, planMatchBoolPrefix, planMatchPhrase } from "./text-queries.js";

type Compilers = {
  [K in Query["kind"]]: (
    context: ReaderContext,
    query: Extract<Query, { kind: K }>,
    boost: number,
    compile: Compile,
  ) => Plan;
};

const COMPILERS: Compilers = {
  match_all: planAll,
  match_none: planNone,
  term: planTerm,
  terms: planTerms,
  match: planMatch,
  match_bool_prefix: planMatchBoolPrefix,
  match_phrase: planMatchPhrase,
  multi_match: planMultiMatch,
  each_field: planEachField,
  geo: planGeo,
  bool: planBool,
  range: planRange,
  exists: planExists,
  ids: planIds,
  prefix: planPrefix,
  wildcard: planWildcard,
  regexp: planRegexp,
  matching_lines: planMatchingLines,
  virtual_shard: planVirtualShard,
  constant_score: planConstantScore,
  dis_max: planDisMax,
};

/** Makes a query ready for one index. The segments must be in use. Throws `invalid_value`, `query_unsupported`, `analysis_unknown`. */
export function compileQuery(context: ReaderContext, query: Query): Plan {
  checkQueryLimits(query);
  const plan = compileClause(context, query, 1);
  checkPlanLimits(plan);
  return plan;
}

function compileClause(context: ReaderContext, query: Query, boost: number): Plan {
  const total = Math.fround(boost * Math.fround(query.boost));
  const compile: Compile = (inner, innerBoost) => compileClause(context, inner, innerBoost);
  const plan = markBoosted(COMPILERS[query.kind](context, query as never, total, compile), query.boost);
  return query.name === undefined ? plan : { ...plan, name: query.name };
}

/** Makes a query ready within what narrows the index (a filtered alias). */
export function compileWithin(context: ReaderContext, query: Query, filter: Query | undefined): Plan {
  const asked = compileQuery(context, query);
  if (filter === undefined) return asked;
  const only = compileQuery(context, filter);
  return simplifyBool({ kind: "bool", must: [asked], filter: [only], mustNot: [], should: [], minimum: 0 });
}
