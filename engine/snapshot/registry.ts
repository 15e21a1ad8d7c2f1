/**
 * Repositories by name, kept in the node's metadata under `repository/<name>`, and the folders that they may lie in: a
 * request may name a place on this machine's disks only within those.
 */
import path from "node:path";
import type { MetadataStore } from "../engine-types.js";
import { EngineError } from "../errors.js";
import type { RepositoryInfo, RepositoryOptions } from "../snapshots.js";

const PREFIX = "repository/";

type Kept = Omit<RepositoryInfo, "name">;

export class Registry {
  constructor(
    private readonly records: MetadataStore,
    /** Absolute; the first is where relative locations begin. */
    private readonly allowed: readonly string[],
  ) {}

  /** Sorted by name. */
  all(): RepositoryInfo[] {
    return this.records.keys(PREFIX).map((key) => this.get(key.slice(PREFIX.length)));
  }

  /** Throws `repository_missing`. */
  get(name: string): RepositoryInfo {
    const kept = this.records.get(PREFIX + name) as Kept | undefined;
    if (kept) return { name, ...kept };
    throw new EngineError("repository_missing", `[${name}] missing`, { repository: name });
  }

  async put({ name, ...kept }: RepositoryInfo): Promise<void> {
    await this.records.put({ [PREFIX + name]: kept satisfies Kept });
  }

  async remove(name: string): Promise<void> {
    await this.records.put({ [PREFIX + name]: undefined });
  }

  /** A repository's folder. Throws `repository_failed` where none may be. */
  folderOf(name: string, { location }: RepositoryOptions): string {
    const folder = path.resolve(this.allowed[0], location);
    if (this.allowed.some((root) => isWithin(root, folder))) return folder;
    const message = `[${name}] location [${location}] doesn't match any of the locations specified by path.repo`;
    throw new EngineError("repository_failed", message, { repository: name });
  }
}

function isWithin(root: string, folder: string): boolean {
  const way = path.relative(root, folder);
  return way === "" || !(way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
}
