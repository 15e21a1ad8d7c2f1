import { homedir } from "node:os";
import path from "node:path";
import { kindOf, lookAt } from "../walk/index.js";
import { findRepository, type Repository } from "./repository.js";

/** What git opens by its name whatever it is asked: in its folder of a work tree, and in the one that all share. */
const OWN = ["HEAD", "commondir", "gitdir", "index", "config.worktree"];
const SHARED = [
  "config",
  "packed-refs",
  "shallow",
  "info/attributes",
  "info/exclude",
  "info/grafts",
  "objects/info/alternates",
];

/** The user's own files, which git reads in every repository. */
function userFiles(): string[] {
  const configHome = process.env.XDG_CONFIG_HOME || path.join(homedir(), ".config");
  const inGit = ["config", "ignore", "attributes"].map((name) => path.join(configHome, "git", name));
  return [path.join(homedir(), ".gitconfig"), ...inGit];
}

/**
 * Why git must not be asked in a folder, empty when it may: where a file of its own is a pipe or a device, it waits for
 * ever or reads without end. A look at each file, which costs nothing beside starting a program.
 */
export function gitObstacle(folder: string): string {
  const repository = findRepository(folder);
  return obstacleAmong([...gitFiles(repository), ...userFiles()]);
}

/**
 * The same for what reads the work tree: git waits for its files of rules as well. Those further down are not looked for;
 * a bound on git's silence is for them.
 */
export function workTreeObstacle(top: string): string {
  return obstacleAmong([".gitignore", ".gitattributes", ".gitmodules"].map((name) => path.join(top, name)));
}

function gitFiles(repository: Repository | undefined): string[] {
  const own = repository ? OWN.map((name) => path.join(repository.own, name)) : [];
  const shared = repository ? SHARED.map((name) => path.join(repository.common, name)) : [];
  return [...own, ...shared];
}

function obstacleAmong(files: readonly string[]): string {
  for (const file of files) {
    const stats = lookAt(file, "follow");
    // What the user's own configuration leads to may be the null device: that is how git is told of none.
    if (stats && !stats.isFile() && !stats.isDirectory() && !isNull(file))
      return `${file} is ${kindOf(stats)}, no file`;
  }
  return "";
}

function isNull(file: string): boolean {
  const found = lookAt(file, "follow");
  const none = lookAt("/dev/null", "follow");
  return found?.isCharacterDevice() === true && found.rdev === none?.rdev;
}
