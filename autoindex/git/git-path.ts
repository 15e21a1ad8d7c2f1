import type { Client } from "../../client/index.js";
import { Claims, readClaims } from "./claims.js";
import { datasetName } from "./dataset-repo.js";
import { type GitFacts, readFacts } from "./facts.js";
import { findRepository } from "./repository.js";
import { RepositoryLock } from "./repository-lock.js";

/** What the planning of a folder's changes needs to know of git. */
export interface GitSide {
  facts: GitFacts;
  /** Claims of others on documents of the folder's name. */
  claims: Claims;
  /** Name that data sets are called after. */
  datasetRepo: string;
}

/** The git side of the change of some files. */
export interface GitPath extends GitSide {
  claimsOf(repo: string): Promise<Claims>;
  check(): void;
  close(): Promise<void>;
}

/** Some files of an indexed folder. */
export interface GitPathRequest {
  client: Client;
  root: string;
  repo: string;
  paths: readonly string[];
  patienceMs: number;
}

/** Takes the repository for a change of some files, and reads who else claims its documents. Without git nothing is asked. */
export async function openForPaths(request: GitPathRequest): Promise<GitPath> {
  const { client, root, repo, paths } = request;
  const repository = findRepository(root);
  const facts = readFacts(root, repository);
  if (!repository) {
    const claims = new Claims();
    const nothing = { claimsOf: () => Promise.resolve(claims), check: () => {}, close: async () => {} };
    return { facts, claims, datasetRepo: repo, ...nothing };
  }
  const lock = await RepositoryLock.acquire(request);
  try {
    const claimsOf = (name: string) => readClaims({ client, repo: name, root, store: "", paths });
    const claims = await claimsOf(repo);
    const datasetRepo = await datasetName(client, root, repo);
    return { facts, claims, datasetRepo, claimsOf, check: () => lock.check(), close: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
