import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";
import { AutoindexError } from "../errors.js";
import { findRepository, identityOf, originUrl, type Repository } from "../git/repository.js";
import { lookAt } from "../walk/index.js";

/** The folder as the file system names it. Throws when it is none, or none that may be looked at. */
export function resolveRoot(folder: string): string {
  if (hasOddName(folder)) throw new AutoindexError("not_a_folder", `${folder}: ${ODD_NAME}`);
  const found = lookAt(folder, "follow");
  if (!found?.isDirectory()) throw new AutoindexError("not_a_folder", `${folder} is not a folder`);
  try {
    return realpathSync(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AutoindexError("not_a_folder", `${folder} cannot be looked at: ${reason}`);
  }
}

/** What is said of a folder whose own path is no UTF-8. */
const ODD_NAME =
  "its path has a name that is no UTF-8, as no folder to index may have (what lies in it may): give it another name";

/**
 * Whether a folder's path has a name that is no UTF-8: programs get such names from the system with what they cannot read
 * replaced, which leads nowhere.
 */
function hasOddName(folder: string): boolean {
  try {
    return !isUtf8(realpathSync.native(folder, "buffer"));
  } catch {
    return folder.includes("\uFFFD") && lookAt(folder, "show") === undefined;
  }
}

/** Why a folder cannot be indexed for its name, empty when it can. */
export function oddNameNote(folder: string): string {
  return hasOddName(folder) ? ODD_NAME : "";
}

/** What the catalog says of a folder: its name, and the `origin` that the name may have been taken from. */
export interface KnownFolder {
  repo?: string;
  remote?: string;
}

/**
 * The names that a folder may go by, the best first: the one asked for and no other; the one it has in the index
 * already, unless that was its remote's and the remote is called otherwise now; that of its `origin` remote if it is the top of a work tree or a bare repository, else its own (of a linked
 * work tree, that of the main one); the same with a few digits that only work trees and clones of it have.
 */
export function repoCandidates(root: string, { repo, remote = "" }: KnownFolder, asked: string | undefined): string[] {
  if (asked !== undefined) return [asked];
  const repository = findRepository(root);
  const isTop = repository?.prefix === "";
  const name = (isTop ? repositoryName(repository) : undefined) ?? (path.basename(root) || "root");
  const digits = createHash("sha1")
    .update(identityFor(root) || root)
    .digest("hex")
    .slice(0, 6);
  const natural = [name, `${name}-${digits}`];
  if (repo === undefined) return natural;
  const isRenamed =
    isTop && hasOrigin(repository) && isNamedAfter(repo, nameInUrl(remote)) && !isNamedAfter(repo, name);
  return isRenamed ? [...natural, repo] : [repo, ...natural];
}

function hasOrigin({ common }: Repository): boolean {
  return nameInUrl(originUrl(common)) !== undefined;
}

/** Whether a name is this one, or this one with the digits of a folder behind it. */
function isNamedAfter(repo: string, name: string | undefined): boolean {
  return (
    name !== undefined &&
    (repo === name || (repo.startsWith(`${name}-`) && /^[0-9a-f]{6}$/.test(repo.slice(name.length + 1))))
  );
}

/** By what work trees and clones of one repository know each other, empty without git. */
export function identityFor(root: string): string {
  const repository = findRepository(root);
  return repository ? identityOf(repository) : "";
}

function repositoryName({ common, kind, folder }: Repository): string | undefined {
  const named = nameInUrl(originUrl(common));
  if (named !== undefined) return named;
  if (kind === "bare") return path.basename(folder).replace(/(?<=.)\.git$/, "");
  // The main work tree holds the folder that all share.
  return path.basename(common) === ".git" ? path.basename(path.dirname(common)) : undefined;
}

/** What an address calls its repository; nothing where there is none. */
function nameInUrl(url: string): string | undefined {
  const slashed = url.replaceAll("\\", "/").replace(/\/+$/, "");
  const named = path.posix.basename(slashed).replace(/\.git$/, "");
  return named === "" || named === "." ? undefined : named;
}

/** A path inside `root`, `/` separated. Throws when it lies outside. */
export function pathInside(root: string, given: string): string {
  const relative = path.relative(root, path.resolve(root, given));
  if (relative === "" || relative.startsWith(`..${path.sep}`) || relative === ".." || path.isAbsolute(relative)) {
    throw new AutoindexError("outside_root", `${given} is not inside ${root}`);
  }
  return relative.split(path.sep).join("/");
}
