import { homedir } from "node:os";
import path from "node:path";
import { lookAt } from "./look-at.js";
import { GIT_SETTING_BYTES, IGNORE_BYTES, readWellKnown, type WellKnownText } from "./well-known.js";

/** Where git keeps what belongs to a work tree: its own folder, and the one that linked work trees share. */
export interface GitFolders {
  own: string;
  common: string;
}

/** The text of one of git's small files, or nothing; whatever keeps it from being read counts as none, since git reads on. */
export function readOptional(file: string, maxBytes: number = GIT_SETTING_BYTES): string | undefined {
  return readWellKnown(file, maxBytes).text;
}

/** The git folders of a work tree's top folder; nothing when `.git` is neither a folder nor a pointer to one. */
export function gitFolders(top: string): GitFolders | undefined {
  const dotGit = path.join(top, ".git");
  const found = lookAt(dotGit, "follow");
  if (!found) return undefined;
  if (found.isDirectory()) return { own: dotGit, common: dotGit };
  const pointer = /^gitdir:(.*)$/m.exec(readOptional(dotGit) ?? "")?.[1]?.trim();
  if (!pointer) return undefined;
  const own = path.resolve(top, pointer);
  const common = readOptional(path.join(own, "commondir"))?.trim();
  return { own, common: common ? path.resolve(own, common) : own };
}

/** Text and place of the user's own ignore file (`core.excludesFile`, else git's default place). */
export function globalExcludes(home = homedir(), xdg = process.env.XDG_CONFIG_HOME): { file: string } & WellKnownText {
  const configHome = xdg || path.join(home, ".config");
  const named = [path.join(home, ".gitconfig"), path.join(configHome, "git", "config")]
    .map((file) => excludesFileSetting(readOptional(file) ?? ""))
    .find((value) => value !== undefined);
  const file = named ? named.replace(/^~(?=\/|$)/, home) : path.join(configHome, "git", "ignore");
  return { file, ...readWellKnown(file, IGNORE_BYTES) };
}

function excludesFileSetting(config: string): string | undefined {
  let section = "";
  for (const line of config.split(/\r?\n/)) {
    const head = /^\s*\[\s*([^\]"\s]+)[^\]]*\]/.exec(line);
    if (head) section = head[1]!.toLowerCase();
    const value = /^\s*excludesfile\s*=(.*)$/i.exec(line)?.[1];
    if (section === "core" && value !== undefined) return value.trim().replace(/^"/, "").replace(/"$/, "");
  }
  return undefined;
}
