import { type Dirent, lstatSync } from "node:fs";
import path from "node:path";
import type { SkipReason } from "../skip.js";
import { type FileStamp, NO_STAMP, stampOf } from "../stamp.js";
import { isDataFolder } from "./data-folder.js";
import { diskPath, listFolder } from "./disk-path.js";
import { rootScope, type Scope } from "./scope.js";
import { ATTRIBUTES_BYTES, GIT_SETTING_BYTES, refusalOf } from "./well-known.js";

/** One thing met on the walk: a file to read, or something left out (a folder's path ends with `/`). */
export type WalkEntry =
  | ({ kind: "file"; path: string } & FileStamp)
  | ({ kind: "skip"; path: string; reason: SkipReason; detail: string } & FileStamp);

/** How to walk. */
export interface WalkOptions {
  /** Names that begin with a dot; `.git` is never entered. */
  hidden: "skip" | "index";
  /** Whether the user's own git ignore file counts. */
  globalIgnore: "user" | "none";
  /** Told of each folder (with its path inside the root) before it is listed, so that nothing is between listing and watching. */
  entering?: (folder: string, prefix: string) => void;
  /** Told of each file of rules that does not count or not all of it, by its whole path. */
  unread?: (file: string, why: string) => void;
}

/**
 * Everything under `root` in the order of its paths (by UTF-16 code unit, `/` included), which is the order documents
 * are committed in. Nothing here throws for an entry: what cannot be listed is an entry with its reason.
 */
export function* walk(root: string, options: WalkOptions): Generator<WalkEntry> {
  const scope = rootScope(root, options.globalIgnore);
  if (scope.unreadGlobal) options.unread?.(scope.unreadGlobal.file, scope.unreadGlobal.why);
  const [, ...above] = scope.upwards();
  for (const { folder, unread } of above)
    for (const { file, why } of unread) options.unread?.(path.join(folder, file), why);
  yield* walkFolder(root, "", scope, options);
}

function* walkFolder(folder: string, prefix: string, scope: Scope, options: WalkOptions): Generator<WalkEntry> {
  let entries: Dirent[];
  try {
    options.entering?.(folder, prefix);
    entries = listFolder(folder);
    // It may have become a link since its parent was listed: what was listed then lies elsewhere.
    if (prefix !== "" && !lstatSync(diskPath(folder)).isDirectory()) {
      yield skip(prefix, "vanished", "the folder was replaced while it was listed");
      return;
    }
  } catch (error) {
    yield skip(prefix || "/", "unreadable", messageOf(error));
    return;
  }
  const unread = unreadIn(scope, entries);
  for (const [file, why] of unread) options.unread?.(path.join(folder, file), why);
  for (const entry of entries.sort(byPath)) {
    if (entry.name === ".git") {
      for (const [file, why] of unread) if (isOfGit(file)) yield skip(`${prefix}${file}`, "rules_unread", why);
      continue;
    }
    const judged = withRules(judge(entry, scope, options), unread.get(entry.name));
    const kind = entry.isDirectory() ? "/" : "";
    const relative = `${prefix}${entry.name}${kind}`;
    if (judged) yield skip(relative, judged.reason, judged.detail);
    else if (entry.isDirectory()) {
      yield* walkFolder(path.join(folder, entry.name), relative, scope.enter(entry.name), options);
    } else yield fileEntry(path.join(folder, entry.name), relative);
  }
}

/** Well-known files of a folder that say something of others and are not read, by their path inside it. */
function unreadIn(scope: Scope, entries: readonly Dirent[]): Map<string, string> {
  const unread = new Map(scope.unread.map(({ file, why }) => [file, why]));
  for (const { name } of entries) {
    // Those are read with the files that they speak of.
    const most = name === ".gitattributes" ? ATTRIBUTES_BYTES : GIT_SETTING_BYTES;
    if (name !== ".gitattributes" && name !== ".git") continue;
    const why = refusalOf(path.join(scope.folder, name), most);
    if (why !== "") unread.set(name, why);
  }
  return unread;
}

function isOfGit(file: string): boolean {
  return file === ".git" || file.startsWith(".git/");
}

