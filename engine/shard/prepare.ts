import type { AnalyzerRegistry } from "../analysis/index.js";
import { EngineError, InternalError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { type FieldTable, growFieldTable, withIgnoredField } from "../mapping/field-table.js";
import type { MappingLimits } from "../mapping/merge.js";
import type { PreparedBatch } from "../memtable/prepared.js";
import type { Arena } from "../store/arena.js";
import { createWalk, startWalk } from "./json-walk.js";
import { type DocumentState, walkDocument } from "./prepare-document.js";
import { createAdditions } from "./prepare-dynamic.js";
import { beginOutput, closeOutput, createOutput, handOver, type RecordOutput } from "./prepare-output.js";
import { compilePlan, type Plan } from "./prepare-plan.js";
import { checkSize } from "./prepare-room.js";
import { beginTexts, closeTextCollector, createTextCollector, type TextCollector, writeTexts } from "./prepare-text.js";
import type { SourcePlaces } from "./source-run.js";

/** What to prepare: the documents of one index, in order. */
export interface PrepareRequest {
  /** Fields known so far; grown by what the documents add. */
  table: FieldTable;
  analyzers: AnalyzerRegistry;
  limits: MappingLimits;
  /** Raw JSON objects in the arena (source-run.ts). */
  sources: SourcePlaces;
  /** Names of the documents, for what is said of their faults. */
  ids: readonly string[];
}

/** What became of the documents. */
export interface PrepareResult {
  batch: PreparedBatch;
  /** Why a document failed, by its place in the request. */
  errors: ReadonlyMap<number, EngineError>;
  /**
   * The table that the batch was prepared with. When it is not the request's, the documents need fields that it added:
   * its mapping must be durable before they are sequenced.
   */
  table: FieldTable;
}

/** More rounds than any document needs: one finds all new fields, one uses them, one more for vector dimensions. */
const MAX_ROUNDS = 8;
/** Scratch larger than this, or than a small part of the arena (every thread has its own), is given back after a batch. */
const KEPT_BYTES = 8 << 20;
/** Results up to this size are copied out of the region, which stays; larger ones are handed over where they lie. */
const COPIED_BYTES = 64 * 1024;
/** How much more room than the batch before took. */
const GROWTH_MARGIN = 1.25;
const SLACK = 64;

/**
 * Turns raw documents into records ready to publish: parses, maps, analyses. Holds scratch memory in the arena; one per
 * thread serves all indices. A document that cannot be mapped fails here, before it has a number.
 */
export class Preparer {
  readonly #arena: Arena;
  readonly #output: RecordOutput;
  readonly #texts: TextCollector;
  readonly #plans = new WeakMap<FieldTable, { plan: Plan; analyzers: AnalyzerRegistry }>();
  #spareBase = 0;
  #spareBytes = 0;
  /** Bytes of records per byte of source, of the batch before: what the next one probably takes. */
  #growth = 0;
  #state: DocumentState | undefined;

  constructor(arena: Arena, kernels: Kernels) {
    this.#arena = arena;
    this.#output = createOutput(arena);
    this.#texts = createTextCollector(arena, kernels, this.#output);
  }

  /** Prepares a batch. A document's fault is its own; throws only `overloaded` when the result finds no room. */
  prepare(request: PrepareRequest): PrepareResult {
    const { addresses, lengths } = request.sources;
    const starts = new Float64Array(lengths.length).fill(-1);
    const ends = new Float64Array(lengths.length).fill(-1);
    const errors = new Map<number, EngineError>();
    const output = this.#output;
    const sourceBytes = lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
    beginOutput(output, Math.min(this.#growth * sourceBytes, this.#arena.capacity / 32));
    const state = this.#begin(request);
    for (let i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0) continue;
      const start = output.at - output.base;
      const plan = state.plan;
      try {
        state.id = request.ids[i] ?? "";
        this.#prepareDocument(state, request, { address: addresses[i], length: lengths[i] });
        starts[i] = start;
        ends[i] = output.at - output.base;
      } catch (error) {
        if (!(error instanceof EngineError) || error.code === "internal") throw error;
        errors.set(i, error);
        output.at = output.base + start;
        state.plan = plan;
        state.additions = createAdditions(plan.table.mapping, request.limits);
      }
    }
    if (sourceBytes > 0) this.#growth = (GROWTH_MARGIN * (output.at - output.base)) / sourceBytes;
    return { batch: this.#cut(starts, ends), errors, table: state.plan.table };
  }

  /** Gives all scratch memory back; the preparer may be used again. */
  close(): void {
    closeOutput(this.#output);
    closeTextCollector(this.#texts);
    this.#freeSpare();
  }

  #begin(request: PrepareRequest): DocumentState {
    const plan = this.#plan(request.table, request.analyzers);
    this.#state ??= {
      walk: createWalk(this.#arena.u8, this.#texts.kernels),
      output: this.#output,
      texts: this.#texts,
      value: { kind: 0, start: 0, length: 0, ascii: true, exact: false, mantissa: 0, scale: 0 },
      vector: [],
      timestamps: 0,
      plan,
      additions: createAdditions(plan.table.mapping, request.limits),
      spare: 0,
      objects: 0,
      nested: 0,
      ignored: [],
      id: "",
    };
    this.#state.plan = plan;
    this.#state.additions = createAdditions(plan.table.mapping, request.limits);
    return this.#state;
  }

  #plan(table: FieldTable, analyzers: AnalyzerRegistry): Plan {
    const known = this.#plans.get(table);
    if (known !== undefined && known.analyzers === analyzers) return known.plan;
    const plan = compilePlan(table, analyzers);
    this.#plans.set(table, { plan, analyzers });
    return plan;
  }

  /** Walks the document; where it needs new fields, grows the table and walks it again. */
  #prepareDocument(
    state: DocumentState,
    request: PrepareRequest,
    source: { readonly address: number; readonly length: number },
  ): void {
    const output = this.#output;
    const start = output.at - output.base;
    output.document.start = start;
    output.document.source = source.length;
    checkSize(this.#arena, output.document, 0);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      beginTexts(this.#texts);
      this.#ensureSpare(source.length + state.plan.nullBytes + SLACK);
      startWalk(state.walk, source.address, source.address + source.length);
      state.spare = this.#spareBase;
      walkDocument(state);
      if (state.additions.count === 0) {
        writeTexts(this.#texts);
        checkSize(this.#arena, output.document, output.at - output.base - start);
        return;
      }
      const { properties, ignored } = state.additions;
      state.additions = createAdditions(state.plan.table.mapping, request.limits);
      const grown = growFieldTable(state.plan.table, { properties }, request.limits);
      const table = ignored ? withIgnoredField(grown) : grown;
      state.plan = this.#plan(table, request.analyzers);
      state.additions = createAdditions(table.mapping, request.limits);
      output.at = output.base + start;
    }
    throw new InternalError(`document [${state.id}] needs new fields after ${MAX_ROUNDS} rounds`);
  }

  /** Room for a document's strings without their escapes, and for null values. */
  #ensureSpare(bytes: number): void {
    if (bytes <= this.#spareBytes) return;
    this.#freeSpare();
    this.#spareBase = this.#arena.alloc(bytes);
    this.#spareBytes = this.#arena.sizeOf(this.#spareBase);
  }

  #freeSpare(): void {
    if (this.#spareBase !== 0) this.#arena.free(this.#spareBase);
    this.#spareBase = 0;
    this.#spareBytes = 0;
  }

  #kept(): number {
    return Math.min(KEPT_BYTES, this.#arena.capacity / 64);
  }

  #trim(): void {
    const kept = this.#kept();
    if (this.#output.limit - this.#output.base > kept) closeOutput(this.#output);
    if (this.#texts.textLimit - this.#texts.textBase > kept) closeTextCollector(this.#texts);
    if (this.#spareBytes > kept) this.#freeSpare();
  }

  /** What was written as an allocation of its own, cut to size: little of it is copied. */
  #cut(starts: Float64Array, ends: Float64Array): PreparedBatch {
    const output = this.#output;
    const bytes = output.at - output.base;
    const copies = bytes <= COPIED_BYTES;
    const address = copies ? this.#arena.alloc(bytes + 16) : handOver(output);
    if (copies) this.#arena.u8.copyWithin(address, output.base, output.at);
    for (let i = 0; i < starts.length; i++) {
      if (starts[i] < 0) continue;
      starts[i] += address;
      ends[i] += address;
    }
    this.#trim();
    return { address, starts, ends };
  }
}
