import { BOUNDS, counted } from "../bounds.js";
import { isFieldName, uniqueNames } from "../field-name.js";
import { emptyRecord, type RecordList, type RecordValue } from "../record.js";

/** A cell of a sheet: what it holds, with its type. */
export type Cell = string | number | boolean | undefined;

/** Cells of a sheet by row; rows and cells that hold nothing may be missing. */
export class Grid {
  readonly rows: Cell[][] = [];
  #cells = 0;
  left = 0;

  /** False when the sheet is full. */
  set(row: number, column: number, value: Cell): boolean {
    if (row >= BOUNDS.records || column >= BOUNDS.columns || this.#cells >= BOUNDS.cells) {
      this.left++;
      return false;
    }
    this.#cells++;
    // Rows are met in order; blank ones between are not kept.
    this.#line(row)[column] = value;
    return true;
  }

  #last = -1;

  #line(row: number): Cell[] {
    if (row !== this.#last) {
      this.#last = row;
      this.rows.push([]);
    }
    return this.rows.at(-1)!;
  }
}

/** Rows above the header that are looked at: a title, a date, a blank line. */
const MAX_ABOVE = 20;

/**
 * A sheet as records: the header is the first row of texts that is as wide as most rows below it. A sheet without one is
 * named by its columns' letters.
 */
export function listOfGrid(part: string, grid: Grid): RecordList | undefined {
  const rows = grid.rows.filter((row) => row.some((cell) => cell !== undefined && cell !== ""));
  const width = largest(rows, filled);
  const at = rows.slice(0, MAX_ABOVE).findIndex((row) => filled(row) >= Math.max(2, width * 0.6) && row.every(isName));
  const body = rows.slice(at + 1);
  if (width < 2 || body.length === 0) return undefined;
  const columns = largest(rows.slice(Math.max(at, 0)), (row) => row.length);
  const { names, notes } = namesOf(at < 0 ? [] : rows[at]!, columns);
  return {
    part,
    records: body.map((row) => toRecord(row, names)),
    notes: [
      ...(at > 0 ? [`${counted(at, "row")} above the header ${at === 1 ? "was" : "were"} left out`] : []),
      ...(at < 0 ? ["it has no header: columns are named by their letter"] : []),
      ...notes,
      ...(grid.left > 0 ? [`${counted(grid.left, "cell")} beyond the bounds of a sheet were left out`] : []),
    ],
  };
}

/** Sheets have more rows than a function takes arguments. */
function largest(rows: readonly Cell[][], measure: (row: readonly Cell[]) => number): number {
  return rows.reduce((most, row) => Math.max(most, measure(row)), 0);
}

function filled(row: readonly Cell[]): number {
  return row.filter((cell) => cell !== undefined && cell !== "").length;
}

function isName(cell: Cell): boolean {
  return cell === undefined || (typeof cell === "string" && cell.length <= 100);
}

function namesOf(header: readonly Cell[], columns: number): { names: string[]; notes: string[] } {
  return uniqueNames(
    Array.from({ length: columns }, (_, at) => {
      const given = String(header[at] ?? "")
        .replace(/\s+/g, " ")
        .trim()
        .replaceAll(".", "_");
      return isFieldName(given) ? given : `column_${letters(at)}`;
    }),
  );
}

/** `A`, `Z`, `AA`. */
function letters(column: number): string {
  let [left, text] = [column, ""];
  do {
    text = String.fromCharCode(65 + (left % 26)) + text;
    left = Math.floor(left / 26) - 1;
  } while (left >= 0);
  return text;
}

function toRecord(row: readonly Cell[], names: readonly string[]): RecordValue {
  const record = emptyRecord();
  for (const [at, cell] of row.entries()) if (cell !== undefined && cell !== "") record[names[at]!] = cell;
  return record;
}
