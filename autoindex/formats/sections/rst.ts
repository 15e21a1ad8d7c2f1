import { type Heading, headingName, lineOf, sectionsOf } from "../../extract/from-headings.js";
import type { Declaration } from "../../extract/model.js";
import type { Positions } from "../../extract/positions.js";

/** One punctuation mark, repeated: `====`. */
const ADORNMENT = /^([!-/:-@[-`{-~])\1*[ \t]*$/;

/**
 * Sections of a reStructuredText: a title is a line with a row of one punctuation mark below it, as long as the title,
 * and maybe the same above it. Which marks mean which depth is known by the order in which they first appear
 * (reStructuredText specification, "Sections").
 */
export function rstSections(positions: Positions): Declaration[] {
  const headings: Heading[] = [];
  const styles: string[] = [];
  for (let line = 2; line <= positions.lines; line++) {
    const mark = ADORNMENT.exec(lineOf(positions, line))?.[1];
    if (mark === undefined) continue;
    const title = lineOf(positions, line - 1);
    if (!isTitle(positions, line, title)) continue;
    const overline = line > 2 ? lineOf(positions, line - 2) : "";
    const hasOverline = ADORNMENT.exec(overline)?.[1] === mark && overline.trimEnd().length >= title.trimEnd().length;
    // An indented title needs the line above; without it this is a quote or a literal block.
    if (/^\s/.test(title) && !hasOverline) continue;
    const style = hasOverline ? `${mark}${mark}` : mark;
    if (!styles.includes(style)) styles.push(style);
    const first = hasOverline ? line - 2 : line - 1;
    headings.push({ line: first, level: styles.indexOf(style) + 1, name: headingName(title) });
  }
  return sectionsOf(positions, headings);
}

/** Words that the row below is as long as, with no text above. Wide characters count two columns, so half is enough. */
function isTitle(positions: Positions, line: number, title: string): boolean {
  const row = lineOf(positions, line).trimEnd();
  const words = title.trim();
  if (words === "" || ADORNMENT.test(title) || row.length < 2 || row.length < words.length) return false;
  const above = line > 2 ? lineOf(positions, line - 2).trim() : "";
  return above === "" || ADORNMENT.test(above) || above.startsWith(".. ");
}
