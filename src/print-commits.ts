import { WireError } from "../client/index.js";
import {
  type CodeQuery,
  type CommitHit,
  type CommitHits,
  commitLine,
  commitLinesWith,
  counted,
  INDEX,
  parseCommits,
  printable,
  toCommitSearch,
  wantedTexts,
} from "../code/index.js";
import { type Workspace, warnOfUnknown } from "../mcp/index.js";
import type { Asked } from "./search/asked.js";

/** Lines shown of each side of one commit. */
const MOST_LINES = 3;

/**
 * Prints the commits that a query finds, one a line, as JSON where that was asked for; with `diff:`, the lines that have
 * its words. Answers how many.
 */
export async function printCommits(workspace: Workspace, { query, show, limit = 0 }: Asked): Promise<number> {
  const { hits, total } = await findCommits(workspace, query, limit);
  await warnOfUnknown(workspace, [{ query }]);
  const isShared = workspace.repos.length > 1;
  for (const hit of hits) {
    const lines = commitLinesWith(hit, wantedTexts(query), MOST_LINES);
    if (show === "json") {
      process.stdout.write(`${JSON.stringify(commitJson(hit, lines))}\n`);
      continue;
    }
    process.stdout.write(`${printable(`${isShared ? `${hit.repo} ` : ""}${commitLine(hit)}`)}\n`);
    for (const line of lines) process.stdout.write(`  ${printable(line, "\t")}\n`);
  }
  if (show === "json") {
    const summary = { type: "summary", hits: hits.length, total, total_is: "exact", warnings: workspace.warnings };
    process.stdout.write(`${JSON.stringify(summary)}\n`);
  }
  const say = (line: string) => process.stderr.write(`${printable(line)}\n`);
  if (hits.length === 0) say("no commit is found; pinakes autoindex FOLDER --history all takes in older ones");
  for (const warning of workspace.warnings) say(warning);
  if (total > hits.length) say(`${hits.length} of ${counted(total, "commit")} shown; --limit shows more`);
  return hits.length;
}

/** A commit for programs; `lines` are those that have words of the query, with the mark of a diff. */
function commitJson(commit: CommitHit, lines: readonly string[]): object {
  const { repo, sha, author, commit_date: date, subject, body, branches, insertions, deletions, is_cut } = commit;
  const files = { files: commit.files_count, insertions, deletions, is_cut };
  return { type: "commit", repo, sha, author, date, subject, body, branches, ...files, lines };
}

async function findCommits(workspace: Workspace, query: CodeQuery, limit: number): Promise<CommitHits> {
  const body = toCommitSearch(query, { from: 0, size: limit, scopes: await workspace.scopes(query) });
  try {
    return parseCommits(await workspace.client.json("POST", `/${INDEX.commits}/_search`, body));
  } catch (error) {
    // Where no folder is in git there is no index of commits.
    if (error instanceof WireError && error.status === 404) return { hits: [], total: 0 };
    throw error;
  }
}
