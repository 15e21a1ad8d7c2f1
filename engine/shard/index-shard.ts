/**
 * One index: what it offers to whoever uses it, and the order in which its parts act for that: its write side
 * (writer.ts, publisher.ts, write-buffer.ts), its read side (refresher.ts, segment-set.ts), what makes it durable (the
 * log, flusher.ts) and what keeps it tidy (merger.ts). Opened and wired in shard-parts.ts.
 */
import { type AnalyzerRegistry, checkMappingAnalysis } from "../analysis/index.js";
import type {
  AnalysisExplanation,
  AnalyzedToken,
  AnalyzeRequest,
  Index,
  IndexDefinition,
  IndexOrigin,
  IndexStats,
  Opening,
} from "../engine-types.js";
import { EngineError, InternalError } from "../errors.js";
import { IGNORED_FIELD } from "../mapping/field-table.js";
import type { FieldMapping, Mapping, ObjectMapping } from "../mapping/mapping.js";
import type { StoredDocument, WriteOperation, WriteOutcome } from "../write.js";
import type { Counters } from "./counters.js";
import type { ChangeableSettings, DefinitionStore, StoredDefinition } from "./definition.js";
import { logSettings } from "./log-settings.js";
import { planExpungeDeletes, planForceMerge } from "./merge-policy.js";
import type { SearchCounts } from "./search-counts.js";
import type { HeldCommit } from "./segment-folder.js";
import type { ReaderHandle } from "./segment-set.js";
import { type ShardEnvironment, ShardParts } from "./shard-parts.js";
import { indexStats } from "./statistics.js";
import { countBatch } from "./write-counts.js";

/** See Index in engine-types.ts. Holds files and memory until `close` or `abandon`. */
export class IndexShard implements Index {
  readonly #warn: (message: string) => void;
  readonly #noticed: (error: unknown) => void;
  readonly #definitions: DefinitionStore;
  readonly #parts: ShardParts;
  readonly #now: () => number;
  readonly #opening: Opening;
  #lastWriteAt = 0;
  /** What uses are refused with once it is closed. */
  #closed: EngineError | undefined;

