/** What a search may ask for beyond Elasticsearch: its `ext` section. */
import type { MatchingLinesOptions } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { illegalArgument } from "../errors.js";
import type { JsonObject } from "../json/value.js";

const EXT = shape("ext", "object", { matching_lines: "object" });
const MATCHING_LINES = shape("matching_lines", "object", {
  size: "integer",
  before: "integer",
  after: "integer",
  max_line_bytes: "integer",
  totals: "boolean",
});

const DEFAULTS = { size: 100, before: 0, after: 0, max_line_bytes: 1000 } as const;
/** Largest values: what a hit shows stays within a page. */
const LIMITS = { size: 1_000_000, before: 100, after: 100, max_line_bytes: 1_000_000 } as const;

/** `ext.matching_lines`; undefined when it is not there. Throws ApiError 400 naming the key. */
export function readExt(given: JsonObject | undefined): MatchingLinesOptions | undefined {
  if (given === undefined) return undefined;
  const { matching_lines: lines } = readShape(given, EXT);
  if (lines === undefined) return undefined;
  const options = readShape(lines, MATCHING_LINES);
  const number = (key: keyof typeof DEFAULTS): number => {
    const value = options[key] ?? DEFAULTS[key];
    if (value >= 0 && value <= LIMITS[key]) return value;
    throw illegalArgument(`[ext.matching_lines] [${key}] must be between 0 and ${LIMITS[key]} but was [${value}]`);
  };
  return {
    size: number("size"),
    before: number("before"),
    after: number("after"),
    maxLineBytes: number("max_line_bytes"),
    totals: options.totals ?? false,
  };
}
