import type { FileEntry } from "../catalog/manifest.js";

/** The manifest of a watched folder in memory, so that one folder's part of it is found without looking at all. */
export class ManifestTree {
  readonly #entries = new Map<string, FileEntry>();
  /** What lies directly in a folder (`a/b/`, the root is empty), by whole path; folders among it end with `/`. */
  readonly #children = new Map<string, Set<string>>();

  constructor(entries: Iterable<FileEntry>) {
    for (const entry of entries) this.set(entry.path, entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The entry of exactly this path. */
  get(path: string): FileEntry | undefined {
    return this.#entries.get(path);
  }

  /** All entries, in no order that counts. */
  values(): Iterable<FileEntry> {
    return this.#entries.values();
  }

  /** Puts an entry, or takes it away when there is none. */
  set(path: string, entry: FileEntry | undefined): void {
    if (entry) this.#add(path, entry);
    else this.#remove(path);
  }

  #add(path: string, entry: FileEntry): void {
    const isKnown = this.#entries.has(path);
    this.#entries.set(path, entry);
    if (isKnown) return;
    for (let at = path; at !== ""; at = parentOf(at)) {
      const siblings = this.#children.get(parentOf(at));
      if (siblings?.has(at)) return;
      if (siblings) siblings.add(at);
      else this.#children.set(parentOf(at), new Set([at]));
    }
  }

  /** Entries of a path, whether it is a file or a folder, and of all below it. The empty path is the root. */
  under(path: string): Map<string, FileEntry> {
    const found = new Map<string, FileEntry>();
    this.#collect(path, found);
    if (path !== "") this.#collect(`${path}/`, found);
    return found;
  }

  #collect(path: string, found: Map<string, FileEntry>): void {
    const own = this.#entries.get(path);
    if (own) found.set(path, own);
    for (const child of this.#children.get(path) ?? []) this.#collect(child, found);
  }

  #remove(path: string): void {
    this.#entries.delete(path);
    // A folder that holds nothing any more goes too, and so do those above it.
    for (let at = path; at !== ""; at = parentOf(at)) {
      if (this.#entries.has(at) || (this.#children.get(at)?.size ?? 0) > 0) return;
      this.#children.delete(at);
      this.#children.get(parentOf(at))?.delete(at);
    }
  }
}

/** `a/b.ts` and `a/b/` lie in `a/`, `a/` in the root. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}
