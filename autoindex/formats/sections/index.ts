/**
 * Sections of the languages of prose whose files stay as they are: offsets are those of the file's own text. Imported
 * by extract/outline.ts; Markdown is read there.
 */
import type { Declaration } from "../../extract/model.js";
import type { Positions } from "../../extract/positions.js";
import { asciidocSections } from "./asciidoc.js";
import { orgSections } from "./org.js";
import { rstSections } from "./rst.js";

/** Reads the sections of a text; `cut` is called when it stopped before the end, by its time or another bound. */
export type SectionReader = (
  positions: Positions,
  cut: (by: "time" | "steps") => void,
) => Declaration[] | Promise<Declaration[]>;

/** The reader of a language's sections, by the language's name. */
export const SECTION_READERS: Readonly<Record<string, SectionReader>> = {
  asciidoc: asciidocSections,
  // Its parser is loaded when the first page is met.
  html: async (positions, cut) => (await import("./html.js")).htmlSections(positions, cut),
  org: orgSections,
  restructuredtext: rstSections,
};
