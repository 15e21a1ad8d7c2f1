/** `_source` as it can be asked for: true, false, a pattern, a list, `{includes, excludes}`, or URL parameters. */
import type { ShownPaths } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { parsingError } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import type { Json } from "../json/value.js";
import { isObject } from "../json/value.js";
import { type SourceFilter, sourceFilter } from "./source-filter.js";

/** `all` splices the bytes untouched, `none` leaves `_source` out, else the function says what is shown. */
export type SourceOption = "all" | "none" | SourceFilter;

const SHAPE = shape(
  "_source",
  "object",
  { includes: "strings", include: "strings", excludes: "strings", exclude: "strings" },
  ["exclude_vectors"],
);

/** Reads the body's `_source`. */
export function readSourceOption(given: Json | undefined): SourceOption {
  if (given === undefined || given === null || given === true) return "all";
  if (given === false) return "none";
  if (typeof given === "string") return filtered({ includes: [given], excludes: [] });
  if (Array.isArray(given)) return filtered({ includes: given.map(patternOf), excludes: [] });
  if (!isObject(given))
    throw parsingError(
      "Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [VALUE_NUMBER]",
      "_source",
    );
  const options = readShape(given, SHAPE);
  return filtered({
    includes: options.includes ?? options.include ?? [],
    excludes: options.excludes ?? options.exclude ?? [],
  });
}

/** Reads `_source`, `_source_includes` and `_source_excludes`; undefined when none is given. */
export function sourceParameters(parameters: Parameters): SourceOption | undefined {
  const plain = parameters.text("_source");
  const includes = parameters.list("_source_includes") ?? [];
  const excludes = parameters.list("_source_excludes") ?? [];
  if (plain === "false") return "none";
  const named = plain === undefined || plain === "true" || plain === "" ? [] : (parameters.list("_source") ?? []);
  if (plain === undefined && includes.length + excludes.length === 0) return undefined;
  return filtered({ includes: [...named, ...includes], excludes });
}

function filtered(shown: ShownPaths): SourceOption {
  return shown.includes.length + shown.excludes.length === 0 ? "all" : sourceFilter(shown);
}

function patternOf(value: Json): string {
  if (typeof value === "string") return value;
  throw parsingError("[_source] must be an array of strings", "_source");
}
