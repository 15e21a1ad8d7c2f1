import type { HtmlListener } from "./html-text.js";
import type { TextBuilder } from "./text-builder.js";

/** Writes what a reader of a page sees into a text; its headings become sections below `level`. */
export function htmlInto(out: TextBuilder, level: number): HtmlListener {
  let heading: { level: number; words: string } | undefined;
  return {
    text(words) {
      if (heading) heading.words += words;
      else if (words !== " " || !out.isAtLineStart) out.add(words);
    },
    breakLine() {
      if (!heading) out.endLine();
    },
    heading(depth) {
      heading = { level: level + depth, words: "" };
    },
    headingEnd() {
      if (!heading) return;
      const { words, level: depth } = heading;
      heading = undefined;
      if (words.trim() === "") return;
      out.section(depth, words);
      out.line(words.trim());
    },
    title() {},
  };
}
