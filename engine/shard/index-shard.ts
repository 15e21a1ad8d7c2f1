/**
 * One index: its write side (writer.ts, write-buffer.ts), its read side (segment-set.ts), what makes it durable (the
 * log, segment-folder.ts) and what keeps it tidy (merger.ts). This file wires them and says when each acts.
 *
 * A folder `<uuid>/` holds the segments, live docs and the commit; `<uuid>/log/` the log.
 */
import path from "node:path";
import { type AnalyzerRegistry, createAnalyzerRegistry } from "../analysis/index.js";
import type { Clock } from "../clock.js";
import type { AnalyzedToken, AnalyzeRequest, Index, IndexDefinition, IndexStats } from "../engine-types.js";
import { EngineError } from "../errors.js";
import type { FieldMapping, Mapping, ObjectMapping } from "../mapping/mapping.js";
import type { Storage } from "../store/storage.js";
import { Log } from "../wal/index.js";
import type { StoredDocument, WriteOperation, WriteOutcome } from "../write.js";
import { type Counters, newCounters } from "./counters.js";
import { CurrentDocuments } from "./current-documents.js";
import type { ChangeableSettings, DefinitionStore } from "./definition.js";
import { Flusher } from "./flusher.js";
import { Intake } from "./intake.js";
import { DEFAULT_MERGE_POLICY, planExpungeDeletes, planForceMerge } from "./merge-policy.js";
import { Merger } from "./merger.js";
import type { Preparer } from "./prepare.js";
import { Refresher } from "./refresher.js";
import { Replay } from "./replay.js";
import { SegmentFolder } from "./segment-folder.js";
import { type ReaderHandle, SegmentSet } from "./segment-set.js";
import { type SequencedWrite, Sequencer } from "./sequencer.js";
import { indexStats } from "./statistics.js";
import { VersionMap } from "./version-map.js";
import { WriteBuffer } from "./write-buffer.js";
import { Writer } from "./writer.js";

/** What all indices of a node share. */
export interface ShardEnvironment {
  readonly storage: Storage;
  readonly preparer: Preparer;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly makeId: () => string;
  /** A write buffer of this size becomes a segment. */
  readonly memtableBytes: number;
  /** Folder of all indices. */
  readonly folder: string;
}

/** A log file that has grown past this is followed by a new one. */
const LOG_FILE_BYTES = 32 << 20;
/** Elasticsearch's index.translog.sync_interval. */
const SYNC_INTERVAL_MS = 5000;

export class IndexShard implements Index {
  readonly analyzers: AnalyzerRegistry;
  readonly counters: Counters = newCounters();
  readonly #environment: ShardEnvironment;
  readonly #definitions: DefinitionStore;
  readonly #folder: SegmentFolder;
  readonly #segments: SegmentSet;
  readonly #versions = new VersionMap();
  readonly #buffer: WriteBuffer;
  readonly #documents: CurrentDocuments;
  readonly #log: Log;
  readonly #intake: Intake;
  readonly #writer: Writer;
  readonly #refresher: Refresher;
  readonly #flusher: Flusher;
  readonly #merger: Merger;
  /** Every operation up to this number is in the write buffer or in segments. */
  #publishedSeqNo: number;
  /** Version of the mapping that the newest published operation was prepared with. */
  #publishedMapping = 0;
  /** Why nothing more is written: what is durable in the log could not be brought into the write buffer. */
  #failure: EngineError | null = null;
  #closed = false;

  /** Opens an index: its last commit, and what the log has beyond it. Throws CorruptionError. */
  constructor(environment: ShardEnvironment, definitions: DefinitionStore) {
    const { storage } = environment;
    const { uuid, analysis } = definitions.definition;
    this.#environment = environment;
    this.#definitions = definitions;
    this.analyzers = createAnalyzerRegistry(analysis);
    const opened = SegmentFolder.open(storage, path.join(environment.folder, uuid));
    this.#folder = opened.folder;
    const onClosed = (name: string) => this.#folder.closed(name);
    this.#segments = new SegmentSet(this.name, opened.holders, definitions.table.fields, onClosed);
    this.#buffer = new WriteBuffer(storage, this.#folder, this.#segments);
    this.#documents = new CurrentDocuments(this.#versions, this.#segments, () => this.#buffer.memtable);
    const replay = this.#newReplay(opened.marks.maxSeqNo);
    this.#log = this.#openLog(replay);
    this.#publishedSeqNo = replay.lastSeqNo;
    this.#flusher = this.#newFlusher();
    this.#merger = this.#newMerger();
    this.#refresher = this.#newRefresher();
    this.#intake = this.#newIntake();
    this.#writer = this.#newWriter(replay.lastSeqNo + 1);
    this.#refresher.tryRefresh();
  }

