/**
 * Recovery: everything the log holds goes through again, as if it were written now but under its own number. What the
 * segments have already (the same operation, or a later one on its id) is recognised by that number; where the last
 * commit ends plays no part in it, so that nothing can be skipped by mistake. Documents are prepared again, each with
 * the mapping it was prepared with.
 */

import type { AnalyzerRegistry } from "../analysis/index.js";
import { CorruptionError, EngineError } from "../errors.js";
import { DEFAULT_LIMITS } from "../mapping/index.js";
import { HeldMemory } from "../store/held-memory.js";
import type { Storage } from "../store/storage.js";
import { LogOp, type LogRecord, type OperationMetadata } from "../wal/index.js";
import type { CurrentDocuments } from "./current-documents.js";
import type { DefinitionStore } from "./definition.js";
import type { Preparer } from "./prepare.js";
import { loadSources } from "./source-run.js";
import type { VersionMap } from "./version-map.js";
import type { BuildNow, WriteBuffer } from "./write-buffer.js";

/** What a replay works with. */
export interface ReplayParts {
  readonly index: string;
  readonly storage: Storage;
  readonly definitions: DefinitionStore;
  readonly analyzers: AnalyzerRegistry;
  readonly preparer: Preparer;
  readonly documents: CurrentDocuments;
  readonly versions: VersionMap;
  readonly buffer: WriteBuffer;
  /** Makes segments of a list on this thread, at once. */
  readonly buildNow: BuildNow;
  readonly now: number;
  readonly warn: (message: string) => void;
}

interface Pending {
  sequence: number;
  metadata: OperationMetadata;
  deleted: boolean;
  source: Uint8Array;
}

/** Documents are prepared in groups of about this many source bytes. */
const GROUP_BYTES = 1 << 20;

/** Takes an index's log records in order; `finish` when there are no more. */
export class Replay {
  readonly #group: Pending[] = [];
  /**
   * Operations up to the commit of which no segment knows anything, by id: later ones deleted their documents. If the log
   * ends without those, the commit lacks what it claims to have.
   */
  readonly #missing = new Map<string, Pending>();
  #groupBytes = 0;
  #lastSeqNo: number;
  #lastMappingVersion = 0;
  #operations = 0;

  /** The last commit says that segments hold the operations up to `committed`. */
  constructor(
    private readonly parts: ReplayParts,
    private readonly committed: number,
  ) {
    this.#lastSeqNo = committed;
  }

  /** Highest sequence number that segments and write buffer hold now. */
  get lastSeqNo(): number {
    return this.#lastSeqNo;
  }

  /** Operations that were put into the write buffer. */
  get operations(): number {
    return this.#operations;
  }

  add({ sequence, op, metadata, payload }: LogRecord): void {
    if (!metadata)
      throw new EngineError("corrupt", `operation ${sequence} in the log of ${this.parts.index} has no id`);
    const pending = { sequence, metadata, deleted: op === LogOp.delete, source: payload };
    if (sequence <= this.committed) this.#check(pending);
    else {
      this.#applyMissing();
      this.#enqueue(kept(pending));
    }
    this.#lastSeqNo = Math.max(this.#lastSeqNo, sequence);
  }

  finish(): void {
    this.#applyMissing();
    this.#flush();
  }

