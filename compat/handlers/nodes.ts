/** `_nodes` and `_nodes/stats`: the one node, with true numbers. */
import { arch, cpus, freemem, loadavg, platform, release, totalmem } from "node:os";
import type { Index, IndexStats } from "../../engine/index.js";
import { notSupported } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";

const ROLES = ["data", "ingest", "master"];
const LOCAL_NAMES: ReadonlySet<string> = new Set(["_all", "_local", "_master", "*"]);

/** Whether a path's node expression means this node. */
function namesThis(request: ApiRequest, expression: string | undefined): boolean {
  if (expression === undefined) return true;
  const { id, name } = request.node;
  return expression.split(",").some((one) => LOCAL_NAMES.has(one) || one === id || one === name);
}

const INFO_METRICS = ["settings", "os", "process", "transport", "http", "plugins", "ingest"] as const;
const STATS_METRICS = ["indices", "os", "process", "jvm", "http", "fs"] as const;

/** A path's only segment is a metric if it is one, else a node expression. */
function split(
  request: ApiRequest,
  known: readonly string[],
): { nodes: string | undefined; metrics: readonly string[] } {
  const { node_id, metric } = request.captured;
  const single = node_id !== undefined && metric === undefined;
  const isMetric = single && node_id.split(",").every((one) => known.includes(one) || one === "_none");
  const asked = (isMetric ? node_id : metric)?.split(",") ?? ["_all"];
  for (const one of asked) {
    if (one !== "_all" && one !== "_none" && !known.includes(one))
      throw notSupported(`metric [${one}] of [${request.path}]`);
  }
  return { nodes: isMetric ? undefined : node_id, metrics: asked.includes("_all") ? known : asked };
}

function answer(request: ApiRequest, nodes: string | undefined, described: () => Record<string, unknown>): Reply {
  const matches = namesThis(request, nodes);
  const total = matches ? 1 : 0;
  return json({
    _nodes: { total, successful: total, failed: 0 },
    cluster_name: request.node.clusterName,
    nodes: matches ? { [request.node.id]: described() } : {},
  });
}

/** `GET /_nodes`, with node and metric. */
export function nodesInfo(request: ApiRequest): Reply {
  const { node, identity } = request;
  const { nodes, metrics } = split(request, INFO_METRICS);
  const address = node.address();
  const parts: Readonly<Record<(typeof INFO_METRICS)[number], unknown>> = {
    settings: { cluster: { name: node.clusterName }, node: { name: node.name }, http: { type: { default: "netty4" } } },
    os: {
      name: platform(),
      arch: arch(),
      version: release(),
      available_processors: cpus().length,
      allocated_processors: cpus().length,
    },
    process: { id: process.pid, refresh_interval_in_millis: 1_000, mlockall: false },
    transport: { bound_address: [address], publish_address: address, profiles: {} },
    http: { bound_address: [address], publish_address: address, max_content_length_in_bytes: node.maxContentBytes },
    plugins: [],
    ingest: { processors: [] },
  };
  return answer(request, nodes, () => ({
    name: node.name,
    transport_address: address,
    host: address.replace(/:\d+$/, ""),
    ip: address.replace(/:\d+$/, ""),
    version: identity.version,
    ...(identity.distribution === undefined ? { build_flavor: "default" } : {}),
    build_type: "tar",
    build_hash: "pinakes0000000000000000000000000000000000",
    roles: ROLES,
    attributes: {},
    ...Object.fromEntries(
      metrics.map((metric) => [metric, parts[metric as keyof typeof parts]]).filter(([, part]) => part !== undefined),
    ),
  }));
}

/** `GET /_nodes/stats`, with node and metric. */
export function nodesStats(request: ApiRequest): Reply {
  const { node } = request;
  const { nodes, metrics } = split(request, STATS_METRICS);
  const parts: Readonly<Record<(typeof STATS_METRICS)[number], () => unknown>> = {
    indices: () =>
      printStats(
        node.engine
          .indexNames()
          .map((name) => node.engine.index(name))
          .filter((index) => index !== undefined),
      ),
    os: osStats,
    process: processStats,
    jvm: () => memoryStats(request),
    http: () => ({}),
    fs: () => ({ total: {} }),
  };
  return answer(request, nodes, () => ({
    timestamp: node.now(),
    name: node.name,
    transport_address: node.address(),
    host: node.address().replace(/:\d+$/, ""),
    ip: node.address(),
    roles: ROLES,
    attributes: {},
    ...Object.fromEntries(
      metrics.filter((metric) => metric in parts).map((metric) => [metric, parts[metric as keyof typeof parts]()]),
    ),
  }));
}

