import { findRepository, originUrl, type Repository, readHead, withoutCredentials } from "./repository.js";

/** What a folder's entry says of git; all empty where there is none. */
export interface GitFacts {
  branch: string;
  commit: string;
  /** Address of `origin` without credentials. */
  remote: string;
  store: string;
}

/** Reads what git's files say of a folder; runs nothing. */
export function readFacts(root: string, repository: Repository | undefined = findRepository(root)): GitFacts {
  if (!repository) return { branch: "", commit: "", remote: "", store: "" };
  const { branch, commit } = readHead(repository);
  return { branch, commit, remote: withoutCredentials(originUrl(repository.common)), store: repository.store };
}

/** Whether a folder's entry says these facts already; one of an earlier version says nothing of them. */
export function isSaid(entry: Partial<GitFacts>, facts: GitFacts): boolean {
  return (Object.keys(facts) as (keyof GitFacts)[]).every((key) => (entry[key] ?? "") === facts[key]);
}
