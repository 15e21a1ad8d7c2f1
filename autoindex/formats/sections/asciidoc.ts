import { type Heading, headingName, lineOf, sectionsOf } from "../../extract/from-headings.js";
import type { Declaration } from "../../extract/model.js";
import type { Positions } from "../../extract/positions.js";

const TITLE = /^(={1,6}|#{1,6})[ \t]+(\S.*)$/;
/** Lines that begin a block whose content is not read as text, up to the same line again. */
const FENCE = /^(-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,}|\|={3,})[ \t]*$/;

/** Sections of an AsciiDoc text: `== Title` lines outside listings, literal blocks, comments and tables. */
export function asciidocSections(positions: Positions): Declaration[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (let line = 1; line <= positions.lines; line++) {
    const text = lineOf(positions, line);
    const mark = FENCE.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark === fence) fence = undefined;
      continue;
    }
    fence = mark;
    const title = TITLE.exec(text);
    if (title) headings.push({ line, level: title[1]!.length, name: headingName(title[2]!) });
  }
  return sectionsOf(positions, headings);
}
