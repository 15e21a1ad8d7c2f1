/**
 * What a request is called while it runs: the names of Elasticsearch's actions, by endpoint; which of our pools does it, and
 * whether it can be cancelled. An endpoint that is not here runs as `rest:<its name>`.
 */
import type { ActivityKind } from "../../engine/index.js";

/** How an endpoint's requests appear as tasks. */
export interface TaskAction {
  readonly action: string;
  readonly kind: ActivityKind;
  readonly cancellable: boolean;
}

type Entry = readonly [action: string, kind: ActivityKind, cancellable?: "cancellable"];

const ACTIONS: Readonly<Record<string, Entry>> = {
  bulk: ["indices:data/write/bulk", "bulk"],
  "cat.segments": ["indices:monitor/segments", "management"],
  "cat.tasks": ["cluster:monitor/tasks/lists", "management"],
  "cat.thread_pool": ["cluster:monitor/nodes/stats", "management"],
  clear_scroll: ["indices:data/read/scroll/clear", "generic"],
  "cluster.get_settings": ["cluster:monitor/state", "management"],
  "cluster.health": ["cluster:monitor/health", "management"],
  "cluster.put_settings": ["cluster:admin/settings/update", "management"],
  "cluster.reroute": ["cluster:admin/reroute", "management"],
  "cluster.state": ["cluster:monitor/state", "management"],
  "cluster.stats": ["cluster:monitor/stats", "management"],
  count: ["indices:data/read/search", "search", "cancellable"],
  create: ["indices:data/write/index", "bulk"],
  delete: ["indices:data/write/delete", "bulk"],
  delete_by_query: ["indices:data/write/delete/byquery", "generic", "cancellable"],
  delete_by_query_rethrottle: ["cluster:admin/reindex/rethrottle", "management"],
  exists: ["indices:data/read/get", "get"],
  exists_source: ["indices:data/read/get", "get"],
  explain: ["indices:data/read/explain", "get"],
  field_caps: ["indices:data/read/field_caps", "management"],
  get: ["indices:data/read/get", "get"],
  get_source: ["indices:data/read/get", "get"],
  index: ["indices:data/write/index", "bulk"],
  "indices.analyze": ["indices:admin/analyze", "analyze"],
  "indices.clear_cache": ["indices:admin/cache/clear", "management"],
  "indices.clone": ["indices:admin/resize", "management"],
  "indices.close": ["indices:admin/close", "management"],
  "indices.create": ["indices:admin/create", "management"],
  "indices.delete": ["indices:admin/delete", "management"],
  "indices.flush": ["indices:admin/flush", "management"],
  "indices.forcemerge": ["indices:admin/forcemerge", "force_merge"],
  "indices.get": ["indices:admin/get", "management"],
  "indices.get_mapping": ["indices:admin/mappings/get", "management"],
  "indices.get_settings": ["indices:monitor/settings/get", "management"],
  "indices.open": ["indices:admin/open", "management"],
  "indices.put_mapping": ["indices:admin/mapping/put", "management"],
  "indices.put_settings": ["indices:admin/settings/update", "management"],
  "indices.recovery": ["indices:monitor/recovery", "management"],
  "indices.refresh": ["indices:admin/refresh", "management"],
  "indices.segments": ["indices:monitor/segments", "management"],
  "indices.shrink": ["indices:admin/resize", "management"],
  "indices.split": ["indices:admin/resize", "management"],
  "indices.stats": ["indices:monitor/stats", "management"],
  "indices.validate_query": ["indices:admin/validate/query", "search"],
  info: ["cluster:monitor/main", "management"],
  "ingest.delete_pipeline": ["cluster:admin/ingest/pipeline/delete", "management"],
  "ingest.get_pipeline": ["cluster:admin/ingest/pipeline/get", "management"],
  "ingest.processor_grok": ["cluster:admin/ingest/processor/grok/get", "management"],
  "ingest.put_pipeline": ["cluster:admin/ingest/pipeline/put", "management"],
  "ingest.simulate": ["cluster:admin/ingest/pipeline/simulate", "management"],
  mget: ["indices:data/read/mget", "get"],
  msearch: ["indices:data/read/msearch", "search", "cancellable"],
  "nodes.hot_threads": ["cluster:monitor/nodes/hot_threads", "management"],
  "nodes.info": ["cluster:monitor/nodes/info", "management"],
  "nodes.stats": ["cluster:monitor/nodes/stats", "management"],
  ping: ["cluster:monitor/main", "management"],
  reindex: ["indices:data/write/reindex", "generic", "cancellable"],
  reindex_rethrottle: ["cluster:admin/reindex/rethrottle", "management"],
  scroll: ["indices:data/read/scroll", "search", "cancellable"],
  search: ["indices:data/read/search", "search", "cancellable"],
  search_shards: ["indices:admin/shards/search_shards", "management"],
  "tasks.cancel": ["cluster:admin/tasks/cancel", "management"],
  "tasks.get": ["cluster:monitor/task/get", "management"],
  "tasks.list": ["cluster:monitor/tasks/lists", "management"],
  update: ["indices:data/write/update", "bulk"],
  update_by_query: ["indices:data/write/update/byquery", "generic", "cancellable"],
  update_by_query_rethrottle: ["cluster:admin/reindex/rethrottle", "management"],
};

/** How the requests of an endpoint appear. */
export function taskAction(endpoint: string): TaskAction {
  const [action, kind, cancellable] = ACTIONS[endpoint] ?? ([`rest:${endpoint}`, "generic"] as Entry);
  return { action, kind, cancellable: cancellable === "cancellable" };
}
