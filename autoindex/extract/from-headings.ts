import type { Declaration } from "./model.js";
import { qualify } from "./names.js";
import type { Positions } from "./positions.js";

const MAX_NAME = 200;
/** Headings are short; a long line is cut before it meets a pattern. */
const MAX_LINE = 2000;

/** A heading: the line its section begins at, how deep it is, its words. */
export interface Heading {
  line: number;
  level: number;
  name: string;
}

/** One section a heading, up to the next heading: a section does not hold its sub-sections. */
export function sectionsOf(positions: Positions, headings: readonly Heading[]): Declaration[] {
  const path: Heading[] = [];
  return headings.map((heading, index) => {
    while (path.length > 0 && path.at(-1)!.level >= heading.level) path.pop();
    path.push(heading);
    const start = positions.lineStarts[heading.line - 1]!;
    const next = headings[index + 1];
    const end = next ? positions.lineStarts[next.line - 1]! : positions.text.length;
    return {
      kind: "section",
      name: heading.name,
      qualifiedName: qualify(...path.map(({ name }) => name)),
      signature: heading.name,
      docstring: "",
      start,
      end: start + positions.text.slice(start, end).trimEnd().length,
    };
  });
}

/** A heading's words on one line. */
export function headingName(text: string): string {
  return text.trim().replace(/\s+/g, " ").slice(0, MAX_NAME) || "(untitled)";
}

/** A 1-based line without its end. */
export function lineOf(positions: Positions, line: number): string {
  const start = positions.lineStarts[line - 1]!;
  return positions.text.slice(start, Math.min(positions.endOfLine(line), start + MAX_LINE)).replace(/\r?\n$/, "");
}
