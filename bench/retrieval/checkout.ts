/** Files of a commit, taken out of a clone that is there already. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/** What is wanted of a clone, and where its address is, for the message when it is not there. */
export interface Wanted {
  /** Folder of the clone. */
  clone: string;
  url: string;
  commit: string;
}

/** A clone or a commit that is not there. */
export class NoSourceError extends Error {
  constructor({ clone, url, commit }: Wanted) {
    super(`commit ${commit} is not in ${clone}: git clone ${url} ${clone}`);
    this.name = "NoSourceError";
  }
}

/** Writes the files of a commit into a folder, unless it is there. Throws NoSourceError. */
export function checkOut(wanted: Wanted, folder: string): void {
  if (existsSync(folder)) return;
  if (!hasCommit(wanted)) throw new NoSourceError(wanted);
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const tar = path.join(fresh, "..", `${path.basename(folder)}.tar`);
  git(wanted.clone, ["archive", "--output", tar, wanted.commit]);
  execFileSync("tar", ["-xf", tar, "-C", fresh]);
  rmSync(tar);
  renameSync(fresh, folder);
}

/** What git prints. */
export function git(clone: string, args: readonly string[]): string {
  return execFileSync("git", ["-C", clone, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
}

function hasCommit({ clone, commit }: Wanted): boolean {
  try {
    execFileSync("git", ["-C", clone, "cat-file", "-e", `${commit}^{commit}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
