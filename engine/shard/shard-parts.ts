/**
 * The parts of an index, opened and wired to one another: which part tells which what. What they do together for whoever
 * uses the index is in index-shard.ts.
 *
 * A folder `<uuid>/` holds the segments, live docs and the commit; `<uuid>/log/` the log.
 */
import path from "node:path";
import type { ActivityBoard } from "../activity/index.js";
import { type AnalyzerRegistry, createAnalyzerRegistry } from "../analysis/index.js";
import type { Clock } from "../clock.js";
import type { Executor } from "../jobs.js";
import type { IndexingPressure, WriteBuffers } from "../memory/index.js";
import { type BuildJobResult, type BuildTarget, buildSegments } from "../memtable/build-job.js";
import type { BuildRows } from "../memtable/build-rows.js";
import { runAtOnce } from "../query/exec/pace.js";
import type { OpenSegment } from "../segment/reader.js";
import type { Storage } from "../store/storage.js";
import type { GraphHost } from "../vectors/graph-host.js";
import { Log } from "../wal/index.js";
import { type Counters, newCounters } from "./counters.js";
import { CurrentDocuments } from "./current-documents.js";
import type { DefinitionStore } from "./definition.js";
import { DiskRefusal } from "./disk-refusal.js";
import { Flusher } from "./flusher.js";
import { GraphKeeper } from "./graph-keeper.js";
import { Intake } from "./intake.js";
import { logSettings } from "./log-settings.js";
import { DEFAULT_MERGE_POLICY } from "./merge-policy.js";
import { Merger } from "./merger.js";
import type { Preparer } from "./prepare.js";
import { prepareWith } from "./prepare-here.js";
import type { PrepareJob, PrepareJobResult } from "./prepare-job.js";
import { Publisher } from "./publisher.js";
import { Refresher } from "./refresher.js";
import { Replay } from "./replay.js";
import { running, runningMerge } from "./running.js";
import { SearchCounts } from "./search-counts.js";
import { SegmentFolder } from "./segment-folder.js";
import { type SegmentHolder, SegmentSet } from "./segment-set.js";
import { Sequencer } from "./sequencer.js";
import type { IndexCaches } from "./statistics.js";
import { DEFAULT_GC_DELETES_MS, VersionMap } from "./version-map.js";
import { WriteBuffer } from "./write-buffer.js";
import { Writer } from "./writer.js";

/** What all indices of a node share. */
export interface ShardEnvironment {
  readonly storage: Storage;
  /** Prepares on this thread, where a job would cost more than it saves. */
  readonly preparer: Preparer;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Told of errors that an index met in its files: one that is damaged should not be used any more. */
  readonly noticed: (error: unknown) => void;
  /** Builds and asks vector graphs. */
  readonly graphs: GraphHost;
  /** Runs what takes long. */
  readonly executor: Executor;
  readonly makeId: () => string;
  /** Writes in flight over all indices. */
  readonly pressure: IndexingPressure;
  /** Write buffers of all indices. */
  readonly writeBuffers: WriteBuffers;
  readonly activities: ActivityBoard;
  readonly caches: IndexCaches & { filters: { segmentClosed(segment: OpenSegment): void } };
  /** A write buffer that holds so many bytes becomes a segment. */
  readonly memtableBytes: number;
  /** Folder of all indices. */
  readonly folder: string;
}

/** Recent deletes that a commit keeps at most: half a megabyte of them. */
const KEPT_TOMBSTONES = 10_000;
/** Documents of fewer bytes are prepared where they arrive: handing them over would take longer. */
const HERE_BYTES = 16 * 1024;
/** The same for making a segment of so few documents. */
const HERE_DOCS = 64;

/** Made by opening an index: its last commit, and what the log has beyond it. Throws CorruptionError. */
export class ShardParts {
  readonly counters: Counters = newCounters();
  readonly searchCounts = new SearchCounts(this.counters);
  readonly analyzers: AnalyzerRegistry;
  readonly caches: IndexCaches;
  readonly folder: SegmentFolder;
  readonly segments: SegmentSet;
  readonly buffer: WriteBuffer;
  readonly refusal: DiskRefusal;
  readonly documents: CurrentDocuments;
  readonly log: Log;
  readonly publisher: Publisher;
  readonly flusher: Flusher;
  readonly merger: Merger;
  readonly refresher: Refresher;
  readonly intake: Intake;
  readonly writer: Writer;
  /** Operations that only the log had. */
  readonly replayed: number;
  readonly #environment: ShardEnvironment;
  readonly #definitions: DefinitionStore;
  readonly #versions: VersionMap;
  readonly #graphs: GraphKeeper;

