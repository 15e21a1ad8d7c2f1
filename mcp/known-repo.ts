import { nearest } from "../code/index.js";
import type { Workspace } from "./workspace.js";

/** A repository that was asked for and is not in the index; says which there are. */
export class RepoError extends Error {
  constructor(repo: string, there: readonly string[]) {
    const near = nearest(repo, there, 3);
    const meant = near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
    const listed = there.slice(0, MOST_LISTED).join(", ");
    const more = there.length > MOST_LISTED ? ` and ${there.length - MOST_LISTED} more` : "";
    super(`there is no repository ${repo}${meant}; there are: ${listed}${more}`);
    this.name = "RepoError";
  }
}

const MOST_LISTED = 12;

/** Throws RepoError for a repository that the index does not have. A node without a catalog knows of none. */
export function checkRepo({ repos }: Pick<Workspace, "repos">, repo: string | undefined): void {
  if (repo !== undefined && repos.length > 0 && !repos.includes(repo)) throw new RepoError(repo, repos);
}
