import { realpathSync } from "node:fs";
import path from "node:path";
import { gitFolders, lookAt, PACKED_REFERENCES_BYTES, readOptional, workTreeTop } from "../walk/index.js";

/**
 * The repository that an indexed folder belongs to, as its files say it. Nothing here runs git: it works where git is
 * not installed and where git refuses the folder.
 */
export interface Repository {
  /** Folder to run git in: the top of the work tree, or the bare repository. */
  folder: string;
  kind: "worktree" | "bare";
  /** Git's folder of this work tree (HEAD, index), and the one that all its work trees share (objects, refs). */
  own: string;
  common: string;
  /** Path of the indexed folder inside the work tree, ending with `/`; empty when it is the top. */
  prefix: string;
  /** What branches of which tree are known by: the shared folder, with the prefix. */
  store: string;
}

/** The repository of a folder; nothing when it lies in none. */
export function findRepository(root: string): Repository | undefined {
  if (isBare(root)) return { folder: root, kind: "bare", own: root, common: root, prefix: "", store: root };
  const top = workTreeTop(root);
  const folders = top === undefined ? undefined : gitFolders(top);
  if (top === undefined || !folders) return undefined;
  const own = real(folders.own);
  const common = real(folders.common);
  const inside = path.relative(top, root).split(path.sep).join("/");
  const prefix = inside === "" ? "" : `${inside}/`;
  return { folder: top, kind: "worktree", own, common, prefix, store: prefix === "" ? common : `${common}:${prefix}` };
}

function isBare(folder: string): boolean {
  if (lookAt(path.join(folder, ".git"), "show")) return false;
  const has = (name: string, kind: "file" | "folder") => {
    const found = lookAt(path.join(folder, name), "follow");
    return kind === "file" ? found?.isFile() === true : found?.isDirectory() === true;
  };
  if (!(has("HEAD", "file") && has("objects", "folder") && has("refs", "folder") && has("config", "file")))
    return false;
  return /^(ref: |[0-9a-f]{40})/.test(readOptional(path.join(folder, "HEAD")) ?? "");
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // A pointer to a folder that is gone (a work tree that was moved): its name still tells it apart.
    return folder;
  }
}

/** What HEAD says: `branch` is empty when detached, `commit` before the first one. */
export interface Head {
  branch: string;
  commit: string;
}

const OBJECT_ID = /^[0-9a-f]{40,64}$/;

/** HEAD of a repository, read from its files; references of the `reftable` format cannot be read so and give nothing. */
export function readHead({ own, common }: Pick<Repository, "own" | "common">): Head {
  const head = (readOptional(path.join(own, "HEAD")) ?? "").trim();
  const name = /^ref: (\S.*)$/.exec(head)?.[1];
  if (name === undefined) return { branch: "", commit: OBJECT_ID.test(head) ? head : "" };
  // The reftable format leaves this name in HEAD for programs that know only files.
  if (name === "refs/heads/.invalid") return { branch: "", commit: "" };
  const branch = name.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : "";
  return { branch, commit: readReference(common, name) };
}

function readReference(common: string, name: string, depth = 0): string {
  const loose = (readOptional(path.join(common, name)) ?? "").trim();
  if (OBJECT_ID.test(loose)) return loose;
  const next = /^ref: (\S.*)$/.exec(loose)?.[1];
  if (next !== undefined) return depth < 5 ? readReference(common, next, depth + 1) : "";
  const packed = readOptional(path.join(common, "packed-refs"), PACKED_REFERENCES_BYTES) ?? "";
  const end = `${packed}\n`.indexOf(` ${name}\n`);
  const id = end < 0 ? "" : packed.slice(packed.lastIndexOf("\n", end) + 1, end);
  return OBJECT_ID.test(id) ? id : "";
}

/** The address of `origin` as the configuration has it, empty when there is none. */
export function originUrl(common: string): string {
  const config = readOptional(path.join(common, "config")) ?? "";
  const section = /\[remote "origin"\]([^[]*)/.exec(config)?.[1];
  const value = (section && /^[ \t]*url[ \t]*=(.*)$/m.exec(section)?.[1]?.trim()) ?? "";
  return value.replace(/^"(.*)"$/, "$1");
}

/** An address without user, password and token: `https://user:secret@host/x?token=y` becomes `https://host/x`. */
export function withoutCredentials(url: string): string {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)/i.exec(url);
  if (!parts) return url.replace(/^[^@/\\]*@(?=[^/\\]*:)/, "").replace(/[?#].*$/, "");
  const [, scheme, authority, rest] = parts;
  return `${scheme}${authority!.slice(authority!.lastIndexOf("@") + 1)}${rest}`;
}

/** How far a clone of a clone of a clone is followed. */
const MOST_CLONES = 5;

/**
 * What tells one repository from another: work trees and clones of one have the same. The address of `origin`, however it
 * is written (`git@host:a/b.git` and `https://host/a/b`); of a clone of a folder on this disk, what that folder has;
 * without `origin`, the folder that its work trees share.
 */
export function identityOf({ common, prefix }: Pick<Repository, "common" | "prefix">): string {
  const key = keyOf(common, 0);
  return prefix === "" ? key : `${key}:${prefix}`;
}

function keyOf(common: string, depth: number): string {
  const url = originUrl(common);
  if (url === "") return common;
  const local = localFolder(url, common);
  if (local === undefined) return addressKey(url);
  const next = lookAt(local, "follow")?.isDirectory() ? findRepository(real(local)) : undefined;
  if (!next || next.common === common || depth >= MOST_CLONES) return local;
  return keyOf(next.common, depth + 1);
}

/** The folder that an address names, nothing when it is on another machine. */
function localFolder(url: string, common: string): string | undefined {
  if (/^file:\/\//i.test(url)) return decodeURI(url.replace(/^file:\/\/(localhost)?/i, ""));
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return undefined;
  // `host:path` is another machine unless a slash stands before the colon.
  if (/^[^/\\]+:/.test(url) && !/^[a-z]:[\\/]/i.test(url)) return undefined;
  return path.resolve(path.dirname(common), url);
}

/** `host/path`, the same for every way to write it. */
function addressKey(url: string): string {
  const bare = withoutCredentials(url).replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const at = bare.search(/[:/]/);
  const host = (at < 0 ? bare : bare.slice(0, at)).toLowerCase();
  const rest = at < 0 ? "" : bare.slice(at + 1).replace(/^\d+\/(?=.)/, (port) => (bare[at] === ":" ? "" : port));
  return `${host}/${rest.replace(/^\/+/, "")}`.replace(/\/+$/, "").replace(/\.git$/i, "");
}
