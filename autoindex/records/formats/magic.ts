const SQLITE = "SQLite format 3\0";
const PARQUET = "PAR1";

/** Whether bytes are an SQLite database. */
export function isSqlite(bytes: Uint8Array): boolean {
  return textAt(bytes, 0, SQLITE.length) === SQLITE;
}

/** Whether bytes are a Parquet file: its mark stands at both ends. */
export function isParquet(bytes: Uint8Array): boolean {
  const { length } = PARQUET;
  return bytes.length > 12 && textAt(bytes, 0, length) === PARQUET && textAt(bytes, -length) === PARQUET;
}

/** Whether bytes begin like a zip file. */
export function isZip(bytes: Uint8Array): boolean {
  return textAt(bytes, 0, 4) === "PK\x03\x04";
}

function textAt(bytes: Uint8Array, from: number, to?: number): string {
  return Buffer.from(bytes.subarray(from, to)).toString("latin1");
}
