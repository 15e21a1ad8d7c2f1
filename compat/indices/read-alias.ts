/** What a request says of one alias. */
import { type BodyOf, readShape, shape } from "../body/shape.js";
import type { Json } from "../json/value.js";
import { readQuery } from "../query/index.js";
import type { AliasEntry } from "./aliases.js";

export const ALIAS_SHAPE = shape("alias", "object", {
  filter: "object",
  routing: "string",
  index_routing: "string",
  search_routing: "string",
  is_write_index: "boolean",
  is_hidden: "boolean",
});

/** The filter is read once here, so that a wrong one is refused before it is kept. Throws ApiError 400. */
export function readAlias(given: Json): AliasEntry {
  return aliasEntry(readShape(given, ALIAS_SHAPE));
}

/** `routing` stands for both kinds of it. */
export function aliasEntry(options: BodyOf<typeof ALIAS_SHAPE>): AliasEntry {
  if (options.filter !== undefined) readQuery(options.filter);
  const index_routing = options.index_routing ?? options.routing;
  const search_routing = options.search_routing ?? options.routing;
  return {
    ...(options.filter === undefined ? {} : { filter: options.filter }),
    ...(index_routing === undefined ? {} : { index_routing }),
    ...(search_routing === undefined ? {} : { search_routing }),
    ...(options.is_write_index === undefined ? {} : { is_write_index: options.is_write_index }),
    ...(options.is_hidden === undefined ? {} : { is_hidden: options.is_hidden }),
  };
}

/** The `aliases` of a new index or of a template. */
export function readAliases(given: Json): Record<string, AliasEntry> {
  return Object.fromEntries(Object.entries(given ?? {}).map(([name, options]) => [name, readAlias(options as Json)]));
}
