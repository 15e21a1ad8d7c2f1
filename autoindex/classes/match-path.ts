import type { FileClass } from "../../code/index.js";
import { NamePatterns } from "./name-patterns.js";
import { PATH_RULES, type PathRule } from "./path-rules.js";

interface Compiled extends Pick<PathRule, "class" | "within" | "notBelow" | "at"> {
  folders: NamePatterns | undefined;
  names: NamePatterns | undefined;
}

const COMPILED: readonly Compiled[] = PATH_RULES.map(compile);

function compile({ folders, names, letters, ...rule }: PathRule): Compiled {
  const patterns = (list: readonly string[] | undefined) => list && new NamePatterns(list, letters ?? "any");
  return { ...rule, folders: patterns(folders), names: patterns(names) };
}

/** Longest name that is looked at: patterns with several stars cost the square of it. */
const LONGEST_NAME = 255;

/** The class that a path has by its names alone, of some classes or of all; nothing when no row fits. */
export function classOfPath(path: string, among?: ReadonlySet<FileClass>): FileClass | undefined {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  if (name.length > LONGEST_NAME) return undefined;
  return COMPILED.find((rule, row) => (!among || among.has(rule.class)) && fits(row, folders, name))?.class;
}

function fits(row: number, folders: readonly string[], name: string): boolean {
  const { folders: wanted, names, within, notBelow, at: place } = COMPILED[row]!;
  if (names && !names.test(name)) return false;
  if (!wanted) return true;
  return (place === "top" ? folders.slice(0, 1) : folders).some((folder, at) => {
    if (!rowsOfFolder(folder)[row]) return false;
    const above = folders.slice(0, at).map((one) => `${one}/`);
    if (notBelow?.test(above.join(""))) return false;
    return within?.test([...folders.slice(at + 1), name].join("/")) ?? true;
  });
}

/** By a folder's name, which rows want it: names come again with every file below. */
const known = new Map<string, readonly boolean[]>();
const MOST_KNOWN = 10_000;

function rowsOfFolder(folder: string): readonly boolean[] {
  let rows = known.get(folder);
  if (!rows) {
    rows = COMPILED.map((rule) => folder.length <= LONGEST_NAME && rule.folders?.test(folder) === true);
    if (known.size === MOST_KNOWN) known.clear();
    known.set(folder, rows);
  }
  return rows;
}
