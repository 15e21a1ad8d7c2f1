/** `_source` as it can be asked for: true, false, a pattern, a list, `{includes, excludes}`, or URL parameters. */
import type { ShownPaths } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { parsingError } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import type { Json } from "../json/value.js";
import { isObject, tokenName } from "../json/value.js";
import { type SourceFilter, sourceFilter } from "./source-filter.js";

/** `all` splices the bytes untouched, `none` leaves `_source` out, else the function says what is shown. */
export type SourceOption = "all" | "none" | SourceFilter;

const SHAPE = shape("_source", "object", { includes: "any", include: "any", excludes: "any", exclude: "any" }, [
  "exclude_vectors",
]);

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
  readShape(given, SHAPE);
  const named = (key: string) => (given[key] === undefined ? undefined : patternsOf(given[key], key));
  return filtered({
    includes: named("includes") ?? named("include") ?? [],
    excludes: named("excludes") ?? named("exclude") ?? [],
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

/** One pattern or a list of them; unlike most lists of names, Elasticsearch takes nothing but strings here. */
function patternsOf(value: Json, key: string): string[] {
  const patterns = Array.isArray(value) ? value : [value];
  const wrong = patterns.find((pattern) => typeof pattern !== "string");
  if (wrong !== undefined) throw parsingError(`Unknown key for a ${tokenName(wrong)} in [${key}].`, key);
  return patterns as string[];
}

function patternOf(value: Json): string {
  if (typeof value === "string") return value;
  throw parsingError("[_source] must be an array of strings", "_source");
}
