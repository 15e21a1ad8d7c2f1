/**
 * The folders of indices in a data folder, `indices/<uuid>/`, and those that no definition speaks of: what a crash left of
 * a deletion or a restore says so by its name and is removed; anything else that holds something is put aside, never
 * removed, since metadata may be what was lost.
 */
import path from "node:path";
import type { Files } from "./store/files.js";
import { ensureFolder } from "./wal/index.js";

export const INDICES_FOLDER = "indices";
/** Where folders go that no definition speaks of. */
export const ORPHANS_FOLDER = "orphans";
const DELETED_SUFFIX = ".deleted";
/** Of a folder whose index is being restored. */
export const PARTIAL_SUFFIX = ".partial";

/** Removes the folder of an index whose definition is gone; a crash on the way leaves one that says what it is. */
export function removeIndexFolder(files: Files, folder: string): void {
  const doomed = folder + DELETED_SUFFIX;
  if (files.stat(folder)) files.rename(folder, doomed);
  files.removeTree(doomed);
}

/** Removes what a crash left, puts aside every other folder that is not of these; returns what there is to tell of it. */
export function clearStrays(files: Files, dir: string, known: ReadonlySet<string>): string[] {
  const indices = path.join(dir, INDICES_FOLDER);
  const strays = files.list(indices).filter((name) => !known.has(name));
  const lost: string[] = [];
  for (const name of strays) {
    if (holdsNothing(files, indices, name)) files.removeTree(path.join(indices, name));
    else lost.push(name);
  }
  moveToOrphans(files, dir, lost);
  return lost.map((name) => {
    const place = path.join(dir, ORPHANS_FOLDER, name);
    return `${path.join(indices, name)} is an index that the metadata does not know: its files are in ${place} now`;
  });
}

/** Whether anything below `indices/` is an index's. */
export function hasIndexFolders(files: Files, dir: string): boolean {
  const indices = path.join(dir, INDICES_FOLDER);
  return files.stat(indices) !== undefined && files.list(indices).some((name) => !holdsNothing(files, indices, name));
}

/** Puts folders of indices aside, durably. */
export function moveToOrphans(files: Files, dir: string, uuids: readonly string[]): void {
  if (uuids.length === 0) return;
  const folder = path.join(dir, ORPHANS_FOLDER);
  ensureFolder(files, folder);
  for (const uuid of uuids) files.rename(path.join(dir, INDICES_FOLDER, uuid), path.join(folder, uuid));
  files.syncDirectory(folder);
  files.syncDirectory(path.join(dir, INDICES_FOLDER));
}

function holdsNothing(files: Files, indices: string, name: string): boolean {
  if (name.endsWith(DELETED_SUFFIX) || name.endsWith(PARTIAL_SUFFIX)) return true;
  const folder = path.join(indices, name);
  if (!files.stat(folder)?.directory) return false;
  const inside = files.list(folder);
  const log = path.join(folder, "log");
  return inside.every((one) => one === "log") && (!inside.includes("log") || files.list(log).length === 0);
}
