import path from "node:path";
import type { Client } from "../../client/index.js";
import { fileEntries } from "../catalog/manifest.js";
import { stampOf } from "../stamp.js";
import { lookAt } from "../walk/index.js";
import { reindexFile } from "./reindex-file.js";

/** Files that one call brings up to date at most: each takes some ten milliseconds. */
export const MOST_REFRESHED = 50;
/** Paths asked for in one search. */
const PATHS = 5000;

/**
 * Brings those of some files of an indexed folder up to date that the index does not have as they are now; answers how
 * many more there would be. A look at the catalog and one stat a file tell which.
 */
export async function refreshPaths(client: Client, root: string, paths: readonly string[]): Promise<number> {
  const stale: string[] = [];
  for (let at = 0; at < paths.length; at += PATHS) {
    const group = paths.slice(at, at + PATHS);
    const known = new Map<string, string>();
    for await (const entry of fileEntries(client, root, { filter: [{ terms: { path: group } }] })) {
      known.set(entry.path, `${entry.size} ${entry.mtime_ms} ${entry.ctime_ms} ${entry.inode}`);
    }
    for (const one of group) if (known.get(one) !== stateOf(path.join(root, one))) stale.push(one);
  }
  for (const one of stale.slice(0, MOST_REFRESHED)) await reindexFile(client, root, one);
  return Math.max(0, stale.length - MOST_REFRESHED);
}

/** As an entry tells it; nothing for what is not there, as where there is no entry. */
function stateOf(file: string): string | undefined {
  const found = lookAt(file, "show");
  if (!found) return undefined;
  const { size, mtimeMs, ctimeMs, inode } = stampOf(found);
  return `${size} ${mtimeMs} ${ctimeMs} ${inode}`;
}
