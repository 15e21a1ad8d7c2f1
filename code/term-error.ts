import { GlobError } from "./path-glob.js";
import { QueryError } from "./query-error.js";
import { ScopeError } from "./scope.js";

/**
 * The fault of a query, told by the error about one of its keys: with the column where the value stands. Nothing for
 * other errors, and where the query does not write such a key.
 */
export function termError(query: string, error: unknown): QueryError | undefined {
  if (!(error instanceof GlobError || error instanceof ScopeError)) return undefined;
  const column = columnOf(query, error);
  return column === undefined ? undefined : new QueryError(error.message, column, query);
}

/** The place of the value; of the key where the value is not written so, as in `changed:` alone. */
function columnOf(query: string, { key, value }: { key: string; value: string }): number | undefined {
  const written = new RegExp(`(?<![A-Za-z_])${key}:((?:"(?:[^"\\\\]|\\\\.)*"|[^\\s"])*)`, "gi");
  const terms = [...query.matchAll(written)];
  for (const { 1: values = "", index } of terms) {
    const at = value === "" ? -1 : values.indexOf(value);
    if (at >= 0) return index + key.length + 1 + at + 1;
  }
  return terms[0] === undefined ? undefined : terms[0].index + 1;
}
