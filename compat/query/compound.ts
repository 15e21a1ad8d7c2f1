import { readShape } from "../body/shape.js";
import { parsingError } from "../errors.js";
import { common, querySkeleton, type ReadClause, required } from "./clause.js";

const CONSTANT_SCORE = querySkeleton("constant_score", { filter: "object" });
const DIS_MAX = querySkeleton("dis_max", { queries: "any", tie_breaker: "number" });

export const readConstantScore: ReadClause = (body, readQuery) => {
  const options = readShape(body, CONSTANT_SCORE);
  const filter = readQuery(required(options.filter, "constant_score", "filter"));
  return { kind: "constant_score", filter, ...common(options) };
};

export const readDisMax: ReadClause = (body, readQuery) => {
  const options = readShape(body, DIS_MAX);
  const given = required(options.queries, "dis_max", "queries");
  const queries = (Array.isArray(given) ? given : [given]).map(readQuery);
  if (queries.length === 0) throw parsingError("[dis_max] requires 'queries' field with at least one clause");
  return { kind: "dis_max", queries, tieBreaker: options.tie_breaker ?? 0, ...common(options) };
};
