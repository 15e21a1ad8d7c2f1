/** Metrics over all values: percentiles, median_absolute_deviation, weighted_avg. */
import type { PercentilesAggregation, WeightedAvgAggregation } from "../../engine/index.js";
import { readShape } from "../body/shape.js";
import { illegalArgument, parsingError } from "../errors.js";
import { double } from "../json/print.js";
import type { Json, JsonObject } from "../json/value.js";
import { aggregationShape, fieldOf, type ReadAggregation } from "./clause.js";

const REFUSED = ["script"];
const PERCENTILES = aggregationShape(
  "percentiles",
  {
    field: "string",
    percents: "any",
    keyed: "boolean",
    missing: "scalar",
    format: "string",
    tdigest: "object",
    hdr: "object",
  },
  REFUSED,
);
/** Values are not estimated, so how finely they would be changes nothing. */
const TDIGEST = aggregationShape("tdigest", { compression: "number", execution_hint: "string" });
const HDR = aggregationShape("hdr", { number_of_significant_value_digits: "integer" });
const DEVIATION = aggregationShape(
  "median_absolute_deviation",
  { field: "string", missing: "scalar", format: "string", compression: "number", execution_hint: "string" },
  REFUSED,
);

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99];

export const readPercentiles: ReadAggregation = (body) => {
  const given = body as JsonObject;
  const options = readShape(body, PERCENTILES);
  if (options.tdigest !== undefined && options.hdr !== undefined)
    throw illegalArgument("Only one percentiles method should be declared.");
  checkCompression(
    options.tdigest === undefined ? undefined : readShape(options.tdigest, TDIGEST).compression,
    "percentiles",
  );
  const percentiles: PercentilesAggregation = {
    kind: "percentiles",
    field: fieldOf(options, "percentiles"),
    percents: Object.hasOwn(given, "percents") ? readPercents(given.percents) : DEFAULT_PERCENTS,
    method: options.hdr === undefined ? { kind: "tdigest" } : { kind: "hdr", digits: readDigits(options.hdr) },
    keyed: options.keyed ?? true,
  };
  if (options.missing !== undefined) percentiles.missing = options.missing;
  if (options.format !== undefined) percentiles.format = options.format;
  return percentiles;
};

function readPercents(given: Json): number[] {
  if (!Array.isArray(given) || given.length === 0) throw illegalArgument("[percents] must not be empty: [percentiles]");
  const percents = given.map((one) => (typeof one === "string" && one.trim() === "" ? Number.NaN : Number(one)));
  const wrong = percents.findIndex((percent) => !(percent >= 0 && percent <= 100));
  if (wrong !== -1) {
    throw illegalArgument(`percent must be in [0,100], got [${String(given[wrong])}]: [percentiles]`);
  }
  return percents.sort((a, b) => a - b);
}

const MAX_DIGITS = 5;

function readDigits(given: JsonObject): number {
  if (given.number_of_significant_value_digits === null)
    throw parsingError("[hdr] number_of_significant_value_digits doesn't support values of type: VALUE_NULL", "hdr");
  const { number_of_significant_value_digits: digits = 3 } = readShape(given, HDR);
  if (digits < 0 || digits > MAX_DIGITS)
    throw illegalArgument("[numberOfSignificantValueDigits] must be between 0 and 5");
  return digits;
}

function checkCompression(compression: number | undefined, name: string): void {
  if (compression === undefined || compression >= 0) return;
  throw illegalArgument(
    `[compression] must be greater than or equal to 0. Found [${double(compression).text}] in [${name}]`,
  );
}

export const readDeviation: ReadAggregation = (body, _, name) => {
  const { compression, ...options } = readShape(body, DEVIATION);
  if (compression !== undefined && compression <= 0)
    throw illegalArgument(`[compression] must be greater than 0. Found [${double(compression).text}] in [${name}]`);
  return {
    kind: "median_absolute_deviation",
    field: fieldOf(options, "median_absolute_deviation"),
    ...(options.missing === undefined ? {} : { missing: options.missing }),
    ...(options.format === undefined ? {} : { format: options.format }),
  };
};

const WEIGHTED = aggregationShape("weighted_avg", { value: "object", weight: "object", format: "string" }, [
  "value_type",
]);
const PART = aggregationShape("weighted_avg", { field: "string", missing: "scalar" }, REFUSED);

export const readWeightedAvg: ReadAggregation = (body) => {
  const { value, weight, format } = readShape(body, WEIGHTED);
  if (value === undefined || weight === undefined)
    throw illegalArgument(`Required [${value === undefined ? "value" : "weight"}] in [weighted_avg]`);
  return {
    kind: "weighted_avg",
    value: readPart(value),
    weight: readPart(weight),
    ...(format === undefined ? {} : { format }),
  };
};

function readPart(given: JsonObject): WeightedAvgAggregation["value"] {
  const options = readShape(given, PART);
  const field = fieldOf(options, "weighted_avg");
  return options.missing === undefined ? { field } : { field, missing: options.missing };
}
