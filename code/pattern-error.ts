import { QueryError } from "./query-error.js";

/**
 * The fault of a query, told by what a node says of a regular expression in it (`regular expression [(]: ... at column 1`):
 * the column becomes one of the query. Nothing when the node says something else, or of a pattern that is not there.
 */
export function patternError(query: string, refusal: string): QueryError | undefined {
  const said = /regular expression \[([\s\S]*)\]: ([\s\S]*) at column (\d+)$/.exec(refusal);
  if (said === null) return undefined;
  const [, pattern, reason, column] = said as unknown as [string, string, string, string];
  const written = writtenPattern(query, pattern);
  if (written === undefined) return undefined;
  return new QueryError(reason, written.start + offsetIn(written.text, Number(column) - 1) + 1, query);
}

/** Where a pattern stands between slashes; a slash inside may have been written with a backslash. */
function writtenPattern(query: string, pattern: string): { start: number; text: string } | undefined {
  const literal = pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\//g, "\\\\?/");
  const found = new RegExp(`/(${literal})/`).exec(query);
  return found === null ? undefined : { start: found.index + 1, text: found[1]! };
}

/** Where the character at `at` of a pattern stands in it as it was written. */
function offsetIn(written: string, at: number): number {
  let offset = 0;
  for (let left = at; left > 0; left--) offset += written.startsWith("\\/", offset) ? 2 : 1;
  return offset;
}
