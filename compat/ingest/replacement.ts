/** What takes the place of a match: Java's `$1`, `${name}`, and `\` before what is meant as it stands. */
import type { GroupMatch, GroupPattern } from "../../engine/index.js";
import type { Options } from "./options.js";

type Piece = string | number;

/** Reads a replacement. Throws ApiError 400 for a group that the pattern does not have. */
export function readReplacement(
  written: string,
  pattern: GroupPattern,
  options: Options,
): (match: GroupMatch) => string {
  const pieces = piecesOf(written, pattern, options);
  return ({ groups }) => pieces.map((piece) => (typeof piece === "string" ? piece : (groups[piece] ?? ""))).join("");
}

const PIECE = /\\([\s\S])|\$(\d+)|\$\{(\w+)\}|[^\\$]+|[\s\S]/g;

function piecesOf(written: string, pattern: GroupPattern, options: Options): Piece[] {
  return [...written.matchAll(PIECE)].flatMap(([whole, escaped, digits, name]): Piece[] => {
    if (escaped !== undefined) return [escaped];
    if (digits !== undefined) return numbered(digits, pattern, options);
    if (name !== undefined) {
      const group = pattern.names.indexOf(name);
      if (group < 1) throw options.error("replacement", `No group with name {${name}}`);
      return [group];
    }
    if (whole === "$" || whole === "\\") throw options.error("replacement", "Illegal group reference");
    return [whole];
  });
}

/** As many digits as make a group that there is; the first one always counts. */
function numbered(digits: string, pattern: GroupPattern, options: Options): Piece[] {
  let length = 1;
  while (length < digits.length && Number(digits.slice(0, length + 1)) < pattern.names.length) length++;
  const group = Number(digits.slice(0, length));
  if (group >= pattern.names.length) throw options.error("replacement", `No group ${group}`);
  return length === digits.length ? [group] : [group, digits.slice(length)];
}
