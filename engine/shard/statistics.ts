import type { IndexStats, SegmentInfo } from "../engine-types.js";
import type { Log } from "../wal/index.js";
import type { Counters } from "./counters.js";
import type { SegmentFolder } from "./segment-folder.js";
import type { SegmentSet } from "./segment-set.js";

/** The parts of an index that know its numbers. */
export interface StatisticsParts {
  readonly segments: SegmentSet;
  readonly folder: SegmentFolder;
  readonly log: Log;
  readonly memtableBytes: number;
  readonly maxSeqNo: number;
  readonly counters: Counters;
}

/** See Index.stats. */
export function indexStats(parts: StatisticsParts): IndexStats {
  const { segments, folder, log, memtableBytes, maxSeqNo, counters } = parts;
  const { reader } = segments.current;
  const docs = reader.leaves.reduce((sum, leaf) => sum + leaf.segment.docCount, 0);
  const infos = segments.shown.map(({ segment, live }): SegmentInfo => {
    return {
      name: segment.name,
      docCount: live.publishedCount,
      deletedCount: segment.docCount - live.publishedCount,
      sizeBytes: segment.sizeBytes,
      memoryBytes: segment.memoryBytes,
      committed: folder.isCommitted(segment.name),
    };
  });
  const segmentBytes = segments.all.reduce((sum, { segment }) => sum + segment.sizeBytes, 0);
  return {
    docs: { count: reader.liveCount, deleted: docs - reader.liveCount },
    storeBytes: segmentBytes + log.sizeBytes,
    segments: infos,
    log: { operations: log.records, sizeBytes: log.sizeBytes },
    memtableBytes,
    maxSeqNo,
    counters: { ...counters },
  };
}
