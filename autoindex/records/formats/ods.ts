import { BOUNDS } from "../bounds.js";
import { none, type Reading, type RecordList } from "../record.js";
import { type Cell, Grid, listOfGrid } from "./grid.js";
import { parseMarkup } from "./markup.js";
import { unpack } from "./unpack.js";

/** A repeated cell counts this often at most; beyond, it fills the sheet's margin and says nothing. */
const MAX_REPEATED = 1000;

/** The sheets of an OpenDocument workbook. */
export function readOds(bytes: Uint8Array): Reading {
  const { parts, notes } = unpack(bytes, (name) => name === "content.xml");
  const reader = new SheetReader();
  parseMarkup(parts.get("content.xml") ?? "", "xml", reader);
  const lists = reader.lists.map((list) => ({ ...list, notes: [...list.notes, ...notes] }));
  return lists.length > 0 ? { lists } : none(["none of its sheets is a table", ...notes].join("; "));
}

/** Told of the elements of `content.xml` as they come. */
class SheetReader {
  readonly lists: RecordList[] = [];
  #sheet: { name: string; grid: Grid } | undefined;
  #row = -1;
  #column = 0;
  #rowCells: { column: number; value: Cell }[] = [];
  #rowRepeats = 1;
  #cell: { attributes: Record<string, string>; text: string; paragraphs: number } | undefined;

  onopentag(name: string, attributes: Record<string, string>): void {
    if (name === "table:table") {
      this.#sheet = { name: attributes["table:name"] ?? "", grid: new Grid() };
      this.#row = -1;
    } else if (name === "table:table-row") {
      this.#rowCells = [];
      this.#column = 0;
      this.#rowRepeats = repeats(attributes["table:number-rows-repeated"]);
    } else if (name === "table:table-cell" || name === "table:covered-table-cell") {
      this.#cell = { attributes, text: "", paragraphs: 0 };
    } else if (name === "text:p" && this.#cell && this.#cell.paragraphs++ > 0) this.#cell.text += "\n";
  }

  ontext(piece: string): void {
    if (this.#cell && this.#cell.paragraphs > 0) this.#cell.text += piece;
  }

  onclosetag(name: string): void {
    if (name === "table:table-cell" || name === "table:covered-table-cell") this.#endCell();
    else if (name === "table:table-row") this.#endRow();
    else if (name === "table:table" && this.#sheet) {
      const list = listOfGrid(this.#sheet.name, this.#sheet.grid);
      if (list && this.lists.length < BOUNDS.lists) this.lists.push(list);
      this.#sheet = undefined;
    }
  }

  #endCell(): void {
    if (!this.#cell) return;
    const value = cellValue(this.#cell.attributes, this.#cell.text.trim());
    const given = this.#cell.attributes["table:number-columns-repeated"];
    const count = value === undefined ? Number(given ?? 1) || 1 : repeats(given);
    if (value !== undefined) {
      for (let at = 0; at < count; at++) this.#rowCells.push({ column: this.#column + at, value });
    }
    this.#column += count;
    this.#cell = undefined;
  }

  #endRow(): void {
    const count = this.#rowCells.length === 0 ? 1 : this.#rowRepeats;
    for (let at = 0; at < count; at++) {
      this.#row++;
      for (const { column, value } of this.#rowCells) if (!this.#sheet?.grid.set(this.#row, column, value)) return;
    }
  }
}

function repeats(given: string | undefined): number {
  return Math.min(Math.max(1, Number(given ?? 1) || 1), MAX_REPEATED);
}

function cellValue(attributes: Record<string, string>, text: string): Cell {
  switch (attributes["office:value-type"]) {
    case "float":
    case "percentage":
    case "currency":
      return Number(attributes["office:value"]);
    case "boolean":
      return attributes["office:boolean-value"] === "true";
    case "date":
      return attributes["office:date-value"] ?? text;
    case "time":
      return text;
    default:
      return text === "" ? undefined : text;
  }
}
