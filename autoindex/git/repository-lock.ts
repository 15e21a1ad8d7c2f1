import type { Client } from "../../client/index.js";
import { FolderLock } from "../catalog/folder-lock.js";
import { namesOf } from "../catalog/repo-names.js";

/** Whose names are to be held, and how. */
export interface RepositoryLockRequest {
  client: Client;
  root: string;
  repo: string;
  patienceMs?: number;
  onWait?: (who: string) => void;
}

/**
 * The names that a folder's documents lie under, held while they are written: work trees and clones of a repository
 * share documents, so that only one of them may change them at a time.
 */
export class RepositoryLock {
  private constructor(private readonly locks: readonly FolderLock[]) {}

  /** Takes the names in their order, so that two runs never wait for each other. Throws `busy` after the patience. */
  static async acquire({ client, root, repo, patienceMs, onWait }: RepositoryLockRequest): Promise<RepositoryLock> {
    const names = [...new Set([repo, ...(await namesOf(client, root))])].sort();
    const locks: FolderLock[] = [];
    const patience = { patienceMs: patienceMs ?? Number.POSITIVE_INFINITY, ...(onWait && { onWait }) };
    try {
      for (const name of names) {
        locks.push(await FolderLock.acquire({ client, root: `repo:${name}`, repo: name, entry: "lock", ...patience }));
      }
    } catch (error) {
      await new RepositoryLock(locks).release();
      throw error;
    }
    return new RepositoryLock(locks);
  }

  /** Throws when another run has taken a name over. */
  check(): void {
    for (const lock of this.locks) lock.check();
  }

  async release(): Promise<void> {
    for (const lock of this.locks) await lock.remove().catch(() => {});
  }
}
