import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { pathBytes } from "../code/index.js";

/** A file as it is on this disk now, or why it cannot be looked at. */
export type WorkingFile =
  | { state: "present"; root: string; blob: string; lines: string[] | undefined }
  | { state: "absent"; root: string }
  /** `archive`: the file inside which it lies, which can be indexed again. */
  | { state: "out of sight"; reason: string; archive?: { root: string; path: string } };

/** Larger files are not read to check a hit, in bytes. */
const LARGEST = 64 * 1024 * 1024;

/** Reads a file below a root. Links that lead out of the root are not followed: they would show what was never indexed. */
export async function readWorkingFile(root: string, path: string): Promise<WorkingFile> {
  const base = await realpath(root).catch(() => undefined);
  if (base === undefined) return { state: "out of sight", reason: `${root} is not on this machine` };
  const real = await realPathOf(resolve(base, path));
  if (real === undefined) return (await insideArchive(root, base, path)) ?? { state: "absent", root };
  if (!real.toString().startsWith(base.endsWith(sep) ? base : base + sep))
    return { state: "out of sight", reason: "the path leads out of the folder" };
  try {
    return await readOpened(root, real);
  } catch (error) {
    // It may go between two looks at it: a file that vanishes while it is looked at is gone, not an error.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "absent", root };
    return { state: "out of sight", reason: message };
  }
}

/** What lies there may have become a pipe or a device since it was listed, and is not waited for. */
async function readOpened(root: string, real: string | Buffer): Promise<WorkingFile> {
  if (!(await stat(real)).isFile()) return { state: "absent", root };
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const about = await file.stat();
    if (!about.isFile()) return { state: "absent", root };
    if (about.size > LARGEST) return { state: "out of sight", reason: `the file has ${about.size} bytes` };
    return presentFile(root, await file.readFile());
  } finally {
    await file.close();
  }
}

/** Where a file really lies; by the bytes of a name that is no UTF-8, unless a file is really called like what stands for them. */
async function realPathOf(file: string): Promise<string | Buffer | undefined> {
  const real = await realpath(file).catch(() => undefined);
  const bytes = real === undefined ? pathBytes(file) : undefined;
  return bytes === undefined ? real : realpath(Buffer.from(bytes), { encoding: "buffer" }).catch(() => undefined);
}

/** Most that are looked at are as they were, and nobody asks for their lines. */
function presentFile(root: string, bytes: Uint8Array): WorkingFile {
  let read: { lines: string[] | undefined } | undefined;
  return {
    state: "present",
    root,
    blob: gitBlobId(bytes),
    get lines() {
      read ??= { lines: decodeLines(bytes) };
      return read.lines;
    },
  };
}

/** `lib.zip!/src/a.py` is a file inside an archive: it is as the archive is, and is not unpacked here. */
async function insideArchive(root: string, base: string, path: string): Promise<WorkingFile | undefined> {
  const outer = path.slice(0, Math.max(0, path.indexOf("!/")));
  const about = outer === "" ? undefined : await stat(resolve(base, outer)).catch(() => undefined);
  if (!about?.isFile()) return undefined;
  return { state: "out of sight", reason: "it lies inside an archive", archive: { root, path: outer } };
}

/** Git's object id of a file's bytes: SHA-1 of `blob <length>\0` and the bytes, 40 hex digits. */
export function gitBlobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Span hash of a text: SHA-1 of its UTF-8 bytes, 40 hex digits. */
export function spanHash(text: string): string {
  return createHash("sha1").update(text, "utf8").digest("hex");
}

/** One NUL in fewer bytes is no slip in a text, but a text of wide characters, or none. */
const BYTES_PER_NUL = 8;

/** Lines of a UTF-8 file without their ends; undefined for bytes that are no UTF-8, or of wide characters with NULs. */
function decodeLines(bytes: Uint8Array): string[] | undefined {
  if (countNuls(bytes) * BYTES_PER_NUL > bytes.length) return undefined;
  try {
    return toLines(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function countNuls(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) count++;
  return count;
}

/** Lines of a text; a final line end begins no further line. */
export function toLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  return lines;
}
