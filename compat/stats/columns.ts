/** The columns of statistics that `_cat/indices`, `_cat/shards` and `_cat/nodes` share. */
import { type Cell, type Column, extra } from "../cat/table.js";
import type { Identity } from "../identities.js";
import type { Totals } from "./totals.js";

/** Which tables have a column; those without are in all. */
type Table = "indices" | "nodes" | "shards";

const count = (of: (totals: Totals) => number) => of;
const bytes = (of: (totals: Totals) => number) => (totals: Totals) => ({ bytes: of(totals) });
const time = (of: (totals: Totals) => number) => (totals: Totals) => ({ millis: Math.round(of(totals)) });
const none = () => 0;
const completionBytes = ({ completion }: Totals) => Object.values(completion).reduce((sum, own) => sum + own, 0);

type Row = readonly [
  name: string,
  aliases: string,
  description: string,
  cell: (totals: Totals) => Cell,
  tables?: readonly Table[],
];

const ROWS: readonly Row[] = [
  ["completion.size", "cs,completionSize", "size of completion", bytes(completionBytes)],
  ["fielddata.memory_size", "fm,fielddataMemory", "used fielddata cache", bytes((t) => t.fielddata.bytes)],
  ["fielddata.evictions", "fe,fielddataEvictions", "fielddata evictions", count((t) => t.fielddata.evictions)],
  ["query_cache.memory_size", "qcm,queryCacheMemory", "used query cache", bytes((t) => t.queryCache.bytes)],
  [
    "query_cache.evictions",
    "qce,queryCacheEvictions",
    "query cache evictions",
    count((t) => t.queryCache.kept - t.queryCache.entries),
  ],
  [
    "query_cache.hit_count",
    "qchc,queryCacheHitCount",
    "query cache hit counts",
    count((t) => t.queryCache.hits),
    ["nodes"],
  ],
  [
    "query_cache.miss_count",
    "qcmc,queryCacheMissCount",
    "query cache miss counts",
    count((t) => t.queryCache.misses),
    ["nodes"],
  ],
  ["request_cache.memory_size", "rcm,requestCacheMemory", "used request cache", bytes(none), ["indices", "nodes"]],
  ["request_cache.evictions", "rce,requestCacheEvictions", "request cache evictions", none, ["indices", "nodes"]],
  ["request_cache.hit_count", "rchc,requestCacheHitCount", "request cache hit count", none, ["indices", "nodes"]],
  ["request_cache.miss_count", "rcmc,requestCacheMissCount", "request cache miss count", none, ["indices", "nodes"]],
  ["flush.total", "ft,flushTotal", "number of flushes", count((t) => t.counters.flushes)],
  ["flush.total_time", "ftt,flushTotalTime", "time spent in flush", time((t) => t.counters.flushTimeMs)],
  ["get.current", "gc,getCurrent", "number of current get ops", none],
  ["get.time", "gti,getTime", "time spent in get", time((t) => t.counters.getTimeMs)],
  ["get.total", "gto,getTotal", "number of get ops", count((t) => t.counters.gets)],
  [
    "get.exists_time",
    "geti,getExistsTime",
    "time spent in successful gets",
    time((t) => t.counters.getTimeMs - t.counters.getMissingTimeMs),
  ],
  [
    "get.exists_total",
    "geto,getExistsTotal",
    "number of successful gets",
    count((t) => t.counters.gets - t.counters.getsMissing),
  ],
  ["get.missing_time", "gmti,getMissingTime", "time spent in failed gets", time((t) => t.counters.getMissingTimeMs)],
  ["get.missing_total", "gmto,getMissingTotal", "number of failed gets", count((t) => t.counters.getsMissing)],
  [
    "indexing.delete_current",
    "idc,indexingDeleteCurrent",
    "number of current deletions",
    count((t) => t.counters.deletingNow),
  ],
  ["indexing.delete_time", "idti,indexingDeleteTime", "time spent in deletions", time((t) => t.counters.deleteTimeMs)],
  ["indexing.delete_total", "idto,indexingDeleteTotal", "number of delete ops", count((t) => t.counters.deleted)],
  [
    "indexing.index_current",
    "iic,indexingIndexCurrent",
    "number of current indexing ops",
    count((t) => t.counters.indexingNow),
  ],
  ["indexing.index_time", "iiti,indexingIndexTime", "time spent in indexing", time((t) => t.counters.indexTimeMs)],
  ["indexing.index_total", "iito,indexingIndexTotal", "number of indexing ops", count((t) => t.counters.indexed)],
  [
    "indexing.index_failed",
    "iif,indexingIndexFailed",
    "number of failed indexing ops",
    count((t) => t.counters.indexFailed),
  ],
  ["merges.current", "mc,mergesCurrent", "number of current merges", count((t) => t.counters.mergingNow)],
  [
    "merges.current_docs",
    "mcd,mergesCurrentDocs",
    "number of current merging docs",
    count((t) => t.counters.mergingDocsNow),
  ],
  ["merges.current_size", "mcs,mergesCurrentSize", "size of current merges", bytes((t) => t.counters.mergingBytesNow)],
  ["merges.total", "mt,mergesTotal", "number of completed merge ops", count((t) => t.counters.merges)],
  ["merges.total_docs", "mtd,mergesTotalDocs", "docs merged", count((t) => t.counters.mergedDocs)],
  ["merges.total_size", "mts,mergesTotalSize", "size merged", bytes((t) => t.counters.mergedBytes)],
  ["merges.total_time", "mtt,mergesTotalTime", "time spent in merges", time((t) => t.counters.mergeTimeMs)],
  ["refresh.total", "rto,refreshTotal", "total refreshes", count((t) => t.counters.refreshes)],
  ["refresh.time", "rti,refreshTime", "time spent in refreshes", time((t) => t.counters.refreshTimeMs)],
  ["refresh.external_total", "rto,refreshTotal", "total external refreshes", count((t) => t.counters.refreshes)],
  [
    "refresh.external_time",
    "rti,refreshTime",
    "time spent in external refreshes",
    time((t) => t.counters.refreshTimeMs),
  ],
  [
    "refresh.listeners",
    "rli,refreshListeners",
    "number of pending refresh listeners",
    count((t) => t.refreshListeners),
  ],
  ["script.compilations", "scrcc,scriptCompilations", "script compilations", none, ["nodes"]],
  ["script.cache_evictions", "scrce,scriptCacheEvictions", "script cache evictions", none, ["nodes"]],
  [
    "script.compilation_limit_triggered",
    "scrclt,scriptCacheCompilationLimitTriggered",
    "script cache compilation limit triggered",
    none,
    ["nodes"],
  ],
  ["search.fetch_current", "sfc,searchFetchCurrent", "current fetch phase ops", none],
  ["search.fetch_time", "sfti,searchFetchTime", "time spent in fetch phase", time((t) => t.counters.fetchTimeMs)],
  ["search.fetch_total", "sfto,searchFetchTotal", "total fetch ops", count((t) => t.counters.fetches)],
  [
    "search.open_contexts",
    "so,searchOpenContexts",
    "open search contexts",
    count((t) => t.counters.searchingNow + t.open.scroll.current + t.open.pointInTime.current),
  ],
  ["search.query_current", "sqc,searchQueryCurrent", "current query phase ops", count((t) => t.counters.searchingNow)],
  ["search.query_time", "sqti,searchQueryTime", "time spent in query phase", time((t) => t.counters.searchTimeMs)],
  ["search.query_total", "sqto,searchQueryTotal", "total query phase ops", count((t) => t.counters.searches)],
  ["search.concurrent_query_current", "scqc,searchConcurrentQueryCurrent", "current concurrent query phase ops", none],
  [
    "search.concurrent_query_time",
    "scqti,searchConcurrentQueryTime",
    "time spent in concurrent query phase",
    time(none),
  ],
  ["search.concurrent_query_total", "scqto,searchConcurrentQueryTotal", "total concurrent query phase ops", none],
  ["search.concurrent_avg_slice_count", "casc,searchConcurrentAvgSliceCount", "average query concurrency", () => "0.0"],
  ["search.scroll_current", "scc,searchScrollCurrent", "open scroll contexts", count((t) => t.open.scroll.current)],
  ["search.scroll_time", "scti,searchScrollTime", "time scroll contexts held open", time((t) => t.open.scroll.millis)],
  ["search.scroll_total", "scto,searchScrollTotal", "completed scroll contexts", count((t) => t.open.scroll.total)],
  [
    "search.point_in_time_current",
    "spc,searchPointInTimeCurrent",
    "open point in time contexts",
    count((t) => t.open.pointInTime.current),
  ],
  [
    "search.point_in_time_time",
    "spti,searchPointInTimeTime",
    "time point in time contexts held open",
    time((t) => t.open.pointInTime.millis),
  ],
  [
    "search.point_in_time_total",
    "spto,searchPointInTimeTotal",
    "completed point in time contexts",
    count((t) => t.open.pointInTime.total),
  ],
  [
    "search.search_idle_reactivate_count_total",
    "ssirct,searchSearchIdleReactivateCountTotal",
    "number of times a shard reactivated",
    none,
    ["shards"],
  ],
  ["segments.count", "sc,segmentsCount", "number of segments", count((t) => t.segments)],
  ["segments.memory", "sm,segmentsMemory", "memory used by segments", bytes((t) => t.segmentBytes)],
  [
    "segments.index_writer_memory",
    "siwm,segmentsIndexWriterMemory",
    "memory used by index writer",
    bytes((t) => t.memtableBytes),
  ],
  ["segments.version_map_memory", "svmm,segmentsVersionMapMemory", "memory used by version map", bytes(none)],
  [
    "segments.fixed_bitset_memory",
    "sfbm,fixedBitsetMemory",
    "memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields",
    bytes(none),
  ],
  ["warmer.current", "wc,warmerCurrent", "current warmer ops", none, ["indices", "shards"]],
  ["warmer.total", "wto,warmerTotal", "total warmer ops", none, ["indices", "shards"]],
  ["warmer.total_time", "wtt,warmerTotalTime", "time spent in warmers", time(none), ["indices", "shards"]],
  ["suggest.current", "suc,suggestCurrent", "number of current suggest ops", none, ["indices", "nodes"]],
  [
    "suggest.time",
    "suti,suggestTime",
    "time spend in suggest",
    time(({ counters }) => counters.suggestTimeMs),
    ["indices", "nodes"],
  ],
  [
    "suggest.total",
    "suto,suggestTotal",
    "number of suggest ops",
    ({ counters }) => counters.suggests,
    ["indices", "nodes"],
  ],
];

/** What only OpenSearch has: slices of one search at a time (there are none here), points in time, idle shards. */
const OPENSEARCH_ONLY = /^search\.(?:concurrent_|point_in_time_|search_idle_)/;

/** The columns of a table; `null` totals (a copy that is nowhere) leave their cells empty. */
export function statColumns<R>(
  table: Table,
  { distribution }: Identity,
  totals: (row: R) => Totals | null,
): Column<R>[] {
  const own = ROWS.filter(
    ([name, , , , tables]) =>
      (tables === undefined || tables.includes(table)) && (distribution !== undefined || !OPENSEARCH_ONLY.test(name)),
  );
  return own.map(([name, aliases, description, cell]) =>
    extra(name, aliases, description, (row: R) => {
      const of = totals(row);
      return of === null ? null : cell(of);
    }),
  );
}

/** The same with a column for the primaries after each, as `_cat/indices` has them: every copy is a primary. */
export function pairedColumns<R>(table: Table, identity: Identity, totals: (row: R) => Totals): Column<R>[] {
  return statColumns(table, identity, totals).flatMap((column) => [
    column,
    { ...column, name: `pri.${column.name}`, aliases: [] },
  ]);
}
