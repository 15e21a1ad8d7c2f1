/** `sort` of the body and of the URL. */
import type { SortKey, SortValue } from "../../engine/index.js";
import { oneOf, readShape, shape } from "../body/shape.js";
import { illegalArgument, notSupported, parsingError } from "../errors.js";
import { isObject, type Json } from "../json/value.js";
import { ordinaryField } from "../metadata-fields.js";

const SHAPE = shape(
  "field_sort",
  "object",
  { order: "string", missing: "scalar", mode: "string", unmapped_type: "string", format: "string" },
  ["nested", "nested_path", "nested_filter", "numeric_type"],
);
const NOT_BUILT: ReadonlySet<string> = new Set(["_geo_distance", "_script"]);

/** Reads the body's `sort`: one key or a list, each a name or `{name: order}` or `{name: {options}}`. */
export function readSort(given: Json | undefined): SortKey[] {
  if (given === undefined || given === null) return [];
  return (Array.isArray(given) ? given : [given]).flatMap(readEntry);
}

function readEntry(entry: Json): SortKey[] {
  if (typeof entry === "string") return [sortKey(entry, undefined)];
  if (!isObject(entry))
    throw parsingError(
      "malformed sort format, within the sort array, an object, or an actual string are allowed",
      "sort",
    );
  return Object.entries(entry).map(([field, options]) => {
    if (NOT_BUILT.has(field)) throw notSupported(`[${field}] in [sort]`);
    if (typeof options === "string") return sortKey(field, options);
    const { order, missing, mode, unmapped_type, format } = readShape(options, SHAPE);
    const key = sortKey(field, order);
    if (missing !== undefined) key.missing = typeof missing === "number" ? missing : String(missing);
    if (mode !== undefined)
      key.mode = oneOf(mode.toLowerCase(), ["min", "max", "sum", "avg", "median"] as const, "[mode]");
    if (unmapped_type !== undefined) key.unmappedType = unmapped_type;
    if (format !== undefined) key.format = format;
    return key;
  });
}

/** Scores sort downwards unless said otherwise, everything else upwards. */
function sortKey(field: string, order: string | undefined): SortKey {
  ordinaryField(field, "sort");
  const direction = order?.toLowerCase() ?? (field === "_score" ? "desc" : "asc");
  return { field, order: oneOf(direction, ["asc", "desc"] as const, "[order]"), missing: "_last" };
}

/** Reads the URL's `sort=field:asc,other`. */
export function readSortParameter(parts: readonly string[]): SortKey[] {
  return parts.map((part) => {
    const colon = part.lastIndexOf(":");
    if (colon === -1) return sortKey(part, undefined);
    return sortKey(part.slice(0, colon), part.slice(colon + 1));
  });
}

/** Reads `search_after`: one value per sort key. */
export function readSearchAfter(given: Json[], sort: readonly SortKey[]): SortValue[] {
  if (sort.length === 0) throw illegalArgument("Sort must contain at least one field.");
  if (given.length !== sort.length) {
    throw illegalArgument(`search_after has ${given.length} value(s) but sort has ${sort.length}.`);
  }
  return given.map((value) => {
    if (value !== null && typeof value === "object") {
      throw parsingError(
        "Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] inside search_after",
        "search_after",
      );
    }
    return value;
  });
}
