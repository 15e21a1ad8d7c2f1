/**
 * The groups of statistics that `_stats` and `_nodes/stats` share, each a function of the totals. What a group counts that
 * does not exist here (warmers, a cache of whole answers, recoveries between nodes) is truly zero.
 */
import type { Identity } from "../identities.js";
import { wildcard } from "../indices/names.js";
import { printDuration } from "../units.js";
import type { Totals } from "./totals.js";

/** What of the groups is asked for. */
export interface GroupOptions {
  readonly identity: Identity;
  /** Patterns of fields to break `fielddata` down by; none: it is not. */
  readonly fielddataFields: readonly string[];
  /** The same for `completion`. */
  readonly completionFields: readonly string[];
  readonly fileSizes: boolean;
  /** Whether segments of closed indices are counted, which are not in memory. */
  readonly unloadedSegments: boolean;
  /** Patterns of groups to break `search` down by; none: it is not. */
  readonly searchGroups: readonly string[];
}

type Group = (totals: Totals, options: GroupOptions) => Record<string, unknown>;

/** By their name in requests, in the order of the answer. */
const GROUPS: Readonly<Record<string, { readonly key: string; readonly print: Group }>> = {
  docs: { key: "docs", print: ({ docs, deletedDocs }) => ({ count: docs, deleted: deletedDocs }) },
  store: { key: "store", print: ({ storeBytes }) => ({ size_in_bytes: storeBytes, reserved_in_bytes: 0 }) },
  indexing: { key: "indexing", print: indexing },
  get: { key: "get", print: get },
  search: { key: "search", print: search },
  merge: { key: "merges", print: merges },
  refresh: { key: "refresh", print: refresh },
  flush: { key: "flush", print: flush },
  warmer: { key: "warmer", print: () => ({ current: 0, total: 0, total_time_in_millis: 0 }) },
  query_cache: { key: "query_cache", print: queryCache },
  fielddata: { key: "fielddata", print: fielddata },
  completion: { key: "completion", print: completion },
  segments: { key: "segments", print: segments },
  translog: { key: "translog", print: translog },
  request_cache: {
    key: "request_cache",
    print: () => ({ memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 }),
  },
  recovery: {
    key: "recovery",
    print: () => ({ current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 }),
  },
};

/** Names of groups as requests spell them. */
export const GROUP_NAMES: readonly string[] = Object.keys(GROUPS);

/** Prints the groups asked for, `_all` and none named being all of them. */
export function printGroups(
  totals: Totals,
  names: readonly string[],
  options: GroupOptions,
): Record<string, Record<string, unknown>> {
  const wanted = names.length === 0 || names.includes("_all") ? GROUP_NAMES : names;
  const printed: Record<string, Record<string, unknown>> = {};
  for (const [name, { key, print }] of Object.entries(GROUPS)) {
    if (wanted.includes(name)) printed[key] = print(totals, options);
  }
  return printed;
}

function isOpenSearch({ identity }: GroupOptions): boolean {
  return identity.distribution !== undefined;
}

function indexing({ counters }: Totals, options: GroupOptions): Record<string, unknown> {
  const done = counters.indexed + counters.deleted + counters.noops;
  return {
    index_total: counters.indexed,
    index_time_in_millis: Math.round(counters.indexTimeMs),
    index_current: counters.indexingNow,
    index_failed: counters.indexFailed,
    delete_total: counters.deleted,
    delete_time_in_millis: Math.round(counters.deleteTimeMs),
    delete_current: counters.deletingNow,
    noop_update_total: counters.noops,
    is_throttled: false,
    throttle_time_in_millis: 0,
    ...(isOpenSearch(options) ? { doc_status: done === 0 ? {} : { "2xx": done } } : {}),
  };
}

function get({ counters }: Totals, options: GroupOptions): Record<string, unknown> {
  const { gets, getsMissing, getTimeMs, getMissingTimeMs } = counters;
  return {
    total: gets,
    ...(isOpenSearch(options) ? { getTime: printDuration(getTimeMs) } : {}),
    time_in_millis: Math.round(getTimeMs),
    exists_total: gets - getsMissing,
    exists_time_in_millis: Math.round(getTimeMs - getMissingTimeMs),
    missing_total: getsMissing,
    missing_time_in_millis: Math.round(getMissingTimeMs),
    // A document is read within one turn of the event loop: nobody can look while it happens.
    current: 0,
  };
}

function search({ counters, open, groups }: Totals, options: GroupOptions): Record<string, unknown> {
  const pit = {
    point_in_time_total: open.pointInTime.total,
    point_in_time_time_in_millis: Math.round(open.pointInTime.millis),
    point_in_time_current: open.pointInTime.current,
  };
  return {
    open_contexts: counters.searchingNow + open.scroll.current + open.pointInTime.current,
    query_total: counters.searches,
    query_time_in_millis: Math.round(counters.searchTimeMs),
    query_current: counters.searchingNow,
    fetch_total: counters.fetches,
    fetch_time_in_millis: Math.round(counters.fetchTimeMs),
    fetch_current: 0,
    scroll_total: open.scroll.total,
    scroll_time_in_millis: Math.round(open.scroll.millis),
    scroll_current: open.scroll.current,
    ...(isOpenSearch(options) ? pit : {}),
    suggest_total: counters.suggests,
    suggest_time_in_millis: Math.round(counters.suggestTimeMs),
    // A suggestion is made within one turn of the event loop.
    suggest_current: 0,
    ...byGroup(groups, options),
  };
}

