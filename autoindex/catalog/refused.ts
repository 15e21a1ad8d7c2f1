import type { BulkFailure, Client } from "../../client/index.js";
import type { DatasetField } from "../../code/index.js";
import { type BulkPart, deletionsOf } from "../documents/lines.js";
import type { DataSetFacts } from "../process/protocol.js";
import { lenientProperties } from "../records/schema/plan.js";
import type { FileStatus } from "../skip.js";
import { BulkRequest, type Refused } from "./bulk-request.js";
import type { Commit, Correction, Piece } from "./commit.js";
import { createDataIndex, deleteDataIndex } from "./indices.js";
import type { FileEntry } from "./manifest.js";

interface Failures {
  code: BulkFailure[];
  records: Map<DataSetFacts, BulkFailure[]>;
}

/**
 * Deals with what the node refused, so that nothing stays half written: records go into an index that takes any value,
 * or are left to the text windows; a file whose code documents were refused has none. Each commit's entry says what
 * became of it and why.
 */
export async function settleRefused(client: Client, refused: readonly Refused<Piece>[]): Promise<Correction[]> {
  const byCommit = new Map<Commit, Failures>();
  for (const { owner, failure } of refused) {
    if (!owner) continue;
    const failures = byCommit.get(owner.commit) ?? { code: [], records: new Map<DataSetFacts, BulkFailure[]>() };
    if (!owner.dataset) failures.code.push(failure);
    else failures.records.set(owner.dataset, [...(failures.records.get(owner.dataset) ?? []), failure]);
    byCommit.set(owner.commit, failures);
  }
  const corrections: Correction[] = [];
  for (const [commit, failures] of byCommit) {
    const wanted = commit.entry!;
    commit.entry = await settle(client, commit, failures);
    corrections.push({ wanted, written: commit.entry });
  }
  return corrections;
}

async function settle(client: Client, commit: Commit, { code, records }: Failures): Promise<FileEntry> {
  const entry = commit.entry!;
  const all = [...code, ...[...records.values()].flat()];
  if (code.length > 0 || all.some(mayPass)) {
    await discard(client, commit);
    const status: FileStatus = all.some(mayPass) ? "not_written" : "rejected";
    const { documents: _, ...known } = entry;
    const nothing = { declarations: 0, datasets: [], records: 0, branch: "" };
    return { ...known, ...nothing, status, detail: describe(all, "documents") };
  }
  const notes: string[] = [];
  let { datasets, records: count } = entry;
  for (const [dataset, failures] of records) {
    const why = describe(failures, "records");
    const about = commit.datasets.length === 1 ? "" : `${dataset.name}: `;
    if (await writeLeniently(client, dataset)) {
      notes.push(`${about}every field is kept as text, for ${why}`);
      dataset.fields = dataset.fields.map(keptAsText);
      continue;
    }
    await deleteDataIndex(client, dataset.name);
    notes.push(`${about}read as text alone, for ${why}`);
    datasets = datasets.filter((name) => name !== dataset.name);
    count -= dataset.records;
  }
  const reader = datasets.length > 0 ? entry.reader : "";
  return { ...entry, datasets, records: count, reader, detail: notes.join("; ") };
}

/** A field of an index that takes any value. */
function keptAsText({ format: _, semantic: __, ...field }: DatasetField): DatasetField {
  return { ...field, type: "keyword" };
}

/** The records again, into an index that takes any value. */
async function writeLeniently(client: Client, { name, properties, parts }: DataSetFacts): Promise<boolean> {
  await createDataIndex(client, name, lenientProperties(properties));
  return (await sendAll(client, parts)).length === 0;
}

async function discard(client: Client, { parts, datasets }: Commit): Promise<void> {
  for (const { name } of datasets) await deleteDataIndex(client, name);
  // Where even this is refused the documents are found again by their path, see old-ids.ts.
  await sendAll(client, deletionsOf(parts));
}

async function sendAll(client: Client, parts: readonly BulkPart[]): Promise<Refused<never>[]> {
  const request = new BulkRequest<never>();
  request.add(undefined, parts);
  return request.send(client, "");
}

/** A block, a lack of room, a shard that is away: not about what is in the document. */
function mayPass({ status }: BulkFailure): boolean {
  return status !== 400 && status !== 413;
}

function describe(failures: readonly BulkFailure[], what: string): string {
  const [first] = failures;
  return `${failures.length} ${what} were refused; the first: ${first!.type}: ${first!.reason}`;
}
