/** The query of a request: of its body, or of `q` in its query string. */
import type { Query } from "../../engine/index.js";
import type { Parameters } from "../http/parameters.js";
import type { JsonObject } from "../json/value.js";
import { readQuery } from "./index.js";
import { readQueryString } from "./query-string/clause.js";

/** `q` goes before the body, as in Elasticsearch; neither: everything. Throws ApiError 400. */
export function askedQuery(body: JsonObject | undefined, parameters: Parameters): Query {
  const q = queryParameter(parameters);
  if (q !== undefined) return q;
  return body === undefined ? { kind: "match_all", boost: 1 } : readQuery(body);
}

/** `q` with the parameters that say how it is read; undefined: there is none. Throws ApiError 400. */
export function queryParameter(parameters: Parameters): Query | undefined {
  const query = parameters.text("q");
  if (query === undefined) return undefined;
  const analyzer = parameters.text("analyzer");
  const field = parameters.text("df");
  return readQueryString(
    {
      query,
      ...(field === undefined ? {} : { default_field: field }),
      ...(analyzer === undefined ? {} : { analyzer }),
      default_operator: parameters.text("default_operator") ?? "or",
      lenient: parameters.boolean("lenient", false),
      analyze_wildcard: parameters.boolean("analyze_wildcard", false),
    },
    readQuery,
  );
}
