/**
 * The parts of an index, opened and wired to one another: which part tells which what. What they do together for whoever
 * uses the index is in index-shard.ts.
 *
 * A folder `<uuid>/` holds the segments, live docs and the commit; `<uuid>/log/` the log.
 */
import path from "node:path";
import { type AnalyzerRegistry, createAnalyzerRegistry } from "../analysis/index.js";
import type { Clock } from "../clock.js";
import type { OpenSegment } from "../segment/reader.js";
import type { Storage } from "../store/storage.js";
import type { GraphHost } from "../vectors/graph-host.js";
import { Log } from "../wal/index.js";
import { type Counters, newCounters } from "./counters.js";
import { CurrentDocuments } from "./current-documents.js";
import type { DefinitionStore } from "./definition.js";
import { Flusher } from "./flusher.js";
import { GraphKeeper } from "./graph-keeper.js";
import { Intake } from "./intake.js";
import { DEFAULT_MERGE_POLICY } from "./merge-policy.js";
import { Merger } from "./merger.js";
import type { Preparer } from "./prepare.js";
import { Publisher } from "./publisher.js";
import { Refresher } from "./refresher.js";
import { Replay } from "./replay.js";
import { SegmentFolder } from "./segment-folder.js";
import { type SegmentHolder, SegmentSet } from "./segment-set.js";
import { Sequencer } from "./sequencer.js";
import { VersionMap } from "./version-map.js";
import { WriteBuffer } from "./write-buffer.js";
import { Writer } from "./writer.js";

/** What all indices of a node share. */
export interface ShardEnvironment {
  readonly storage: Storage;
  readonly preparer: Preparer;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Builds and asks vector graphs. */
  readonly graphs: GraphHost;
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

/** Made by opening an index: its last commit, and what the log has beyond it. Throws CorruptionError. */
export class ShardParts {
  readonly counters: Counters = newCounters();
  readonly analyzers: AnalyzerRegistry;
  readonly folder: SegmentFolder;
  readonly segments: SegmentSet;
  readonly buffer: WriteBuffer;
  readonly documents: CurrentDocuments;
  readonly log: Log;
  readonly publisher: Publisher;
  readonly flusher: Flusher;
  readonly merger: Merger;
  readonly refresher: Refresher;
  readonly intake: Intake;
  readonly writer: Writer;
  readonly #environment: ShardEnvironment;
  readonly #definitions: DefinitionStore;
  readonly #versions = new VersionMap();
  readonly #graphs: GraphKeeper;

  constructor(environment: ShardEnvironment, definitions: DefinitionStore) {
    const { storage } = environment;
    const { uuid, analysis } = definitions.definition;
    this.#environment = environment;
    this.#definitions = definitions;
    this.analyzers = createAnalyzerRegistry(analysis);
    const opened = SegmentFolder.open(storage, path.join(environment.folder, uuid));
    this.folder = opened.folder;
    this.#graphs = this.#newGraphKeeper();
    const onClosed = (segment: OpenSegment) => this.#segmentClosed(segment);
    this.segments = new SegmentSet(definitions.name, opened.holders, definitions.table.fields, onClosed);
    this.buffer = new WriteBuffer(storage, this.folder, this.segments);
    this.documents = new CurrentDocuments(this.#versions, this.segments, () => this.buffer.memtable);
    const replay = this.#newReplay(opened.marks.maxSeqNo);
    this.log = this.#openLog(replay);
    this.publisher = this.#newPublisher(replay.lastSeqNo);
    this.flusher = this.#newFlusher();
    this.merger = this.#newMerger();
    this.refresher = this.#newRefresher();
    this.intake = this.#newIntake();
    this.writer = this.#newWriter(replay.lastSeqNo + 1);
    this.refresher.tryRefresh();
    this.#graphs.shown(this.segments.shown);
  }

  #segmentClosed(segment: OpenSegment): void {
    this.folder.closed(segment.name);
    this.#graphs.closed(segment);
  }