  get name(): string {
    return this.#definitions.name;
  }

  get definition(): Readonly<IndexDefinition> {
    return this.#definitions.definition;
  }

  /** Bytes of the arena that the write buffer holds. */
  get memtableBytes(): number {
    return this.#buffer.bytes;
  }

  /** The newest reader, held for the caller, who releases it. */
  acquireReader(): ReaderHandle {
    this.#checkOpen();
    return this.#segments.current.acquire();
  }

  async write(operations: WriteOperation[]): Promise<WriteOutcome[]> {
    this.#checkOpen();
    const began = performance.now();
    const leave = this.#intake.enter(operations);
    try {
      const outcomes = await this.#writer.write(operations);
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
    const found = options.realtime ? this.#documents.durable(id) : this.#documents.shown(id);
    this.counters.gets++;
    const content = found && !found.state.deleted ? this.#documents.source(found) : undefined;
    this.counters.getTimeMs += performance.now() - began;
    if (!found || !content) return undefined;
    const { seqNo, primaryTerm, version } = found.state;
    return { id, seqNo, primaryTerm, version, ...content };
  }

  async refresh(): Promise<void> {
    this.#checkOpen();
    this.#refresher.refresh();
  }

  nextRefresh(): Promise<void> {
    this.#checkOpen();
    return this.#refresher.next();
  }

  async flush(): Promise<void> {
    this.#checkOpen();
    await this.#flusher.flush();
  }

  async forceMerge(options: { maxSegments: number; onlyDeletes: boolean }): Promise<void> {
    this.#checkOpen();
    this.#refresher.refresh();
    await this.#merger.force((segments) =>
      options.onlyDeletes ? planExpungeDeletes(segments) : planForceMerge(segments, options.maxSegments),
    );
    await this.#flusher.flush();
  }

  async updateMapping(change: Partial<Mapping>): Promise<void> {
    this.#checkOpen();
    // Between two batches: a batch that grows the mapping must not grow an older one.
    await this.#writer.inTurn(() => this.#definitions.grow(change));
    this.#segments.publishFields(this.#definitions.table.fields);
  }

  async updateSettings(change: ChangeableSettings): Promise<void> {
    this.#checkOpen();
    await this.#writer.inTurn(() => this.#definitions.updateSettings(change));
    this.#log.setDurability(this.definition.durability);
    this.#refresher.rearm();
  }

  stats(): IndexStats {
    return indexStats({
      segments: this.#segments,
      folder: this.#folder,
      log: this.#log,
      memtableBytes: this.#buffer.bytes,
      maxSeqNo: this.#publishedSeqNo,
      counters: this.counters,
    });
  }

  analyze(request: AnalyzeRequest): AnalyzedToken[] {
    return this.analyzers.analyze(request, (field) => this.#analyzerOf(field));
  }

  fields(): ReadonlyMap<string, FieldMapping | ObjectMapping> {
    const { fields, objects } = this.#definitions.table;
    const all = new Map<string, FieldMapping | ObjectMapping>(objects);
    for (const [path, { mapping }] of fields) all.set(path, mapping);
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Makes everything durable in segments, and lets go of all files and memory. */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#quiesce();
    try {
      await this.#flusher.flush();
    } catch (error) {
      // The log has everything that was acknowledged.
      this.#environment.warn(`index [${this.name}] was closed without a flush: ${String(error)}`);
    }
    await this.#release();
  }

  /** Lets go of everything and removes the index's folder. Readers that are still held can be used until released. */
  async destroy(): Promise<void> {
    await this.#quiesce();
    await this.#flusher.settled();
    await this.#release();
    this.#environment.storage.files.removeTree(this.#folder.folder);
  }

  /** Puts durable operations into the write buffer, all of them at once. */
  #publish(writes: readonly SequencedWrite[]): void {
    const now = this.#environment.clock.now();
    try {
      for (const write of writes) {
        this.#buffer.apply(write, write.fields);
        this.#versions.publish(write.id, write, now);
        this.#publishedSeqNo = write.seqNo;
        this.#publishedMapping = write.mappingVersion;
      }
    } catch (error) {
      throw this.#fail(error);
    }
    this.#refresher.changed();
    this.#flusher.scheduleIfLarge();
  }

