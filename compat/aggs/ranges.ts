/** range and date_range. */
import type { RangeAggregation } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { illegalArgument } from "../errors.js";
import { aggregationShape, fieldOf, type ReadAggregation } from "./clause.js";

const KEYS = { field: "string", ranges: "list", keyed: "boolean", format: "string" } as const;
const RANGE = aggregationShape("range", KEYS, ["script", "missing", "value_type"]);
const DATE_RANGE = aggregationShape("date_range", { ...KEYS, time_zone: "string" }, [
  "script",
  "missing",
  "value_type",
]);
const BOUND = shape("range", "object", { key: "string", from: "scalar", to: "scalar" });

/** A reader for one of the two kinds. */
export function readRanges(kind: RangeAggregation["kind"]): ReadAggregation {
  const SHAPE = kind === "range" ? RANGE : DATE_RANGE;
  return (body) => {
    const options = readShape(body, SHAPE) as {
      field?: string;
      ranges?: never[];
      keyed?: boolean;
      format?: string;
      time_zone?: string;
    };
    if (options.ranges === undefined || options.ranges.length === 0) {
      throw illegalArgument(`No [ranges] specified for the [${kind}] aggregation`);
    }
    const ranges: RangeAggregation = {
      kind,
      field: fieldOf(options, kind),
      ranges: options.ranges.map((range) => readShape(range, BOUND)),
      keyed: options.keyed ?? false,
    };
    if (options.format !== undefined) ranges.format = options.format;
    if (options.time_zone !== undefined) ranges.timeZone = options.time_zone;
    return ranges;
  };
}
