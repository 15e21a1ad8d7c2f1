import type { IndexStats, LogStats, Opening, SegmentInfo } from "../engine-types.js";
import type { ReaderCaches } from "../memory/index.js";
import { FORMAT_VERSION } from "../segment/version.js";
import { SectionKind } from "../store/section.js";
import type { Log } from "../wal/index.js";
import type { Counters } from "./counters.js";
import type { SegmentFolder } from "./segment-folder.js";
import type { SegmentHolder, SegmentSet } from "./segment-set.js";

/** Caches of the node that know what they hold for an index. */
export interface IndexCaches {
  readonly readers: ReaderCaches;
  /** Bitsets of filters. */
  readonly filters: { stats(index: string): IndexStats["queryCache"] };
}

/** The parts of an index that know its numbers. */
export interface StatisticsParts {
  readonly index: string;
  readonly segments: SegmentSet;
  readonly folder: SegmentFolder;
  readonly log: Log;
  readonly lastWriteAt: number;
  readonly memtableBytes: number;
  readonly maxSeqNo: number;
  readonly refreshListeners: number;
  readonly caches: IndexCaches;
  readonly counters: Counters;
  readonly searchGroups: IndexStats["searchGroups"];
  readonly opening: Opening;
}

/** See Index.stats. */
export function indexStats(parts: StatisticsParts): IndexStats {
  const { index, segments, folder, log, maxSeqNo, caches } = parts;
  const { reader } = segments.current;
  const docs = reader.leaves.reduce((sum, leaf) => sum + leaf.segment.docCount, 0);
  const segmentBytes = segments.all.reduce((sum, { segment }) => sum + segment.sizeBytes, 0);
  const commit = folder.lastCommit;
  return {
    docs: { count: reader.liveCount, deleted: docs - reader.liveCount },
    storeBytes: segmentBytes + log.sizeBytes,
    segments: segments.all.map((holder) => segmentInfo(holder, segments, folder)),
    unloadedSegments: 0,
    log: logStats(log),
    lastWriteAt: parts.lastWriteAt,
    commit,
    memtableBytes: parts.memtableBytes,
    maxSeqNo,
    queryCache: caches.filters.stats(index),
    fielddata: caches.readers.stats(index),
    completion: completionBytes(segments),
    refreshListeners: parts.refreshListeners,
    counters: { ...parts.counters },
    searchGroups: parts.searchGroups,
    opening: parts.opening,
  };
}

function segmentInfo(holder: SegmentHolder, segments: SegmentSet, folder: SegmentFolder): SegmentInfo {
  const { segment, live } = holder;
  return {
    name: segment.name,
    docCount: live.publishedCount,
    deletedCount: segment.docCount - live.publishedCount,
    sizeBytes: segment.sizeBytes,
    memoryBytes: segment.memoryBytes,
    committed: folder.isCommitted(segment.name),
    searchable: segments.shown.includes(holder),
    sections: sectionBytes(holder),
    formatVersion: FORMAT_VERSION,
  };
}

/** Segments never change: what they hold is added up once. */
const SECTION_BYTES = new WeakMap<SegmentHolder["segment"], Record<string, number>>();
const SECTION_NAMES = new Map<number, string>(Object.entries(SectionKind).map(([name, kind]) => [kind, name]));

function sectionBytes({ segment }: SegmentHolder): Record<string, number> {
  const known = SECTION_BYTES.get(segment);
  if (known !== undefined) return known;
  const bytes: Record<string, number> = {};
  for (const { kind, length } of segment.file.entries) {
    const name = SECTION_NAMES.get(kind) ?? `section${kind}`;
    bytes[name] = (bytes[name] ?? 0) + length;
  }
  SECTION_BYTES.set(segment, bytes);
  return bytes;
}

/** All sections of completion fields, by their path. */
function completionBytes(segments: SegmentSet): Record<string, number> {
  const fields = [...segments.current.reader.fields.values()].filter(({ type }) => type === "completion");
  if (fields.length === 0) return {};
  const paths = new Map(fields.map(({ ordinal, path }) => [ordinal, path]));
  const bytes: Record<string, number> = {};
  for (const { segment } of segments.all) {
    for (const { field, length } of segment.file.entries) {
      const path = paths.get(field);
      if (path !== undefined) bytes[path] = (bytes[path] ?? 0) + length;
    }
  }
  return bytes;
}

function logStats(log: Log): LogStats {
  const { operations, bytes } = log.uncommitted;
  const { records, sizeBytes, oldestWriteMs } = log;
  return { operations: records, sizeBytes, uncommittedOperations: operations, uncommittedBytes: bytes, oldestWriteMs };
}
