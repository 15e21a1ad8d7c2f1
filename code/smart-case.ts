/**
 * When a search without a wish about case is sensitive to it, as ripgrep's `--smart-case` has it: a pattern that writes
 * letters, all of them small, is not; one with a capital is, and so is one that writes no character at all (`\p{Lu}{5}`).
 */

/**
 * The pieces of a regular expression, at the head of what is left of it: quoted text; a character by its code; a class
 * or a look by its name; a character of its own after a backslash; the head of a group; how often; any character.
 */
const PIECE = new RegExp(
  [
    String.raw`\\Q(?<quoted>[\s\S]*?)(?:\\E|$)`,
    String.raw`\\[xuU]\{(?<braced>[\dA-Fa-f]+)\}|\\x(?<two>[\dA-Fa-f]{2})|\\u(?<four>[\dA-Fa-f]{4})|\\U(?<eight>[\dA-Fa-f]{8})`,
    String.raw`\\(?<octal>[0-7]{1,3})`,
    String.raw`\\[pP](?:\{[^}]*\}|[\s\S])|\\b\{[^}]*\}|\\[dDsSwWbBAzZCE<>]`,
    String.raw`\\(?<escaped>[\s\S])`,
    String.raw`\(\?(?:P?<[^>=!]*>|[a-zA-Z-]*[:)])`,
    String.raw`\{\d*(?:,\d*)?\}`,
    String.raw`(?<plain>[\s\S])`,
  ].join("|"),
  "uy",
);

/** Within brackets, classes have names of their own, and signs stand for themselves. */
const NAMED_CLASS = /\[:\^?\w+:\]/y;

const SIGNS = "^$.*+?|()[]";
const SIGNS_OF_CLASS = "^-[]&~";
const NAMED_CHARACTERS = "ntrfva";

/** Whether a text that is looked for as it is, or a regular expression, tells capitals from small letters by itself. */
export function isSensitiveByItself(pattern: string, isRegex: boolean): boolean {
  const written = isRegex ? writtenCharacters(pattern) : pattern;
  return written === "" || /\p{Uppercase}/u.test(written);
}

/** All characters that a regular expression asks for by themselves, those of ranges included; invalid ones as far as read. */
function writtenCharacters(pattern: string): string {
  let written = "";
  let depth = 0;
  for (let at = 0; at < pattern.length; ) {
    const name = depth > 0 ? matchAt(NAMED_CLASS, pattern, at) : null;
    const piece = name ?? matchAt(PIECE, pattern, at);
    if (piece === null) return written;
    at += piece[0].length;
    if (piece[0] === "[") depth++;
    // A bracket that closes at once what it stands in is a sign of its own; as such it is no letter.
    if (piece[0] === "]" && depth > 0) depth--;
    written += name === null ? characterOf(piece, depth > 0) : "";
  }
  return written;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** What a piece asks for by itself; nothing for classes, looks, groups and signs. */
function characterOf({ groups = {} }: RegExpExecArray, isInClass: boolean): string {
  const { quoted, braced, two, four, eight, octal, escaped, plain } = groups;
  const hex = braced ?? two ?? four ?? eight;
  if (hex !== undefined) return character(Number.parseInt(hex, 16));
  if (octal !== undefined) return character(Number.parseInt(octal, 8));
  if (escaped !== undefined) return NAMED_CHARACTERS.includes(escaped) ? "\n" : escaped;
  if (plain !== undefined) return (isInClass ? SIGNS_OF_CLASS : SIGNS).includes(plain) ? "" : plain;
  return quoted ?? "";
}

/** Codes beyond Unicode are refused when the pattern is read. */
function character(code: number): string {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : "";
}