  /** An operation that the commit claims: it must be there, or a later one on the same document. */
  #check(pending: Pending): void {
    const { id, version, primaryTerm } = pending.metadata;
    const current = this.parts.documents.durable(id);
    if (current && current.state.seqNo >= pending.sequence) {
      this.#missing.delete(id);
      return;
    }
    if (!pending.deleted) {
      this.#missing.set(id, kept(pending));
      return;
    }
    this.#missing.delete(id);
    if (current && !current.state.deleted) this.#missing.set(id, kept(pending));
    else {
      const state = { seqNo: pending.sequence, version, primaryTerm, deleted: true };
      const entry = { ...state, source: pending.source, routing: undefined, published: true };
      this.parts.versions.publish(id, entry, this.parts.now);
    }
  }

  #applyMissing(): void {
    if (this.#missing.size === 0) return;
    const lost = [...this.#missing.values()].sort((a, b) => a.sequence - b.sequence);
    this.#missing.clear();
    this.parts.warn(
      `the last commit of index ${this.parts.index} lacks ${lost.length} operations that it claims, ` +
        `${lost[0].sequence} the first: they are taken from the log`,
    );
    for (const pending of lost) this.#enqueue(pending);
    this.#flush();
  }

  #enqueue(pending: Pending): void {
    if (pending.metadata.mappingVersion !== this.#lastMappingVersion) this.#flush();
    this.#lastMappingVersion = pending.metadata.mappingVersion;
    this.#group.push(pending);
    this.#groupBytes += pending.source.length;
    if (this.#groupBytes >= GROUP_BYTES) this.#flush();
  }

  #flush(): void {
    const group = this.#group.splice(0);
    this.#groupBytes = 0;
    if (group.length === 0) return;
    const { buffer, buildNow } = this.parts;
    // Nothing else runs while an index is opened: no job could.
    if (buffer.isLarge) buffer.sealNow(buildNow);
    try {
      this.#apply(group);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "overloaded" || buffer.isEmpty) throw error;
      buffer.sealNow(buildNow);
      this.#apply(group);
    }
    this.#operations += group.length;
  }

  /** Prepares and applies a group; what of it was applied before an error is recognised the next time. */
  #apply(group: readonly Pending[]): void {
    const { definitions, analyzers, preparer, storage } = this.parts;
    const table = definitions.tableAt(this.#lastMappingVersion);
    const sources = loadSources(
      storage.arena,
      group.map(({ source, deleted }) => (deleted ? undefined : source)),
    );
    const memory = [sources.memory];
    try {
      const ids = group.map(({ metadata }) => metadata.id);
      const prepared = preparer.prepare({ table, analyzers, limits: DEFAULT_LIMITS, sources, ids });
      const { batch, errors } = prepared;
      memory.push(new HeldMemory(storage.arena, batch.address));
      for (const [place, cause] of errors) throw this.#unpreparable(group[place], cause);
      if (prepared.table !== table) throw this.#unpreparable(group[0], "it needs fields that its mapping lacks");
      group.forEach((pending, i) => {
        const records = { start: batch.starts[i], end: batch.ends[i] };
        const source = { sourceAddress: sources.addresses[i], sourceLength: sources.lengths[i] };
        this.#applyOne(pending, { ...records, ...source, memory });
      });
    } finally {
      for (const held of memory) held.release();
    }
  }

  #applyOne(pending: Pending, place: DocumentPlace): void {
    const { documents, buffer, versions, now } = this.parts;
    const { sequence, metadata, deleted, source } = pending;
    const { id, version, primaryTerm, routing } = metadata;
    const current = documents.durable(id);
    if (current && current.state.seqNo >= sequence) return;
    const replaces = current && !current.state.deleted ? current : undefined;
    const state = { seqNo: sequence, version, primaryTerm, deleted };
    const operation = { id, ...state, source, routing, ...place, replaces, published: true };
    buffer.apply(operation);
    versions.publish(id, operation, now);
  }

  /** Overload is no fault of a document's. */
  #unpreparable({ sequence, metadata }: Pending, cause: unknown): EngineError {
    if (cause instanceof EngineError && cause.code === "overloaded") return cause;
    const file = `the log of index ${this.parts.index}`;
    const expected = `a document that mapping ${metadata.mappingVersion} takes`;
    return new CorruptionError(file, sequence, expected, `[${metadata.id}]: ${String(cause)}`);
  }
}

/** Where a document was prepared. */
interface DocumentPlace {
  start: number;
  end: number;
  sourceAddress: number;
  sourceLength: number;
  memory: readonly HeldMemory[];
}

/** A record's payload is valid during the call only. */
function kept(pending: Pending): Pending {
  return { ...pending, source: new Uint8Array(pending.source) };
}
