import { BOUNDS, counted } from "../bounds.js";
import { isFieldName } from "../field-name.js";
import { emptyRecord, none, type Reading, type RecordList, type RecordValue } from "../record.js";
import { type Escapes, readTuple, SqlScanner } from "./sql-scan.js";
import { typeTexts } from "./type-texts.js";

const NAME = '(?:[`"[][^`"\\]\\n]{1,200}[`"\\]]|[\\p{L}\\p{M}\\p{N}_$]{1,200})';
const TABLE = `(?:${NAME}\\s*\\.\\s*)?(${NAME})`;
const STATEMENT = new RegExp(
  `^[ \\t]*(?:(CREATE)(?:\\s+(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED))*\\s+TABLE(?:\\s+IF\\s+NOT\\s+EXISTS)?\\s+${TABLE}\\s*\\(|` +
    `(INSERT|REPLACE)(?:\\s+(?:IGNORE|OR\\s+\\w+))?\\s+INTO\\s+${TABLE}\\s*(?:\\(([^()]{1,20000})\\)\\s*)?VALUES\\s*|` +
    `(COPY)\\s+${TABLE}\\s*(?:\\(([^()]{1,20000})\\)\\s*)?FROM\\s+stdin[^;\\n]*;[ \\t]*\\r?\\n)`,
  "gimu",
);

interface Table {
  columns: string[];
  records: RecordValue[];
  /** Rows whose cells do not fit the columns, or that come after the bound. */
  left: number;
  isText: boolean;
}

/** The rows that a dump of a database writes: `INSERT INTO ... VALUES` and PostgreSQL's `COPY ... FROM stdin`. */
export function readSqlDump(text: string): Reading {
  let tables = readTables(text, text.includes("`") ? "backslash" : "doubled");
  // MySQL's way of quotes without its way of names is told by rows that cannot be read otherwise.
  if (!text.includes("`") && text.includes("\\'") && rowsLeft(tables) > 0) {
    const escaped = readTables(text, "backslash");
    if (rowsLeft(escaped) < rowsLeft(tables)) tables = escaped;
  }
  const lists = [...tables].filter(([, { records }]) => records.length > 0).map(([name, table]) => listOf(name, table));
  if (lists.length > 0) return { lists };
  const left = rowsLeft(tables);
  return none(left > 0 ? `none of its rows can be read (${left} tried)` : "it inserts no rows");
}

function rowsLeft(tables: ReadonlyMap<string, Table>): number {
  return [...tables.values()].reduce((sum, { left }) => sum + left, 0);
}

function readTables(text: string, escapes: Escapes): Map<string, Table> {
  const tables = new Map<string, Table>();
  const scanner = new SqlScanner(text, escapes);
  STATEMENT.lastIndex = 0;
  for (let match = STATEMENT.exec(text); match; match = STATEMENT.exec(text)) {
    const end = match.index + match[0].length;
    scanner.at = end;
    const name = unquote(match[2] ?? match[4] ?? match[7] ?? "");
    if (!tables.has(name) && tables.size >= BOUNDS.lists * 10) continue;
    const table = tables.get(name) ?? { columns: [], records: [], left: 0, isText: false };
    tables.set(name, table);
    if (match[1]) table.columns = scanner.columnNames();
    else if (match[3]) readInsert(scanner, table, columnsIn(match[5]));
    else readCopy(scanner, table, columnsIn(match[8]));
    // A statement that could not be read is passed over, never read again.
    STATEMENT.lastIndex = Math.max(end, scanner.at);
  }
  return tables;
}

function listOf(name: string, { records, left, isText }: Table): RecordList {
  const notes =
    left > 0 ? [`${counted(left, "row")} that could not be read ${left === 1 ? "was" : "were"} left out`] : [];
  return { part: name, records: isText ? typeTexts(records) : records, notes };
}

function columnsIn(list: string | undefined): string[] | undefined {
  return list?.split(",").map((name) => unquote(name.trim()));
}

function readInsert(scanner: SqlScanner, table: Table, named: string[] | undefined): void {
  do {
    const row = readTuple(scanner);
    if (!row) {
      table.left++;
      return;
    }
    add(table, named ?? table.columns, row);
  } while (scanner.takeComma());
}

/** Tab-separated lines up to `\.`; `\N` is no value. */
function readCopy(scanner: SqlScanner, table: Table, named: string[] | undefined): void {
  table.isText = true;
  for (let line = scanner.takeLine(); line !== undefined && line !== "\\."; line = scanner.takeLine()) {
    const cells = line.split("\t").map((cell) => (cell === "\\N" ? null : unescapeCopy(cell)));
    add(table, named ?? table.columns, cells);
  }
}

const COPY_ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", b: "\b", f: "\f", v: "\v" };

function unescapeCopy(cell: string): string {
  return cell.includes("\\") ? cell.replace(/\\(.)/g, (_, char: string) => COPY_ESCAPES[char] ?? char) : cell;
}

function add(table: Table, columns: readonly string[], row: readonly unknown[]): void {
  if (
    row.length > BOUNDS.columns ||
    (columns.length > 0 && row.length !== columns.length) ||
    table.records.length >= BOUNDS.records
  ) {
    table.left++;
    return;
  }
  const record = emptyRecord();
  for (const [at, value] of row.entries()) {
    const given = (columns[at] ?? "").replaceAll(".", "_");
    if (value !== null) record[isFieldName(given) ? given : `column_${at + 1}`] = value;
  }
  table.records.push(record);
}

function unquote(name: string): string {
  return name.replace(/^[`"[]|[`"\]]$/g, "");
}