function osStats(): Record<string, unknown> {
  const [one, five, fifteen] = loadavg();
  const [total, free] = [totalmem(), freemem()];
  return {
    timestamp: Date.now(),
    cpu: { load_average: { "1m": one, "5m": five, "15m": fifteen } },
    mem: {
      total_in_bytes: total,
      free_in_bytes: free,
      used_in_bytes: total - free,
      free_percent: Math.round((free / total) * 100),
      used_percent: Math.round(((total - free) / total) * 100),
    },
  };
}

function processStats(): Record<string, unknown> {
  const { user, system } = process.cpuUsage();
  return {
    timestamp: Date.now(),
    cpu: { total_in_millis: Math.round((user + system) / 1_000) },
    mem: { total_virtual_in_bytes: process.memoryUsage.rss() },
  };
}

/** There is no Java here: the heap is V8's, and the arena is what the engine holds beside it. */
function memoryStats(request: ApiRequest): Record<string, unknown> {
  const { heapUsed, heapTotal, external } = process.memoryUsage();
  const { arenaBytes, arenaUsed } = request.node.engine.memory();
  return {
    timestamp: Date.now(),
    uptime_in_millis: Math.round(process.uptime() * 1_000),
    mem: {
      heap_used_in_bytes: heapUsed,
      heap_used_percent: Math.round((heapUsed / heapTotal) * 100),
      heap_committed_in_bytes: heapTotal,
      heap_max_in_bytes: heapTotal,
      non_heap_used_in_bytes: external,
      non_heap_committed_in_bytes: external,
      pools: { arena: { used_in_bytes: arenaUsed, max_in_bytes: arenaBytes } },
    },
  };
}

/** There are no such caches, warmers or fields here, so these are truly nothing. */
const NOT_KEPT = {
  warmer: { current: 0, total: 0, total_time_in_millis: 0 },
  query_cache: {
    memory_size_in_bytes: 0,
    total_count: 0,
    hit_count: 0,
    miss_count: 0,
    cache_size: 0,
    cache_count: 0,
    evictions: 0,
  },
  fielddata: { memory_size_in_bytes: 0, evictions: 0 },
  completion: { size_in_bytes: 0 },
  request_cache: { memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 },
  recovery: { current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 },
};

/** Statistics of indices added up, in the form that `_stats` and `_nodes/stats` share. */
export function printStats(indices: readonly Index[]): Record<string, unknown> {
  const all = indices.map((index) => index.stats());
  const sum = (of: (stats: IndexStats) => number) => all.reduce((total, stats) => total + of(stats), 0);
  return {
    docs: { count: sum((stats) => stats.docs.count), deleted: sum((stats) => stats.docs.deleted) },
    store: { size_in_bytes: sum((stats) => stats.storeBytes) },
    indexing: {
      index_total: sum((stats) => stats.counters.indexed),
      index_time_in_millis: sum((stats) => Math.round(stats.counters.indexTimeMs)),
      index_failed: sum((stats) => stats.counters.indexFailed),
      delete_total: sum((stats) => stats.counters.deleted),
    },
    get: {
      total: sum((stats) => stats.counters.gets),
      time_in_millis: sum((stats) => Math.round(stats.counters.getTimeMs)),
    },
    search: {
      query_total: sum((stats) => stats.counters.searches),
      query_time_in_millis: sum((stats) => Math.round(stats.counters.searchTimeMs)),
      fetch_total: sum((stats) => stats.counters.fetches),
    },
    merges: {
      total: sum((stats) => stats.counters.merges),
      total_time_in_millis: sum((stats) => Math.round(stats.counters.mergeTimeMs)),
    },
    refresh: {
      total: sum((stats) => stats.counters.refreshes),
      total_time_in_millis: sum((stats) => Math.round(stats.counters.refreshTimeMs)),
    },
    flush: {
      periodic: 0,
      total: sum((stats) => stats.counters.flushes),
      total_time_in_millis: sum((stats) => Math.round(stats.counters.flushTimeMs)),
    },
    segments: {
      count: sum((stats) => stats.segments.length),
      memory_in_bytes: sum((stats) => stats.segments.reduce((total, segment) => total + segment.memoryBytes, 0)),
      index_writer_memory_in_bytes: sum((stats) => stats.memtableBytes),
    },
    ...NOT_KEPT,
    translog: { operations: sum((stats) => stats.log.operations), size_in_bytes: sum((stats) => stats.log.sizeBytes) },
  };
}
