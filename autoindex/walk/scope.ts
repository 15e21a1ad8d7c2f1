import path from "node:path";
import { gitFolders, globalExcludes, lookAt, readOptional } from "./git.js";
import { IgnoreFile, type Verdict } from "./rules.js";

/** Rules of one folder, by the kind of file they come from. */
interface FolderRules {
  dot: IgnoreFile | undefined;
  git: IgnoreFile | undefined;
}

/**
 * All rules that speak of the entries of one folder.
 *
 * Precedence is ripgrep's: `.ignore` files before `.gitignore` files before `info/exclude` before the user's own file;
 * within a kind the deepest file wins, within a file the last rule. `.gitignore` rules end at the top of the work tree
 * that holds the entry, `.ignore` rules do not. Unlike ripgrep's default, `.gitignore` files count outside a
 * repository too: an unpacked archive of one is still meant to be read without its build output.
 */
export class Scope {
  private constructor(
    readonly folder: string,
    private readonly parent: Scope | undefined,
    private readonly rules: FolderRules,
    private readonly excludes: IgnoreFile | undefined,
    private readonly isGitTop: boolean,
    private readonly global: { base: string; rules: IgnoreFile } | undefined,
  ) {}

  /** The scope of the outermost folder that counts. */
  static outermost(folder: string, global: "user" | "none" = "user"): Scope {
    const found = global === "user" ? globalExcludes() : { file: "", text: "" };
    const rules = new IgnoreFile(found.file, found.text);
    const isGitTop = hasGit(folder);
    return new Scope(folder, undefined, readRules(folder, ""), readExcludes(folder), isGitTop, { base: folder, rules });
  }

  /** The scope of a folder directly inside this one. */
  enter(name: string): Scope {
    const folder = path.join(this.folder, name);
    const isGitTop = hasGit(folder);
    const global = this.global && (isGitTop ? { base: folder, rules: this.global.rules } : this.global);
    return new Scope(folder, this, readRules(folder, name), readExcludes(folder), isGitTop, global);
  }

  /** What the rules say of one entry of this folder. */
  judge(name: string, kind: "file" | "folder"): Verdict | undefined {
    let dot: Verdict | undefined;
    let git: Verdict | undefined;
    let excluded: Verdict | undefined;
    let inWorkTree = true;
    const names = [name];
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      dot ??= scope.rules.dot?.judge(names, kind);
      if (inWorkTree) {
        git ??= scope.rules.git?.judge(names, kind);
        excluded ??= scope.excludes?.judge(names, kind);
        if (scope.isGitTop) inWorkTree = false;
      }
      names.unshift(path.basename(scope.folder));
    }
    return dot ?? git ?? excluded ?? this.#judgeGlobally(name, kind);
  }

  #judgeGlobally(name: string, kind: "file" | "folder"): Verdict | undefined {
    if (!this.global || this.global.rules.size === 0) return undefined;
    const inside = path.relative(this.global.base, path.join(this.folder, name));
    return this.global.rules.judge(inside.split(path.sep), kind);
  }
}

function hasGit(folder: string): boolean {
  return lookAt(path.join(folder, ".git"), "show") !== undefined;
}

function readRules(folder: string, label: string): FolderRules {
  return { dot: ignoreFile(folder, label, ".ignore"), git: ignoreFile(folder, label, ".gitignore") };
}

function ignoreFile(folder: string, label: string, name: string): IgnoreFile | undefined {
  const text = readOptional(path.join(folder, name));
  return text ? new IgnoreFile(label ? `${label}/${name}` : name, text) : undefined;
}

function readExcludes(top: string): IgnoreFile | undefined {
  const folders = gitFolders(top);
  const text = folders && readOptional(path.join(folders.common, "info", "exclude"));
  return text ? new IgnoreFile(".git/info/exclude", text) : undefined;
}

/**
 * The scope to begin a walk of `root` with: the rules of the folders above it count up to the top of the work tree it
 * lies in, unless they ignore `root` itself. Who names `node_modules` wants it read.
 */
export function rootScope(root: string, global: "user" | "none" = "user"): Scope {
  const top = workTreeTop(root);
  if (top === undefined || top === root) return Scope.outermost(root, global);
  let scope = Scope.outermost(top, global);
  for (const name of path.relative(top, root).split(path.sep)) {
    if (scope.judge(name, "folder")?.ignored) return Scope.outermost(root, global);
    scope = scope.enter(name);
  }
  return scope;
}

/** The nearest folder at or above `folder` that holds `.git`. */
export function workTreeTop(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if (hasGit(at)) return at;
    if (at === path.dirname(at)) return undefined;
  }
}
