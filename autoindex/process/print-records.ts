import { dataIndex, recordId } from "../documents/ids.js";
import { BulkLines } from "../documents/lines.js";
import { BOUNDS } from "../records/bounds.js";
import { datasetName } from "../records/name.js";
import type { DataSet, FileRecords } from "../records/read.js";
import type { DataSetFacts } from "./protocol.js";

/** Which file the records are of. */
export interface RecordsSource {
  repo: string;
  path: string;
  /** What the ids of the file's documents begin with. */
  key: string;
}

/**
 * Prints the records of a file as bulk operations, each data set into an index of its own. Long names are printed with
 * every record, so what is printed is bounded: the rest is left out, which the data set's notes say.
 */
export function printRecords(source: RecordsSource, { datasets, reader }: FileRecords): DataSetFacts[] {
  let room: number = BOUNDS.printedChars;
  return datasets.map((dataset) => {
    const name = datasetName(source.repo, source.path, dataset.part);
    const printed = printDataset(source, name, dataset, room);
    room -= printed.chars;
    const { part, fields, properties } = dataset;
    const left = dataset.records.length - printed.records;
    const cut =
      left > 0
        ? [`${left} records were left out, since they print to more than ${BOUNDS.printedChars} characters`]
        : [];
    const notes = [...dataset.notes, ...cut];
    return { name, part, reader, parts: printed.parts, records: printed.records, fields, properties, notes };
  });
}

function printDataset({ key }: RecordsSource, name: string, { part, records, sources }: DataSet, room: number) {
  const index = dataIndex(name);
  // Ids are told apart by data set too where one file has several.
  const prefix = part === "" ? key : `${key}.${name.slice(-6)}`;
  const lines = new BulkLines();
  let [chars, printed] = [0, 0];
  for (const [ordinal, record] of records.entries()) {
    const source = sources?.[ordinal] ?? JSON.stringify(record);
    chars += source.length;
    if (chars > room) break;
    lines.index(index, recordId(prefix, ordinal), source);
    printed++;
  }
  return { parts: lines.take(), records: printed, chars };
}

/** What a file of records without a text is found by: the names of its data sets and their fields. */
export function outlineOfRecords({ datasets, reader }: FileRecords): string {
  const lines = datasets.map(({ part, records, fields }) => {
    const columns = fields.map(({ name, type }) => `  ${name} ${type}`);
    return [`${reader} ${part} (${records.length} records)`.replace("  ", " "), ...columns].join("\n");
  });
  return `${lines.join("\n")}\n`;
}
