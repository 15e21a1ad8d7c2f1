import type { Database, SqlJsStatic, SqlValue, Statement } from "sql.js";
import { BOUNDS, counted } from "../bounds.js";
import { isFieldName } from "../field-name.js";
import { emptyRecord, none, type Reading, type RecordList, type RecordValue } from "../record.js";

/** Bytes of a value that is no text: longer ones are told by their length. */
const BLOB_BYTES = 64;

let library: Promise<SqlJsStatic> | undefined;

/** The tables of a database file; views are not run. A log beside the file (`-wal`) is not read. */
export async function readSqlite(bytes: Uint8Array): Promise<Reading> {
  library ??= import("sql.js").then(({ default: start }) => start());
  const { Database } = await library;
  const database = new Database(withoutLog(bytes));
  try {
    const lists: RecordList[] = [];
    const names = tableNames(database);
    for (const name of names.slice(0, BOUNDS.lists)) {
      const list = readTable(database, name);
      if (list.records.length > 0) lists.push(list);
    }
    return lists.length > 0 ? { lists } : none("its tables are empty");
  } catch (error) {
    return none(`it cannot be read as a database: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    database.close();
  }
}

/** A copy that says that it is kept without a write-ahead log, for which there is no shared memory here. */
function withoutLog(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[18] = 1;
  copy[19] = 1;
  return copy;
}

function tableNames(database: Database): string[] {
  const query =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name";
  return (database.exec(query)[0]?.values ?? []).map(([name]) => String(name));
}

/** A damaged page ends the table, not the file: what was read before it counts. */
function readTable(database: Database, name: string): RecordList {
  const records: RecordValue[] = [];
  const notes: string[] = [];
  let blobs = 0;
  try {
    const statement = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`);
    try {
      const columns = statement.getColumnNames().map((given, at) => {
        const column = given.replaceAll(".", "_");
        return isFieldName(column) ? column : `column_${at + 1}`;
      });
      while (records.length < BOUNDS.records && statement.step()) {
        const row = bigRow(statement);
        if (row.some((value) => value instanceof Uint8Array)) blobs++;
        records.push(toRecord(row, columns));
      }
      if (records.length >= BOUNDS.records && statement.step())
        notes.push(`rows beyond ${BOUNDS.records} were left out`);
    } finally {
      statement.free();
    }
  } catch (error) {
    notes.push(
      `rows after the first ${records.length} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (blobs > 0)
    notes.push(`bytes in ${counted(blobs, "row")} are kept as hexadecimal digits, long ones as their length`);
  return { part: name, records, notes };
}

/** Whole numbers beyond 2^53 come as they are only when asked for; the types of the library do not know that. */
function bigRow(statement: Statement): (SqlValue | bigint)[] {
  const get = statement.get.bind(statement) as (bound: null, how: { useBigInt: boolean }) => (SqlValue | bigint)[];
  return get(null, { useBigInt: true });
}

function toRecord(row: readonly (SqlValue | bigint)[], columns: readonly string[]): RecordValue {
  const record = emptyRecord();
  for (const [at, value] of row.entries()) if (value !== null) record[columns[at]!] = plain(value);
  return record;
}

function plain(value: Exclude<SqlValue, null> | bigint): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (!(value instanceof Uint8Array)) return value;
  return value.length <= BLOB_BYTES ? Buffer.from(value).toString("hex") : `(${value.length} bytes)`;
}
