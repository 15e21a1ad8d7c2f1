import { BOUNDS } from "../bounds.js";
import { none, type Reading, type RecordList } from "../record.js";
import { parseMarkup } from "./markup.js";
import { recordsOfRows } from "./rows.js";
import { mostUsual } from "./table.js";

/** Rows from which on a table is data: of columns with numbers, and of texts alone. Shorter ones are part of the prose. */
const MIN_ROWS = { typed: 5, texts: 20 } as const;
const CELL_CHARS = 64 * 1024;

interface OpenTable {
  title: string;
  rows: string[][];
  hasHeader: boolean;
}

/** Tables with header cells and rows of one length; a table in another one is read for itself. */
export function readHtmlTables(text: string): Reading {
  const lists: RecordList[] = [];
  const open: OpenTable[] = [];
  let cell: string | undefined;
  let caption: string | undefined;
  parseMarkup(text, "html", {
    onopentag(name, { id }) {
      if (name === "table") open.push({ title: id ?? "", rows: [], hasHeader: false });
      const table = open.at(-1);
      if (!table) return;
      if (name === "tr") table.rows.push([]);
      if (name === "td" || name === "th") cell = "";
      if (name === "th" && table.rows.length === 1) table.hasHeader = true;
      if (name === "caption") caption = "";
    },
    ontext(piece) {
      if (cell !== undefined && cell.length < CELL_CHARS) cell += piece;
      else if (caption !== undefined) caption += piece;
    },
    onclosetag(name) {
      const table = open.at(-1);
      if (!table) return;
      if (name === "td" || name === "th") {
        table.rows.at(-1)?.push((cell ?? "").replace(/\s+/g, " ").trim());
        cell = undefined;
      } else if (name === "caption") {
        table.title = (caption ?? "").replace(/\s+/g, " ").trim();
        caption = undefined;
      } else if (name === "table") {
        const list = listOf(open.pop()!, lists.length + 1);
        if (list && lists.length < BOUNDS.lists) lists.push(list);
      }
    },
  });
  return lists.length > 0 ? { lists } : none(`it has no table with a header and ${MIN_ROWS.typed} rows`);
}

function listOf({ title, rows, hasHeader }: OpenTable, number: number): RecordList | undefined {
  const width = mostUsual(rows.map((row) => row.length));
  if (!hasHeader || rows.length <= MIN_ROWS.typed || width < 2 || width > BOUNDS.columns) return undefined;
  if (rows.some((row) => row.length !== width)) return undefined;
  const table = recordsOfRows(rows, { width, delimiter: "\t" });
  if ("whyNot" in table || table.headed === "none") return undefined;
  if (table.records.length < (table.typedColumns > 0 ? MIN_ROWS.typed : MIN_ROWS.texts)) return undefined;
  return { part: title || `table ${number}`, records: table.records, notes: table.notes };
}
