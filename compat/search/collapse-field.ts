/** The options of `collapse`. */
import type { SearchRequest } from "../../engine/index.js";
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
