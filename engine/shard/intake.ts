/**
 * The door of an index's write side: whether there is room for another batch, and the preparing of its documents with a
 * mapping that is durable before any of them gets a number.
 */
import type { AnalyzerRegistry } from "../analysis/index.js";
import { EngineError } from "../errors.js";
import { DEFAULT_LIMITS } from "../mapping/index.js";
import type { Storage } from "../store/storage.js";
import type { WriteOperation } from "../write.js";
import type { DefinitionStore } from "./definition.js";
import type { PrepareRequest, PrepareResult, Preparer } from "./prepare.js";
import type { PreparedRun } from "./prepared-run.js";
import type { WriteBuffer } from "./write-buffer.js";
import type { PlannedWrite } from "./write-plan.js";

/** What the intake works with. */
export interface IntakeParts {
  readonly index: string;
  readonly storage: Storage;
  readonly preparer: Preparer;
  readonly analyzers: AnalyzerRegistry;
  readonly definitions: DefinitionStore;
  readonly buffer: WriteBuffer;
  readonly memtableBytes: number;
  /** The mapping has grown: readers should know. */
  readonly mappingGrown: () => void;
}

/** Share of the arena's size that the sources of waiting batches may have together. */
const WAITING_SHARE = 1 / 4;
/** Waiting batches below this are never refused. */
const LEAST_WAITING_BYTES = 16 << 20;

/** Lets batches in and prepares their documents. */
export class Intake {
  /** Source bytes of batches that came and are not finished. */
  #waitingBytes = 0;

  constructor(private readonly parts: IntakeParts) {}

  /** Counts a batch in until the returned function is called. Throws `overloaded` when too much waits already. */
  enter(operations: readonly WriteOperation[]): () => void {
    const bytes = sourceBytes(operations);
    const limit = Math.max(LEAST_WAITING_BYTES, this.parts.storage.arena.capacity * WAITING_SHARE);
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > limit) {
      throw new EngineError(
        "overloaded",
        `${this.#waitingBytes} bytes wait to be written to [${this.parts.index}], ${bytes} more are too many: retry later`,
        { index: this.parts.index, waiting: this.#waitingBytes, bytes, limit },
      );
    }
    this.#waitingBytes += bytes;
    return () => {
      this.#waitingBytes -= bytes;
    };
  }

  /** Makes room in the write buffer before a batch is planned. */
  makeRoom(): void {
    if (this.parts.buffer.bytes >= this.parts.memtableBytes) this.parts.buffer.seal();
  }

  /** Prepares the documents among these writes; the mapping they need is durable when it resolves. Throws `overloaded`. */
  async prepare(writes: readonly PlannedWrite[]): Promise<PreparedRun> {
    const { definitions, analyzers } = this.parts;
    const limits = { ...DEFAULT_LIMITS, totalFields: definitions.definition.totalFieldsLimit };
    const documents = writes.map(({ id, operation }) =>
      operation.kind === "delete" ? undefined : { id, source: operation.source },
    );
    const result = this.#prepareOrSeal({ table: definitions.table, analyzers, limits, documents });
    try {
      if (result.table !== definitions.table) {
        await definitions.adopt(result.table);
        this.parts.mappingGrown();
      }
    } catch (error) {
      result.batch.release();
      throw error;
    }
    const { batch, errors, table } = result;
    return { batch, errors, fields: table.byOrdinal, mappingVersion: definitions.mappingVersion };
  }

  /** A full arena is helped by turning the write buffer into a segment, whose parts can be evicted. */
  #prepareOrSeal(request: PrepareRequest): PrepareResult {
    const { preparer, buffer } = this.parts;
    try {
      const result = preparer.prepare(request);
      if (buffer.bytes === 0 || ![...result.errors.values()].some(isOverload)) return result;
      result.batch.release();
    } catch (error) {
      if (buffer.bytes === 0 || !isOverload(error)) throw error;
    }
    buffer.seal();
    return preparer.prepare(request);
  }
}

function isOverload(error: unknown): boolean {
  return error instanceof EngineError && error.code === "overloaded";
}

function sourceBytes(operations: readonly WriteOperation[]): number {
  let bytes = 0;
  for (const operation of operations) if ("source" in operation) bytes += operation.source.length;
  return bytes;
}
