/** Templates by the names and patterns of a request. */
import { ApiError } from "../errors.js";
import type { Kind } from "./kept.js";
import { matchesAny } from "./patterns.js";

/** Templates that an expression names, in the order of their names; all of them without one. */
export function findTemplates<T>(all: ReadonlyMap<string, T>, expression: string | undefined): [string, T][] {
  if (expression === undefined) return [...all];
  const patterns = expression.split(",");
  return [...all].filter(([name]) => matchesAny(patterns, name));
}

/** The same; a name that is not there is a 404, a pattern is not. */
export function requireTemplates<T>(
  all: ReadonlyMap<string, T>,
  expression: string | undefined,
  kind: Kind<T>,
): [string, T][] {
  const found = findTemplates(all, expression);
  if (found.length === 0 && expression !== undefined && !expression.includes("*")) {
    throw templateMissing(kind, expression);
  }
  return found;
}

/** 404 `resource_not_found_exception`. */
export function templateMissing(kind: Kind<unknown>, expression: string): ApiError {
  return new ApiError(404, "resource_not_found_exception", `${kind.label} matching [${expression}] not found`);
}

/** 404 as Elasticsearch answers where an index template or a legacy one is to be deleted that is not there. */
export function deletedMissing(name: string): ApiError {
  return new ApiError(404, "index_template_missing_exception", `index_template [${name}] missing`);
}