  constructor(environment: ShardEnvironment, definitions: DefinitionStore) {
    const { storage } = environment;
    const { uuid, analysis } = definitions.definition;
    this.#environment = environment;
    this.#definitions = definitions;
    this.analyzers = createAnalyzerRegistry(analysis);
    this.caches = environment.caches;
    this.#versions = this.#newVersionMap();
    const opened = SegmentFolder.open(storage, path.join(environment.folder, uuid), environment.warn);
    this.folder = opened.folder;
    this.#versions.restoreTombstones(opened.marks.tombstones);
    this.#graphs = this.#newGraphKeeper();
    const onClosed = (segment: OpenSegment) => this.#segmentClosed(segment);
    this.segments = new SegmentSet(
      definitions.name,
      opened.holders,
      definitions.table.fields,
      onClosed,
      environment.caches.readers,
    );
    this.buffer = this.#newWriteBuffer();
    this.refusal = this.#newDiskRefusal();
    this.documents = new CurrentDocuments(this.#versions, this.segments, this.buffer);
    const replay = this.#newReplay(opened.marks.maxSeqNo);
    try {
      this.log = this.#openLog(replay, opened.marks.maxSeqNo);
      // Everything is in segments already, or in a list: the first reader shows all of it.
      this.buffer.sealNow((rows, target) => this.#buildNow(rows, target));
      this.segments.publish(this.segments.moment(Number.POSITIVE_INFINITY, new Map()), definitions.table.fields);
    } catch (error) {
      this.#letGo();
      throw error;
    }
    this.replayed = replay.operations;
    this.publisher = this.#newPublisher(replay.lastSeqNo);
    this.flusher = this.#newFlusher();
    this.merger = this.#newMerger();
    this.refresher = this.#newRefresher();
    this.intake = this.#newIntake();
    this.writer = this.#newWriter(replay.lastSeqNo + 1);
    this.#graphs.shown(this.segments.shown);
    // Merges that were due when the node was stopped, and an end of the replay: the next start has none.
    this.merger.schedule();
    if (replay.operations > 0) this.flusher.schedule();
  }

  /** Lets go of all files and memory; nothing is under way any more. */
  async close(): Promise<void> {
    await this.buffer.close();
    this.segments.close();
    await this.log.close();
  }

  /** What could not be opened holds no memory; a log that was not written to holds nothing. */
  #letGo(): void {
    this.buffer.close().catch(() => {});
    this.segments.close();
  }

  #segmentClosed(segment: OpenSegment): void {
    this.folder.closed(segment.name);
    this.#environment.executor.forgetSegment(this.folder.folder, segment.name);
    this.#environment.caches.filters.segmentClosed(segment);
    this.#graphs.closed(segment);
  }