function byGroup(groups: Totals["groups"], { searchGroups }: GroupOptions): Record<string, unknown> {
  const chosen = Object.entries(groups).filter(([name]) => searchGroups.some((pattern) => wildcard(pattern)(name)));
  if (chosen.length === 0) return {};
  return {
    groups: Object.fromEntries(
      chosen.map(([name, counts]) => [
        name,
        {
          query_total: counts.searches,
          query_time_in_millis: Math.round(counts.searchTimeMs),
          query_current: counts.searchingNow,
          fetch_total: counts.fetches,
          fetch_time_in_millis: Math.round(counts.fetchTimeMs),
          fetch_current: 0,
          scroll_total: 0,
          scroll_time_in_millis: 0,
          scroll_current: 0,
          suggest_total: 0,
          suggest_time_in_millis: 0,
          suggest_current: 0,
        },
      ]),
    ),
  };
}

function merges({ counters }: Totals): Record<string, unknown> {
  return {
    current: counters.mergingNow,
    current_docs: counters.mergingDocsNow,
    current_size_in_bytes: counters.mergingBytesNow,
    total: counters.merges,
    total_time_in_millis: Math.round(counters.mergeTimeMs),
    total_docs: counters.mergedDocs,
    total_size_in_bytes: counters.mergedBytes,
    total_stopped_time_in_millis: 0,
    total_throttled_time_in_millis: 0,
    total_auto_throttle_in_bytes: 0,
  };
}

/** There is one kind of refresh: each shows what was written. */
function refresh({ counters, refreshListeners }: Totals): Record<string, unknown> {
  const time = Math.round(counters.refreshTimeMs);
  return {
    total: counters.refreshes,
    total_time_in_millis: time,
    external_total: counters.refreshes,
    external_total_time_in_millis: time,
    listeners: refreshListeners,
  };
}

function flush({ counters }: Totals): Record<string, unknown> {
  return {
    total: counters.flushes,
    periodic: counters.periodicFlushes,
    total_time_in_millis: Math.round(counters.flushTimeMs),
  };
}

function queryCache({ queryCache: { bytes, entries, kept, hits, misses } }: Totals): Record<string, unknown> {
  return {
    memory_size_in_bytes: bytes,
    total_count: hits + misses,
    hit_count: hits,
    miss_count: misses,
    cache_size: entries,
    cache_count: kept,
    evictions: kept - entries,
  };
}

function fielddata({ fielddata: { bytes, evictions, byField } }: Totals, options: GroupOptions) {
  const { fielddataFields } = options;
  const chosen = Object.entries(byField).filter(([field]) =>
    fielddataFields.some((pattern) => wildcard(pattern)(field)),
  );
  const fields = Object.fromEntries(chosen.map(([field, own]) => [field, { memory_size_in_bytes: own }]));
  return {
    memory_size_in_bytes: bytes,
    evictions,
    ...(fielddataFields.length === 0 || chosen.length === 0 ? {} : { fields }),
  };
}

function completion({ completion: byField }: Totals, { completionFields }: GroupOptions): Record<string, unknown> {
  const entries = Object.entries(byField);
  const chosen = entries.filter(([field]) => completionFields.some((pattern) => wildcard(pattern)(field)));
  const fields = Object.fromEntries(chosen.map(([field, own]) => [field, { size_in_bytes: own }]));
  return {
    size_in_bytes: entries.reduce((sum, [, own]) => sum + own, 0),
    ...(chosen.length === 0 ? {} : { fields }),
  };
}

/** Memory is what of the segments is loaded; it is not told apart by structure. */
function segments(totals: Totals, { fileSizes, unloadedSegments }: GroupOptions): Record<string, unknown> {
  const sections = Object.entries(totals.sections);
  const files = sections.map(([name, bytes]) => [name, { size_in_bytes: bytes, description: describeSection(name) }]);
  return {
    count: totals.segments + (unloadedSegments ? totals.unloadedSegments : 0),
    memory_in_bytes: totals.segmentBytes,
    terms_memory_in_bytes: 0,
    stored_fields_memory_in_bytes: 0,
    term_vectors_memory_in_bytes: 0,
    norms_memory_in_bytes: 0,
    points_memory_in_bytes: 0,
    doc_values_memory_in_bytes: 0,
    index_writer_memory_in_bytes: totals.memtableBytes,
    version_map_memory_in_bytes: 0,
    fixed_bit_set_memory_in_bytes: 0,
    max_unsafe_auto_id_timestamp: -1,
    file_sizes: fileSizes ? Object.fromEntries(files) : {},
  };
}

/** `columnValues` as `column values`. */
function describeSection(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function translog({ log, logAgeMs }: Totals): Record<string, unknown> {
  return {
    operations: log.operations,
    size_in_bytes: log.bytes,
    uncommitted_operations: log.uncommitted,
    uncommitted_size_in_bytes: log.uncommittedBytes,
    earliest_last_modified_age: Math.round(logAgeMs),
  };
}
