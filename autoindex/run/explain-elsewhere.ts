import path from "node:path";
import { type Client, WireError } from "../../client/index.js";
import { type FileDocument, INDEX } from "../../code/index.js";
import { GitError, gitText } from "../git/command.js";
import { findRepository } from "../git/repository.js";

/** A path of an indexed folder that the folder leaves out. */
export interface LeftOutPath {
  root: string;
  repo: string;
  path: string;
  status: string;
}

/**
 * What else is to be said of a path that is left out of a folder: that git tracks it all the same, and who has it in the
 * index, so that a hit for it is no surprise.
 */
export async function elsewhereFacts(client: Client, left: LeftOutPath): Promise<string[]> {
  const tracked = left.status === "ignored" && (await isTracked(left));
  const others = await documentsOf(client, left);
  const branches = [...new Set(others.flatMap((document) => document.branches))].sort();
  const on = branches.length > 0 ? ` on ${branches.join(", ")}` : "";
  const isInTree = others.some((document) => document.in_tree);
  return [
    ...(tracked ? ["git tracks it all the same: ignore rules count for tracked files too, as in ripgrep"] : []),
    ...(isInTree ? [`in the index from another folder of ${left.repo}${on}`] : []),
    ...(!isInTree && on !== "" ? [`in the index from elsewhere:${on}`] : []),
  ];
}

async function isTracked({ root, path: relative }: LeftOutPath): Promise<boolean> {
  const repository = findRepository(root);
  if (repository?.kind !== "worktree") return false;
  try {
    const file = path.posix.join(repository.prefix, relative);
    return (await gitText(repository.folder, ["ls-files", "-z", "--", `:(literal)${file}`])) === `${file}\0`;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

async function documentsOf(client: Client, { repo, path: relative }: LeftOutPath) {
  const filter = [{ term: { repo } }, { term: { path: relative } }];
  const body = { size: 20, _source: ["branches", "in_tree"], query: { bool: { filter } } };
  try {
    const answer = await client.json<{
      hits: { hits: { _source: Pick<FileDocument, "branches" | "in_tree"> }[] };
    }>("POST", `/${INDEX.files}/_search`, body);
    return answer.hits.hits.map((hit) => hit._source);
  } catch (error) {
    if (error instanceof WireError && error.status === 404) return [];
    throw error;
  }
}
