import type { LeadingComment } from "./model.js";
import type { Positions } from "./positions.js";

/** How a language marks its comments. */
export interface CommentMarks {
  lineComments: readonly string[];
  blockComments: readonly [open: string, close: string] | false;
}

/** Longest run of comment lines taken for documentation. */
const MAX_LINES = 200;
const MAX_CHARACTERS = 16 * 1024;

/**
 * The comment directly above a line (no blank line between). Read from the text, not from the tree: asking a tree for
 * the sibling before a node costs time in the number of siblings, which is quadratic over a long file.
 */
export function commentAbove(positions: Positions, line: number, rules: CommentMarks): LeadingComment | undefined {
  let first = line;
  while (first > 1 && line - first < MAX_LINES) {
    const text = lineText(positions, first - 1).trim();
    if (isLineComment(text, rules)) first--;
    else if (rules.blockComments && text.endsWith(rules.blockComments[1])) {
      const start = blockStart(positions, first - 1, rules.blockComments);
      if (start === undefined) break;
      first = start;
    } else break;
  }
  if (first === line || (first === 1 && lineText(positions, 1).startsWith("#!"))) return undefined;
  const raw = positions.text.slice(positions.lineStarts[first - 1]!, positions.endOfLine(line - 1) - 1);
  return { raw: boundLines(raw), firstLine: first };
}

/** A text within the bound: whole lines, or the head of the first line when that alone is too long. */
function boundLines(raw: string): string {
  if (raw.length <= MAX_CHARACTERS) return raw;
  const end = raw.lastIndexOf("\n", MAX_CHARACTERS);
  return raw.slice(0, end > 0 ? end : MAX_CHARACTERS);
}

function lineText(positions: Positions, line: number): string {
  return positions.text.slice(positions.lineStarts[line - 1]!, positions.endOfLine(line));
}

function isLineComment(text: string, rules: CommentMarks): boolean {
  return rules.lineComments.some((mark) => text.startsWith(mark));
}

/** The line where a block comment that ends on `line` begins, if nothing but the comment stands on it. */
function blockStart(positions: Positions, line: number, marks: readonly [string, string]): number | undefined {
  const [open, close] = marks;
  for (let at = line; at >= 1 && line - at < MAX_LINES; at--) {
    const text = lineText(positions, at).trim();
    if (text.startsWith(open)) return at;
    if (text.includes(open) || (at < line && text.includes(close))) return undefined;
  }
  return undefined;
}

/** A comment's words without its marks. */
export function cleanComment(raw: string, rules: CommentMarks): string {
  return raw
    .split("\n")
    .map((line) => stripMarks(line.trim(), rules))
    .join("\n")
    .trim();
}

function stripMarks(line: string, rules: CommentMarks): string {
  const mark = rules.lineComments.find((candidate) => line.startsWith(candidate));
  if (mark) return line.slice(mark.length).trim();
  if (!rules.blockComments) return line;
  const [open, close] = rules.blockComments;
  let words = line;
  if (words.startsWith(open)) words = words.slice(open.length).replace(/^(?:\*+!?|[!|])/, "");
  if (words.endsWith(close)) words = words.slice(0, -close.length).replace(/\*+$/, "");
  return words.replace(/^\s*\*/, "").trim();
}

/** A docstring literal without prefix and quotes. */
export function cleanDocstring(literal: string): string {
  const inner = /^[a-zA-Z]*("""|'''|"|')([\s\S]*)\1$/.exec(literal);
  const lines = (inner ? inner[2]! : literal).slice(0, MAX_CHARACTERS).split("\n");
  return lines
    .map((line) => line.trim())
    .join("\n")
    .trim();
}
