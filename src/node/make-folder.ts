import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/** A folder that is not there and cannot be made; names the one that failed and the system's reason. */
export class FolderError extends Error {
  constructor(wanted: string, failed: string, reason: string) {
    super(`the folder ${wanted} cannot be made: ${failed === wanted ? reason : `${failed}: ${reason}`}`);
    this.name = "FolderError";
  }
}

/**
 * Makes a folder and those above it that are missing, one by one. `mkdirSync` with `recursive` never returns where the
 * system answers ENOENT below a folder that is there, as /proc does. The folder itself is for its owner alone. Throws FolderError.
 */
export function makeFolder(folder: string): void {
  const wanted = path.resolve(folder);
  const missing: string[] = [];
  for (let at = wanted; ; at = path.dirname(at)) {
    const found = look(wanted, at);
    if (found === "folder") break;
    if (found === "file") throw new FolderError(wanted, at, "it is there and is no folder");
    missing.push(at);
    if (path.dirname(at) === at) break;
  }
  for (const one of missing.reverse()) make(wanted, one);
}

function look(wanted: string, at: string): "folder" | "file" | "nothing" {
  try {
    const about = statSync(at, { throwIfNoEntry: false });
    if (about === undefined) return "nothing";
    return about.isDirectory() ? "folder" : "file";
  } catch (error) {
    // Below a file everything is missing: the file itself is met further up.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return "nothing";
    throw new FolderError(wanted, at, reasonOf(error));
  }
}

function make(wanted: string, folder: string): void {
  try {
    mkdirSync(folder, folder === wanted ? { mode: 0o700 } : {});
  } catch (error) {
    // Another process may have made it in the meantime.
    if ((error as NodeJS.ErrnoException).code === "EEXIST" && look(wanted, folder) === "folder") return;
    throw new FolderError(wanted, folder, reasonOf(error));
  }
}

/** `permission denied`, out of `EACCES: permission denied, mkdir '/x'`. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `${/^\w+: ([^,]*)/.exec(message)?.[1] ?? message} (${code})`;
}
