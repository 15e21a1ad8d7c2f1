import { basename } from "node:path";
import type { Folder } from "./catalog.js";

/** The folder that a path's first name means, if it is one alone, and the path inside it, which may be empty. */
export function belowName(path: string, folders: readonly Folder[]): { repo: string; path: string } | undefined {
  const [first = "", ...rest] = path.replace(/^\.?\/+|\/+$/g, "").split("/");
  const named = folders.filter(({ repo, root }) => repo === first || basename(root) === first);
  return named.length === 1 ? { repo: named[0]!.repo, path: rest.join("/") } : undefined;
}
