/** `composite`: its sources, and the page that is asked for. */
import type { CompositeAggregation, CompositeSource } from "../../engine/index.js";
import { oneOf, readShape } from "../body/shape.js";
import { illegalArgument, notSupported, parsingError } from "../errors.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { aggregationShape, fieldOf, type ReadAggregation } from "./clause.js";
import { readInterval, readOffset } from "./histograms.js";

const SHAPE = aggregationShape("composite", { sources: "any", size: "integer", after: "object" });
const COMMON = {
  field: "string",
  order: "string",
  missing_bucket: "boolean",
  missing_order: "string",
  format: "string",
} as const;
const TERMS = aggregationShape("terms", COMMON, ["script", "value_type"]);
const HISTOGRAM = aggregationShape("histogram", { ...COMMON, interval: "number" }, ["script", "value_type"]);
const DATE = aggregationShape(
  "date_histogram",
  { ...COMMON, calendar_interval: "string", fixed_interval: "string", time_zone: "string", offset: "string" },
  ["script", "value_type", "interval"],
);

const DEFAULT_SIZE = 10;
/** Elasticsearch's `search.max_buckets`. */
const MAX_SIZE = 65_536;

export const readComposite: ReadAggregation = (body) => {
  const { sources: given, size = DEFAULT_SIZE, after } = readShape(body, SHAPE);
  const sources = readSources(given);
  if (size <= 0) throw illegalArgument("[size] must be greater than 0 in [composite]");
  if (size > MAX_SIZE) {
    throw illegalArgument(
      `Trying to create too many buckets. Must be less than or equal to: [${MAX_SIZE}] but was [${size}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
    );
  }
  const composite: CompositeAggregation = { kind: "composite", sources, size };
  if (after !== undefined) composite.after = readAfter(after, sources);
  return composite;
};

function readSources(given: Json | undefined): CompositeSource[] {
  const list = given === undefined ? [] : [given].flat();
  if (list.length === 0) throw parsingError("Required [sources]", "composite");
  const sources = list.map(readSource);
  const names = sources.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0)
    throw illegalArgument(
      `Composite source names must be unique, found duplicates: [${[...new Set(twice)].join(",")}]`,
    );
  return sources;
}

function readSource(given: Json): CompositeSource {
  const named = isObject(given) ? Object.entries(given) : [];
  const [name, body] = named[0] ?? [];
  const kinds = isObject(body) ? Object.entries(body) : [];
  if (named.length !== 1 || name === undefined || kinds.length !== 1)
    throw parsingError("Each source of [composite] is an object with one name, and one kind below it", "sources");
  const [kind, options] = kinds[0];
  if (kind === "geotile_grid") throw notSupported("[geotile_grid] in [composite]");
  if (kind === "terms") return { name, kind, ...common(readShape(options, TERMS)) };
  if (kind === "histogram") {
    const read = readShape(options, HISTOGRAM);
    if (read.interval === undefined || !(read.interval > 0))
      throw illegalArgument("[interval] must be greater than 0 for [histogram] source");
    return { name, kind, interval: read.interval, ...common(read) };
  }
  if (kind === "date_histogram") {
    const read = readShape(options, DATE);
    const interval = readInterval(read.calendar_interval, read.fixed_interval);
    const zone = read.time_zone === undefined ? {} : { timeZone: read.time_zone };
    const offsetMillis = read.offset === undefined ? 0 : readOffset(read.offset);
    return { name, kind, interval, offsetMillis, ...zone, ...common(read) };
  }
  throw parsingError(`invalid source type: ${kind}`, kind);
}

function common(options: {
  field?: string;
  order?: string;
  missing_bucket?: boolean;
  missing_order?: string;
  format?: string;
}) {
  const missingBucket = options.missing_bucket ?? false;
  const missingOrder = oneOf(
    options.missing_order ?? "default",
    ["first", "last", "default"] as const,
    "[missing_order]",
  );
  if (!missingBucket && missingOrder !== "default")
    throw illegalArgument("missingOrder can only be set if missingBucket is true");
  return {
    field: fieldOf(options, "composite"),
    order: oneOf((options.order ?? "asc").toLowerCase(), ["asc", "desc"] as const, "[order]"),
    missingBucket,
    missingOrder,
    ...(options.format === undefined ? {} : { format: options.format }),
  };
}

function readAfter(after: JsonObject, sources: readonly CompositeSource[]): NonNullable<CompositeAggregation["after"]> {
  const names = Object.keys(after);
  if (names.length !== sources.length)
    throw illegalArgument(`[after] has ${names.length} value(s) but [sources] has ${sources.length}`);
  return sources.map(({ name, missingBucket }) => {
    const value = after[name];
    if (value === undefined) throw illegalArgument(`Missing value for [after.${name}]`);
    if (value === null && !missingBucket) throw illegalArgument(`Invalid value for [after.${name}]: null`);
    if (value !== null && typeof value === "object")
      throw illegalArgument(`Invalid value type for [after.${name}]: a plain value is expected`);
    return value;
  });
}