  /** Opens an index. Throws CorruptionError. */
  constructor(environment: ShardEnvironment, definitions: DefinitionStore, source: IndexOrigin = "existing") {
    const began = performance.now();
    const startedAt = environment.clock.now();
    this.#warn = environment.warn;
    this.#noticed = environment.noticed;
    this.#definitions = definitions;
    this.#now = () => environment.clock.now();
    this.#parts = new ShardParts(environment, definitions);
    const { segments, replayed } = this.#parts;
    this.#opening = {
      source,
      startedAt,
      milliseconds: performance.now() - began,
      files: segments.all.length,
      bytes: segments.all.reduce((sum, { segment }) => sum + segment.sizeBytes, 0),
      replayed,
    };
  }

  get analyzers(): AnalyzerRegistry {
    return this.#parts.analyzers;
  }

  get counters(): Counters {
    return this.#parts.counters;
  }

  get searchCounts(): SearchCounts {
    return this.#parts.searchCounts;
  }

  get name(): string {
    return this.#definitions.name;
  }

  get definition(): Readonly<IndexDefinition> {
    return this.#definitions.definition;
  }

  /** Bytes of the arena that the write buffer holds. */
  get bytes(): number {
    return this.#parts.buffer.bytes;
  }

  /** Bytes of the arena that the segments hold. */
  get segmentBytes(): number {
    return this.#parts.segments.all.reduce((sum, { segment }) => sum + segment.memoryBytes, 0);
  }

  /** The newest reader, held for the caller, who releases it. */
  acquireReader(): ReaderHandle {
    this.#checkOpen();
    return this.#parts.segments.current.acquire();
  }

  async write(operations: WriteOperation[]): Promise<WriteOutcome[]> {
    this.#checkOpen();
    const leave = this.#parts.intake.enter(operations);
    const ended = countBatch(this.counters, operations);
    let outcomes: WriteOutcome[] | undefined;
    try {
      outcomes = await this.#parts.writer.write(operations);
      this.#lastWriteAt = this.#now();
      return outcomes;
    } catch (error) {
      this.#noticed(error);
      throw error;
    } finally {
      leave();
      ended(outcomes);
    }
  }

  get(id: string, options: { realtime: boolean } = { realtime: true }): StoredDocument | undefined {
    this.#checkOpen();
    try {
      return this.#get(id, options);
    } catch (error) {
      this.#noticed(error);
      throw error;
    }
  }

  #get(id: string, options: { realtime: boolean }): StoredDocument | undefined {
    const began = performance.now();
    const found = options.realtime ? this.#parts.documents.durable(id) : this.#parts.documents.shown(id);
    const content = found && !found.state.deleted ? this.#parts.documents.source(found) : undefined;
    this.#countGet(performance.now() - began, content !== undefined);
    if (!found || !content) return undefined;
    const { seqNo, primaryTerm, version } = found.state;
    return { id, seqNo, primaryTerm, version, ...content };
  }

  async refresh(): Promise<void> {
    this.#checkOpen();
    await this.#parts.refresher.refresh();
  }

  nextRefresh(): Promise<void> {
    this.#checkOpen();
    return this.#parts.refresher.next();
  }

  async flush(): Promise<void> {
    this.#checkOpen();
    await this.#parts.flusher.flush();
  }

  /** Makes a commit of everything written so far, no batch in halves, and holds its files for the caller. */
  async holdCommit(): Promise<HeldCommit & StoredDefinition> {
    await this.flush();
    this.#checkOpen();
    return { ...this.#parts.folder.hold(), ...this.#definitions.stored };
  }

  async forceMerge(options: { maxSegments: number; onlyDeletes: boolean }): Promise<void> {
    this.#checkOpen();
    await this.#parts.refresher.refresh();
    try {
      await this.#parts.merger.force((segments) =>
        options.onlyDeletes ? planExpungeDeletes(segments) : planForceMerge(segments, options.maxSegments),
      );
    } catch (error) {
      this.#noticed(error);
      throw error;
    }
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
    if (change.analysis !== undefined) throw new InternalError(`analysis of open index ${this.name} can't change`);
    await this.#parts.writer.inTurn(() => this.#definitions.updateSettings(change));
    this.#parts.log.configure(logSettings(this.definition));
    this.#parts.refresher.rearm();
  }

  /** Turns the write buffer into a segment, which no reader shows before the next refresh. */
  async seal(): Promise<void> {
    if (this.#closed) return;
    // Others wait for this: a disk that takes no segments is tried now and then, and not for each of them.
    this.#parts.refusal.check();
    await this.#parts.buffer.built(this.#parts.buffer.seal());
  }

  stats(): IndexStats {
    return indexStats({
      index: this.name,
      segments: this.#parts.segments,
      folder: this.#parts.folder,
      log: this.#parts.log,
      lastWriteAt: this.#lastWriteAt,
      memtableBytes: this.#parts.buffer.bytes,
      maxSeqNo: this.#parts.publisher.marks.maxSeqNo,
      refreshListeners: this.#parts.refresher.waiting,
      caches: this.#parts.caches,
      counters: this.counters,
      searchGroups: this.searchCounts.groups(),
      opening: this.#opening,
    });
  }

  analyze(request: AnalyzeRequest): AnalyzedToken[] {
    return this.analyzers.analyze(request, (path) => this.#definitions.table.fields.get(path)?.mapping);
  }

  explainAnalysis(request: AnalyzeRequest): AnalysisExplanation {
    return this.analyzers.explain(request, (path) => this.#definitions.table.fields.get(path)?.mapping);
  }

  fields(): ReadonlyMap<string, FieldMapping | ObjectMapping> {
    const { fields, objects } = this.#definitions.table;
    const all = new Map<string, FieldMapping | ObjectMapping>(objects);
    for (const [path, { mapping }] of fields) if (path !== IGNORED_FIELD) all.set(path, mapping);
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Makes everything durable in segments, and lets go of all files and memory; `refusal` is for who comes later. */
  async close(refusal?: EngineError): Promise<void> {
    if (this.#closed) return;
    await this.#quiesce(refusal);
    try {
      await this.#parts.flusher.flush();
    } catch (error) {
      // The log has everything that was acknowledged.
      this.#warn(`index [${this.name}] was closed without a flush: ${String(error)}`);
    }
    await this.#parts.close();
  }

  /**
   * Lets go of all files and memory and writes nothing more into segments: of what is damaged no new commit is made, of what
   * is deleted none is wanted. Readers that are still held can be used until released.
   */
  async abandon(): Promise<void> {
    if (this.#closed) return;
    await this.#quiesce();
    await this.#parts.close();
  }

  #countGet(milliseconds: number, found: boolean): void {
    this.counters.gets++;
    this.counters.getTimeMs += milliseconds;
    if (found) return;
    this.counters.getsMissing++;
    this.counters.getMissingTimeMs += milliseconds;
  }

  #checkOpen(): void {
    if (this.#closed) throw this.#closed;
  }

  /** Nothing begins any more; resolves when what had begun is done. */
  async #quiesce(refusal?: EngineError): Promise<void> {
    this.#closed = refusal ?? new EngineError("closed", `index [${this.name}] is closed`, { index: this.name });
    this.#parts.refresher.stop(this.#closed);
    await this.#parts.merger.stop();
    await this.#parts.writer.inTurn(async () => {});
    await this.#parts.log.settled();
    await this.#parts.publisher.between(() => {});
    await this.#parts.flusher.stop();
  }
}
