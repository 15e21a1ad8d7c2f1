/**
 * Recovery: what the log holds beyond the last commit goes through prepare again, each document with the mapping it was
 * prepared with, and into the write buffer, as if it were written now but under its own number.
 */
import type { AnalyzerRegistry } from "../analysis/index.js";
import { CorruptionError, EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { DEFAULT_LIMITS } from "../mapping/index.js";
import { LogOp, type LogRecord, type OperationMetadata } from "../wal/index.js";
import type { CurrentDocuments } from "./current-documents.js";
import type { DefinitionStore } from "./definition.js";
import type { Operation } from "./operation.js";
import type { Preparer } from "./prepare.js";
import type { VersionMap } from "./version-map.js";
import type { WriteBuffer } from "./write-buffer.js";

/** What a replay works with. */
export interface ReplayParts {
  readonly index: string;
  readonly definitions: DefinitionStore;
  readonly analyzers: AnalyzerRegistry;
  readonly preparer: Preparer;
  readonly documents: CurrentDocuments;
  readonly versions: VersionMap;
  readonly buffer: WriteBuffer;
  readonly memtableBytes: number;
  readonly now: number;
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
  #groupBytes = 0;
  #lastSeqNo: number;
  #lastMappingVersion = 0;
  #operations = 0;

  /** Records up to `committed` are in segments already. */
  constructor(
    private readonly parts: ReplayParts,
    committed: number,
  ) {
    this.#lastSeqNo = committed;
  }

  /** Highest sequence number that segments and write buffer hold now. */
  get lastSeqNo(): number {
    return this.#lastSeqNo;
  }

  /** Operations that were replayed. */
  get operations(): number {
    return this.#operations;
  }

  add({ sequence, op, metadata, payload }: LogRecord): void {
    if (sequence <= this.#lastSeqNo) return;
    if (!metadata)
      throw new EngineError("corrupt", `operation ${sequence} in the log of ${this.parts.index} has no id`);
    if (metadata.mappingVersion !== this.#lastMappingVersion) this.#flush();
    this.#lastMappingVersion = metadata.mappingVersion;
    this.#group.push({ sequence, metadata, deleted: op === LogOp.delete, source: new Uint8Array(payload) });
    this.#groupBytes += payload.length;
    this.#lastSeqNo = sequence;
    if (this.#groupBytes >= GROUP_BYTES) this.#flush();
  }

  finish(): void {
    this.#flush();
  }

  #flush(): void {
    const group = this.#group.splice(0);
    this.#groupBytes = 0;
    if (group.length === 0) return;
    const { definitions, analyzers, preparer, buffer, memtableBytes } = this.parts;
    if (buffer.bytes >= memtableBytes) buffer.seal();
    const table = definitions.tableAt(this.#lastMappingVersion);
    const documents = group.map(({ metadata, source, deleted }) => (deleted ? undefined : { id: metadata.id, source }));
    const prepared = preparer.prepare({ table, analyzers, limits: DEFAULT_LIMITS, documents });
    const { starts, ends } = prepared.batch;
    try {
      for (const [place, cause] of prepared.errors) throw this.#unpreparable(group[place], cause);
      if (prepared.table !== table) throw this.#unpreparable(group[0], "it needs fields that its mapping lacks");
      group.forEach((pending, i) => {
        this.#apply(pending, { start: starts[i], end: ends[i] }, table.byOrdinal);
      });
    } finally {
      prepared.batch.release();
    }
    this.#operations += group.length;
  }

  #apply(pending: Pending, records: { start: number; end: number }, fields: readonly Field[]): void {
    const { documents, buffer, versions, now } = this.parts;
    const { sequence, metadata, deleted, source } = pending;
    const { id, version, primaryTerm, routing } = metadata;
    const current = documents.durable(id);
    const replaces = current && !current.state.deleted ? current : undefined;
    const state = { seqNo: sequence, version, primaryTerm, deleted };
    const operation: Operation = { id, ...state, source, routing, ...records, replaces, published: true };
    buffer.apply(operation, fields);
    versions.publish(id, operation, now);
  }

  #unpreparable({ sequence, metadata }: Pending, cause: unknown): CorruptionError {
    const file = `the log of index ${this.parts.index}`;
    const expected = `a document that mapping ${metadata.mappingVersion} takes`;
    return new CorruptionError(file, sequence, expected, `[${metadata.id}]: ${String(cause)}`);
  }
}
