import { BOUNDS } from "../bounds.js";
import { none, type Reading, type RecordList } from "../record.js";
import { type Cell, Grid, listOfGrid } from "./grid.js";
import { type MarkupHandler, parseMarkup } from "./markup.js";
import { unpack } from "./unpack.js";

/** Numbers of formats that Excel has built in for dates and times. */
const BUILT_IN_DATES: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57,
]);
/** The parts of a workbook that are read. */
const WANTED = /^xl\/((workbook|styles|sharedStrings)\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml)$/;
const DAY_MS = 86_400_000;
/** Day 0 of a workbook: 30 December 1899, since Excel counts a 29 February 1900; or the Macintosh's. */
const EPOCH = { windows: Date.UTC(1899, 11, 30), macintosh: Date.UTC(1904, 0, 1) } as const;

/** What the cells of all sheets refer to. */
interface Workbook {
  texts: string[];
  /** Whether a cell's style shows a date, by style number. */
  dateStyles: boolean[];
  epoch: number;
}

/** The sheets of an Excel workbook; dates become ISO 8601, formulas their last value. */
export function readXlsx(bytes: Uint8Array): Reading {
  const { parts, notes } = unpack(bytes, (name) => WANTED.test(name));
  const sheets = sheetsOf(parts);
  const book: Workbook = {
    texts: sharedTexts(parts.get("xl/sharedStrings.xml") ?? ""),
    dateStyles: dateStyles(parts.get("xl/styles.xml") ?? ""),
    epoch: /<workbookPr[^>]*\bdate1904="(1|true)"/.test(parts.get("xl/workbook.xml") ?? "")
      ? EPOCH.macintosh
      : EPOCH.windows,
  };
  const lists: RecordList[] = [];
  for (const { name, file } of sheets.slice(0, BOUNDS.lists)) {
    const text = parts.get(file);
    const list = text === undefined ? undefined : listOfGrid(name, readSheet(text, book));
    if (list) lists.push({ ...list, notes: [...list.notes, ...notes] });
  }
  return lists.length > 0 ? { lists } : none(["none of its sheets is a table", ...notes].join("; "));
}

function parseXml(text: string, handler: MarkupHandler): void {
  parseMarkup(text, "xml", handler);
}

function sheetsOf(parts: ReadonlyMap<string, string>): { name: string; file: string }[] {
  const targets = new Map<string, string>();
  parseXml(parts.get("xl/_rels/workbook.xml.rels") ?? "", {
    onopentag: (_, { Id, Target }) => {
      if (Id && Target) targets.set(Id, Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const sheets: { name: string; file: string }[] = [];
  parseXml(parts.get("xl/workbook.xml") ?? "", {
    onopentag: (tag, attributes) => {
      if (localName(tag) !== "sheet") return;
      sheets.push({
        name: attributes.name ?? `sheet ${sheets.length + 1}`,
        file: targets.get(attributes["r:id"] ?? "") ?? "",
      });
    },
  });
  return sheets;
}

/** Texts that cells refer to by number; the reading aid above Japanese texts (`rPh`) is no part of them. */
function sharedTexts(text: string): string[] {
  const texts: string[] = [];
  let [current, isText, phonetic] = ["", false, 0];
  parseXml(text, {
    onopentag: (tag) => {
      const name = localName(tag);
      if (name === "si") current = "";
      else if (name === "t") isText = true;
      else if (name === "rPh") phonetic++;
    },
    ontext: (piece) => {
      if (isText && phonetic === 0) current += piece;
    },
    onclosetag: (tag) => {
      const name = localName(tag);
      if (name === "si") texts.push(current);
      else if (name === "t") isText = false;
      else if (name === "rPh") phonetic--;
    },
  });
  return texts;
}

function dateStyles(text: string): boolean[] {
  const own = new Map<number, string>();
  const styles: boolean[] = [];
  let isCellStyle = false;
  parseXml(text, {
    onopentag: (tag, { numFmtId, formatCode }) => {
      const name = localName(tag);
      if (name === "numFmt") own.set(Number(numFmtId), formatCode ?? "");
      else if (name === "cellXfs") isCellStyle = true;
      else if (name === "xf" && isCellStyle) styles.push(isDateFormat(Number(numFmtId), own));
    },
    onclosetag: (tag) => {
      if (localName(tag) === "cellXfs") isCellStyle = false;
    },
  });
  return styles;
}

/** A format of one's own is a date's when letters of dates stand outside of quotes and brackets. */
function isDateFormat(id: number, own: ReadonlyMap<number, string>): boolean {
  const code = own.get(id);
  if (code === undefined) return BUILT_IN_DATES.has(id);
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, "").replace(/general|standard/gi, ""));
}

function readSheet(text: string, book: Workbook): Grid {
  const grid = new Grid();
  let [row, column, type, style, value, isValue] = [-1, -1, "", 0, "", false];
  parseXml(text, {
    onopentag: (tag, { r, t, s }) => {
      const name = localName(tag);
      if (name === "row") [row, column] = [r ? Number(r) - 1 : row + 1, -1];
      else if (name === "c") {
        column = r ? columnOf(r) : column + 1;
        [type, style, value] = [t ?? "n", Number(s ?? 0), ""];
      } else if (name === "v" || name === "t") isValue = true;
    },
    ontext: (piece) => {
      if (isValue) value += piece;
    },
    onclosetag: (tag) => {
      const name = localName(tag);
      if (name === "v" || name === "t") isValue = false;
      if (name === "c" && value !== "") grid.set(row, column, cellOf(value, type, style, book));
    },
  });
  return grid;
}

/** `BC12` is column 54. */
function columnOf(reference: string): number {
  let column = 0;
  for (const char of reference) {
    const code = char.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}

function cellOf(value: string, type: string, style: number, { texts, dateStyles, epoch }: Workbook): Cell {
  if (type === "s") return texts[Number(value)];
  if (type === "b") return value === "1";
  if (type === "e") return undefined;
  if (type !== "n") return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return dateStyles[style] ? dateText(number, epoch) : number;
}

/** A number of days as ISO 8601: a day, or a day with its time; times alone stay numbers. */
function dateText(days: number, epoch: number): Cell {
  const millis = Math.round((epoch + days * DAY_MS) / 1000) * 1000;
  if (days < 1 || !Number.isFinite(millis) || Math.abs(millis) > 8e15) return days;
  const text = new Date(millis).toISOString();
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 19);
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(":") + 1);
}
