import path from "node:path";
import { printable } from "../code/index.js";

/**
 * How a file is named in output: relative to the current folder when it lies below it, else absolute; by repository and
 * path when its folder is not on this machine. Control characters are escaped.
 */
export function shownPath(file: { repo: string; path: string; onDisk: string | undefined }, cwd: string): string {
  if (file.onDisk === undefined) return printable(`${file.repo}/${file.path}`);
  const relative = path.relative(cwd, file.onDisk);
  const isBelow =
    relative !== "" && relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  return printable(isBelow ? relative : file.onDisk);
}
