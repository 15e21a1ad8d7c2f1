import path from "node:path";
import { gitFolders, globalExcludes } from "./git.js";
import { lookAt } from "./look-at.js";
import { IgnoreFile, type Verdict } from "./rules.js";
import { IGNORE_BYTES, readWellKnown } from "./well-known.js";

/** A file of rules that does not count, or not all of it. */
export interface UnreadRules {
  /** Path inside the folder that it belongs to; of the user's own file the whole one. */
  file: string;
  why: string;
}

/** Rules of one folder, by the kind of file they come from. */
interface FolderRules {
  dot: IgnoreFile | undefined;
  git: IgnoreFile | undefined;
  excludes: IgnoreFile | undefined;
  unread: UnreadRules[];
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
    private readonly isGitTop: boolean,
    private readonly global: { base: string; rules: IgnoreFile } | undefined,
    /** The user's own file, when it is refused. */
    readonly unreadGlobal: UnreadRules | undefined,
  ) {}

  /** Files of this folder whose rules do not count. */
  get unread(): readonly UnreadRules[] {
    return this.rules.unread;
  }

  /** The scope of the outermost folder that counts. */
  static outermost(folder: string, global: "user" | "none" = "user"): Scope {
    const found = global === "user" ? globalExcludes() : { file: "", text: "", refusal: "" };
    const rules = new IgnoreFile(found.file, found.text ?? "");
    const why = found.refusal || rules.refusal;
    const unread = why === "" ? undefined : { file: found.file, why };
    return new Scope(folder, undefined, readRules(folder, ""), hasGit(folder), { base: folder, rules }, unread);
  }

  /** The scope of a folder directly inside this one. */
  enter(name: string): Scope {
    const folder = path.join(this.folder, name);
    const isGitTop = hasGit(folder);
    const global = this.global && (isGitTop ? { base: folder, rules: this.global.rules } : this.global);
    return new Scope(folder, this, readRules(folder, name), isGitTop, global, this.unreadGlobal);
  }

  /** This scope and those of the folders above it, as far as they count. */
  *upwards(): Generator<Scope> {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) yield scope;
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
        excluded ??= scope.rules.excludes?.judge(names, kind);
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

/** Reads the rules that a folder has; `label` is what its files are told by. */
function readRules(folder: string, label: string): FolderRules {
  const unread: UnreadRules[] = [];
  const read = (place: string, file: string, name: string): IgnoreFile | undefined => {
    const { text, refusal } = readWellKnown(place, IGNORE_BYTES);
    const rules = text ? new IgnoreFile(name, text) : undefined;
    const why = refusal || rules?.refusal;
    if (why) unread.push({ file, why });
    return rules;
  };
  const own = (name: string) => read(path.join(folder, name), name, label ? `${label}/${name}` : name);
  const common = gitFolders(folder)?.common;
  const exclude = ".git/info/exclude";
  return {
    dot: own(".ignore"),
    git: own(".gitignore"),
    excludes: common === undefined ? undefined : read(path.join(common, "info", "exclude"), exclude, exclude),
    unread,
  };
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
