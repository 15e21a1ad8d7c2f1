/** Documents with given words in them, made by libraries where there is one, else by hand after the format's rules. */
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from "docx";
import { type Zippable, zipSync } from "fflate";
import { PDFDocument, StandardFonts } from "pdf-lib";
import writeXlsx from "write-excel-file/node";

/** A PDF with a text a page. */
export async function pdf(pages: readonly string[], title = ""): Promise<Buffer> {
  const document = await PDFDocument.create();
  if (title !== "") document.setTitle(title);
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of pages) document.addPage([400, 400]).drawText(text, { x: 20, y: 350, size: 12, font });
  return Buffer.from(await document.save());
}

/** A Word document: headings with a paragraph below each, and a table of one row. */
export async function docx(sections: readonly [heading: string, words: string][], row: string[]): Promise<Buffer> {
  const paragraphs = sections.flatMap(([heading, words]) => [
    new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 }),
    new Paragraph({ children: [new TextRun(words)] }),
  ]);
  const cells = row.map((words) => new TableCell({ children: [new Paragraph(words)] }));
  const table = new Table({ rows: [new TableRow({ children: cells })] });
  return Packer.toBuffer(new Document({ sections: [{ children: [...paragraphs, table] }] }));
}

/** A spreadsheet of one sheet; dates are written as spreadsheets do. */
export async function xlsx(sheet: string, rows: readonly (string | number | Date)[][]): Promise<Buffer> {
  const data = rows.map((row) =>
    row.map((value) => (value instanceof Date ? { value, type: Date, format: "yyyy-mm-dd" } : { value })),
  );
  return (await writeXlsx(data as never, { sheet } as never).toBuffer()) as Buffer;
}

/** A zip of texts and bytes. */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const entries: Zippable = {};
  for (const [name, content] of Object.entries(files)) {
    entries[name] = [typeof content === "string" ? Buffer.from(content) : content, { mtime: "2020-01-01T00:00:00" }];
  }
  return Buffer.from(zipSync(entries));
}

/** A presentation: title, words and notes a slide; the slides lie in another order than they are shown. */
export function pptx(slides: readonly { title: string; words: string; notes: string }[]): Buffer {
  const paragraph = (words: string) => `<a:p><a:r><a:t>${escaped(words)}</a:t></a:r></a:p>`;
  const shape = (kind: string, words: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraph(words)}</p:txBody></p:sp>`;
  const files: Record<string, string> = { "[Content_Types].xml": "<Types/>" };
  const number = (index: number) => slides.length - index;
  for (const [index, { title, words, notes }] of slides.entries()) {
    const n = number(index);
    files[`ppt/slides/slide${n}.xml`] = `<p:sld>${shape("title", title)}${shape("body", words)}</p:sld>`;
    files[`ppt/slides/_rels/slide${n}.xml.rels`] = relations([["rId1", `../notesSlides/notesSlide${n}.xml`]]);
    files[`ppt/notesSlides/notesSlide${n}.xml`] = `<p:notes>${shape("body", notes)}</p:notes>`;
  }
  const ids = slides.map((_, index) => `<p:sldId id="${index}" r:id="rId${index}"/>`).join("");
  files["ppt/presentation.xml"] = `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`;
  files["ppt/_rels/presentation.xml.rels"] = relations(
    slides.map((_, index) => [`rId${index}`, `slides/slide${number(index)}.xml`]),
  );
  return zip(files);
}

function relations(rows: [id: string, target: string][]): string {
  return `<Relationships>${rows.map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`).join("")}</Relationships>`;
}

/** An OpenDocument file of any of the three kinds; `body` is what lies in `office:body`. */
export function openDocument(kind: "text" | "presentation" | "spreadsheet", body: string): Buffer {
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
  return zip({ mimetype: `application/vnd.oasis.opendocument.${kind}`, "content.xml": content });
}

/** A book with an XHTML text a chapter, given out of order in the list of files. */
export function epub(title: string, chapters: readonly string[]): Buffer {
  const names = chapters.map((_, index) => `c${chapters.length - index}.xhtml`);
  const items = [...names].sort().map((name) => `<item id="${name}" href="text/${name}"/>`);
  const spine = names.map((name) => `<itemref idref="${name}"/>`);
  const files: Record<string, string> = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    "OEBPS/book.opf": `<package><metadata><dc:title>${escaped(title)}</dc:title></metadata><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
  };
  for (const [index, chapter] of chapters.entries()) files[`OEBPS/text/${names[index]}`] = chapter;
  return zip(files);
}

/** A notebook of Python cells and Markdown cells. */
export function notebook(cells: readonly { kind: "code" | "markdown"; source: string; output?: string }[]): string {
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { language: "python" }, language_info: { name: "python" } },
    cells: cells.map(({ kind, source, output }) => ({
      cell_type: kind,
      metadata: {},
      source: source.split(/(?<=\n)/),
      ...(kind === "code" && {
        execution_count: 1,
        outputs: output ? [{ output_type: "stream", name: "stdout", text: [output] }] : [],
      }),
    })),
  });
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
