/**
 * One index: what it offers to whoever uses it, and the order in which its parts act for that: its write side
 * (writer.ts, publisher.ts, write-buffer.ts), its read side (refresher.ts, segment-set.ts), what makes it durable (the
 * log, flusher.ts) and what keeps it tidy (merger.ts). Opened and wired in shard-parts.ts.
 */
import { type AnalyzerRegistry, checkMappingAnalysis } from "../analysis/index.js";
import type { AnalyzedToken, AnalyzeRequest, Index, IndexDefinition, IndexStats } from "../engine-types.js";
import { EngineError } from "../errors.js";
import { mappedFields } from "../mapping/field-table.js";
import type { FieldMapping, Mapping, ObjectMapping } from "../mapping/mapping.js";
import type { StoredDocument, WriteOperation, WriteOutcome } from "../write.js";
import type { Counters } from "./counters.js";
import type { ChangeableSettings, DefinitionStore } from "./definition.js";
import { planExpungeDeletes, planForceMerge } from "./merge-policy.js";
import type { ReaderHandle } from "./segment-set.js";
import { type ShardEnvironment, ShardParts } from "./shard-parts.js";
import { indexStats } from "./statistics.js";

/** See Index in engine-types.ts. Holds files and memory until `close` or `destroy`. */
export class IndexShard implements Index {
  readonly #warn: (message: string) => void;
  readonly #removeTree: (folder: string) => void;
  readonly #definitions: DefinitionStore;
  readonly #parts: ShardParts;
  #closed = false;

  /** Opens an index. Throws CorruptionError. */
  constructor(environment: ShardEnvironment, definitions: DefinitionStore) {
    this.#warn = environment.warn;
    this.#removeTree = (folder) => environment.storage.files.removeTree(folder);
    this.#definitions = definitions;
    this.#parts = new ShardParts(environment, definitions);
  }

  get analyzers(): AnalyzerRegistry {
    return this.#parts.analyzers;
  }

  get counters(): Counters {
    return this.#parts.counters;
  }

  get name(): string {
    return this.#definitions.name;
  }

  get definition(): Readonly<IndexDefinition> {
    return this.#definitions.definition;
  }

  /** Bytes of the arena that the write buffer holds. */
  get memtableBytes(): number {
    return this.#parts.buffer.bytes;
  }

  /** The newest reader, held for the caller, who releases it. */
  acquireReader(): ReaderHandle {
    this.#checkOpen();
    return this.#parts.segments.current.acquire();
  }

  async write(operations: WriteOperation[]): Promise<WriteOutcome[]> {
    this.#checkOpen();
    const began = performance.now();
    const leave = this.#parts.intake.enter(operations);
    try {
      const outcomes = await this.#parts.writer.write(operations);
      this.#count(operations, outcomes);
      return outcomes;
    } finally {
      leave();
      this.counters.indexTimeMs += performance.now() - began;
    }
  }

  get(id: string, options: { realtime: boolean } = { realtime: true }): StoredDocument | undefined {
    this.#checkOpen();
    const began = performance.now();
    const found = options.realtime ? this.#parts.documents.durable(id) : this.#parts.documents.shown(id);
    this.counters.gets++;
    const content = found && !found.state.deleted ? this.#parts.documents.source(found) : undefined;
    this.counters.getTimeMs += performance.now() - began;
    if (!found || !content) return undefined;
    const { seqNo, primaryTerm, version } = found.state;
    return { id, seqNo, primaryTerm, version, ...content };
  }

  async refresh(): Promise<void> {
    this.#checkOpen();
    await this.#refreshBetween();
  }

  nextRefresh(): Promise<void> {
    this.#checkOpen();
    return this.#parts.refresher.next();
  }

  async flush(): Promise<void> {
    this.#checkOpen();
    await this.#parts.flusher.flush();
  }

  async forceMerge(options: { maxSegments: number; onlyDeletes: boolean }): Promise<void> {
    this.#checkOpen();
    await this.#refreshBetween();
    await this.#parts.merger.force((segments) =>
      options.onlyDeletes ? planExpungeDeletes(segments) : planForceMerge(segments, options.maxSegments),
    );
    await this.#parts.flusher.flush();
  }

  async updateMapping(change: Partial<Mapping>): Promise<void> {
    this.#checkOpen();
    // A document would find out too late.
    checkMappingAnalysis(change.properties ?? {}, this.analyzers);
    // Between two batches: a batch that grows the mapping must not grow an older one.
    await this.#parts.writer.inTurn(() => this.#definitions.grow(change));
    this.#parts.segments.publishFields(this.#definitions.table.fields);
  }

  async updateSettings(change: ChangeableSettings): Promise<void> {
    this.#checkOpen();
    await this.#parts.writer.inTurn(() => this.#definitions.updateSettings(change));
    this.#parts.log.setDurability(this.definition.durability);
    this.#parts.refresher.rearm();
  }

  stats(): IndexStats {
    return indexStats({
      segments: this.#parts.segments,
      folder: this.#parts.folder,
      log: this.#parts.log,
      memtableBytes: this.#parts.buffer.bytes,
      maxSeqNo: this.#parts.publisher.marks.maxSeqNo,
      counters: this.counters,
    });
  }

  analyze(request: AnalyzeRequest): AnalyzedToken[] {
    return this.analyzers.analyze(request, (path) => this.#definitions.table.fields.get(path)?.mapping);
  }

  fields(): ReadonlyMap<string, FieldMapping | ObjectMapping> {
    const { fields, objects } = this.#definitions.table;
    const all = new Map<string, FieldMapping | ObjectMapping>(objects);
    for (const { path, mapping } of mappedFields(fields)) all.set(path, mapping);
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Makes everything durable in segments, and lets go of all files and memory. */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#quiesce();
    try {
      await this.#parts.flusher.flush();
    } catch (error) {
      // The log has everything that was acknowledged.
      this.#warn(`index [${this.name}] was closed without a flush: ${String(error)}`);
    }
    await this.#release();
  }

  /** Lets go of everything and removes the index's folder. Readers that are still held can be used until released. */
  async destroy(): Promise<void> {
    await this.#quiesce();
    await this.#parts.flusher.settled();
    await this.#release();
    this.#removeTree(this.#parts.folder.folder);
  }

  #count(operations: readonly WriteOperation[], outcomes: readonly WriteOutcome[]): void {
    outcomes.forEach((outcome, i) => {
      if (!outcome.ok) this.counters.indexFailed++;
      else if (operations[i].kind === "delete") this.counters.deleted++;
      else if (outcome.result !== "noop") this.counters.indexed++;
    });
  }

  #checkOpen(): void {
    if (this.#closed) throw new EngineError("closed", `index [${this.name}] is closed`, { index: this.name });
  }

  /** Nothing begins any more; resolves when what had begun is done. */
  async #quiesce(): Promise<void> {
    this.#closed = true;
    this.#parts.refresher.stop(new EngineError("closed", `index [${this.name}] is closed`, { index: this.name }));
    await this.#parts.merger.stop();
    await this.#parts.writer.inTurn(async () => {});
    await this.#parts.log.settled();
    await this.#parts.publisher.between(() => {});
  }

  async #release(): Promise<void> {
    this.#parts.buffer.close();
    this.#parts.segments.close();
    await this.#parts.log.close();
  }

  /** No reader shows half a batch. */
  #refreshBetween(): Promise<void> {
    return this.#parts.publisher.between(() => this.#parts.refresher.refresh());
  }
}
