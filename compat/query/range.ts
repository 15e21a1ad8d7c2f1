import type { Range } from "../../engine/index.js";
import { type BodyOf, readShape } from "../body/shape.js";
import { illegalArgument, parsingError } from "../errors.js";
import { isObject, type Json } from "../json/value.js";
import { common, querySkeleton, type ReadClause, readField } from "./clause.js";

const SHAPE = querySkeleton("range", {
  gte: "scalar",
  gt: "scalar",
  lte: "scalar",
  lt: "scalar",
  from: "scalar",
  to: "scalar",
  include_lower: "boolean",
  include_upper: "boolean",
  format: "string",
  time_zone: "string",
  relation: "string",
});

/** `range`, with the older spelling `from`, `to`, `include_lower`, `include_upper`. Null bounds are open. */
export const readRange: ReadClause = (body) => {
  if (isObject(body) && Object.values(body).some((value) => value !== null && typeof value !== "object")) {
    throw parsingError("[range] query does not support [boost] or other options beside the field: put them inside");
  }
  const { field, options } = readField(body, SHAPE, "gte");
  const range: Range = { kind: "range", field, ...common(options) };
  setBounds(range, (body as Record<string, Json>)[field]);
  if (options.format !== undefined) range.format = options.format;
  if (options.time_zone !== undefined) range.timeZone = options.time_zone;
  if (options.relation !== undefined) range.relation = relationOf(options.relation);
  return range;
};

/** Elasticsearch knows `disjoint` too, and refuses it. */
function relationOf(given: string): NonNullable<Range["relation"]> {
  const relation = given.toLowerCase();
  if (relation === "intersects" || relation === "contains" || relation === "within") return relation;
  if (relation === "disjoint") throw illegalArgument("[range] query does not support relation [disjoint]");
  throw illegalArgument(`${given} is not a valid relation`);
}

interface Bound {
  value: BodyOf<typeof SHAPE>["gte"];
  included: boolean;
}

/** One lower and one upper bound: each key overwrites what those before it said, as in Elasticsearch's RangeQueryBuilder. */
function setBounds(range: Range, given: Json): void {
  if (!isObject(given)) return;
  const lower: Bound = { value: undefined, included: true };
  const upper: Bound = { value: undefined, included: true };
  for (const [key, json] of Object.entries(given)) {
    const read = readShape({ [key]: json }, SHAPE);
    if (key === "include_lower") lower.included = read.include_lower ?? true;
    else if (key === "include_upper") upper.included = read.include_upper ?? true;
    else if (key === "from") lower.value = read.from;
    else if (key === "to") upper.value = read.to;
    else if (key === "gt" || key === "gte") Object.assign(lower, { value: read[key], included: key === "gte" });
    else if (key === "lt" || key === "lte") Object.assign(upper, { value: read[key], included: key === "lte" });
  }
  if (lower.value !== undefined) range[lower.included ? "gte" : "gt"] = lower.value;
  if (upper.value !== undefined) range[upper.included ? "lte" : "lt"] = upper.value;
}
