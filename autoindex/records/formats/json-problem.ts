import { createRequire } from "node:module";

/** The library is loaded for the first text that is no JSON. */
const require = createRequire(import.meta.url);

/** Characters of what is named in a reason. */
const MOST_SHOWN = 20;

/** The scanner's `SyntaxKind`, whose names are only there while types are checked. */
const KIND = {
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blanks: 15,
  unknown: 16,
  end: 17,
} as const;

const COMMENTS: ReadonlySet<number> = new Set([KIND.lineComment, KIND.blockComment]);
const BLANKS: ReadonlySet<number> = new Set([KIND.lineBreak, KIND.blanks]);

/** Why a text that looks like JSON is none: its first fault of those that programs and people make, with its line. */
export function jsonProblem(text: string): string {
  const { createScanner } = require("jsonc-parser") as typeof import("jsonc-parser");
  const scanner = createScanner(text, false);
  let depth = 0;
  let before = 0;
  for (let kind: number = scanner.scan(); kind !== KIND.end; kind = scanner.scan()) {
    if (BLANKS.has(kind)) continue;
    const line = `line ${scanner.getTokenStartLine() + 1}`;
    const start = scanner.getTokenOffset();
    const shown = text.slice(start, start + Math.min(MOST_SHOWN, scanner.getTokenLength()));
    const isClosing = shown === "]" || shown === "}";
    if (COMMENTS.has(kind)) return `it is no JSON: a comment in ${line}`;
    if (kind === KIND.unknown) return `it is no JSON: ${shown} in ${line}`;
    if (scanner.getTokenError() !== 0) return `it is no JSON: ${shown} in ${line} is not whole`;
    if (isClosing && before === KIND.comma) return `it is no JSON: a comma before ${shown} in ${line}`;
    if (shown === "[" || shown === "{") depth++;
    else if (isClosing) depth--;
    before = kind;
  }
  return depth > 0 ? "it is no JSON: it ends inside of a list or an object" : "it is no JSON";
}
