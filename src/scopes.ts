import type { Client } from "../client/index.js";
import {
  type CatalogDocument,
  type CodeQuery,
  INDEX,
  isCommitQuery,
  type ScopeFinding,
  scopesOf,
} from "../code/index.js";

type Folder = Extract<CatalogDocument, { entry: "folder" }>;

/** What the clauses of a query mean that only git can answer, and what could not be looked at. */
export interface Scoped {
  findings: ScopeFinding[];
  notes: string[];
}

/**
 * What `search` and `mcp` are given to have `changed:` and `since:` answered in the indexed folders. The git side is
 * loaded at its first use: most queries do not ask for it.
 */
export function scopeResolver(client: Client): (query: CodeQuery) => Promise<Scoped> {
  return async (query) => {
    const scopes = scopesOf(query);
    if (scopes.length === 0) return { findings: [], notes: [] };
    const { refreshPaths, resolveScopes } = await import("../autoindex/index.js");
    const use = isCommitQuery(query) ? "commits" : "code";
    const { findings, notes, changed } = await resolveScopes(await foldersOf(client, query), scopes, use);
    // What somebody works on is searched as it is now, new files too.
    for (const { root, paths } of changed) {
      const left = await refreshPaths(client, root, paths).catch(messageOf);
      if (left !== 0)
        notes.push(`changed: not all files of ${root} are up to date in the index (${left}): index it again`);
    }
    return { findings, notes };
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The indexed folders; where the query names repositories, only those. */
async function foldersOf(client: Client, query: CodeQuery): Promise<Folder[]> {
  const body = { size: 1000, query: { term: { entry: "folder" } }, sort: [{ root: "asc" }] };
  const path = `/${INDEX.catalog}/_search?ignore_unavailable=true`;
  const answer = await client.json<{ hits: { hits: { _source: Folder }[] } }>("POST", path, body);
  const folders = answer.hits.hits.map((hit) => hit._source);
  const named = query.terms.flatMap((term) =>
    term.type === "key" && term.key === "repo" && !term.negated ? term.values : [],
  );
  if (named.length === 0 || named.some((name) => name.includes("*"))) return folders;
  return folders.filter(({ repo }) => named.includes(repo));
}
