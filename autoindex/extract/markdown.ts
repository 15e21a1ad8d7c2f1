import { type Heading, headingName, lineOf, sectionsOf } from "./from-headings.js";
import type { Declaration } from "./model.js";
import type { Positions } from "./positions.js";

const ATX = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** What cannot be the text above a setext underline: lists, quotes, tables' rows, other headings, code. */
const NOT_PARAGRAPH = /^(?: {4}|\t| {0,3}(?:[-*+>|#]|\d+[.)][ \t]|<!--))/;

/** Sections of a Markdown text: one a heading, up to the next heading (a section does not hold its sub-sections). */
export function markdownSections(positions: Positions): Declaration[] {
  return sectionsOf(positions, findHeadings(positions));
}

function findHeadings(positions: Positions): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let paragraph: { line: number; text: string } | undefined;
  for (let line = firstLine(positions); line <= positions.lines; line++) {
    const text = lineOf(positions, line);
    const mark = FENCE.exec(text);
    if (fence !== undefined) {
      if (mark && closes(fence, mark)) fence = undefined;
      continue;
    }
    if (mark && !(mark[1]!.startsWith("`") && mark[2]!.includes("`"))) {
      fence = mark[1]!;
      paragraph = undefined;
      continue;
    }
    const heading = atxHeading(text, line) ?? setextHeading(text, paragraph);
    if (heading) headings.push(heading);
    paragraph = heading || text.trim() === "" || NOT_PARAGRAPH.test(text) ? undefined : (paragraph ?? { line, text });
  }
  return headings;
}

function closes(fence: string, mark: RegExpExecArray): boolean {
  return mark[1]![0] === fence[0] && mark[1]!.length >= fence.length && mark[2]!.trim() === "";
}

function atxHeading(text: string, line: number): Heading | undefined {
  const match = ATX.exec(text);
  if (!match) return undefined;
  const words = text.slice(match[0].length).trim();
  let end = words.length;
  while (end > 0 && words[end - 1] === "#") end--;
  const isClosing = end === 0 || /\s/.test(words[end - 1]!);
  return { line, level: match[1]!.length, name: headingName(isClosing ? words.slice(0, end) : words) };
}

function setextHeading(text: string, paragraph: { line: number; text: string } | undefined): Heading | undefined {
  const match = paragraph && SETEXT.exec(text);
  if (!match) return undefined;
  return { line: paragraph.line, level: match[1]!.startsWith("=") ? 1 : 2, name: headingName(paragraph.text) };
}

/** Front matter (`---` to `---` at the very beginning) is text, whatever its lines look like. */
function firstLine(positions: Positions): number {
  if (!/^---[ \t]*\r?\n/.test(positions.text)) return 1;
  const close = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(positions.text.slice(0, 64 * 1024));
  return close ? positions.lineAt(close.index + 1) + 1 : 1;
}
