import type { Client } from "../../client/index.js";
import type { Commit } from "../catalog/commit.js";
import { Committer } from "../catalog/committer.js";
import type { FolderLock } from "../catalog/folder-lock.js";
import { CODE_INDICES, refreshIndices } from "../catalog/indices.js";
import type { FileEntry } from "../catalog/manifest.js";
import { dataIndex } from "../documents/ids.js";
import type { GitPath } from "../git/git-path.js";
import type { Sink } from "./pass.js";

/** The entries that a sink has written; nothing for those it has removed. */
export type Written = Map<string, FileEntry | undefined>;

/** What a sink works with. */
export interface FolderSinkParts {
  client: Client;
  lock: FolderLock;
  git: Pick<GitPath, "check" | "claimsOf">;
  /** Told of every entry, for those who keep the manifest beside the catalog. */
  written?: Written;
}

/**
 * Writes the changes of a pass to a folder that is held. Before the first one the folder is marked: from there on a run
 * that is cut off shows.
 */
export class FolderSink implements Sink {
  readonly committer: Committer;
  /** Whether anything was written. */
  isOpen = false;

  constructor(private readonly parts: FolderSinkParts) {
    const { client, lock, git } = parts;
    const guard = () => {
      lock.check();
      git.check();
    };
    const claimsOf = (repo: string) => git.claimsOf(repo);
    this.committer = new Committer({ client, root: lock.found.root, guard, claimsOf });
  }

  async add(...commits: Commit[]): Promise<void> {
    if (!this.isOpen) {
      this.isOpen = true;
      await this.parts.lock.write({ state: "unfinished" });
    }
    for (const { path, entry } of commits) this.parts.written?.set(path, entry);
    await this.committer.add(...commits);
  }

  async finish(): Promise<void> {
    await this.committer.finish();
    for (const { written } of this.committer.corrections) this.parts.written?.set(written.path, written);
  }

  async stop(): Promise<void> {
    await this.committer.stop();
  }

  /** Makes all that was written visible to searches. */
  async refresh(): Promise<void> {
    await refreshIndices(this.parts.client, [...CODE_INDICES, ...[...this.committer.touchedData].map(dataIndex)]);
  }
}
