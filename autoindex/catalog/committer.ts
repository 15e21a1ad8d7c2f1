import type { BulkFailure, Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { catalogId } from "../documents/ids.js";
import { BulkLines, type BulkPart } from "../documents/lines.js";
import { AutoindexError } from "../errors.js";
import type { DataSetFacts } from "../process/protocol.js";
import { BulkRequest, MAX_BULK_BYTES } from "./bulk-request.js";
import type { Commit, Correction, Piece } from "./commit.js";
import { createDataIndex, deleteDataIndex } from "./indices.js";
import type { DatasetEntry, FileEntry } from "./manifest.js";
import { findOldDocuments } from "./old-ids.js";
import { settleRefused } from "./refused.js";

/** Files that are committed together at most. */
const MAX_BATCH_FILES = 1000;

/** How to commit. */
export interface CommitterOptions {
  client: Client;
  root: string;
  /** Query string of the bulk requests. */
  query?: string;
  /** Called before each change; throws when this run may not write any more. */
  guard: () => void;
}

/**
 * Writes commits in the order they are given, several files together, one request at a time: so the index is the same
 * however many processes read. While one request is under way the next is collected.
 *
 * A bulk request over several indices may be done in part when the node dies, in any order. So a batch is three
 * requests, each after the one before it has been acknowledged: the entries of files whose documents are to change are
 * withdrawn, the documents are written (old ones go in the same request), the new entries are written. A run that is
 * cut off anywhere leaves files without an entry, which are read again, never entries without documents. What data set
 * an entry-less file has is known too: its data set entry comes first and goes last.
 */
export class Committer {
  readonly corrections: Correction[] = [];
  readonly touchedData = new Set<string>();
  #batch: Commit[] = [];
  #bytes = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(private readonly options: CommitterOptions) {}

  /** Takes a commit; waits when the one before is still being sent and this fills the next. */
  async add(commit: Commit): Promise<void> {
    this.#batch.push(commit);
    for (const part of [...commit.parts, ...(commit.dataset?.parts ?? [])]) this.#bytes += part.bytes.length;
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
    this.options.guard();
    await this.#sendCatalog(this.#withdrawals(batch));
    await this.#prepareDataSets(batch);
    await this.#sendDocuments(batch);
    this.options.guard();
    await this.#sendCatalog(this.#entries(batch));
  }

  async #sendDocuments(batch: Commit[]): Promise<void> {
    const { client, query = "" } = this.options;
    const request = new BulkRequest<Piece>();
    request.add(undefined, await this.#deletions(batch));
    request.add(undefined, await this.#branchUpdates(batch));
    for (const commit of batch) {
      request.add({ commit, holds: "code" }, commit.parts);
      if (commit.dataset) request.add({ commit, holds: "records" }, commit.dataset.parts);
    }
    const refused = await request.send(client, query);
    const [first] = refused.filter(({ owner }) => !owner);
    if (first) throw refusal(first.failure);
    for (const correction of await settleRefused(client, refused)) {
      this.corrections.push(correction);
      if (correction.written.dataset === "") this.touchedData.delete(correction.wanted.dataset);
    }
  }

  async #prepareDataSets(batch: Commit[]): Promise<void> {
    const { client } = this.options;
    for (const { oldDataset, dataset } of batch) {
      if (oldDataset && oldDataset !== dataset?.name) await deleteDataIndex(client, oldDataset);
      if (!dataset) continue;
      await createDataIndex(client, dataset.name, dataset.properties);
      this.touchedData.add(dataset.name);
    }
  }

  async #deletions(batch: Commit[]): Promise<BulkPart[]> {
    const lines = new BulkLines();
    for (const repo of new Set(batch.map(({ oldRepo }) => oldRepo))) {
      if (repo === "") continue;
      const paths = batch.filter(({ oldRepo }) => oldRepo === repo).map(({ path }) => path);
      for (const { index, id } of await findOldDocuments(this.options.client, repo, paths)) lines.delete(index, id);
    }
    return lines.take();
  }

  /** Documents of unchanged files name the branch that is checked out now. */
  async #branchUpdates(batch: Commit[]): Promise<BulkPart[]> {
    const lines = new BulkLines();
    const [first] = batch.filter(({ branches }) => branches);
    if (!first?.entry) return [];
    // One run has one repository and one branch.
    const paths = batch.filter(({ branches }) => branches).map(({ path }) => path);
    for (const { index, id } of await findOldDocuments(this.options.client, first.entry.repo, paths)) {
      lines.update(index, id, { branches: first.branches });
    }
    return lines.take();
  }

  /** Entries of files whose documents are about to change go; entries of their new data sets come. */
  #withdrawals(batch: Commit[]): BulkLines {
    const lines = new BulkLines();
    for (const { path, hasEntry, oldRepo, oldDataset, parts, dataset, entry } of batch) {
      const isTouched = oldRepo !== "" || oldDataset !== "" || parts.length > 0;
      if (hasEntry && isTouched) lines.delete(INDEX.catalog, this.#id("file", path));
      if (dataset && entry) {
        lines.index(INDEX.catalog, this.#id("dataset", path), JSON.stringify(datasetEntry(entry, dataset)));
      }
    }
    return lines;
  }

  #entries(batch: Commit[]): BulkLines {
    const lines = new BulkLines();
    for (const { path, entry, dataset, oldDataset } of batch) {
      if (entry) lines.index(INDEX.catalog, this.#id("file", path), JSON.stringify(entry));
      else lines.delete(INDEX.catalog, this.#id("file", path));
      // What the node took of the records may be less than was planned, or nothing.
      if (dataset && entry?.dataset) {
        lines.index(INDEX.catalog, this.#id("dataset", path), JSON.stringify(datasetEntry(entry, dataset)));
      } else if (oldDataset || dataset) lines.delete(INDEX.catalog, this.#id("dataset", path));
    }
    return lines;
  }

  async #sendCatalog(lines: BulkLines): Promise<void> {
    const request = new BulkRequest<never>();
    request.add(undefined, lines.take());
    const [first] = await request.send(this.options.client, this.options.query ?? "");
    if (first) throw refusal(first.failure);
  }

  #id(entry: "file" | "dataset", path: string): string {
    return catalogId(entry, this.options.root, path);
  }
}

function refusal({ type, reason, id }: BulkFailure): AutoindexError {
  return new AutoindexError("bulk_failed", `the node refused ${id}: ${type}: ${reason}`);
}

function datasetEntry({ root, repo, path }: FileEntry, { name, records, fields }: DataSetFacts): DatasetEntry {
  const index = `${INDEX.dataPrefix}${name}`;
  return { entry: "dataset", root, repo, path, dataset: name, index, records, fields };
}