/** That rules do not count is said of a file that is left out anyhow; one that is read is an ordinary file as well. */
function withRules(judged: LeftOut | undefined, unread: string | undefined): LeftOut | undefined {
  return judged && unread !== undefined ? { reason: "rules_unread", detail: unread } : judged;
}

/** Folders sort as `name/`, so that the walk's order is the order of whole paths. */
function byPath(a: Dirent, b: Dirent): number {
  const left = a.isDirectory() ? `${a.name}/` : a.name;
  const right = b.isDirectory() ? `${b.name}/` : b.name;
  return left < right ? -1 : left > right ? 1 : 0;
}

interface LeftOut {
  reason: SkipReason;
  detail: string;
}

/** Why an entry is left out by its name and type, or as a data folder, nothing when it is not. */
function judge(entry: Dirent, scope: Scope, options: WalkOptions): LeftOut | undefined {
  const verdict = scope.judge(entry.name, entry.isDirectory() ? "folder" : "file");
  if (verdict?.ignored) return { reason: "ignored", detail: verdict.why };
  if (entry.name.startsWith(".") && options.hidden === "skip" && !verdict) return { reason: "hidden", detail: "" };
  if (entry.isSymbolicLink()) return { reason: "symlink", detail: "" };
  if (!entry.isDirectory() && !entry.isFile()) return { reason: "not_a_file", detail: "" };
  if (entry.isDirectory() && isDataFolder(path.join(scope.folder, entry.name)))
    return { reason: "data_folder", detail: "" };
  return undefined;
}

function fileEntry(file: string, relative: string): WalkEntry {
  try {
    return { kind: "file", path: relative, ...stampOf(lstatSync(diskPath(file))) };
  } catch (error) {
    return skip(relative, isMissing(error) ? "vanished" : "unreadable", messageOf(error));
  }
}

function skip(relative: string, reason: SkipReason, detail: string): WalkEntry {
  return { kind: "skip", path: relative, reason, detail, ...NO_STAMP };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * What a walk would say of one path, without walking: each folder on the way is judged, then the entry itself.
 * The entry's path may be that of a folder above it (with `/`) when that is what is left out.
 */
export function walkOne(root: string, relative: string, options: WalkOptions): WalkEntry | undefined {
  const found = descend(root, relative, options);
  return found && "kind" in found ? found : undefined;
}

/**
 * What a walk of the whole root would say of one path and of all that lies below it, in the same order: nothing when
 * nothing is there. As with `walkOne` it may be a folder above the path that is left out. The empty path is the root.
 */
export function* walkFrom(root: string, relative: string, options: WalkOptions): Generator<WalkEntry> {
  if (relative === "") return yield* walk(root, options);
  if (relative.split("/").includes(".git")) return;
  const found = descend(root, relative, options);
  if (!found) return;
  if ("kind" in found) yield found;
  else yield* walkFolder(found.folder, found.prefix, found.scope, options);
}

/** A folder on the walk, with the rules for what it holds. */
interface OpenedFolder {
  folder: string;
  prefix: string;
  scope: Scope;
}

/** Goes down to a path by the rules of each folder on the way: to a folder that is walked, or to what is said of a path. */
function descend(root: string, relative: string, options: WalkOptions): WalkEntry | OpenedFolder | undefined {
  let scope = rootScope(root, options.globalIgnore);
  let folder = root;
  let prefix = "";
  const names = relative.split("/");
  for (const [index, name] of names.entries()) {
    if (name === ".git") return skip(`${prefix}.git/`, "hidden", "");
    const entry = listed(folder, name);
    if (!entry) return undefined;
    const here = `${prefix}${name}${entry.isDirectory() ? "/" : ""}`;
    const judged = withRules(judge(entry, scope, options), unreadIn(scope, [entry]).get(name));
    if (judged) return skip(here, judged.reason, judged.detail);
    folder = path.join(folder, name);
    if (!entry.isDirectory()) return index === names.length - 1 ? fileEntry(folder, here) : undefined;
    scope = scope.enter(name);
    prefix = here;
  }
  return { folder, prefix, scope };
}

function listed(folder: string, name: string): Dirent | undefined {
  try {
    return listFolder(folder).find((entry) => entry.name === name);
  } catch {
    // An unreadable folder lists nothing; its own entry carries the reason.
    return undefined;
  }
}
