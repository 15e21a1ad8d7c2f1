import type { BulkFailure, Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { catalogId } from "../documents/ids.js";
import { BulkLines, type BulkPart } from "../documents/lines.js";
import { AutoindexError } from "../errors.js";
import type { DataSetFacts } from "../process/protocol.js";
import { BulkRequest, MAX_BULK_BYTES, type Refused } from "./bulk-request.js";
import { createDataIndex, deleteDataIndex } from "./indices.js";
import type { DatasetEntry, FileEntry } from "./manifest.js";
import { findOldDocuments } from "./old-ids.js";

/** Files that are committed together at most. */
const MAX_BATCH_FILES = 1000;

/** What changes for one path. */
export interface Commit {
  path: string;
  /** Repository under which documents of an earlier state may lie; empty when there are none. */
  oldRepo: string;
  /** Data set of the earlier state. */
  oldDataset: string;
  parts: BulkPart[];
  dataset: DataSetFacts | undefined;
  /** The new manifest entry; nothing removes the old one. */
  entry: FileEntry | undefined;
}

/** A file of which the node refused documents. */
export interface Rejection {
  path: string;
  failures: number;
  first: BulkFailure;
}

/**
 * Writes commits in the order they are given, several files a bulk request, one request at a time: so the index is the
 * same however many processes read. While one request is under way the next is collected.
 *
 * Within a commit old documents go first and the manifest entry comes last, in the same request where sizes allow: a
 * run that is cut off leaves files that are read again, never entries without documents.
 */
export class Committer {
  readonly rejections: Rejection[] = [];
  readonly touchedData = new Set<string>();
  #batch: Commit[] = [];
  #bytes = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: Client,
    private readonly root: string,
    private readonly query = "",
  ) {}

  /** Takes a commit; waits when the one before is still being sent and this fills the next. */
  async add(commit: Commit): Promise<void> {
    this.#batch.push(commit);
    for (const part of commit.parts) this.#bytes += part.bytes.length;
    if (this.#bytes >= MAX_BULK_BYTES || this.#batch.length >= MAX_BATCH_FILES) await this.#flush();
  }

  /** Sends what is left and waits for all of it. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#sending;
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    await this.#sending;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#bytes = 0;
    this.#sending = this.#send(batch);
    // Awaited by the next flush or by finish; until then a failure must not count as unhandled.
    this.#sending.catch(() => {});
  }

  async #send(batch: Commit[]): Promise<void> {
    await this.#prepareDataSets(batch);
    const request = new BulkRequest<Commit>();
    request.add(undefined, await this.#deletions(batch));
    for (const commit of batch) request.add(commit, commit.parts);
    request.add(undefined, this.#entries(batch));
    const rejected = await request.send(this.client, this.query);
    if (rejected.length > 0) await this.#reject(rejected);
  }

  async #prepareDataSets(batch: Commit[]): Promise<void> {
    for (const { oldDataset, dataset } of batch) {
      if (oldDataset && oldDataset !== dataset?.name) await deleteDataIndex(this.client, oldDataset);
      if (!dataset) continue;
      await createDataIndex(this.client, dataset.name, dataset.properties);
      this.touchedData.add(dataset.name);
    }
  }

  async #deletions(batch: Commit[]): Promise<BulkPart[]> {
    const lines = new BulkLines();
    for (const repo of new Set(batch.map(({ oldRepo }) => oldRepo))) {
      if (repo === "") continue;
      const paths = batch.filter(({ oldRepo }) => oldRepo === repo).map(({ path }) => path);
      for (const { index, id } of await findOldDocuments(this.client, repo, paths)) lines.delete(index, id);
    }
    return lines.take();
  }

  #entries(batch: Commit[]): BulkPart[] {
    const lines = new BulkLines();
    for (const commit of batch) {
      const id = catalogId("file", this.root, commit.path);
      if (commit.entry) lines.index(INDEX.catalog, id, JSON.stringify(commit.entry));
      else lines.delete(INDEX.catalog, id);
      const datasetId = catalogId("dataset", this.root, commit.path);
      if (commit.dataset && commit.entry) {
        lines.index(INDEX.catalog, datasetId, JSON.stringify(datasetEntry(commit.entry, commit.dataset)));
      } else if (commit.oldDataset) lines.delete(INDEX.catalog, datasetId);
    }
    return lines.take();
  }

  /** A file with refused documents is marked, so that it shows and is tried again. */
  async #reject(rejected: Refused<Commit>[]): Promise<void> {
    const byCommit = new Map<Commit, Rejection>();
    for (const { owner: commit, failure } of rejected) {
      if (!commit) throw refusal(failure);
      const known = byCommit.get(commit);
      if (known) known.failures++;
      else byCommit.set(commit, { path: commit.path, failures: 1, first: failure });
    }
    const lines = new BulkLines();
    for (const [{ entry, path }, rejection] of byCommit) {
      const detail = `${rejection.failures} documents; the first: ${rejection.first.type}: ${rejection.first.reason}`;
      const marked = { ...entry, status: "rejected", detail };
      lines.index(INDEX.catalog, catalogId("file", this.root, path), JSON.stringify(marked));
      this.rejections.push(rejection);
    }
    for (const { bytes } of lines.take()) await this.client.bulk(bytes, this.query);
  }
}

function refusal({ type, reason, id }: BulkFailure): AutoindexError {
  return new AutoindexError("bulk_failed", `the node refused ${id}: ${type}: ${reason}`);
}

function datasetEntry(entry: FileEntry, dataset: DataSetFacts): DatasetEntry {
  const { root, repo, path } = entry;
  const index = `${INDEX.dataPrefix}${dataset.name}`;
  return {
    entry: "dataset",
    root,
    repo,
    path,
    dataset: dataset.name,
    index,
    records: dataset.records,
    fields: dataset.fields,
  };
}
