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
import { Intake } from "./intake.js";
import { DEFAULT_MERGE_POLICY, planExpungeDeletes, planForceMerge } from "./merge-policy.js";
import { Merger } from "./merger.js";
import type { Preparer } from "./prepare.js";
import { Replay } from "./replay.js";
import { SegmentFolder } from "./segment-folder.js";
import { type ReaderHandle, SegmentSet } from "./segment-set.js";
import { Sequencer } from "./sequencer.js";
import { indexStats } from "./statistics.js";
import { VersionMap } from "./version-map.js";
import { WriteBuffer } from "./write-buffer.js";
import { type NumberedWrite, Writer } from "./writer.js";

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

/** Largest log file, and the size of the whole log beyond which a flush prunes it. */
const LOG_FILE_BYTES = 32 << 20;
const FLUSH_LOG_BYTES = 96 << 20;
/** Elasticsearch's index.translog.sync_interval. */
const SYNC_INTERVAL_MS = 5000;

interface Waiter {
  resolve: () => void;
  reject: (error: unknown) => void;
}

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
  readonly #sequencer: Sequencer;
  readonly #intake: Intake;
  readonly #writer: Writer;
  readonly #merger: Merger;
  /** Every operation up to this number is in the write buffer or in segments. */
  #publishedSeqNo: number;
  /** Version of the mapping that the newest published operation was prepared with. */
  #publishedMapping = 0;
  #refreshTimer: NodeJS.Timeout | null = null;
  #refreshWaiters: Waiter[] = [];
  /** The commit that is under way, or was the last. */
  #flushing: Promise<void> = Promise.resolve();
  #flushScheduled = false;
  #state: "open" | "closed" = "open";

  /** Opens an index: its last commit, and what the log has beyond it. Throws CorruptionError. */
  constructor(environment: ShardEnvironment, definitions: DefinitionStore) {
    const { storage, preparer, memtableBytes } = environment;
    const { uuid, analysis, durability } = definitions.definition;
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
    this.#log = Log.open(
      {
        files: storage.files,
        folder: path.join(this.#folder.folder, "log"),
        durability,
        syncIntervalMs: SYNC_INTERVAL_MS,
        maxFileBytes: LOG_FILE_BYTES,
        warn: environment.warn,
      },
      (record) => replay.add(record),
    );
    replay.finish();
    this.#publishedSeqNo = replay.lastSeqNo;
    this.#sequencer = new Sequencer(this.#documents, this.#versions, replay.lastSeqNo + 1);
    this.#intake = new Intake({
      index: this.name,
      storage,
      preparer,
      analyzers: this.analyzers,
      definitions,
      buffer: this.#buffer,
      memtableBytes,
      mappingGrown: () => this.#segments.publishFields(definitions.table.fields),
    });
    this.#writer = this.#newWriter();
    this.#merger = this.#newMerger();
    if (replay.operations > 0) this.#refreshNow();
  }

  get name(): string {
    return this.#definitions.name;
  }

  get definition(): Readonly<IndexDefinition> {
    return this.#definitions.definition;
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
    const document = found && !found.state.deleted ? { id, ...found.state, ...this.#documents.source(found) } : undefined;
    this.counters.getTimeMs += performance.now() - began;
    if (!document) return undefined;
    const { seqNo, primaryTerm, version, routing, source } = document;
    return { id, seqNo, primaryTerm, version, routing, source };
  }

  async refresh(): Promise<void> {
    this.#checkOpen();
    this.#refreshNow();
  }

  nextRefresh(): Promise<void> {
    this.#checkOpen();
    if (!this.#hasUnseen()) return Promise.resolve();
    return new Promise((resolve, reject) => this.#refreshWaiters.push({ resolve, reject }));
  }

  async flush(): Promise<void> {
    this.#checkOpen();
    await this.#flushNow();
  }

  async forceMerge(options: { maxSegments: number; onlyDeletes: boolean }): Promise<void> {
    this.#checkOpen();
    this.#refreshNow();
    await this.#merger.force((segments) =>
      options.onlyDeletes ? planExpungeDeletes(segments) : planForceMerge(segments, options.maxSegments),
    );
    await this.#flushNow();
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
    this.#disarmRefresh();
    if (this.#hasUnseen()) this.#armRefresh();
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
    return this.analyzers.analyze(request, (path) => fieldAnalyzer(this, path));
  }

  fields(): ReadonlyMap<string, FieldMapping | ObjectMapping> {
    const { fields, objects } = this.#definitions.table;
    const all = new Map<string, FieldMapping | ObjectMapping>(objects);
    for (const [path, { mapping }] of fields) all.set(path, mapping);
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Makes everything durable in segments, and lets go of all files and memory. */
  async close(): Promise<void> {
    if (this.#state === "closed") return;
    await this.#quiesce();
    try {
      await this.#flushNow();
    } catch (error) {
      // The log has everything that was acknowledged.
      this.#environment.warn(`index [${this.name}] was closed without a flush: ${String(error)}`);
    }
    await this.#release();
  }

  /** Lets go of everything and removes the index's folder. Readers that are still held can be used until released. */
  async destroy(): Promise<void> {
    await this.#quiesce();
    await this.#flushing.catch(() => {});
    await this.#release();
    this.#environment.storage.files.removeTree(this.#folder.folder);
  }
}
