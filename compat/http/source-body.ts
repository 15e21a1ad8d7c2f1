/**
 * A body in the query string: `source` with `source_content_type`, for clients that cannot send bodies with GET. As in
 * Elasticsearch, only for requests without a body whose endpoint has a GET or reads by query.
 */
import type { Row } from "../endpoints/row.js";
import { illegalArgument } from "../errors.js";
import type { ParameterName } from "../parameters.js";
import { toJsonBody } from "./forms/convert.js";
import { contentForm } from "./media-types.js";
import type { Parameters } from "./parameters.js";

export const SOURCE_BODY: readonly ParameterName[] = ["source", "source_content_type"];

/** Whether the row's body may come as `source`. */
export function takesSource(row: Row): boolean {
  if (row.body === "none") return false;
  return row.privilege === "read" || row.name === "delete_by_query" || row.name === "update_by_query";
}

/** The body that the parameters carry, as JSON, if they do. Throws when its type is missing or not read. */
export function sourceOf(parameters: Parameters): Buffer | undefined {
  const source = parameters.text("source");
  const type = parameters.text("source_content_type");
  if (source === undefined && type === undefined) return undefined;
  if (source === undefined || type === undefined)
    throw illegalArgument("source and source_content_type parameters are required");
  const form = contentForm(type);
  if (form === undefined) throw illegalArgument(`invalid Content-Type header [${type}]`);
  return toJsonBody(Buffer.from(source), form);
}
