import { inAnyScript } from "../languages/any-script.js";

/** LaTeX names its levels, others repeat a mark. */
const NAMED_LEVELS = ["part", "chapter", "section", "subsection", "subsubsection", "paragraph"];

/** Patterns as they are written are faster; a line with letters beyond ASCII needs those of every script. */
export function patternsFor(text: string): (pattern: RegExp) => RegExp {
  return /[\u0080-\uffff]/.test(text) ? inAnyScript : (pattern) => pattern;
}

/** How deep a section lies, by its mark. */
export function sectionLevel(mark: string, text: string): number {
  const named = NAMED_LEVELS.indexOf(mark);
  if (named >= 0) return named;
  return mark === "" ? /^\s*(\[*)/.exec(text)![1]!.length : mark.length;
}

/** Columns of blank space before a line's first word, a tab as eight. */
export function indentOf(text: string): number {
  let columns = 0;
  for (const char of text) {
    if (char === "\t") columns += 8;
    else if (char === " ") columns++;
    else break;
  }
  return columns;
}

/** Characters of blank space before its first word. */
export function indentWidth(text: string): number {
  return text.length - text.trimStart().length;
}

/** A line without its strings: a brace in one is none. */
export function withoutStrings(text: string): string {
  return /["']/.test(text) ? text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.){0,80}'/g, "") : text;
}
