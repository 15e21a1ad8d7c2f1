import { parse } from "csv-parse/sync";
import { isFieldName } from "./field-name.js";
import type { RecordValue } from "./fields.js";

/** Rows whose count of cells differs from the header's: more than this share, and it is no table. */
const MAX_ODD_ROWS = 0.02;
const MAX_COLUMNS = 500;

/** Rows of a table with a header; nothing when the text has no such shape. */
export function readTable(text: string, delimiter: string): RecordValue[] | undefined {
  const rows = parseRows(text, delimiter);
  const [header, ...body] = rows ?? [];
  if (!header || body.length === 0 || !isHeader(header)) return undefined;
  const odd = body.filter((row) => row.length !== header.length).length;
  if (odd > body.length * MAX_ODD_ROWS) return undefined;
  const names = header.map((cell) => cell.trim().replaceAll(".", "_"));
  const converters = names.map((_, column) => converterFor(body, column));
  return body.map((row) => toRecord(row, names, converters));
}

function parseRows(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: delimiter === "\t",
      skip_empty_lines: true,
      max_record_size: 1024 * 1024,
    });
  } catch {
    // Unbalanced quotes and the like: the caller reads the text as text.
    return undefined;
  }
}

/** At least two columns, each with a name of its own that is no number. */
function isHeader(header: string[]): boolean {
  const names = header.map((cell) => cell.trim());
  const isNamed = names.every((name) => isFieldName(name) && !/^[-+\d.,]+$/.test(name));
  return names.length >= 2 && names.length <= MAX_COLUMNS && isNamed && new Set(names).size === names.length;
}

type Convert = (cell: string) => unknown;

/** Numbers and truth values only where the whole column is, and only in the spelling that prints back the same. */
function converterFor(rows: string[][], column: number): Convert {
  let isNumber = true;
  let isBoolean = true;
  for (const row of rows) {
    const cell = row[column] ?? "";
    if (cell === "") continue;
    isNumber &&= /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(cell);
    isBoolean &&= cell === "true" || cell === "false";
    if (!isNumber && !isBoolean) return (text) => text;
  }
  return isNumber ? Number : (text) => text === "true";
}

/** Empty cells are absent fields; cells beyond the header have no name and are left out. */
function toRecord(row: string[], names: string[], converters: Convert[]): RecordValue {
  // Without a prototype, since a column may be called `constructor`.
  const record: RecordValue = Object.create(null);
  for (const [column, name] of names.entries()) {
    const cell = row[column] ?? "";
    if (cell !== "") record[name] = converters[column]!(cell);
  }
  return record;
}
