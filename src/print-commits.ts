import { WireError } from "../client/index.js";
import {
  type CodeQuery,
  type CommitHits,
  commitLine,
  commitLinesWith,
  INDEX,
  parseCommits,
  printable,
  toCommitSearch,
  wantedTexts,
} from "../code/index.js";
import { type Workspace, warnOfUnknown } from "../mcp/index.js";

/** Lines shown of each side of one commit. */
const MOST_LINES = 3;

/** Prints the commits that a query finds, one a line; with `diff:`, the lines that have its words. Answers how many. */
export async function printCommits(workspace: Workspace, query: CodeQuery, limit: number): Promise<number> {
  const { hits, total } = await findCommits(workspace, query, limit);
  await warnOfUnknown(workspace, [{ query }]);
  const isShared = workspace.repos.length > 1;
  for (const hit of hits) {
    process.stdout.write(`${printable(`${isShared ? `${hit.repo} ` : ""}${commitLine(hit)}`)}\n`);
    for (const line of commitLinesWith(hit, wantedTexts(query), MOST_LINES)) {
      process.stdout.write(`  ${printable(line, "\t")}\n`);
    }
  }
  const say = (line: string) => process.stderr.write(`${printable(line)}\n`);
  if (hits.length === 0) say("no commit is found; pinakes autoindex FOLDER --history all takes in older ones");
  for (const warning of workspace.warnings) say(warning);
  if (total > hits.length) say(`${hits.length} of ${total} commits shown; --limit shows more`);
  return hits.length;
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
