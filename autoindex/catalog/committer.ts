import type { BulkFailure, Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { catalogId, keyOf } from "../documents/ids.js";
import { BulkLines, type BulkPart, giveBack, targetsOf } from "../documents/lines.js";
import { AutoindexError } from "../errors.js";
import { Claims, claimed } from "../git/claims.js";
import { fatesOf, type PathChange } from "../git/document-fate.js";
import type { DataSetFacts } from "../process/protocol.js";
import { BodyMemory } from "./body-memory.js";
import { BulkRequest, MAX_BULK_BYTES, MAX_GROUP_BYTES } from "./bulk-request.js";
import type { Commit, Correction, Piece } from "./commit.js";
import { datasetEntry } from "./dataset-entry.js";
import { createDataIndex, deleteDataIndex } from "./indices.js";
import type { FileEntry } from "./manifest.js";
import { findOldDocuments } from "./old-ids.js";
import { settleRefused } from "./refused.js";

/** Files that are committed together at most. */
export const MAX_BATCH_FILES = 1000;

/** How to commit. */
export interface CommitterOptions {
  client: Client;
  root: string;
  /** Query string of the bulk requests. */
  query?: string;
  /** Called before each change; throws when this run may not write any more. */
  guard: () => void;
  /** Claims of others on documents of a name; none when absent. */
  claimsOf?: (repo: string) => Promise<Claims>;
}

/**
 * Writes commits in the order they are given, several files together, one request at a time: so the index is the same
 * however many processes read. While one request is under way the next is collected.
 *
 * A bulk request over several indices may be done in part when the node dies, in any order. So a batch is three
 * requests, each after the one before it has been acknowledged: the entries of files whose documents are to change are
 * withdrawn, the documents are written (old ones go in the same request), the new entries are written. A run that is
 * cut off anywhere leaves files without an entry, which are read again, never entries without documents. What data set
 * an entry-less file has is known too: its data set entry comes first and goes last. The entries of one batch are
 * written while the documents of the next are on their way; requests to the catalog still follow one another.
 */
export class Committer {
  readonly corrections: Correction[] = [];
  readonly touchedData = new Set<string>();
  /** Whether a data set was written or removed. */
  hasChangedData = false;
  #batch: Commit[] = [];
  #bytes = 0;
  readonly #bodies = new BodyMemory(MAX_GROUP_BYTES);
  #sending: Promise<void> = Promise.resolve();
  /** The entries of all batches whose documents have been written. */
  #entering: Promise<void> = Promise.resolve();

  constructor(private readonly options: CommitterOptions) {}

  /** Takes commits, which stay together; waits when the batch before is still being sent and these fill the next. */
  async add(...commits: Commit[]): Promise<void> {
    for (const commit of commits) {
      this.#batch.push(commit);
      for (const part of partsOf(commit)) this.#bytes += part.bytes.length;
    }
    if (this.#bytes >= MAX_BULK_BYTES || this.#batch.length >= MAX_BATCH_FILES) await this.#flush();
  }

  /** Sends what is left and waits for all of it. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#sending;
    await this.#entering;
  }

  /** Drops what was not sent yet and waits for what is under way: after it nothing is written any more. */
  async stop(): Promise<void> {
    this.#batch = [];
    await this.#sending.catch(() => {});
    await this.#entering.catch(() => {});
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
    const withdrawals = this.#withdrawals(batch).take();
    if (withdrawals.length > 0) {
      await this.#entering;
      await this.#sendCatalog(withdrawals);
    }
    await this.#prepareDataSets(batch);
    await this.#sendDocuments(batch);
    this.#entering = this.#enter(batch, this.#entering);
    // Awaited by the next batch's entries or by finish; until then a failure must not count as unhandled.
    this.#entering.catch(() => {});
  }

  /** Writes the entries of a batch after those of earlier ones. */
  async #enter(batch: Commit[], earlier: Promise<void>): Promise<void> {
    await earlier;
    this.options.guard();
    await this.#sendCatalog(this.#entries(batch).take());
  }

  async #sendDocuments(batch: Commit[]): Promise<void> {
    const { client, query = "" } = this.options;
    const request = new BulkRequest<Piece>();
    request.add(undefined, await this.#changesOfOld(batch));
    for (const commit of batch) {
      request.add({ commit, dataset: undefined }, commit.parts);
      request.add({ commit, dataset: undefined }, await this.#sharedUpdates(commit));
      for (const dataset of commit.datasets) request.add({ commit, dataset }, dataset.parts);
    }
    const refused = await request.send(client, query, this.#bodies);
    const [first] = refused.filter(({ owner }) => !owner);
    if (first) throw refusal(first.failure);
    for (const correction of await settleRefused(client, refused)) {
      this.corrections.push(correction);
      for (const name of correction.wanted.datasets) {
        if (!correction.written.datasets.includes(name)) this.touchedData.delete(name);
      }
    }
    for (const commit of batch) giveBack(partsOf(commit));
  }

  async #prepareDataSets(batch: Commit[]): Promise<void> {
    const { client } = this.options;
    for (const { oldDatasets, datasets } of batch) {
      this.hasChangedData ||= oldDatasets.length > 0 || datasets.length > 0;
      for (const old of oldDatasets) {
        if (!datasets.some(({ name }) => name === old)) await deleteDataIndex(client, old);
      }
      for (const { name, properties } of datasets) {
        await createDataIndex(client, name, properties);
        this.touchedData.add(name);
      }
    }
  }

  /** Documents of earlier states go or are left to others; those that stay name the branches that have them now. */
  async #changesOfOld(batch: Commit[]): Promise<BulkPart[]> {
    const { client } = this.options;
    const lines = new BulkLines();
    const changes = batch.flatMap((commit) => reposOf(commit).map((repo) => changeOf(commit, repo)));
    for (const group of groupsOf(changes)) {
      const [{ repo, others }] = group as [PathChange];
      const claims = await this.#claimsOf(repo);
      const fates = new Map(group.flatMap((change) => [...fatesOf(change, claims)]));
      const paths = group.map(({ path }) => path);
      for (const { index, id } of await findOldDocuments(client, repo, paths)) {
        const fate = fates.get(keyOf(id)) ?? (others === "removed" ? "delete" : "leave");
        if (fate === "delete") lines.delete(index, id);
        else if (fate !== "leave") lines.update(index, id, fate);
      }
    }
    return lines.take();
  }

  /** Documents that are written and that others claim too name the branches of all. */
  async #sharedUpdates({ path, entry, parts }: Commit): Promise<BulkPart[]> {
    if (!entry || parts.length === 0) return [];
    const other = (await this.#claimsOf(entry.repo)).at(path).get(entry.blob);
    if (!other) return [];
    const lines = new BulkLines();
    const own = { branches: entry.branch === "" ? [] : [entry.branch], inTree: true };
    for (const { index, id } of targetsOf(parts)) lines.update(index, id, claimed(other, own));
    return lines.take();
  }

  #claimsOf(repo: string): Promise<Claims> {
    return this.options.claimsOf?.(repo) ?? Promise.resolve(new Claims());
  }

  /** Entries of files whose documents are about to change go; entries of their new data sets come. */
  #withdrawals(batch: Commit[]): BulkLines {
    const lines = new BulkLines();
    for (const { path, hasEntry, oldRepo, oldDatasets, parts, datasets, entry } of batch) {
      const isTouched = oldRepo !== "" || oldDatasets.length > 0 || parts.length > 0;
      if (hasEntry && isTouched) lines.delete(INDEX.catalog, this.#fileId(path));
      if (entry) for (const dataset of datasets) this.#addDataset(lines, entry, dataset);
    }
    return lines;
  }

  #entries(batch: Commit[]): BulkLines {
    const lines = new BulkLines();
    for (const { path, entry, datasets, oldDatasets } of batch) {
      if (entry) lines.index(INDEX.catalog, this.#fileId(path), JSON.stringify(entry));
      else lines.delete(INDEX.catalog, this.#fileId(path));
      // What the node took of the records may be less than was planned, or nothing.
      const kept = new Set(entry?.datasets ?? []);
      for (const dataset of datasets) if (entry && kept.has(dataset.name)) this.#addDataset(lines, entry, dataset);
      const gone = new Set([...oldDatasets, ...datasets.map(({ name }) => name)].filter((name) => !kept.has(name)));
      for (const name of gone) lines.delete(INDEX.catalog, this.#datasetId(name));
      // Earlier versions knew a file's only data set by its path.
      if (oldDatasets.length > 0) lines.delete(INDEX.catalog, catalogId("dataset", this.options.root, path));
    }
    return lines;
  }

  async #sendCatalog(parts: readonly BulkPart[]): Promise<void> {
    const request = new BulkRequest<never>();
    request.add(undefined, parts);
    const [first] = await request.send(this.options.client, this.options.query ?? "");
    if (first) throw refusal(first.failure);
  }

  #addDataset(lines: BulkLines, entry: FileEntry, dataset: DataSetFacts): void {
    lines.index(INDEX.catalog, this.#datasetId(dataset.name), JSON.stringify(datasetEntry(entry, dataset)));
  }

  #fileId(path: string): string {
    return catalogId("file", this.options.root, path);
  }

  /** By its name, which no path can be taken for. */
  #datasetId(name: string): string {
    return catalogId("dataset", this.options.root, `\0${name}`);
  }
}

