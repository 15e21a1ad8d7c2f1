/**
 * Every query parameter that any endpoint knows: its type, and what it does here. Rows of the endpoint table name the
 * ones they accept; what a row does not name is a 400. `effect` says which parameters change nothing, and why that is
 * honest; those marked `refused` are only accepted with the values under `allowed`.
 */
export type ParameterType = "boolean" | "integer" | "long" | "number" | "duration" | "text" | "list" | "active shards";

export interface Parameter {
  readonly type: ParameterType;
  readonly effect: "honoured" | "moot" | "refused";
  /** Why it is moot, or what is missing. */
  readonly note?: string;
  /** Values other than these are a 400. */
  readonly allowed?: readonly string[];
}

const honoured = (type: ParameterType, allowed?: readonly string[]): Parameter => ({
  type,
  effect: "honoured",
  allowed,
});
const moot = (type: ParameterType, note: string, allowed?: readonly string[]): Parameter => ({
  type,
  effect: "moot",
  note,
  allowed,
});
const refused = (type: ParameterType, note: string, allowed: readonly string[]): Parameter => ({
  type,
  effect: "refused",
  note,
  allowed,
});

const ONE_NODE = "there is one node";
const NO_WAIT = "nothing here waits longer than the work itself takes";

/** Sorted by name. */
export const PARAMETERS = {
  _source: honoured("list"),
  _source_excludes: honoured("list"),
  _source_includes: honoured("list"),
  accept_data_loss: honoured("boolean"),
  accept_enterprise: moot("boolean", "the licence is the free one"),
  actions: honoured("list"),
  active_only: honoured("boolean"),
  after: honoured("text"),
  allow_no_indices: honoured("boolean"),
  allow_no_match: moot("boolean", "a pattern that matches nothing is no error"),
  allow_partial_pit_creation: moot("boolean", "a point in time is opened whole or not at all"),
  allow_partial_search_results: honoured("boolean"),
  analyze_wildcard: honoured("boolean"),
  analyzer: honoured("text"),
  batched_reduce_size: moot("integer", "one shard per index, reduced at once"),
  bytes: honoured("text", ["b", "kb", "mb", "gb", "tb", "pb"]),
  categories: honoured("list"),
  cause: moot("text", "it is only written into the log of Elasticsearch"),
  ccs_minimize_roundtrips: moot("boolean", "no remote clusters"),
  cluster_manager_timeout: moot("duration", ONE_NODE),
  completion_fields: honoured("list"),
  conflicts: honoured("text", ["abort", "proceed"]),
  copy_settings: honoured("boolean"),
  create: honoured("boolean"),
  default_operator: honoured("text", ["or", "and", "OR", "AND"]),
  detailed: honoured("boolean"),
  df: honoured("text"),
  doc_as_upsert: honoured("boolean"),
  docvalue_fields: honoured("list"),
  dry_run: honoured("boolean"),
  error_trace: honoured("boolean"),
  expand_wildcards: honoured("list"),
  explain: honoured("boolean"),
  fielddata: honoured("boolean"),
  fielddata_fields: honoured("list"),
  fields: honoured("list"),
  filter_path: honoured("list"),
  filters: honoured("list"),
  flat_settings: honoured("boolean"),
  flush: honoured("boolean"),
  forbid_closed_indices: honoured("boolean"),
  force: moot("boolean", "flush always writes what is not on disk"),
  force_synthetic_source: refused("boolean", "_source is kept as it was written", ["false"]),
  format: honoured("text"),
  from: honoured("integer"),
  from_sort_value: refused("text", "snapshots are paged by [after] and [offset]", []),
  full_id: honoured("boolean"),
  group_by: honoured("text", ["nodes", "parents", "none"]),
  groups: honoured("list"),
  h: honoured("list"),
  health: honoured("text", ["green", "yellow", "red"]),
  help: honoured("boolean"),
  human: honoured("boolean"),
  if_primary_term: honoured("long"),
  if_seq_no: honoured("long"),
  if_version: honoured("integer"),
  ignore_idle_threads: honoured("boolean"),
  ignore_throttled: moot("boolean", "no frozen indices"),
  ignore_unavailable: honoured("boolean"),
  include_bootstrap: moot("boolean", "no plugins"),
  include_defaults: honoured("boolean"),
  include_disk_info: honoured("boolean"),
  include_empty_fields: refused("boolean", "fields without values are listed", ["true", ""]),
  include_named_queries_score: refused("boolean", "named queries are listed without scores", ["false"]),
  include_repository: honoured("boolean"),
  include_segment_file_sizes: honoured("boolean"),
  include_source_on_error: moot("boolean", "errors never quote the document"),
  include_type_name: refused("boolean", "mapping types are gone", ["false"]),
  include_unloaded_segments: honoured("boolean"),
  include_unmapped: honoured("boolean"),
  include_yes_decisions: moot("boolean", "with one node there is nothing that speaks for another"),
  index: honoured("list"),
  index_details: honoured("boolean"),
  index_names: honoured("boolean"),
  interval: honoured("duration"),
  keep_alive: honoured("duration"),
  lazy: refused("boolean", "a rollover is made at once or not at all", ["false"]),
  lenient: honoured("boolean"),
  level: honoured("text", ["cluster", "indices", "shards", "node"]),
  list_executed_pipelines: honoured("boolean"),
  local: moot("boolean", ONE_NODE),
  master_timeout: moot("duration", ONE_NODE),
  max_concurrent_searches: honoured("integer"),
  max_concurrent_shard_requests: moot("integer", "one shard per index"),
  max_docs: honoured("integer"),
  max_num_segments: honoured("integer"),
  metric: honoured("list"),
  min_score: honoured("number"),
  node_ids: honoured("list"),
  node_names: honoured("list"),
  nodes: honoured("text"),
  offset: honoured("integer"),
  only_ancient_segments: honoured("boolean"),
  only_expunge_deletes: honoured("boolean"),
  op_type: honoured("text"),
  order: honoured("text"),
  parent_task_id: honoured("text"),
  pipeline: honoured("text"),
  pre_filter_shard_size: moot("integer", "one shard per index"),
  preference: honoured("text"),
  preserve_existing: honoured("boolean"),
  pretty: honoured("boolean"),
  pri: moot("boolean", "there are only primary shards"),
  primary_only: honoured("boolean"),
  q: honoured("text"),
  query: honoured("boolean"),
  realtime: honoured("boolean"),
  refresh: honoured("text"),
  request: moot("boolean", "no cache of whole answers"),
  request_cache: moot("boolean", "no cache of whole answers"),
  requests_per_second: honoured("number"),
  require_alias: honoured("boolean"),
  require_data_stream: honoured("boolean"),
  reset: honoured("boolean"),
  rest_total_hits_as_int: honoured("boolean"),
  retry_failed: moot("boolean", "what can be opened is opened at the next use"),
  retry_on_conflict: honoured("integer"),
  rewrite: refused("boolean", "queries are shown as they are read", ["false"]),
  routing: honoured("text"),
  s: honoured("list"),
  scroll: honoured("duration"),
  scroll_id: honoured("text"),
  scroll_size: honoured("integer"),
  search_timeout: moot("duration", NO_WAIT),
  search_type: moot("text", "statistics are per index either way", ["query_then_fetch", "dfs_query_then_fetch"]),
  seq_no_primary_term: honoured("boolean"),
  size: honoured("integer"),
  slices: honoured("text"),
  slm_policy_filter: refused("text", "no snapshot policies", []),
  snapshots: honoured("integer"),
  sort: honoured("list"),
  source: honoured("text"),
  source_content_type: honoured("text"),
  status: honoured("list"),
  stored_fields: honoured("list"),
  summary: honoured("boolean"),
  system_api_version: moot("text", "monitoring data are not kept"),
  system_id: moot("text", "monitoring data are not kept"),
  task_execution_timeout: moot("duration", NO_WAIT),
  terminate_after: honoured("integer"),
  threads: honoured("integer"),
  time: honoured("text", ["nanos", "micros", "ms", "s", "m", "h", "d"]),
  timeout: moot("duration", "nothing is waited for but the end of a task, where it counts"),
  track_scores: honoured("boolean"),
  track_total_hits: honoured("text"),
  ts: honoured("boolean"),
  type: refused("text", "what blocks a thread, or what it allocates, is not measured by thread", ["cpu", "wait"]),
  typed_keys: honoured("boolean"),
  types: honoured("list"),
  v: honoured("boolean"),
  verbose: honoured("boolean"),
  verify: honoured("boolean"),
  version: honoured("text"),
  version_type: honoured("text"),
  wait_for_active_shards: honoured("active shards"),
  wait_for_completion: honoured("boolean"),
  wait_for_events: moot("text", "no queue of cluster tasks"),
  wait_for_metadata_version: moot("long", "what was acknowledged is in the state"),
  wait_for_no_initializing_shards: moot("boolean", "no shard is ever initialising"),
  wait_for_no_relocating_shards: moot("boolean", ONE_NODE),
  wait_for_nodes: honoured("text"),
  wait_for_removal: moot("boolean", "nodes that are not there need not be waited for"),
  wait_for_status: honoured("text", ["green", "yellow", "red"]),
  wait_for_timeout: moot("duration", NO_WAIT),
  wait_if_ongoing: moot("boolean", "a flush waits for the one under way"),
  write_index_only: refused("boolean", "an alias means all of its indices here", ["false"]),
} as const satisfies Readonly<Record<string, Parameter>>;

export type ParameterName = keyof typeof PARAMETERS;

/** Accepted by every endpoint. */
export const COMMON: readonly ParameterName[] = ["error_trace", "filter_path", "format", "human", "pretty"];

/** How names with wildcards are resolved. */
export const INDEX_OPTIONS: readonly ParameterName[] = [
  "allow_no_indices",
  "expand_wildcards",
  "ignore_throttled",
  "ignore_unavailable",
];

/** Waiting for other nodes. */
export const CLUSTER_WAITS: readonly ParameterName[] = ["cluster_manager_timeout", "master_timeout", "timeout"];

/** What the `_cat` tables share. */
export const CAT: readonly ParameterName[] = [
  "bytes",
  "cluster_manager_timeout",
  "h",
  "help",
  "local",
  "master_timeout",
  "s",
  "time",
  "v",
];

/** A query in the query string. */
export const QUERY_STRING: readonly ParameterName[] = [
  "analyze_wildcard",
  "analyzer",
  "default_operator",
  "df",
  "lenient",
  "q",
];

/** `_source` of one document. */
export const SOURCE: readonly ParameterName[] = ["_source", "_source_excludes", "_source_includes"];
