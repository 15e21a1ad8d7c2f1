import { ZipParts } from "../archive/zip-parts.js";
import type { Deadline } from "../limits.js";
import type { Reader } from "../reader.js";
import type { TextBuilder } from "../text-builder.js";
import { readXml } from "../xml.js";

/** Parts beside the main one that hold text, with what their section is called. */
const BESIDE: readonly [pattern: RegExp, name: string][] = [
  [/^word\/header\d*\.xml$/, "header"],
  [/^word\/footer\d*\.xml$/, "footer"],
  [/^word\/footnotes\.xml$/, "footnotes"],
  [/^word\/endnotes\.xml$/, "endnotes"],
  [/^word\/comments\.xml$/, "comments"],
];
const DEEPEST_HEADING = 9;

/** Word documents (ECMA-376 part 1, WordprocessingML): paragraphs by their headings, tables with tabs, notes, comments. */
export const readDocx: Reader = async (bytes, out, deadline) => {
  const parts = await ZipParts.open(bytes, deadline);
  if (parts.damage) out.note(`damaged: ${parts.damage}`);
  const levels = await headingLevels(parts, deadline);
  const main = await parts.text("word/document.xml");
  if (main !== undefined) readBody(main, levels, out, deadline);
  for (const part of parts.names) {
    const beside = BESIDE.find(([pattern]) => pattern.test(part));
    if (!beside) continue;
    const source = await parts.text(part);
    if (source === undefined || !source.includes("<w:t")) continue;
    out.section(1, beside[1]);
    readBody(source, new Map(), out, deadline);
  }
};

/** How deep a paragraph's style is as a heading, by the style's id. */
async function headingLevels(parts: ZipParts, deadline: Deadline): Promise<Map<string, number>> {
  const levels = new Map<string, number>();
  const source = await parts.text("word/styles.xml");
  if (source === undefined) return levels;
  let style = "";
  const listener = {
    open(name: string, attributes: Record<string, string>) {
      const value = attributes["w:val"] ?? "";
      if (name === "w:style") style = attributes["w:styleId"] ?? "";
      // Names of built-in styles are English whatever the program's language is.
      else if (name === "w:name" && /^heading [1-9]$/i.test(value)) levels.set(style, Number(value.at(-1)));
      else if (name === "w:name" && /^title$/i.test(value)) levels.set(style, 1);
      else if (name === "w:outlineLvl" && Number(value) < DEEPEST_HEADING) levels.set(style, Number(value) + 1);
    },
  };
  readXml(source, listener, deadline);
  return levels;
}

function readBody(source: string, levels: ReadonlyMap<string, number>, out: TextBuilder, deadline: Deadline): void {
  let paragraph = "";
  let level: number | undefined;
  let isText = false;
  let cells = 0;
  const listener = {
    open(name: string, attributes: Record<string, string>) {
      const value = attributes["w:val"] ?? "";
      if (name === "w:t") isText = true;
      else if (name === "w:tc") cells++;
      else if (name === "w:pStyle") level = levels.get(value) ?? styleByName(value);
      else if (name === "w:outlineLvl" && Number(value) < DEEPEST_HEADING) level = Number(value) + 1;
      else if (name === "w:tab") paragraph += "\t";
      else if (name === "w:br" || name === "w:cr") paragraph += "\n";
    },
    text(words: string) {
      if (isText) paragraph += words;
    },
    close(name: string) {
      if (name === "w:t") isText = false;
      else if (name === "w:tc") {
        cells--;
        out.add("\t");
      } else if (name === "w:tr") out.endLine();
      else if (name === "w:p") {
        if (level !== undefined && paragraph.trim() !== "") out.section(level, paragraph);
        // Paragraphs of a cell stay on the row's line.
        out.add(cells > 0 ? paragraph : `${paragraph}\n`);
        paragraph = "";
        level = undefined;
      }
    },
  };
  readXml(source, listener, deadline);
  out.line(paragraph);
}

/** Documents without a table of styles. */
function styleByName(style: string): number | undefined {
  const match = /^Heading([1-9])$/i.exec(style);
  return match ? Number(match[1]) : undefined;
}
