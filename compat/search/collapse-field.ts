/** The options of `collapse`. */
import type { EngineFace, SearchRequest, SearchTarget } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { illegalArgument, parsingError } from "../errors.js";
import type { JsonObject } from "../json/value.js";
import { ordinaryField } from "../metadata-fields.js";

export const COLLAPSE = shape("collapse", "object", {
  field: "string",
  inner_hits: "any",
  // Groups are searched one after the other.
  max_concurrent_group_searches: "integer",
});

/** The field by which hits are put together. Throws ApiError 400. */
export function readCollapse(given: JsonObject, request: SearchRequest): string {
  const { field, max_concurrent_group_searches: most } = readShape(given, COLLAPSE);
  if (field === undefined) throw parsingError("Required [field] in [collapse]", "collapse");
  if (most !== undefined && most < 1) throw illegalArgument("maxConcurrentGroupRequests must be positive");
  const [key] = request.sort;
  if (request.searchAfter !== undefined && (request.sort.length !== 1 || key.field !== field)) {
    throw illegalArgument(
      "collapse field and sort field must be the same when use `collapse` in conjunction with `search_after`",
    );
  }
  return ordinaryField(field, "collapse");
}

const COLLAPSED_TYPES: ReadonlySet<string> = new Set([
  ...["keyword", "byte", "short", "integer", "long", "unsigned_long"],
  ...["half_float", "float", "double"],
]);

/**
 * Throws ApiError 400 for a field that no index has, or by whose values hits cannot be put together. Text is left to the
 * engine, which says why.
 */
export function checkCollapse(engine: EngineFace, targets: readonly SearchTarget[], field: string): void {
  const types = targets.map(({ index }) => collapsedType(engine, index, field));
  const wrong = types.find((type) => type !== undefined && type !== "text" && !COLLAPSED_TYPES.has(type));
  if (wrong !== undefined)
    throw illegalArgument(`unknown type for collapse field \`${field}\`, only keywords and numbers are accepted`);
  if (types.length > 0 && types.every((type) => type === undefined))
    throw illegalArgument(`no mapping found for \`${field}\` in order to collapse on`);
}

/** The type of a field in an index; undefined for an object and for a name without a mapping. */
function collapsedType(engine: EngineFace, index: string, field: string): string | undefined {
  const fields = engine.index(index)?.fields();
  const type = fields?.get(field)?.type;
  if (type !== undefined) return type === "object" ? undefined : type;
  for (let dot = field.lastIndexOf("."); dot > 0; dot = field.lastIndexOf(".", dot - 1)) {
    if (fields?.get(field.slice(0, dot))?.type === "flat_object") return "flat_object";
  }
  return undefined;
}
