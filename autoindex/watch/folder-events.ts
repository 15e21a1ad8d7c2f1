import { type FSWatcher, lstatSync, watch } from "node:fs";
import path from "node:path";
import { diskPath } from "../walk/disk-path.js";

/** Who is told of changes. */
export interface FolderListener {
  /** Something may be another at this path inside the root or below it; the empty path is the root. */
  changed(path: string): void;
  /** The system does not let a folder be watched. */
  unwatched(folder: string, error: NodeJS.ErrnoException): void;
}

interface Watched {
  watcher: FSWatcher;
  /** A folder that was replaced by another one has another number. */
  inode: number;
  /** The walk that met it last. */
  round: number;
}

/** Systems whose own watches cover whatever lies below a folder. */
const IS_DEEP = process.platform === "darwin" || process.platform === "win32";

/** Files whose change says something of all in their folder: rules, and where a work tree begins. */
const RULES: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".git"]);

/**
 * The system's watches over those folders of a root that are walked, and over no others: what is ignored
 * (`node_modules`, build output) costs none. The walk watches each folder before it lists it, so nothing happens between.
 *
 * The libraries for this fall short on Linux: one watches each file too, others lose what happens in a folder that was
 * made together with those above it. A watch is told of by path alone; what is there now is for the walk to say.
 */
export class FolderEvents {
  readonly #watched = new Map<string, Watched>();
  readonly #unwatched = new Set<string>();
  #round = 0;

  constructor(
    private readonly root: string,
    private readonly listener: FolderListener,
  ) {}

  /** Folders that are watched, and those that could not be. */
  get counts(): { watched: number; unwatched: number } {
    return { watched: this.#watched.size, unwatched: this.#unwatched.size };
  }

  /** A walk begins. */
  begin(): void {
    this.#round++;
  }

  /** The walk enters a folder: it is watched from here on. Throws when it has gone. */
  entering(folder: string, prefix: string): void {
    if (IS_DEEP && prefix !== "") return;
    const inode = lstatSync(diskPath(folder)).ino;
    const known = this.#watched.get(prefix);
    if (known?.inode === inode) {
      known.round = this.#round;
      return;
    }
    this.#drop(prefix);
    this.#watch(folder, prefix, inode);
  }

  /** The walk of a path and what is below it has ended: folders that it did not meet have gone or are left out. */
  end(below: string): void {
    if (IS_DEEP) return;
    const inside = below === "" ? "" : `${below}/`;
    for (const [prefix, { round }] of this.#watched) {
      if (round !== this.#round && prefix.startsWith(inside)) this.#drop(prefix);
    }
  }

  close(): void {
    for (const prefix of [...this.#watched.keys()]) this.#drop(prefix);
  }

  #watch(folder: string, prefix: string, inode: number): void {
    try {
      const watcher = watch(diskPath(folder), { recursive: IS_DEEP }, (kind, name) => this.#heard(prefix, kind, name));
      watcher.on("error", () => this.#lost(prefix));
      this.#watched.set(prefix, { watcher, inode, round: this.#round });
      this.#unwatched.delete(prefix);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") throw error;
      this.#unwatched.add(prefix);
      this.listener.unwatched(folder, error as NodeJS.ErrnoException);
    }
  }

  #heard(prefix: string, kind: string, name: string | null): void {
    const parts = (name ?? "").split(path.sep);
    if (parts.slice(0, -1).includes(".git")) return;
    // That the folder itself was moved or deleted comes under its own name, as if it were a file in it.
    if (kind === "rename" && name === path.basename(path.join(this.root, prefix))) this.#lost(prefix);
    // Of a name that is no UTF-8 the system's text is none: its folder is looked at.
    if (RULES.has(parts.at(-1)!) || parts.at(-1)!.includes("\uFFFD")) parts.pop();
    this.listener.changed(trimmed(prefix + parts.join("/")));
  }

  #lost(prefix: string): void {
    this.#drop(prefix);
    this.listener.changed(trimmed(prefix));
  }

  #drop(prefix: string): void {
    this.#watched.get(prefix)?.watcher.close();
    this.#watched.delete(prefix);
    this.#unwatched.delete(prefix);
  }
}

function trimmed(prefix: string): string {
  return prefix.replace(/\/$/, "");
}
