/** Queries on points. */
import { EngineError } from "../../errors.js";
import type { ReaderContext } from "../exec/context.js";
import { constantPlan, nonePlan, type Plan } from "../exec/plan.js";
import type { Geo } from "../query.js";
import { findField, requireSearchable } from "./fields.js";

/** Documents by where their points are. Throws `query_unsupported` for fields that hold none. */
export function planGeo(context: ReaderContext, query: Geo, boost: number): Plan {
  const field = findField(context, query.field);
  if (field === undefined) {
    if (query.ignoreUnmapped || context.leaves.length === 0) return nonePlan("unmapped field");
    throw new EngineError("query_unsupported", `failed to find geo field [${query.field}]`, { field: query.field });
  }
  if (field.type !== "geo_point") {
    const message = `Field [${field.path}] is of unsupported type [${field.type}] for a query on points: only [geo_point] is one`;
    throw new EngineError("query_unsupported", message, { field: field.path, type: field.type });
  }
  requireSearchable(field);
  const text = `GeoQuery [field=${field.path}]`;
  const should = query.areas.map((area) => constantPlan({ kind: "geo", field, area }, 1, text));
  const any: Plan = { kind: "bool", must: [], filter: [], should, mustNot: [], minimum: 1 };
  if (query.relation === "within") return constantPlan({ kind: "plan", plan: any }, boost, text);
  const present = constantPlan({ kind: "presence", field }, 1, text);
  const others: Plan = { kind: "bool", must: [], filter: [present], should: [], mustNot: [any], minimum: 0 };
  return constantPlan({ kind: "plan", plan: others }, boost, text);
}
