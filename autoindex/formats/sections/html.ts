import { headingName } from "../../extract/from-headings.js";
import type { Declaration } from "../../extract/model.js";
import type { Positions } from "../../extract/positions.js";
import { readHtml } from "../html-text.js";
import { BoundReached, Deadline, LIMITS } from "../limits.js";

/** UTF-16 units of a section's words. */
const MAX_WORDS = 32 * 1024;
/** Milliseconds for one page; most take a few. */
const PAGE_MS = 3000;

interface Part {
  level: number;
  start: number;
  name: string;
  words: string;
}

/**
 * Sections of an HTML page, one a heading. A section's range is that of the source, so that the page can be searched as
 * the source it is; what a reader sees of it, without tags, scripts and entities, is its `docstring`.
 */
export function htmlSections(positions: Positions, cut: (by: "time" | "steps") => void = () => {}): Declaration[] {
  const parts: Part[] = [{ level: 0, start: 0, name: "", words: "" }];
  const deadline = new Deadline(PAGE_MS);
  try {
    collect(positions.text, parts, deadline);
  } catch (error) {
    // What is beyond the bound is in the last section, as source.
    if (!(error instanceof BoundReached)) throw error;
    cut(deadline.ended ? "time" : "steps");
  }
  const named = parts.filter(({ name, words }) => name !== "" || words.trim() !== "");
  const path: Part[] = [];
  return named.map((part, index) => {
    while (path.length > 0 && path.at(-1)!.level >= part.level && part.level > 0) path.pop();
    const container = path.map(({ name }) => name).join(".");
    if (part.level > 0) path.push(part);
    return sectionOf(positions, part, { container, end: named[index + 1]?.start ?? positions.text.length });
  });
}

function collect(source: string, parts: Part[], deadline: Deadline): void {
  let isHeading = false;
  const last = (): Part => parts.at(-1)!;
  const add = (words: string): void => {
    if (last().words.length < MAX_WORDS) last().words += words;
  };
  const listener = {
    text(words: string) {
      if (isHeading) last().name += words;
      add(words);
    },
    breakLine() {
      if (!last().words.endsWith("\n")) add("\n");
    },
    heading(level: number, start: number) {
      if (parts.length >= LIMITS.sections) throw new BoundReached(`more than ${LIMITS.sections} sections`);
      parts.push({ level, start, name: "", words: "" });
      isHeading = true;
    },
    headingEnd() {
      isHeading = false;
    },
    title(words: string) {
      parts[0]!.name = words;
    },
  };
  readHtml(source, listener, deadline);
}

function sectionOf(positions: Positions, part: Part, place: { container: string; end: number }): Declaration {
  const name = headingName(part.name);
  const source = positions.text.slice(part.start, place.end);
  return {
    kind: "section",
    name,
    qualifiedName: place.container === "" ? name : `${place.container.slice(0, 600)}.${name}`,
    signature: name,
    docstring: part.words
      .replace(/[ \t]+/g, " ")
      .replace(/\s*\n\s*/g, "\n")
      .trim(),
    start: part.start,
    end: part.start + source.trimEnd().length,
  };
}
