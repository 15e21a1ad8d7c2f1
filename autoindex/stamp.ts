import type { Stats } from "node:fs";

/**
 * By what an edit is told without reading: a change of content moves `ctimeMs` even where a program sets `mtimeMs` back
 * (`touch -r`, archives); a file moved over another has another number.
 */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  inode: string;
}

/** The stamp of what has none. */
export const NO_STAMP: FileStamp = { size: 0, mtimeMs: 0, ctimeMs: 0, inode: "" };

/** A file's stamp as the system tells it. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): FileStamp {
  return { size, mtimeMs, ctimeMs, inode: String(ino) };
}
