import type { DatasetField } from "../../code/index.js";
import { dataIndex } from "../documents/ids.js";
import type { DataSetFacts } from "../process/protocol.js";
import { queriesFor } from "../records/queries.js";
import type { DatasetEntry, FileEntry } from "./manifest.js";

/** What the catalog says of a data set. */
export function datasetEntry({ root, repo, path }: FileEntry, dataset: DataSetFacts): DatasetEntry {
  const { name, part, reader, records, fields, notes } = dataset;
  const time = timeField(fields);
  return {
    entry: "dataset",
    root,
    repo,
    path,
    dataset: name,
    part,
    index: dataIndex(name),
    reader,
    records,
    fields: fields.map((field) => field.name),
    schema: fields,
    time_field: time?.name ?? "",
    time_min: time ? String(time.min) : null,
    time_max: time ? String(time.max) : null,
    geo: placesOf(fields),
    queries: queriesFor(fields, time),
    notes,
  };
}

/** Names that say when a record happened rather than something else about it, the more certain ones first. */
const EVENT_NAMES = [/^(@?timestamp|time|datetime|ts)$/i, /(timestamp|time)$/i, /(created|date|_at$|At$)/];

/** The date that most records have; of several the one whose name says so. */
function timeField(fields: readonly DatasetField[]): DatasetField | undefined {
  const dates = fields.filter(({ type, null_share }) => type === "date" && null_share <= 0.5);
  for (const pattern of EVENT_NAMES) {
    const named = dates.find(({ name }) => pattern.test(name.split(".").at(-1)!));
    if (named) return named;
  }
  return dates.sort((a, b) => b.distinct - a.distinct)[0];
}

/** Latitude and longitude that lie beside each other. */
function placesOf(fields: readonly DatasetField[]): DatasetEntry["geo"] {
  const around = (name: string) => name.slice(0, name.lastIndexOf(".") + 1);
  return fields
    .filter(({ entity }) => entity === "latitude")
    .flatMap(({ name: latitude }) => {
      const beside = fields.find(({ name, entity }) => entity === "longitude" && around(name) === around(latitude));
      return beside ? [{ latitude, longitude: beside.name }] : [];
    });
}
