import { statSync } from "node:fs";
import path from "node:path";
import type { FileClass } from "../../code/index.js";
import { ATTRIBUTES_BYTES, readOptional } from "../walk/index.js";
import { IgnoreFile } from "../walk/rules.js";

/** What `.gitattributes` files say of a path: a class that it has, and classes that it has not. */
export interface AttributeVerdict {
  is: FileClass | undefined;
  isNot: ReadonlySet<FileClass>;
}

/** The attributes of GitHub's linguist that name a class. */
const ATTRIBUTES: Readonly<Record<string, FileClass>> = {
  "linguist-vendored": "vendored",
  "linguist-generated": "generated",
  "linguist-documentation": "docs",
};

interface AttributeLine {
  rule: IgnoreFile;
  class: FileClass;
  value: "set" | "unset";
}

/** A folder's file, with what told its state when it was read. */
interface Known {
  state: string;
  lines: AttributeLine[];
}

const SILENT: AttributeVerdict = { is: undefined, isNot: new Set() };

const known = new Map<string, Known>();
/** Files kept in mind; a folder has few. */
const MOST_KNOWN = 2000;

/** What the files of folders say, each looked at once: for files that are read in one go. */
export type FolderAttributes = Map<string, readonly AttributeLine[]>;

/** Reads the `.gitattributes` files from the indexed folder down to the file; the deepest that speaks of it wins. */
export function attributesOf(root: string, file: string, folders: FolderAttributes = new Map()): AttributeVerdict {
  const found = new Map<FileClass, AttributeLine["value"]>();
  const names = file.split("/");
  for (let depth = 0; depth < names.length; depth++) {
    const folder = names.slice(0, depth).join("/");
    let lines = folders.get(folder);
    if (!lines) {
      lines = linesIn(path.join(root, folder));
      folders.set(folder, lines);
    }
    for (const line of lines) {
      if (line.rule.judge(names.slice(depth), "file")) found.set(line.class, line.value);
    }
  }
  if (found.size === 0) return SILENT;
  const all = [...found];
  const is = (["vendored", "generated", "docs"] as const).find((one) => found.get(one) === "set");
  return { is, isNot: new Set(all.filter(([, value]) => value === "unset").map(([one]) => one)) };
}

function linesIn(folder: string): AttributeLine[] {
  const file = path.join(folder, ".gitattributes");
  const state = stateOf(file);
  if (state === undefined) return [];
  const before = known.get(file);
  if (before?.state === state) return before.lines;
  const lines = parseAttributes(readOptional(file, ATTRIBUTES_BYTES) ?? "");
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(file, { state, lines });
  return lines;
}

function stateOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : undefined;
  } catch {
    // What cannot be looked at says nothing, as for git.
    return undefined;
  }
}

/** The lines that speak of a class: `*.pb.go linguist-generated=true`, `docs/* -linguist-documentation`. */
export function parseAttributes(text: string): AttributeLine[] {
  const lines: AttributeLine[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [pattern = "", ...attributes] = line.trim().split(/\s+/);
    // Negative patterns and macros are not allowed to name attributes here.
    if (pattern === "" || pattern.startsWith("#") || pattern.startsWith("!") || pattern.startsWith("[attr]")) continue;
    for (const attribute of attributes) {
      const [, minus, name = "", value] = /^([-!]?)([^=]+)(?:=(.*))?$/.exec(attribute) ?? [];
      const of = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
      if (!of) continue;
      const isUnset = minus !== "" || value === "false" || value === "0";
      lines.push({ rule: new IgnoreFile(".gitattributes", pattern), class: of, value: isUnset ? "unset" : "set" });
    }
  }
  return lines;
}
