import { isParquet, isSqlite, isZip } from "./formats/magic.js";
import { type FileRecords, finishReading } from "./read.js";
import type { Reading } from "./record.js";

/** A kind of file that holds records but no text. */
export type BinaryFormat = "sqlite" | "parquet" | "xlsx" | "ods";

/** How far into a zip file its kind is looked for: the names of its first parts. */
const ZIP_HEAD = 64 * 1024;

/** The kind by its first bytes; for packed sheets by the names of their parts. */
export function binaryFormat(bytes: Uint8Array): BinaryFormat | undefined {
  if (isSqlite(bytes)) return "sqlite";
  if (isParquet(bytes)) return "parquet";
  if (!isZip(bytes)) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.subarray(0, 200).includes("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")) return "ods";
  // The list of parts stands at the end too, where writers stream the file.
  const isBook =
    buffer.subarray(0, ZIP_HEAD).includes("xl/workbook") || buffer.subarray(-ZIP_HEAD).includes("xl/workbook.xml");
  return isBook ? "xlsx" : undefined;
}

/** Their code is loaded when it is first needed. */
const READERS: Readonly<Record<BinaryFormat, (bytes: Uint8Array) => Promise<Reading>>> = {
  sqlite: async (bytes) => (await import("./formats/sqlite.js")).readSqlite(bytes),
  parquet: async (bytes) => (await import("./formats/parquet.js")).readParquet(bytes),
  xlsx: async (bytes) => (await import("./formats/xlsx.js")).readXlsx(bytes),
  ods: async (bytes) => (await import("./formats/ods.js")).readOds(bytes),
};

/** The records of a file of such a kind. */
export async function readBinaryRecords(format: BinaryFormat, bytes: Uint8Array): Promise<FileRecords> {
  try {
    return finishReading(await READERS[format](bytes), format);
  } catch (error) {
    return {
      reader: "",
      datasets: [],
      note: `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
