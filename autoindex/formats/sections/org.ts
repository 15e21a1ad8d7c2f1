import { type Heading, headingName, lineOf, sectionsOf } from "../../extract/from-headings.js";
import type { Declaration } from "../../extract/model.js";
import type { Positions } from "../../extract/positions.js";

const HEADLINE = /^(\*+)[ \t]+(\S.*)$/;
/** `TODO [#A] Words :tag:other:`: what stands beside the words of a headline. */
const STATE = /^(?:TODO|DONE|NEXT|WAITING|CANCELLED|CANCELED)[ \t]+/;
const PRIORITY = /^\[#[A-Z0-9]\][ \t]*/;
const TAGS = /[ \t]+:[\p{L}\p{N}_@#%:]+:[ \t]*$/u;

/** Sections of an Org text: a headline is stars at the beginning of a line, also inside blocks (Org Syntax, "Headings"). */
export function orgSections(positions: Positions): Declaration[] {
  const headings: Heading[] = [];
  for (let line = 1; line <= positions.lines; line++) {
    const headline = HEADLINE.exec(lineOf(positions, line));
    if (!headline) continue;
    const words = headline[2]!.replace(STATE, "").replace(PRIORITY, "").replace(TAGS, "");
    headings.push({ line, level: headline[1]!.length, name: headingName(words) });
  }
  return sectionsOf(positions, headings);
}
