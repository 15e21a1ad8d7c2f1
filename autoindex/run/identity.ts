import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import type { FolderEntry } from "../catalog/manifest.js";
import { AutoindexError } from "../errors.js";
import { originName, workTreeTop } from "../walk/index.js";

/** The folder as the file system names it. Throws when it is none. */
export function resolveRoot(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) throw new AutoindexError("not_a_folder", `${folder} is not a folder`);
  return realpathSync(folder);
}

/**
 * The repository name of a folder: the one asked for, the one it has in the index already, else that of its `origin`
 * remote if it is the top of a work tree, else its own. Two folders never share a name: documents are told apart by it.
 */
export function chooseRepo(root: string, folders: readonly FolderEntry[], asked: string | undefined): string {
  const taken = new Set(folders.filter((folder) => folder.root !== root).map(({ repo }) => repo));
  if (asked !== undefined) {
    if (!taken.has(asked)) return asked;
    throw new AutoindexError("name_taken", `another indexed folder is named ${asked} already`);
  }
  const known = folders.find((folder) => folder.root === root);
  if (known) return known.repo;
  const top = workTreeTop(root) === root ? originName(root) : undefined;
  const name = top ?? (path.basename(root) || "root");
  return taken.has(name) ? `${name}-${createHash("sha1").update(root).digest("hex").slice(0, 6)}` : name;
}

/** A path inside `root`, `/` separated. Throws when it lies outside. */
export function pathInside(root: string, given: string): string {
  const relative = path.relative(root, path.resolve(root, given));
  if (relative === "" || relative.startsWith(`..${path.sep}`) || relative === ".." || path.isAbsolute(relative)) {
    throw new AutoindexError("outside_root", `${given} is not inside ${root}`);
  }
  return relative.split(path.sep).join("/");
}
