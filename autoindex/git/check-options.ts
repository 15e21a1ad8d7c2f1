import path from "node:path";
import { lookAt } from "../walk/index.js";
import { resolveBranches } from "./branches.js";
import { GitError } from "./command.js";
import { checkHistory } from "./index-commits.js";
import { findRepository } from "./repository.js";
import { NO_BRANCHES } from "./tracked.js";

/** What is asked of git for a folder. */
export interface GitOptions {
  folder: string;
  branches?: readonly string[];
  history?: string;
}

/** Refuses what cannot be had before anything is written for the folder. Throws GitError. */
export async function checkGitOptions({ folder, branches = [], history }: GitOptions): Promise<void> {
  if (history !== undefined) checkHistory(history);
  const names = branches.filter((name) => name !== NO_BRANCHES && name !== "" && name !== "HEAD");
  // A folder that is none is refused by itself.
  if (names.length === 0 || !lookAt(folder, "follow")?.isDirectory()) return;
  const repository = findRepository(path.resolve(folder));
  if (!repository) throw new GitError("failed", `${folder} is in no git repository, so it has no branches`);
  try {
    await resolveBranches(repository, names, "refuse");
  } catch (error) {
    // A damaged repository is told of beside its files, which are indexed all the same.
    if (!(error instanceof GitError && error.git === "ended")) throw error;
  }
}
