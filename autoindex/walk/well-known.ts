import { lookAt } from "./look-at.js";
import { kindOf, type RegularFile, readRegularFile } from "./regular-file.js";

/** Bytes of a file of ignore rules. Git's own bound is 100 MB, but here each rule may be held beside each name of a folder. */
export const IGNORE_BYTES = 4 * 1024 * 1024;
/** Bytes of a `.gitattributes`: all its lines are held beside each file. */
export const ATTRIBUTES_BYTES = 256 * 1024;
/** Bytes of `HEAD`, `config`, `commondir`, a file `.git`, one reference. */
export const GIT_SETTING_BYTES = 1024 * 1024;
/** Bytes of all references of a repository, a line each. */
export const PACKED_REFERENCES_BYTES = 128 * 1024 * 1024;

/** The text of a file with a well-known name; `refusal` says why a thing of that name was not read, and is empty else. */
export interface WellKnownText {
  text: string | undefined;
  refusal: string;
}

/** Reads a file with a well-known name: no text when there is none, or a folder, or when it is refused. */
export function readWellKnown(file: string, maxBytes: number): WellKnownText {
  const found = readRegularFile(file, { maxBytes, links: "follow" });
  if (found.kind === "bytes") return { text: found.bytes.toString("utf8"), refusal: "" };
  return { text: undefined, refusal: told(found, maxBytes) };
}

/** Why what lies at a path would not be read, empty when it would be or when nothing is there; reads nothing. */
export function refusalOf(file: string, maxBytes: number): string {
  const stats = lookAt(file, "follow");
  if (!stats || stats.isDirectory()) return "";
  if (!stats.isFile()) return `it is ${kindOf(stats)}, no file`;
  return stats.size > maxBytes ? `it has ${stats.size} bytes, more than ${maxBytes}` : "";
}

function told({ why, detail }: Extract<RegularFile, { kind: "refused" }>, maxBytes: number): string {
  if (why === "absent" || why === "folder") return "";
  if (why === "not_a_file") return `it is ${detail}, no file`;
  return why === "too_large" ? `it has ${detail}, more than ${maxBytes}` : detail;
}
