import {
  CommitQueryError,
  commitLine,
  commitLinesWith,
  counted,
  INDEX,
  isCommitQuery,
  parseCommits,
  parseQuery,
  printable,
  readQuery,
  toCommitSearch,
  wantedTexts,
} from "../code/index.js";
import { callText } from "./call-text.js";
import { type Continuation, formatContinuation } from "./continuation.js";
import { searchIndex } from "./node.js";
import { cutText, type Page, sameBudget, wireBytes } from "./page.js";
import { warnOfUnknown } from "./unknown-values.js";
import type { Workspace } from "./workspace.js";

/** Files and lines shown of one commit. */
const MOST_FILES = 8;
const MOST_LINES = 4;
/** Part of the budget that the continuation may take. */
const SHARE = 6;

/** Whether queries ask for commits. Throws CommitQueryError when some do and others do not. */
export function asksForCommits(queries: readonly string[]): boolean {
  const kinds = queries.map((text) => isCommitQuery(readQuery(text)));
  if (kinds.includes(true) && queries.length > 1)
    throw new CommitQueryError("a search of commits is asked alone: give it as the only query");
  return kinds[0] === true;
}

/** Answers a search of commits within its budget: one line a commit, its files and, with `diff:`, its lines. */
export async function runCommitSearch(workspace: Workspace, start: Continuation, page: Page): Promise<string> {
  const [text = ""] = start.queries;
  const query = parseQuery(text);
  const scopes = await workspace.scopes(query);
  const body = toCommitSearch(query, { from: start.offset, size: start.limit, scopes });
  const answer = await searchIndex<unknown>(workspace.client, INDEX.commits, body);
  await warnOfUnknown(workspace, [{ query }]);
  const { hits, total } = answer ? parseCommits(answer) : { hits: [], total: 0 };
  const share = Math.floor(page.room / SHARE);
  const isShared = workspace.repos.length > 1;
  page.add(`${counted(total, "commit")} for ${cutText(printable(text), share)}\n`);
  let shown = 0;
  for (const hit of hits) {
    const files = hit.changes.slice(0, MOST_FILES).map((change) => `  ${change}`);
    const more = hit.files_count > MOST_FILES ? [`  and ${hit.files_count - MOST_FILES} more files`] : [];
    const lines = commitLinesWith(hit, wantedTexts(query), MOST_LINES).map((line) => `  ${line}`);
    const head = `${isShared ? `${hit.repo} ` : ""}${commitLine(hit)}`;
    const piece = [head, ...files, ...more, ...lines].map((line) => `${printable(line, "\t")}\n`).join("");
    if (wireBytes(piece) > page.room - share) break;
    page.add(piece);
    shown++;
  }
  const offset = start.offset + Math.max(1, shown);
  if (start.offset + shown < total && hits.length > 0) {
    const next = formatContinuation({ ...start, offset }, share);
    const call = next.startsWith("@")
      ? `the same search with "continuation":"${next}"`
      : callText("search", { continuation: next, ...sameBudget(page) });
    if (shown === 0) page.addCut(`commit ${offset} does not fit: ask with more max_tokens`);
    page.addCut(`${total - start.offset - shown} more; next: ${call}`);
  }
  for (const warning of workspace.warnings) page.addCut(`note: ${warning}`);
  return page.text();
}
