/** The files that all programs of the regex benchmark read: a copy that holds nothing else. */
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Larger files are data. */
const MOST_BYTES = 8 << 20;

/** What was taken, and how much was not. */
export interface TextFolder {
  readonly folder: string;
  /** Paths below the folder, sorted. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Files with a zero byte, beyond the size, without a byte, or not in UTF-8: no text that all read alike. */
  readonly left: number;
}

/** Links (or copies) the text files below `from` into an empty folder, version control's own and links left out. */
export function textFolder(from: string, into: string): TextFolder {
  const files: string[] = [];
  let bytes = 0;
  let left = 0;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(from, file);
    if (!entry.isFile() || name.split(path.sep).includes(".git")) continue;
    const content = readFileSync(file);
    if (!isText(content)) {
      left++;
      continue;
    }
    place(file, path.join(into, name));
    files.push(name);
    bytes += content.length;
  }
  return { folder: into, files: files.sort(), bytes, left };
}

function isText(content: Buffer): boolean {
  if (content.length === 0 || content.length > MOST_BYTES || content.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

function place(file: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  try {
    linkSync(file, to);
  } catch {
    copyFileSync(file, to); // another file system
  }
}
