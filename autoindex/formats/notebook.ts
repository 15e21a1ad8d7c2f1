import { LIMITS } from "./limits.js";
import { type MadeText, TextBuilder, type TextRange } from "./text-builder.js";

/** A notebook as text, with the places of its code and of its prose. */
export interface NotebookText extends MadeText {
  /** The kernel's language, as the notebook calls it. */
  language: string;
  code: TextRange[];
  prose: TextRange[];
}

type Json = Record<string, unknown>;

/**
 * A Jupyter notebook (nbformat 3 and 4), cell by cell: source, then the text of its outputs, bounded. Nothing when the
 * JSON is no notebook.
 */
export function readNotebook(source: string): NotebookText | undefined {
  const notebook = parse(source);
  const cells = notebook && cellsOf(notebook);
  if (!notebook || !cells) return undefined;
  const out = new TextBuilder();
  const code: TextRange[] = [];
  const prose: TextRange[] = [];
  try {
    for (const cell of cells) addCell(record(cell), out, { code, prose });
  } catch (error) {
    out.note(error instanceof Error ? error.message : String(error));
  }
  return { ...out.finish(), language: languageOf(notebook), code, prose };
}

function cellsOf(notebook: Json): unknown[] | undefined {
  if (typeof notebook.nbformat !== "number") return undefined;
  if (Array.isArray(notebook.cells)) return notebook.cells;
  if (!Array.isArray(notebook.worksheets)) return undefined;
  return notebook.worksheets.flatMap((sheet) => list(record(sheet).cells));
}

function addCell(cell: Json, out: TextBuilder, places: { code: TextRange[]; prose: TextRange[] }): void {
  const kind = cell.cell_type;
  const source = joined(cell.source ?? cell.input);
  if (out.length > 0) out.add("\n");
  const start = out.length;
  // Version 3 has headings as cells of their own.
  if (kind === "heading") out.line(`${"#".repeat(Number(cell.level) || 1)} ${source}`);
  else if (source.trim() !== "") out.line(source);
  const range = { start, end: out.length };
  // A cell that begins so is in another language.
  const isForeign = /^\s*%%(?!time|capture|prun)/.test(source);
  if (kind === "code" && !isForeign) places.code.push(range);
  else if (kind === "markdown" || kind === "heading") places.prose.push(range);
  for (const output of list(cell.outputs)) addOutput(record(output), out);
}

/** Text of an output; pictures and pages have none that is worth searching. */
function addOutput(output: Json, out: TextBuilder): void {
  const data = record(output.data);
  const error = typeof output.ename === "string" ? `${output.ename}: ${String(output.evalue ?? "")}` : "";
  const text = error || joined(output.text) || joined(data["text/plain"]);
  if (text.trim() !== "") out.line(text.slice(0, LIMITS.cellOutput).trimEnd());
}

function languageOf(notebook: Json): string {
  const metadata = record(notebook.metadata);
  const name = record(metadata.language_info).name ?? record(metadata.kernelspec).language ?? "python";
  return String(name).toLowerCase();
}

function joined(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join("") : typeof value === "string" ? value : "";
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function parse(source: string): Json | undefined {
  try {
    return record(JSON.parse(source));
  } catch {
    // Not JSON: the caller reads it as text.
    return undefined;
  }
}

/** A text of the same length that has only what lies in the ranges, line ends, and blanks for all else. */
export function only(text: string, ranges: readonly TextRange[]): string {
  const blank = (from: number, to: number): string => text.slice(from, to).replace(/[^\n]/g, " ");
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    pieces.push(blank(at, start), text.slice(start, end));
    at = end;
  }
  pieces.push(blank(at, text.length));
  return pieces.join("");
}

/** Lines of code that are for the notebook and no statement of the language (`%magic`, `!command`), blanked. */
export function withoutMagics(code: string): string {
  return code.replace(/^[ \t]*[%!?].*$/gm, (line) => " ".repeat(line.length));
}
