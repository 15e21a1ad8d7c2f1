import { existsSync, type FSWatcher, watch } from "node:fs";
import path from "node:path";
import { gitFolders, workTreeTop } from "../walk/index.js";

/** What of a repository's own folder concerns the files of its work tree, by folder inside it. */
const WATCHED = [
  { folder: "", names: new Set(["HEAD"]) },
  { folder: "info", names: new Set(["exclude"]) },
] as const;

/** The repository that a folder lies in, as far as a watcher needs it; of a folder without one nothing ever comes. */
export class GitEvents {
  readonly #own: string | undefined;
  readonly #watchers: FSWatcher[] = [];

  /** `changed` is called with `HEAD` when another branch may be checked out, with `exclude` when rules have changed. */
  constructor(root: string, changed: (name: string) => void) {
    const top = workTreeTop(root);
    const folders = top === undefined ? undefined : gitFolders(top);
    this.#own = folders?.own;
    if (!folders) return;
    for (const { folder, names } of WATCHED) {
      const home = folder === "" ? folders.own : path.join(folders.common, folder);
      try {
        const watcher = watch(home, (_kind, name) => name !== null && names.has(name) && changed(name));
        watcher.on("error", () => watcher.close());
        this.#watchers.push(watcher);
      } catch {
        // Not there, or no watch left: the next look at the whole folder sees it.
      }
    }
  }

  /** Whether git is writing the work tree just now: it holds this lock for as long. */
  get isWriting(): boolean {
    return this.#own !== undefined && existsSync(path.join(this.#own, "index.lock"));
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