/** Its own and those of its records. */
function partsOf({ parts, datasets }: Commit): BulkPart[] {
  return [...parts, ...datasets.flatMap((dataset) => dataset.parts)];
}

/** The names under which a commit changes documents of earlier states: the old one, and the present one if they stay. */
function reposOf({ oldRepo, branches, entry }: Commit): string[] {
  const kept = branches && entry ? [entry.repo] : [];
  return [...new Set([...(oldRepo === "" ? [] : [oldRepo]), ...kept])];
}

function changeOf({ path, oldRepo, oldBlob, parts, branches, entry }: Commit, repo: string): PathChange {
  const isPresent = entry !== undefined && entry.repo === repo && (branches !== undefined || parts.length > 0);
  const isKept = branches !== undefined && isPresent;
  return {
    path,
    repo,
    oldBlob,
    newBlob: isPresent ? entry.blob : "",
    documents: isKept ? "kept" : "written",
    others: oldRepo === repo ? "removed" : "left",
    own: { branches: branches ?? [], inTree: true },
  };
}

/** Changes under one name that treat what has no fate of its own alike. */
function groupsOf(changes: readonly PathChange[]): PathChange[][] {
  const groups = new Map<string, PathChange[]>();
  for (const change of changes) {
    const key = `${change.others} ${change.repo}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()];
}

function refusal({ type, reason, id }: BulkFailure): AutoindexError {
  return new AutoindexError("bulk_failed", `the node refused ${id}: ${type}: ${reason}`);
}