  /** What the log has and memory can't take is there again after a restart; until then nothing may be built upon it. */
  #fail(cause: unknown): EngineError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `index [${this.name}] takes no writes until it is opened again: ${reason}`;
    this.#failure ??= new EngineError("io", message, { index: this.name }, { cause });
    return this.#failure;
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
    this.#refresher.stop(new EngineError("closed", `index [${this.name}] is closed`, { index: this.name }));
    await this.#merger.stop();
    await this.#writer.inTurn(async () => {});
    await this.#log.settled();
  }

  async #release(): Promise<void> {
    this.#buffer.close();
    this.#segments.close();
    await this.#log.close();
  }

  #analyzerOf(path: string) {
    const field = this.#definitions.table.fields.get(path);
    // Elasticsearch shows what is not text as one token.
    return field?.type === "text" ? this.analyzers.indexAnalyzer(field.mapping) : this.analyzers.analyzer("keyword");
  }

  #newReplay(committed: number): Replay {
    const { preparer, memtableBytes, clock } = this.#environment;
    return new Replay(
      {
        index: this.name,
        definitions: this.#definitions,
        analyzers: this.analyzers,
        preparer,
        documents: this.#documents,
        versions: this.#versions,
        buffer: this.#buffer,
        memtableBytes,
        now: clock.now(),
      },
      committed,
    );
  }

  #openLog(replay: Replay): Log {
    const { storage, warn } = this.#environment;
    const log = Log.open(
      {
        files: storage.files,
        folder: path.join(this.#folder.folder, "log"),
        durability: this.definition.durability,
        syncIntervalMs: SYNC_INTERVAL_MS,
        maxFileBytes: LOG_FILE_BYTES,
        warn,
      },
      (record) => replay.add(record),
    );
    replay.finish();
    return log;
  }

  #newFlusher(): Flusher {
    return new Flusher({
      buffer: this.#buffer,
      segments: this.#segments,
      folder: this.#folder,
      log: this.#log,
      definitions: this.#definitions,
      counters: this.counters,
      marks: () => ({ maxSeqNo: this.#publishedSeqNo, mappingVersion: this.#publishedMapping }),
      warn: this.#environment.warn,
    });
  }

  #newMerger(): Merger {
    return new Merger({
      storage: this.#environment.storage,
      folder: this.#folder,
      segments: this.#segments,
      policy: DEFAULT_MERGE_POLICY,
      fields: () => this.#definitions.table.byOrdinal,
      merged: ({ milliseconds, committed }) => {
        this.counters.merges++;
        this.counters.mergeTimeMs += milliseconds;
        // Until then what was merged takes its room on the disk twice.
        if (committed) this.#flusher.schedule();
      },
      warn: this.#environment.warn,
    });
  }

  #newRefresher(): Refresher {
    return new Refresher({
      buffer: this.#buffer,
      segments: this.#segments,
      versions: this.#versions,
      clock: this.#environment.clock,
      counters: this.counters,
      fields: () => this.#definitions.table.fields,
      intervalMs: () => this.definition.refreshIntervalMs,
      warn: (message) => this.#environment.warn(`index [${this.name}]: ${message}`),
      refreshed: () => this.#merger.schedule(),
    });
  }

  #newIntake(): Intake {
    const { storage, preparer, memtableBytes } = this.#environment;
    return new Intake({
      index: this.name,
      storage,
      preparer,
      analyzers: this.analyzers,
      definitions: this.#definitions,
      buffer: this.#buffer,
      memtableBytes,
      mappingGrown: () => this.#segments.publishFields(this.#definitions.table.fields),
    });
  }

  #newWriter(firstSeqNo: number): Writer {
    return new Writer({
      log: this.#log,
      sequencer: new Sequencer(this.#documents, this.#versions, firstSeqNo),
      planContext: () => ({
        index: this.name,
        documents: this.#documents,
        makeId: this.#environment.makeId,
        routingRequired: this.definition.mapping.routingRequired === true,
      }),
      admit: () => {
        if (this.#failure) throw this.#failure;
        this.#intake.makeRoom();
      },
      prepare: (writes) => this.#intake.prepare(writes),
      publish: (writes) => this.#publish(writes),
      // What was acknowledged without a sync may be lost from the log: segments keep it.
      afterLogReopened: () => this.#flusher.flush(),
    });
  }
}
