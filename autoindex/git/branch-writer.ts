import type { BulkFailure, Client } from "../../client/index.js";
import { INDEX, type StoredVersion } from "../../code/index.js";
import { BulkRequest, MAX_BULK_BYTES } from "../catalog/bulk-request.js";
import { findOldDocuments } from "../catalog/old-ids.js";
import { catalogId, keyOf } from "../documents/ids.js";
import { BulkLines, type BulkPart, deletionsOf } from "../documents/lines.js";
import { AutoindexError } from "../errors.js";
import type { BranchStep } from "./branch-plan.js";
import type { VersionsEntry } from "./claims.js";

/** A step with the documents that reading its blobs gave. */
export interface ReadBranchStep {
  step: BranchStep;
  parts: { version: StoredVersion; parts: BulkPart[] }[];
}

/** Where and under which name. */
export interface BranchWriterOptions {
  client: Client;
  store: string;
  repo: string;
  /** Called before each change; throws when this run may not write any more. */
  guard: () => void;
}

const MAX_BATCH_PATHS = 1000;

/**
 * Writes steps in the order they are given, several together, in three requests each after the other as the committer of
 * a folder does: entries of paths whose documents are to change are withdrawn, documents are changed, entries are
 * written. So a run that is cut off leaves paths without an entry, which are done again.
 */
export class BranchWriter {
  #batch: ReadBranchStep[] = [];
  #bytes = 0;

  constructor(private readonly options: BranchWriterOptions) {}

  async add(read: ReadBranchStep): Promise<void> {
    this.#batch.push(read);
    for (const { parts } of read.parts) for (const { bytes } of parts) this.#bytes += bytes.length;
    if (this.#bytes >= MAX_BULK_BYTES || this.#batch.length >= MAX_BATCH_PATHS) await this.finish();
  }

  /** Sends what is left. */
  async finish(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    if (batch.length === 0) return;
    this.options.guard();
    await this.#sendCatalog(this.#withdrawals(batch));
    await this.#sendDocuments(batch.filter(({ step }) => step.documents === "touched"));
    this.options.guard();
    await this.#sendCatalog(this.#entries(batch));
  }

  #withdrawals(batch: readonly ReadBranchStep[]): BulkLines {
    const lines = new BulkLines();
    for (const { step } of batch) {
      if (step.documents === "touched" && step.hasEntry) lines.delete(INDEX.catalog, this.#id(step.path));
    }
    return lines;
  }

  async #sendDocuments(batch: readonly ReadBranchStep[]): Promise<void> {
    const { client, repo } = this.options;
    const keep = new Map(batch.flatMap(({ step }) => [...step.keep]));
    const lines = new BulkLines();
    const paths = batch.map(({ step }) => step.path);
    for (const { index, id } of await findOldDocuments(client, repo, paths)) {
      const kept = keep.get(keyOf(id));
      if (!kept) lines.delete(index, id);
      else if (kept.update === "needed") lines.update(index, id, kept.fields);
    }
    const request = new BulkRequest<ReadBranchStep["parts"][number]>();
    request.add(undefined, lines.take());
    for (const read of batch) for (const piece of read.parts) request.add(piece, piece.parts);
    const failed = new Map<ReadBranchStep["parts"][number], BulkFailure>();
    for (const { owner, failure } of await request.send(client, "")) {
      if (!owner) throw refusal(failure);
      if (!failed.has(owner)) failed.set(owner, failure);
    }
    for (const [{ version, parts }, failure] of failed) await this.#discard(version, parts, failure);
  }

  /** Nothing stays half written: a blob of which a document was refused has none. */
  async #discard(version: StoredVersion, parts: readonly BulkPart[], failure: BulkFailure): Promise<void> {
    const request = new BulkRequest<never>();
    request.add(undefined, deletionsOf(parts));
    await request.send(this.options.client, "");
    version.status = failure.status === 400 || failure.status === 413 ? "rejected" : "not_written";
    version.detail = `documents were refused; the first: ${failure.type}: ${failure.reason}`;
    version.declarations = 0;
    delete version.documents;
  }

  #entries(batch: readonly ReadBranchStep[]): BulkLines {
    const lines = new BulkLines();
    const { store: root, repo } = this.options;
    for (const { step } of batch) {
      const { path, versions } = step;
      const entry: VersionsEntry = { entry: "versions", root, repo, path, versions };
      if (versions.length > 0) lines.index(INDEX.catalog, this.#id(path), JSON.stringify(entry));
      else lines.delete(INDEX.catalog, this.#id(path));
    }
    return lines;
  }

  async #sendCatalog(lines: BulkLines): Promise<void> {
    const request = new BulkRequest<never>();
    request.add(undefined, lines.take());
    const [first] = await request.send(this.options.client, "");
    if (first) throw refusal(first.failure);
  }

  #id(path: string): string {
    return catalogId("versions", this.options.store, path);
  }
}

function refusal({ type, reason, id }: BulkFailure): AutoindexError {
  return new AutoindexError("bulk_failed", `the node refused ${id}: ${type}: ${reason}`);
}