  #releaseSegment = (holder: SegmentHolder): void => {
    if (holder.release()) this.#segmentClosed(holder.segment);
  };

  #newGraphKeeper(): GraphKeeper {
    return new GraphKeeper({
      host: this.#environment.graphs,
      folder: this.folder.folder,
      fields: () => this.#definitions.table.byOrdinal,
      release: this.#releaseSegment,
      warn: (message) => this.#environment.warn(`index [${this.#definitions.name}]: ${message}`),
    });
  }

  #newPublisher(maxSeqNo: number): Publisher {
    return new Publisher(
      {
        index: this.#definitions.name,
        buffer: this.buffer,
        versions: this.#versions,
        clock: this.#environment.clock,
        published: () => {
          this.refresher.changed();
          this.flusher.scheduleIfLarge();
        },
      },
      maxSeqNo,
    );
  }

  #newReplay(committed: number): Replay {
    const { preparer, memtableBytes, clock } = this.#environment;
    return new Replay(
      {
        index: this.#definitions.name,
        definitions: this.#definitions,
        analyzers: this.analyzers,
        preparer,
        documents: this.documents,
        versions: this.#versions,
        buffer: this.buffer,
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
        folder: path.join(this.folder.folder, "log"),
        durability: this.#definitions.definition.durability,
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
      buffer: this.buffer,
      segments: this.segments,
      folder: this.folder,
      release: this.#releaseSegment,
      log: this.log,
      definitions: this.#definitions,
      counters: this.counters,
      marks: () => ({ ...this.publisher.marks }),
      warn: this.#environment.warn,
    });
  }

  #newMerger(): Merger {
    return new Merger({
      storage: this.#environment.storage,
      folder: this.folder,
      release: this.#releaseSegment,
      segments: this.segments,
      policy: DEFAULT_MERGE_POLICY,
      fields: () => this.#definitions.table.byOrdinal,
      merged: ({ milliseconds, committed }) => {
        this.counters.merges++;
        this.counters.mergeTimeMs += milliseconds;
        this.#graphs.shown(this.segments.shown);
        // Until then what was merged takes its room on the disk twice.
        if (committed) this.flusher.schedule();
      },
      warn: this.#environment.warn,
    });
  }

  #newRefresher(): Refresher {
    return new Refresher({
      buffer: this.buffer,
      segments: this.segments,
      versions: this.#versions,
      clock: this.#environment.clock,
      counters: this.counters,
      fields: () => this.#definitions.table.fields,
      between: (action) => this.publisher.between(action),
      intervalMs: () => this.#definitions.definition.refreshIntervalMs,
      warn: (message) => this.#environment.warn(`index [${this.#definitions.name}]: ${message}`),
      refreshed: () => {
        this.#graphs.shown(this.segments.shown);
        this.merger.schedule();
      },
    });
  }

  #newIntake(): Intake {
    const { storage, preparer, memtableBytes } = this.#environment;
    return new Intake({
      index: this.#definitions.name,
      storage,
      preparer,
      analyzers: this.analyzers,
      definitions: this.#definitions,
      buffer: this.buffer,
      memtableBytes,
      mappingGrown: () => this.segments.publishFields(this.#definitions.table.fields),
    });
  }

  #newWriter(firstSeqNo: number): Writer {
    return new Writer({
      log: this.log,
      sequencer: new Sequencer(this.documents, this.#versions, firstSeqNo),
      planContext: () => ({
        index: this.#definitions.name,
        documents: this.documents,
        makeId: this.#environment.makeId,
        routingRequired: this.#definitions.definition.mapping.routingRequired === true,
      }),
      admit: () => {
        if (this.publisher.failure) throw this.publisher.failure;
        this.intake.makeRoom();
      },
      prepare: (writes) => this.intake.prepare(writes),
      publish: (writes) => this.publisher.publish(writes),
      // What was acknowledged without a sync may be lost from the log: segments keep it.
      afterLogReopened: () => this.flusher.flush(),
    });
  }
}
