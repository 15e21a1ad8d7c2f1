import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { removeFolder, temporaryFolder } from "./node.js";

/** A copy of a folder that can't be written. */
export interface ReadOnlyCopy {
  readonly folder: string;
  remove(): void;
}

/** On a file system of its own for root, whom permissions do not hold; undefined where the system does not let us. */
export function readOnlyCopy(of: string): ReadOnlyCopy | undefined {
  const place = temporaryFolder("read-only");
  const folder = path.join(place, "data");
  if (process.getuid?.() !== 0) {
    fs.cpSync(of, folder, { recursive: true });
    fs.chmodSync(folder, 0o500);
    return {
      folder,
      remove() {
        fs.chmodSync(folder, 0o700);
        removeFolder(place);
      },
    };
  }
  try {
    mount("-t", "tmpfs", "tmpfs", place);
  } catch {
    removeFolder(place);
    return undefined;
  }
  fs.cpSync(of, folder, { recursive: true });
  mount("-o", "remount,ro", place);
  return {
    folder,
    remove() {
      execFileSync("umount", [place]);
      removeFolder(place);
    },
  };
}

function mount(...options: string[]): void {
  execFileSync("mount", options, { stdio: "ignore" });
}
