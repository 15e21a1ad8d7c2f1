import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { BOUNDS } from "../bounds.js";
import { emptyRecord, isRecord, none, oneList, type Reading, type RecordValue } from "../record.js";

/** Rows read at a time. */
const STEP = 10_000;

/** The rows of a Parquet file. Columns packed with anything but Snappy are not read, which is told. */
export async function readParquet(bytes: Uint8Array): Promise<Reading> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  try {
    const metadata = await parquetMetadataAsync(file);
    const unpacked = metadata.row_groups.reduce((sum, group) => sum + Number(group.total_byte_size), 0);
    if (unpacked > BOUNDS.unpackedBytes) return none(`it unpacks to ${unpacked} bytes`);
    const rows = Math.min(Number(metadata.num_rows), BOUNDS.records);
    const records: RecordValue[] = [];
    for (let rowStart = 0; rowStart < rows; rowStart += STEP) {
      const rowEnd = Math.min(rows, rowStart + STEP);
      for (const row of await parquetReadObjects({ file, metadata, rowStart, rowEnd })) records.push(plainRecord(row));
    }
    const notes = Number(metadata.num_rows) > rows ? [`rows beyond ${rows} were left out`] : [];
    return records.length > 0 ? oneList(records, notes) : none("it has no rows");
  } catch (error) {
    return none(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function plainRecord(row: RecordValue): RecordValue {
  const record = emptyRecord();
  for (const [given, value] of Object.entries(row)) {
    const taken = plain(value, 0);
    if (taken !== undefined) record[given.replaceAll(".", "_")] = taken;
  }
  return record;
}

/** Values as JSON has them. */
function plain(value: unknown, depth: number): unknown {
  if (value === null || value === undefined || depth > BOUNDS.depth) return undefined;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : undefined;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1) ?? null);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, depth + 1)]));
}
