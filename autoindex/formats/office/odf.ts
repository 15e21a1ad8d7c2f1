import { ZipParts } from "../archive/zip-parts.js";
import type { Reader } from "../reader.js";
import type { TextBuilder } from "../text-builder.js";
import { readXml } from "../xml.js";

/** Parts of a document that are no text of it. */
const UNREAD = new Set(["text:tracked-changes", "office:forms", "office:scripts"]);
const MAX_SPACES = 100;

/**
 * Text documents, presentations and spreadsheets of OpenDocument (OASIS ODF 1.3): sections by headings, slides, sheets;
 * a row of a table is a line, its cells with tabs.
 */
export const readOdf: Reader = async (bytes, out, deadline) => {
  const parts = await ZipParts.open(bytes, deadline);
  if (parts.damage) out.note(`damaged: ${parts.damage}`);
  const source = await parts.text("content.xml");
  if (source === undefined) return out.note("damaged: it has no content.xml");
  const content = new OdfContent(out, source.includes("<office:spreadsheet") ? "sheets" : "tables");
  readXml(source, content, deadline);
  out.endLine();
};

/** Told of the content's tags in their order. */
class OdfContent {
  #heading: { level: number; words: string } | undefined;
  /** How many open tags of each kind there are. */
  #paragraphs = 0;
  #cells = 0;
  #unread = 0;
  #slides = 0;

  constructor(
    private readonly out: TextBuilder,
    /** Whether its tables are what it is about. */
    private readonly tables: "sheets" | "tables",
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    if (UNREAD.has(name)) this.#unread++;
    if (this.#unread > 0) return;
    if (name === "text:p" || name === "text:h") this.#paragraphs++;
    if (name === "text:h") this.#heading = { level: Number(attributes["text:outline-level"]) || 1, words: "" };
    else if (name === "draw:page") this.out.section(1, `slide ${++this.#slides}`);
    else if (name === "table:table-cell") this.#cells++;
    else if (name === "table:table" && this.tables === "sheets") this.#sheet(attributes["table:name"] ?? "");
    else if (name === "text:tab") this.#add("\t");
    else if (name === "text:line-break") this.#add("\n");
    else if (name === "text:s") this.#add(" ".repeat(Math.min(MAX_SPACES, Number(attributes["text:c"]) || 1)));
  }

  text(words: string): void {
    if (this.#unread === 0 && this.#paragraphs > 0) this.#add(words);
  }

  close(name: string): void {
    if (UNREAD.has(name)) this.#unread--;
    if (this.#unread > 0) return;
    if (name === "text:p" || name === "text:h") this.#paragraphs = Math.max(0, this.#paragraphs - 1);
    if (name === "text:h") this.#endHeading();
    // Paragraphs of a cell stay on the row's line.
    else if (name === "text:p" && this.#cells === 0) this.out.add("\n");
    else if (name === "table:table-row") this.out.endLine();
    else if (name === "table:table-cell") {
      this.#cells = Math.max(0, this.#cells - 1);
      this.out.add("\t");
    }
  }

  #add(words: string): void {
    if (this.#heading) this.#heading.words += words;
    else this.out.add(words);
  }

  #sheet(name: string): void {
    this.out.section(1, name);
    this.out.line(name);
  }

  #endHeading(): void {
    if (!this.#heading) return;
    const { level, words } = this.#heading;
    this.#heading = undefined;
    if (words.trim() !== "") this.out.section(level, words);
    this.out.line(words);
  }
}
