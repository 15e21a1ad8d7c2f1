/** The one `_search` that answers a code query, whatever it asks for, and its answer read. */
import { type CommitHits, parseCommits } from "./commit-hit.js";
import { isCommitQuery, toCommitSearch } from "./commit-query.js";
import { INDEX } from "./documents.js";
import { type FileHit, parseFileHit } from "./file-hit.js";
import { type CodeHit, parseHit, parseTotal, type Total } from "./hit.js";
import type { Clause } from "./query-clauses.js";
import type { CodeQuery } from "./query-terms.js";
import { isLineQuery, type LineSearchOptions, toLineSearch } from "./to-line-search.js";
import { type SearchOptions, toSearch } from "./to-search.js";

/** A `_search` ready to be sent: `POST /<index>/_search` with the body. */
export interface SearchRequest {
  of: "declarations" | "files" | "commits";
  index: string;
  body: Clause;
}

/** A hit of either kind: files carry the lines that patterns found, declarations do where patterns were asked for. */
export type SearchHit = CodeHit | FileHit;

/** A page of hits. */
export interface SearchHits extends Total {
  hits: SearchHit[];
}

/**
 * Makes the `_search` of a query: commits for `type:commit` and its kin, files for patterns on lines, else declarations.
 * Throws ScopeError, CommitQueryError, GlobError for what cannot be asked.
 */
export function toSearchRequest(query: CodeQuery, options: LineSearchOptions): SearchRequest {
  if (isCommitQuery(query)) return { of: "commits", index: INDEX.commits, body: toCommitSearch(query, options) };
  if (isLineQuery(query)) return { of: "files", index: INDEX.files, body: { ...toLineSearch(query, options) } };
  return { of: "declarations", index: INDEX.declarations, body: { ...toSearch(query, ofDeclarations(options)) } };
}

/** Declarations are scored whatever is asked for: the first ones met are the best. */
function ofDeclarations({ order, ...options }: LineSearchOptions): SearchOptions {
  return { ...options, order: order === "path" ? "path" : "best" };
}

/** Reads the answer to a request for declarations or files. Throws HitError for one that has another shape. */
export function parseSearchHits({ of, body }: SearchRequest, answer: unknown): SearchHits {
  const { hits } = answer as { hits?: { total?: unknown; hits?: unknown[] } };
  const list = hits?.hits ?? [];
  const parsed: SearchHit[] = of === "files" ? list.map(parseFileHit) : list.map(parseHit);
  return { ...totalOf(hits?.total, list.length, body), hits: parsed };
}

/** Reads the answer to a request for commits. */
export function parseCommitHits(answer: unknown): CommitHits {
  return parseCommits(answer);
}

/** Without a counted total, what is known is what was seen, and whether the page is full. */
function totalOf(total: unknown, seen: number, { from, size }: Clause): Total {
  if (total !== undefined) return parseTotal(total);
  return { total: Number(from ?? 0) + seen, totalIs: seen < Number(size) ? "exact" : "at least" };
}
