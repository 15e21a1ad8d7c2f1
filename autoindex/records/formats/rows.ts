import { counted } from "../bounds.js";
import { isFieldName, uniqueNames } from "../field-name.js";
import { emptyRecord, type RecordValue } from "../record.js";
import { type Column, isTyped, typeColumn } from "./cells.js";

/** A table as records. */
export interface TableRecords {
  records: RecordValue[];
  headed: "header" | "none";
  /** Columns of numbers or truth values. */
  typedColumns: number;
  /** Mean length of a cell that is no number. */
  meanCell: number;
  notes: string[];
}

/** How the rows lie. */
export interface Layout {
  width: number;
  /** Between the cells; a decimal comma is not looked for between commas. */
  delimiter: string;
}

const LONGEST_NAME = 100;

/** Rows of text cells as records: names from the header or by place, numbers where a whole column is. */
export function recordsOfRows(rows: string[][], { width, delimiter }: Layout): TableRecords | { whyNot: string } {
  if (/^[\s|:+=-]+$/.test(rows[1]?.join("") ?? "") && rows[1]!.join("").includes("--")) {
    return { whyNot: "its second row is a rule of dashes" };
  }
  const headed = hasHeader(rows, delimiter) ? "header" : "none";
  const body = headed === "header" ? rows.slice(1) : rows;
  if (body.length === 0) return { whyNot: "it has a header alone" };
  const { names, notes } = namesFrom(headed === "header" ? rows[0]! : [], width);
  const columns = names.map((_, at) => typeColumn(body, at, delimiter));
  const longer = body.filter((row) => row.length > width).length;
  return {
    records: body.map((row) => toRecord(row, names, columns)),
    headed,
    typedColumns: columns.filter(isTyped).length,
    meanCell: meanCell(body),
    notes: [
      ...(headed === "none" ? ["it has no header: columns are named by their place"] : []),
      ...notes,
      ...(longer > 0 ? [`cells beyond the header were left out of ${counted(longer, "row")}`] : []),
      ...columns.flatMap(({ note }, at) => (note ? [`${names[at]}: ${note}`] : [])),
    ],
  };
}

/** Texts alone, none of them a value that its column has again as a number or date; all different, or else surely names. */
function hasHeader(rows: string[][], delimiter: string): boolean {
  const header = rows[0]!.map((cell) => cell.trim());
  const given = header.filter((cell) => cell !== "");
  if (given.length < header.length / 2) return false;
  if (given.some((cell) => cell.length > LONGEST_NAME || cell.includes("\n"))) return false;
  if (given.some((cell) => /^[-+$€£]?[\d.,]*\d[\d.,]*%?$/.test(cell) || /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(cell)))
    return false;
  if (given.some((cell) => /^\S+@\S+\.\S+$|^https?:\/\/|^(true|false)$/i.test(cell))) return false;
  // A header of two rows or more whose cells come again below is a row like the others.
  const seen = rows.slice(1, 50).filter((row) => row.every((cell, at) => cell.trim() === header[at])).length;
  if (seen > 0 || delimiter === "") return false;
  return new Set(given).size === given.length || isNamedTwice(rows, given, delimiter);
}

/** What an identifier or a short title looks like. */
const NAME = /^[\p{L}_][\p{L}\p{N}_ .-]{0,39}$/u;

/**
 * Whether a row in which a text comes twice is a header all the same: names stand above a column of numbers, or are
 * nowhere below, as values that come twice in one row mostly are.
 */
function isNamedTwice(rows: readonly string[][], names: readonly string[], delimiter: string): boolean {
  if (new Set(names).size < names.length / 2 || !names.every((name) => NAME.test(name))) return false;
  const body = rows.slice(1, 200);
  if (rows[0]!.some((_, at) => isTyped(typeColumn(body, at, delimiter)))) return true;
  const below = new Set(body.flat().map((cell) => cell.trim()));
  return body.length > 1 && !names.some((name) => below.has(name));
}

/** Names as an index takes them: no dots, none twice, none empty. */
function namesFrom(header: string[], width: number): { names: string[]; notes: string[] } {
  return uniqueNames(
    Array.from({ length: width }, (_, at) => {
      const given = (header[at] ?? "").trim().replaceAll(".", "_").slice(0, LONGEST_NAME);
      return given !== "" && isFieldName(given) ? given : `column_${at + 1}`;
    }),
  );
}

/** Empty cells are absent fields; cells beyond the header have no name and are left out. */
function toRecord(row: string[], names: string[], columns: Column[]): RecordValue {
  const record = emptyRecord();
  for (let at = 0; at < names.length; at++) {
    const cell = row[at];
    if (cell === undefined || cell === "") continue;
    const value = columns[at]!.convert(cell);
    if (value !== undefined) record[names[at]!] = value;
  }
  return record;
}

function meanCell(rows: string[][]): number {
  const cells = rows
    .slice(0, 200)
    .flat()
    .filter((cell) => cell !== "");
  return cells.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, cells.length);
}
