/**
 * The door of an index's write side: whether there is room for another batch, and the preparing of its documents with a
 * mapping that is durable before any of them gets a number. Preparing may begin, on another thread, before it is the
 * batch's turn (`begin`); what came out counts only if the mapping is still the same then (`settle`).
 */
import { errorFromData } from "../error-data.js";
import { EngineError } from "../errors.js";
import { DEFAULT_LIMITS, loadFieldTable } from "../mapping/index.js";
import type { IndexingPressure, WriteBuffers } from "../memory/index.js";
import { HeldMemory } from "../store/held-memory.js";
import type { Storage } from "../store/storage.js";
import type { WriteOperation } from "../write.js";
import type { DefinitionStore } from "./definition.js";
import type { PrepareJob, PrepareJobResult } from "./prepare-job.js";
import { type PreparedRun, releaseRun } from "./prepared-run.js";
import { loadSources, type SourceRun } from "./source-run.js";
import type { PlannedWrite } from "./write-plan.js";

/** What the intake works with. */
export interface IntakeParts {
  readonly index: string;
  readonly storage: Storage;
  /** Writes in flight over all indices. */
  readonly pressure: IndexingPressure;
  /** Write buffers of all indices. */
  readonly writeBuffers: WriteBuffers;
  readonly definitions: DefinitionStore;
  /** Does the job, on this thread or another; `bytes` of sources. */
  readonly prepare: (job: PrepareJob, bytes: number) => Promise<PrepareJobResult>;
  /** The mapping has grown: readers should know. */
  readonly mappingGrown: () => void;
}

/** Lets batches in and prepares their documents. */
export class Intake {
  constructor(private readonly parts: IntakeParts) {}

  /** Counts a batch in until the returned function is called. Throws `overloaded` when too much waits already. */
  enter(operations: readonly WriteOperation[]): () => void {
    const bytes = sourceBytes(operations);
    const leave = this.parts.pressure.enter("primary", bytes);
    this.parts.writeBuffers.writing(bytes);
    return leave;
  }

  /** Prepares the documents among these writes with the mapping of now. Throws `overloaded`. */
  async begin(writes: readonly PlannedWrite[]): Promise<PreparedRun> {
    try {
      const run = await this.#prepare(writes);
      if (![...run.errors.values()].some(isOverload)) return run;
      releaseRun(run);
    } catch (error) {
      if (!isOverload(error)) throw error;
    }
    // A full arena is helped by turning the write buffer into segments, whose parts can be evicted.
    await this.parts.writeBuffers.drain();
    return this.#prepare(writes);
  }

  /**
   * The run as the mapping of now has it, to be called in the batch's turn: prepared anew if the mapping changed since;
   * what its documents add to the mapping is durable when it resolves. Takes the run over. Throws `overloaded`.
   */
  async settle(writes: readonly PlannedWrite[], begun: PreparedRun): Promise<PreparedRun> {
    const { definitions, mappingGrown } = this.parts;
    let run = begun;
    if (run.mappingVersion !== definitions.mappingVersion) {
      releaseRun(run);
      run = await this.begin(writes);
    }
    if (!run.grown) return run;
    try {
      await definitions.adopt(loadFieldTable(run.grown));
      mappingGrown();
    } catch (error) {
      releaseRun(run);
      throw error;
    }
    return { ...run, mappingVersion: definitions.mappingVersion };
  }

  async #prepare(writes: readonly PlannedWrite[]): Promise<PreparedRun> {
    const { definitions, storage, prepare } = this.parts;
    const { mappingVersion, definition } = definitions;
    const documents = writes.map(({ operation }) => (operation.kind === "delete" ? undefined : operation.source));
    const sources = loadSources(storage.arena, documents);
    const limits = {
      ...DEFAULT_LIMITS,
      totalFields: definition.totalFieldsLimit,
      nestedObjects: definition.nestedObjectsLimit ?? DEFAULT_LIMITS.nestedObjects,
    };
    const { fields, analysis } = definitions.shared;
    const job = {
      fields: fields.key,
      analysis: analysis.key,
      limits,
      sources: { addresses: sources.addresses, lengths: sources.lengths },
      ids: writes.map(({ id }) => id),
    };
    try {
      const result = await prepare(job, sources.memory.bytes);
      return this.#runOf(result, sources, mappingVersion);
    } catch (error) {
      sources.memory.release();
      throw error;
    }
  }

  #runOf({ batch, errors, grown }: PrepareJobResult, sources: SourceRun, mappingVersion: number): PreparedRun {
    const records = new HeldMemory(this.parts.storage.arena, batch.address);
    return {
      batch,
      sources,
      errors: new Map(errors.map(([place, error]) => [place, errorFromData(error)])),
      mappingVersion,
      grown,
      memory: [records, sources.memory],
    };
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