  #releaseSegment = (holder: SegmentHolder): void => {
    if (holder.release()) this.#segmentClosed(holder.segment);
  };

  #newVersionMap(): VersionMap {
    const { clock } = this.#environment;
    const keepMs = () => this.#definitions.definition.gcDeletesMs ?? DEFAULT_GC_DELETES_MS;
    return new VersionMap({ now: () => clock.now(), keepMs });
  }

  #newGraphKeeper(): GraphKeeper {
    return new GraphKeeper({
      host: this.#environment.graphs,
      folder: this.folder.folder,
      fields: () => this.#definitions.table.byOrdinal,
      release: this.#releaseSegment,
      warn: (message) => this.#environment.warn(`index [${this.#definitions.name}]: ${message}`),
    });
  }

  #newWriteBuffer(): WriteBuffer {
    const { storage, executor, memtableBytes } = this.#environment;
    return new WriteBuffer({
      storage,
      folder: this.folder,
      segments: this.segments,
      sealBytes: memtableBytes,
      build: async (rows, target) => {
        if (rows.count <= HERE_DOCS) return this.#buildNow(rows, target);
        const { fields } = this.#definitions.shared;
        const description = `${this.#definitions.name}: ${rows.count} documents`;
        return executor.run("build", { ...target, rows, fields: fields.key }, { shared: [fields], description });
      },
    });
  }

  #newDiskRefusal(): DiskRefusal {
    const { writeBuffers } = this.#environment;
    return new DiskRefusal({
      index: this.#definitions.name,
      buffer: this.buffer,
      overLimit: () => writeBuffers.isOverLimit,
      now: () => performance.now(),
    });
  }

  #buildNow(rows: BuildRows, target: BuildTarget): BuildJobResult {
    const { byOrdinal } = this.#definitions.table;
    return { segments: runAtOnce(buildSegments(this.#environment.storage, byOrdinal, rows, target)) };
  }

  #newPublisher(maxSeqNo: number): Publisher {
    return new Publisher(
      {
        index: this.#definitions.name,
        buffer: this.buffer,
        makeRoom: async () => {
          await this.#environment.writeBuffers.makeRoom();
          await this.buffer.room();
        },
        drain: () => this.#environment.writeBuffers.drain(),
        versions: this.#versions,
        clock: this.#environment.clock,
        published: () => {
          this.refresher.changed();
          this.flusher.wrote();
        },
      },
      maxSeqNo,
    );
  }

  #newReplay(committed: number): Replay {
    const { preparer, storage, clock, warn } = this.#environment;
    return new Replay(
      {
        index: this.#definitions.name,
        storage,
        definitions: this.#definitions,
        analyzers: this.analyzers,
        preparer,
        documents: this.documents,
        versions: this.#versions,
        buffer: this.buffer,
        buildNow: (rows, target) => this.#buildNow(rows, target),
        now: clock.now(),
        warn,
      },
      committed,
    );
  }

  #openLog(replay: Replay, committed: number): Log {
    const { storage, warn } = this.#environment;
    const log = Log.open(
      {
        files: storage.files,
        folder: path.join(this.folder.folder, "log"),
        ...logSettings(this.#definitions.definition),
        committed,
        warn,
      },
      (record) => replay.add(record),
    );
    replay.finish();
    return log;
  }

  #newFlusher(): Flusher {
    return new Flusher({
      buffer: this.buffer,
      segments: this.segments,
      folder: this.folder,
      release: this.#releaseSegment,
      log: this.log,
      definitions: this.#definitions,
      counters: this.counters,
      marks: () => ({ ...this.publisher.marks, tombstones: this.#versions.newestTombstones(KEPT_TOMBSTONES) }),
      between: (action) => this.publisher.between(action),
      warn: this.#environment.warn,
      running: () => running(this.#environment.activities, this.#definitions.name, "flush"),
    });
  }

  #newMerger(): Merger {
    return new Merger({
      storage: this.#environment.storage,
      folder: this.folder,
      release: this.#releaseSegment,
      segments: this.segments,
      policy: DEFAULT_MERGE_POLICY,
      run: (job, signal) => {
        const { fields } = this.#definitions.shared;
        const description = `${this.#definitions.name}: ${job.inputs.length} segments`;
        const options = { signal, shared: [fields], description };
        return this.#environment.executor.run("merge", { ...job, fields: fields.key }, options);
      },
      merged: ({ milliseconds, committed }) => {
        this.counters.merges++;
        this.counters.mergeTimeMs += milliseconds;
        this.#graphs.shown(this.segments.shown);
        // Until then what was merged takes its room on the disk twice.
        if (committed) this.flusher.schedule();
      },
      noticed: this.#environment.noticed,
      warn: this.#environment.warn,
      running: runningMerge(this.#environment.activities, this.counters, this.#definitions.name),
    });
  }

  #newRefresher(): Refresher {
    return new Refresher({
      buffer: this.buffer,
      segments: this.segments,
      versions: this.#versions,
      counters: this.counters,
      fields: () => this.#definitions.table.fields,
      between: (action) => this.publisher.between(action),
      intervalMs: () => this.#definitions.definition.refreshIntervalMs,
      warn: (message) => this.#environment.warn(`index [${this.#definitions.name}]: ${message}`),
      refreshed: () => {
        this.#graphs.shown(this.segments.shown);
        this.merger.schedule();
      },
      running: () => running(this.#environment.activities, this.#definitions.name, "refresh"),
    });
  }

  #newIntake(): Intake {
    const { storage, pressure, writeBuffers } = this.#environment;
    return new Intake({
      index: this.#definitions.name,
      storage,
      pressure,
      writeBuffers,
      definitions: this.#definitions,
      prepare: (job, bytes) => this.#prepare(job, bytes),
      mappingGrown: () => this.segments.publishFields(this.#definitions.table.fields),
    });
  }

  async #prepare(job: PrepareJob, bytes: number): Promise<PrepareJobResult> {
    const { executor, preparer } = this.#environment;
    if (bytes <= HERE_BYTES) {
      return prepareWith(preparer, { ...job, table: this.#definitions.table, analyzers: this.analyzers });
    }
    const { fields, analysis } = this.#definitions.shared;
    const description = `${this.#definitions.name}: ${job.ids.length} documents`;
    return executor.run("prepare", job, { shared: [fields, analysis], description });
  }

  #newWriter(firstSeqNo: number): Writer {
    return new Writer({
      log: this.log,
      kernels: this.#environment.storage.kernels,
      sequencer: new Sequencer(this.documents, this.#versions, firstSeqNo),
      planContext: () => ({
        index: this.#definitions.name,
        documents: this.documents,
        makeId: this.#environment.makeId,
        routingRequired: this.#definitions.definition.mapping.routingRequired === true,
      }),
      admit: () => {
        if (this.publisher.failure) throw this.publisher.failure;
        this.refusal.check();
      },
      intake: this.intake,
      publish: (writes) => this.publisher.publish(writes),
      // What was acknowledged without a sync may be lost from the log: segments keep it.
      afterLogReopened: () => this.flusher.flush(),
    });
  }
}
