/** Numbers of some indices added up: what `_stats`, `_nodes/stats`, `_cluster/stats` and the tables of `_cat` show. */
import {
  COUNTER_NAMES,
  type CounterName,
  type EngineFace,
  type Index,
  type IndexStats,
  type SearchGroupCounts,
} from "../../engine/index.js";
import { member } from "../json/value.js";
import type { OpenCounts } from "../search/open-counts.js";
import type { OpenReaders } from "../search/open-readers.js";

/** Sums over indices. Bytes and counts; times in milliseconds. */
export interface Totals {
  readonly indices: number;
  readonly docs: number;
  readonly deletedDocs: number;
  readonly storeBytes: number;
  /** Segments, those that no reader shows yet included. */
  readonly segments: number;
  /** Those of closed indices. */
  readonly unloadedSegments: number;
  /** Bytes of the arena that segments hold. */
  readonly segmentBytes: number;
  readonly memtableBytes: number;
  readonly log: {
    readonly operations: number;
    readonly bytes: number;
    readonly uncommitted: number;
    readonly uncommittedBytes: number;
  };
  /** Milliseconds since the last write of the index that was written longest ago; 0: no log holds an operation. */
  readonly logAgeMs: number;
  readonly queryCache: IndexStats["queryCache"];
  readonly fielddata: IndexStats["fielddata"];
  readonly completion: IndexStats["completion"];
  readonly refreshListeners: number;
  readonly open: OpenCounts;
  readonly counters: Readonly<Record<CounterName, number>>;
  /** Searches by the groups they name. */
  readonly groups: Readonly<Record<string, SearchGroupCounts>>;
  /** Bytes on disk by kind of section of the segments. */
  readonly sections: Readonly<Record<string, number>>;
}

/** Where the numbers come from. */
export interface TotalsSource {
  readonly engine: EngineFace;
  readonly openReaders: OpenReaders;
  readonly now: () => number;
}

/** The numbers of these indices; of none, all are zero. */
export function totalsOf(source: TotalsSource, indices: readonly Index[]): Totals {
  const all = indices.map((index) => ({ stats: index.stats(), open: source.openReaders.counts(index.name) }));
  const sum = (of: (stats: IndexStats) => number) => all.reduce((total, { stats }) => total + of(stats), 0);
  const openSum = (of: (open: OpenCounts) => number) => all.reduce((total, { open }) => total + of(open), 0);
  const cache = (name: keyof IndexStats["queryCache"]) => sum((stats) => stats.queryCache[name]);
  const kept = all.map(({ stats }) => stats);
  return {
    indices: indices.length,
    docs: sum((stats) => stats.docs.count),
    deletedDocs: sum((stats) => stats.docs.deleted),
    storeBytes: sum((stats) => stats.storeBytes),
    segments: sum((stats) => stats.segments.length),
    unloadedSegments: sum((stats) => stats.unloadedSegments),
    segmentBytes: sum((stats) => stats.segments.reduce((total, segment) => total + segment.memoryBytes, 0)),
    memtableBytes: sum((stats) => stats.memtableBytes),
    log: {
      operations: sum((stats) => stats.log.operations),
      bytes: sum((stats) => stats.log.sizeBytes),
      uncommitted: sum((stats) => stats.log.uncommittedOperations),
      uncommittedBytes: sum((stats) => stats.log.uncommittedBytes),
    },
    logAgeMs: logAge(kept, source.now()),
    queryCache: {
      bytes: cache("bytes"),
      entries: cache("entries"),
      kept: cache("kept"),
      hits: cache("hits"),
      misses: cache("misses"),
    },
    fielddata: {
      bytes: sum((stats) => stats.fielddata.bytes),
      evictions: sum((stats) => stats.fielddata.evictions),
      byField: addUp(kept.map(({ fielddata }) => fielddata.byField)),
    },
    completion: addUp(kept.map(({ completion }) => completion)),
    refreshListeners: sum((stats) => stats.refreshListeners),
    open: {
      scroll: openTotals((open) => open.scroll),
      pointInTime: openTotals((open) => open.pointInTime),
    },
    counters: countersOf(kept),
    groups: groupsOf(kept),
    sections: addUp(kept.flatMap(({ segments }) => segments.map(({ sections }) => sections))),
  };

  function openTotals(kind: (open: OpenCounts) => OpenCounts["scroll"]): OpenCounts["scroll"] {
    return {
      current: openSum((open) => kind(open).current),
      total: openSum((open) => kind(open).total),
      millis: openSum((open) => kind(open).millis),
    };
  }
}

function logAge(all: readonly IndexStats[], now: number): number {
  const written = all.filter(({ log, lastWriteAt }) => log.operations > 0 && lastWriteAt > 0);
  return written.length === 0 ? 0 : Math.max(0, now - Math.min(...written.map(({ lastWriteAt }) => lastWriteAt)));
}

function countersOf(all: readonly IndexStats[]): Record<CounterName, number> {
  const sum = (name: CounterName) => all.reduce((total, { counters }) => total + counters[name], 0);
  return Object.fromEntries(COUNTER_NAMES.map((name) => [name, sum(name)])) as Record<CounterName, number>;
}

function groupsOf(all: readonly IndexStats[]): Record<string, SearchGroupCounts> {
  const names = new Set(all.flatMap(({ searchGroups }) => Object.keys(searchGroups)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      addUp(all.flatMap(({ searchGroups }) => member(searchGroups, name) ?? [])) as SearchGroupCounts,
    ]),
  );
}

function addUp(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}
