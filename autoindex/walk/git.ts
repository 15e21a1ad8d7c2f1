import { lstatSync, readFileSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { diskPath } from "./disk-path.js";

/** Where git keeps what belongs to a work tree: its own folder, and the one that linked work trees share. */
export interface GitFolders {
  own: string;
  common: string;
}

/** A file's text, or nothing when there is none; other failures count as none too, since git itself reads on. */
export function readOptional(file: string): string | undefined {
  try {
    return readFileSync(diskPath(file), "utf8");
  } catch {
    return undefined;
  }
}

/**
 * What lies at a path, a link itself or what it leads to; nothing when there is nothing or when the system refuses to
 * say (a path that is too long, a folder that may not be entered, links in a circle): one path never ends a walk.
 */
export function lookAt(file: string, links: "follow" | "show"): Stats | undefined {
  try {
    return (links === "follow" ? statSync : lstatSync)(diskPath(file), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The git folders of a work tree's top folder; nothing when `.git` is neither a folder nor a pointer to one. */
export function gitFolders(top: string): GitFolders | undefined {
  const dotGit = path.join(top, ".git");
  const found = lookAt(dotGit, "follow");
  if (!found) return undefined;
  if (found.isDirectory()) return { own: dotGit, common: dotGit };
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(readOptional(dotGit) ?? "");
  if (!pointer) return undefined;
  const own = path.resolve(top, pointer[1]!);
  const common = readOptional(path.join(own, "commondir"))?.trim();
  return { own, common: common ? path.resolve(own, common) : own };
}

/** Text and place of the user's own ignore file (`core.excludesFile`, else git's default place). */
export function globalExcludes(home = homedir(), xdg = process.env.XDG_CONFIG_HOME): { file: string; text: string } {
  const configHome = xdg || path.join(home, ".config");
  const named = [path.join(home, ".gitconfig"), path.join(configHome, "git", "config")]
    .map((file) => excludesFileSetting(readOptional(file) ?? ""))
    .find((value) => value !== undefined);
  const file = named ? named.replace(/^~(?=\/|$)/, home) : path.join(configHome, "git", "ignore");
  return { file, text: readOptional(file) ?? "" };
}

function excludesFileSetting(config: string): string | undefined {
  let section = "";
  for (const line of config.split(/\r?\n/)) {
    const head = /^\s*\[\s*([^\]"\s]+)[^\]]*\]/.exec(line);
    if (head) section = head[1]!.toLowerCase();
    const value = /^\s*excludesfile\s*=\s*"?(.*?)"?\s*$/i.exec(line);
    if (section === "core" && value) return value[1];
  }
  return undefined;
}
