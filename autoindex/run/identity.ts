import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";
import { AutoindexError } from "../errors.js";
import { lookAt, originName, workTreeTop } from "../walk/index.js";

/** The folder as the file system names it. Throws when it is none, or none that may be looked at. */
export function resolveRoot(folder: string): string {
  const found = lookAt(folder, "follow");
  if (!found?.isDirectory()) throw new AutoindexError("not_a_folder", `${folder} is not a folder`);
  try {
    return realpathSync(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AutoindexError("not_a_folder", `${folder} cannot be looked at: ${reason}`);
  }
}

/**
 * The names that a folder may go by, the best first: the one asked for and no other; the one it has in the index
 * already; that of its `origin` remote if it is the top of a work tree, else its own; the same with a few digits that
 * no other folder has.
 */
export function repoCandidates(root: string, known: string | undefined, asked: string | undefined): string[] {
  if (asked !== undefined) return [asked];
  const top = workTreeTop(root) === root ? originName(root) : undefined;
  const name = top ?? (path.basename(root) || "root");
  const digits = createHash("sha1").update(root).digest("hex").slice(0, 6);
  return [...(known === undefined ? [] : [known]), name, `${name}-${digits}`];
}

/** A path inside `root`, `/` separated. Throws when it lies outside. */
export function pathInside(root: string, given: string): string {
  const relative = path.relative(root, path.resolve(root, given));
  if (relative === "" || relative.startsWith(`..${path.sep}`) || relative === ".." || path.isAbsolute(relative)) {
    throw new AutoindexError("outside_root", `${given} is not inside ${root}`);
  }
  return relative.split(path.sep).join("/");
}
