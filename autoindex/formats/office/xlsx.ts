import { ZipParts } from "../archive/zip-parts.js";
import { BoundReached, type Deadline, LIMITS } from "../limits.js";
import type { Reader } from "../reader.js";
import type { TextBuilder } from "../text-builder.js";
import { readXml } from "../xml.js";
import { dateStyles, serialDate } from "./cell-dates.js";
import { relationsOf } from "./relations.js";

const MAIN = "xl/workbook.xml";

interface Workbook {
  strings: readonly string[];
  dates: ReadonlySet<number>;
  /** Days counted from 1904 instead of 1900. */
  epoch: 1900 | 1904;
}

/** Spreadsheets (ECMA-376 part 1, SpreadsheetML): a section a sheet, a line a row, cells with tabs; formulas by their value. */
export const readXlsx: Reader = async (bytes, out, deadline) => {
  const parts = await ZipParts.open(bytes, deadline);
  if (parts.damage) out.note(`damaged: ${parts.damage}`);
  const { sheets, epoch } = await sheetsOf(parts, deadline);
  const strings = await sharedStrings(parts, deadline);
  const dates = dateStyles(await parts.text("xl/styles.xml"), deadline);
  for (const { name, part } of sheets) {
    const source = await parts.text(part);
    if (source === undefined) continue;
    out.section(1, name);
    out.line(name);
    readSheet(source, { strings, dates, epoch }, out, deadline);
  }
};

async function sheetsOf(parts: ZipParts, deadline: Deadline) {
  const relations = await relationsOf(parts, MAIN, deadline);
  const sheets: { name: string; part: string }[] = [];
  let epoch: Workbook["epoch"] = 1900;
  const listener = {
    open(tag: string, attributes: Record<string, string>) {
      if (tag === "workbookPr" && /^(1|true)$/.test(attributes.date1904 ?? "")) epoch = 1904;
      if (tag !== "sheet") return;
      const part = relations.get(attributes["r:id"] ?? "");
      if (part !== undefined) sheets.push({ name: attributes.name ?? "", part });
    },
  };
  readXml((await parts.text(MAIN)) ?? "", listener, deadline);
  return { sheets, epoch };
}

async function sharedStrings(parts: ZipParts, deadline: Deadline): Promise<string[]> {
  const strings: string[] = [];
  let current = "";
  let isText = false;
  let isReading = false;
  let total = 0;
  const listener = {
    open(name: string) {
      if (name === "si") current = "";
      else if (name === "rPh") isReading = true;
      else if (name === "t") isText = !isReading;
    },
    text(words: string) {
      if (isText) current += words;
    },
    close(name: string) {
      if (name === "t") isText = false;
      else if (name === "rPh") isReading = false;
      else if (name === "si") {
        strings.push(current);
        total += current.length;
        if (total > LIMITS.textLength) throw new BoundReached("its table of strings is too large");
      }
    },
  };
  readXml((await parts.text("xl/sharedStrings.xml")) ?? "", listener, deadline);
  return strings;
}

interface Cell {
  type: string;
  style: number;
  value: string;
}

function readSheet(source: string, workbook: Workbook, out: TextBuilder, deadline: Deadline): void {
  let cell: Cell = { type: "", style: 0, value: "" };
  let cells: string[] = [];
  let isValue = false;
  const listener = {
    open(name: string, { t = "", s = "0" }: Record<string, string>) {
      if (name === "row") cells = [];
      else if (name === "c") cell = { type: t, style: Number(s), value: "" };
      else if (name === "v" || name === "t") isValue = true;
    },
    text(words: string) {
      if (isValue) cell.value += words;
    },
    close(name: string) {
      if (name === "v" || name === "t") isValue = false;
      else if (name === "c") cells.push(printCell(cell, workbook));
      else if (name === "row" && cells.some((text) => text !== "")) out.line(cells.join("\t"));
    },
  };
  readXml(source, listener, deadline);
}

function printCell({ type, style, value }: Cell, { strings, dates, epoch }: Workbook): string {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "true" : "false";
  if (type !== "" && type !== "n") return value;
  return value !== "" && dates.has(style) ? serialDate(Number(value), epoch) : value;
}
