/** Single numbers over a field: avg, sum, min, max, stats, extended_stats, value_count, cardinality. */
import type { MetricAggregation } from "../../engine/index.js";
import { readShape } from "../body/shape.js";
import { illegalArgument } from "../errors.js";
import { double } from "../json/print.js";
import { aggregationShape, fieldOf, type ReadAggregation } from "./clause.js";

type MetricKind = MetricAggregation["kind"];

const KEYS = { field: "string", missing: "scalar", format: "string" } as const;
/** Counting is exact, so how precise an estimate should be changes nothing. */
const CARDINALITY_KEYS = { ...KEYS, precision_threshold: "integer", execution_hint: "string" } as const;
/** OpenSearch's two, then those of Elasticsearch. */
const CARDINALITY_HINTS = [
  "direct",
  "ordinals",
  "global_ordinals",
  "segment_ordinals",
  "save_memory_heuristic",
  "save_time_heuristic",
];
const STATS_KEYS = { ...KEYS, sigma: "number" } as const;

/** A reader for one kind of metric. */
export function readMetric(kind: MetricKind): ReadAggregation {
  const keys = kind === "cardinality" ? CARDINALITY_KEYS : kind === "extended_stats" ? STATS_KEYS : KEYS;
  const SHAPE = aggregationShape(kind, keys, ["script", "value_type"]);
  return (body, _, name) => {
    const options = readShape(body, SHAPE) as {
      field?: string;
      missing?: MetricAggregation["missing"];
      format?: string;
      sigma?: number;
      precision_threshold?: number;
      execution_hint?: string;
    };
    checkHint(options.execution_hint);
    if (options.precision_threshold !== undefined && options.precision_threshold < 0) {
      throw illegalArgument(
        `[precisionThreshold] must be greater than or equal to 0. Found [${options.precision_threshold}] in [${name}]`,
      );
    }
    if (options.sigma !== undefined && options.sigma < 0) {
      throw illegalArgument(
        `[sigma] must be greater than or equal to 0. Found [${double(options.sigma).text}] in [${name}]`,
      );
    }
    const metric: MetricAggregation = { kind, field: fieldOf(options, kind) };
    if (options.missing !== undefined) metric.missing = options.missing;
    if (options.format !== undefined) metric.format = options.format;
    if (options.sigma !== undefined) metric.sigma = options.sigma;
    return metric;
  };
}

function checkHint(hint: string | undefined): void {
  if (hint === undefined || CARDINALITY_HINTS.includes(hint)) return;
  throw illegalArgument(`Unknown execution_hint: [${hint}], expected any of [direct, ordinals]`);
}
