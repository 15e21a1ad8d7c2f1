/** date_histogram and histogram. */
import type { DateHistogramAggregation, HistogramAggregation, Scalar } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { contentError, illegalArgument } from "../errors.js";
import { parseDuration } from "../units.js";
import { aggregationShape, countOf, fieldOf, type ReadAggregation, readOrder, scalarOf } from "./clause.js";

const COMMON = {
  field: "string",
  min_doc_count: "integer",
  keyed: "boolean",
  extended_bounds: "object",
  missing: "scalar",
  order: "any",
  format: "string",
} as const;
const REFUSED = ["hard_bounds", "script", "params", "value_type"];
const DATE = aggregationShape(
  "date_histogram",
  { ...COMMON, calendar_interval: "string", fixed_interval: "string", time_zone: "string", offset: "string" },
  [...REFUSED, "interval"],
);
const NUMERIC = aggregationShape("histogram", { ...COMMON, interval: "number", offset: "number" }, REFUSED);
const BOUNDS = shape("extended_bounds", "object", { min: "scalar", max: "scalar" });

type Interval = DateHistogramAggregation["interval"];

export const readDateHistogram: ReadAggregation = (body) => {
  const options = readShape(body, DATE);
  const histogram: DateHistogramAggregation = {
    kind: "date_histogram",
    field: fieldOf(options, "date_histogram"),
    interval: readInterval(options.calendar_interval, options.fixed_interval),
    offsetMillis: options.offset === undefined ? 0 : readOffset(options.offset),
    minDocCount: countOf(options.min_doc_count, 0, "min_doc_count"),
    keyed: options.keyed ?? false,
  };
  if (options.time_zone !== undefined) histogram.timeZone = options.time_zone;
  if (options.extended_bounds !== undefined) histogram.extendedBounds = readShape(options.extended_bounds, BOUNDS);
  return Object.assign(histogram, rest(options));
};

export const readHistogram: ReadAggregation = (body) => {
  const options = readShape(body, NUMERIC);
  if (options.interval === undefined || !(options.interval > 0)) {
    throw illegalArgument("[interval] must be >0 for histogram aggregation");
  }
  const histogram: HistogramAggregation = {
    kind: "histogram",
    field: fieldOf(options, "histogram"),
    interval: options.interval,
    offset: options.offset ?? 0,
    minDocCount: countOf(options.min_doc_count, 0, "min_doc_count"),
    keyed: options.keyed ?? false,
  };
  if (options.extended_bounds !== undefined) {
    const { min, max } = readShape(options.extended_bounds, BOUNDS);
    histogram.extendedBounds = { min: numberOf(min, "min"), max: numberOf(max, "max") };
  }
  return Object.assign(histogram, rest(options));
};

function rest(options: { format?: string; missing?: Scalar; order?: Parameters<typeof readOrder>[0] }) {
  return {
    ...(options.format === undefined ? {} : { format: options.format }),
    ...(options.missing === undefined ? {} : { missing: options.missing }),
    ...(options.order === undefined ? {} : { order: readOrder(options.order) }),
  };
}

function numberOf(value: Scalar | undefined, key: string): number | undefined {
  const read = scalarOf(value as never, "extended_bounds", key);
  if (read === undefined) return undefined;
  const number = Number(read);
  if (Number.isNaN(number)) throw illegalArgument(`[extended_bounds] [${key}] is not a number: [${String(value)}]`);
  return number;
}

const CALENDAR: Readonly<Record<string, Extract<Interval, { kind: "calendar" }>["unit"]>> = {
  "1m": "minute",
  minute: "minute",
  "1h": "hour",
  hour: "hour",
  "1d": "day",
  day: "day",
  "1w": "week",
  week: "week",
  "1M": "month",
  month: "month",
  "1q": "quarter",
  quarter: "quarter",
  "1y": "year",
  year: "year",
};

/** Exactly one of the two. Throws ApiError 400. */
export function readInterval(calendar: string | undefined, fixed: string | undefined): Interval {
  if ((calendar === undefined) === (fixed === undefined)) {
    throw illegalArgument(
      calendar === undefined
        ? "Required one of fields [interval, calendar_interval, fixed_interval], but none were specified."
        : "Cannot use [fixed_interval] with [calendar_interval] configuration option.",
    );
  }
  if (fixed !== undefined) return { kind: "fixed", millis: readFixed(fixed) };
  const unit = Object.hasOwn(CALENDAR, calendar ?? "") ? CALENDAR[calendar ?? ""] : undefined;
  if (unit === undefined) {
    throw unreadable(
      "calendar_interval",
      `The supplied interval [${calendar}] could not be parsed as a calendar interval.`,
    );
  }
  return { kind: "calendar", unit };
}

function readFixed(text: string): number {
  const millis = durationOf(text);
  if (!(millis > 0)) throw illegalArgument("[fixed_interval] must be 1 or greater for aggregation [date_histogram]");
  return millis;
}

function durationOf(text: string): number {
  try {
    return parseDuration(text, "date_histogram.fixedInterval");
  } catch (error) {
    throw unreadable("fixed_interval", (error as Error).message);
  }
}

function unreadable(key: string, reason: string): Error {
  return contentError(`[date_histogram] failed to parse field [${key}]`, key, {
    causedBy: { type: "illegal_argument_exception", reason },
  });
}

/** `+6h`, `-1d`, in milliseconds. */
export function readOffset(text: string): number {
  const sign = text.startsWith("-") ? -1 : 1;
  return sign * parseDuration(text.replace(/^[+-]/, ""), "DateHistogramAggregationBuilder.parseOffset");
}
