import type { Certainty } from "./model.js";

/** A Go module: the name its `go.mod` gives it, and the folder that holds that file. */
export interface GoModule {
  name: string;
  folder: string;
}

/** Reads the module's name out of a `go.mod`; undefined when it gives none. */
export function goModuleName(text: string): string | undefined {
  return /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1];
}

/**
 * Whether an import path means a folder of the repository: exactly, when the path begins with the name of a module here;
 * by heuristic when the folder's path ends as the import does and no `go.mod` is known; undefined when it does not.
 */
export function goPackageIs(path: string, folder: string, modules: readonly GoModule[]): Certainty | undefined {
  const home = modules
    .filter(({ name }) => path === name || path.startsWith(`${name}/`))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (home) {
    const inside = [home.folder, path.slice(home.name.length + 1)].filter((part) => part !== "").join("/");
    return inside === folder ? "exact" : undefined;
  }
  if (modules.length > 0 || folder === "") return undefined;
  return path === folder || path.endsWith(`/${folder}`) ? "heuristic" : undefined;
}
