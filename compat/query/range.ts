import type { Range, Scalar } from "../../engine/index.js";
import { notSupported, parsingError } from "../errors.js";
import { isObject } from "../json/value.js";
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
  if (options.relation !== undefined && options.relation.toLowerCase() !== "intersects") {
    throw notSupported(`[relation] with value [${options.relation}] in [range]`);
  }
  const range: Range = { kind: "range", field, ...common(options) };
  const { gt = options.include_lower === false ? options.from : undefined } = options;
  const { lt = options.include_upper === false ? options.to : undefined } = options;
  setBound(range, "gte", options.gte ?? (options.include_lower === false ? undefined : options.from));
  setBound(range, "gt", gt);
  setBound(range, "lte", options.lte ?? (options.include_upper === false ? undefined : options.to));
  setBound(range, "lt", lt);
  if (options.format !== undefined) range.format = options.format;
  if (options.time_zone !== undefined) range.timeZone = options.time_zone;
  return range;
};

function setBound(range: Range, bound: "gte" | "gt" | "lte" | "lt", value: Scalar | undefined): void {
  if (value !== undefined) range[bound] = value;
}
