/** `_nodes/stats`: the one node, with true numbers. */
import type { BreakerName } from "../../engine/index.js";
import { namesNode, nodeHead, nodesEnvelope } from "../cluster/node-names.js";
import { illegalArgument } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { EVERY, indicesOf } from "../indices/names.js";
import { double } from "../json/print.js";
import { fsStats } from "../process/fs-stats.js";
import { jvmStats } from "../process/heap-stats.js";
import { osStats, processStats } from "../process/os-stats.js";
import { GROUP_NAMES, printGroups } from "../stats/groups.js";
import { readMetrics } from "../stats/metrics.js";
import { shardStats } from "../stats/shards.js";
import { threadPools } from "../stats/thread-pools.js";
import { totalsOf } from "../stats/totals.js";
import { printSize } from "../units.js";
import { groupOptions } from "./stats.js";

type Part = (request: ApiRequest, indexMetrics: readonly string[]) => unknown;

/** By metric; the key of the answer is the metric's name unless said. */
const PARTS: Readonly<Record<string, { readonly key?: string; readonly print: Part }>> = {
  indices: { print: indices },
  os: { print: ({ node }) => osStats(node.now(), node.cpu.load()) },
  process: { print: ({ node }) => processStats(node.now(), node.cpu.load()) },
  jvm: { print: ({ node }) => jvmStats(node.engine, node.collections, node.now()) },
  thread_pool: { print: threadPool },
  fs: { print: ({ node }) => fsStats(node.engine.dataFolder, node.now()) },
  // There are no other nodes to talk to.
  transport: {
    print: () => ({
      server_open: 0,
      total_outbound_connections: 0,
      rx_count: 0,
      rx_size_in_bytes: 0,
      tx_count: 0,
      tx_size_in_bytes: 0,
    }),
  },
  http: { print: ({ node }) => node.connections.stats() },
  breaker: { key: "breakers", print: breakers },
  // No scripts run here.
  script: { print: () => ({ compilations: 0, cache_evictions: 0, compilation_limit_triggered: 0 }) },
  discovery: {
    print: () => ({
      cluster_state_queue: { total: 0, pending: 0, committed: 0 },
      published_cluster_states: { full_states: 0, incompatible_diffs: 0, compatible_diffs: 0 },
    }),
  },
  ingest: { print: () => ({ total: { count: 0, time_in_millis: 0, current: 0, failed: 0 }, pipelines: {} }) },
  adaptive_selection: { print: () => ({}) },
  script_cache: {
    print: () => ({ sum: { compilations: 0, cache_evictions: 0, compilation_limit_triggered: 0 }, contexts: [] }),
  },
  indexing_pressure: { print: indexingPressure },
};

const METRICS: ReadonlySet<string> = new Set(Object.keys(PARTS));
const INDEX_METRICS: ReadonlySet<string> = new Set(GROUP_NAMES);
const LEVELS: readonly string[] = ["node", "indices", "shards"];

/** `GET /_nodes/stats`, with node, metric and index metric. */
export function nodesStats(request: ApiRequest): Reply {
  const { node, captured } = request;
  const metrics = readMetrics(captured.metric, METRICS, { path: request.path, what: "metric" });
  const indexMetrics = readIndexMetrics(request, metrics);
  const matches = namesNode(request, captured.node_id);
  const envelope = nodesEnvelope(request, matches);
  if (!matches) return json({ ...envelope, nodes: {} });
  const wanted = metrics === "all" ? Object.keys(PARTS) : Object.keys(PARTS).filter((name) => metrics.includes(name));
  const parts = wanted.map((name) => [PARTS[name].key ?? name, PARTS[name].print(request, indexMetrics)]);
  const stats = { timestamp: node.now(), ...nodeHead(request), ...Object.fromEntries(parts) };
  return json({ ...envelope, nodes: { [node.id]: stats } });
}

function readIndexMetrics(request: ApiRequest, metrics: readonly string[] | "all"): readonly string[] {
  const { index_metric } = request.captured;
  if (index_metric === undefined) return [];
  const described = `request [${request.path}] contains index metrics [${index_metric}]`;
  if (metrics === "all") throw illegalArgument(`${described} but all stats requested`);
  if (!metrics.includes("indices")) throw illegalArgument(`${described} but indices stats not requested`);
  const names = readMetrics(index_metric, INDEX_METRICS, { path: request.path, what: "index metric" });
  return names === "all" ? [] : names;
}

function indices(request: ApiRequest, names: readonly string[]): Record<string, unknown> {
  const { node, parameters } = request;
  const level = parameters.text("level") ?? "node";
  if (!LEVELS.includes(level)) {
    throw illegalArgument(`level parameter must be one of [node] or [indices] or [shards] but was [${level}]`);
  }
  const all = indicesOf(node.engine, "_all", EVERY);
  const options = groupOptions(request);
  const printed: Record<string, unknown> = printGroups(totalsOf(node, all), names, options);
  if (level === "indices") {
    printed.indices = Object.fromEntries(
      all.map((index) => [index.name, printGroups(totalsOf(node, [index]), names, options)]),
    );
  }
  if (level === "shards") {
    printed.shards = Object.fromEntries(
      all.map((index) => [index.name, [{ 0: shardStats(node, index, { shard: 0, names, options }) }]]),
    );
  }
  return printed;
}

function threadPool({ node, identity }: ApiRequest): Record<string, unknown> {
  return Object.fromEntries(
    threadPools(node.engine, identity).map(
      ({ name, threads, queue, active, rejected, largest, completed, hasWaitTime }) => [
        name,
        {
          threads,
          queue,
          active,
          rejected,
          largest,
          completed,
          ...(hasWaitTime && identity.distribution !== undefined ? { total_wait_time_in_nanos: 0 } : {}),
        },
      ],
    ),
  );
}

const BREAKERS: readonly (BreakerName | "parent")[] = ["request", "fielddata", "in_flight_requests", "parent"];

function breakers({ node }: ApiRequest): Record<string, unknown> {
  return Object.fromEntries(
    BREAKERS.map((name) => {
      const { limitBytes, estimatedBytes, overhead, tripped } = node.engine.resources.breakers.stats(name);
      return [
        name,
        {
          limit_size_in_bytes: limitBytes,
          limit_size: printSize(limitBytes),
          estimated_size_in_bytes: estimatedBytes,
          estimated_size: printSize(estimatedBytes),
          overhead: double(overhead),
          tripped,
        },
      ];
    }),
  );
}

/** The primary's bytes are those of the coordinating stage again, so they are not added. There are no replicas. */
function indexingPressure({ node }: ApiRequest): Record<string, unknown> {
  const { indexing } = node.engine.resources;
  const coordinating = indexing.stats("coordinating");
  const primary = indexing.stats("primary");
  const bytes = (name: "currentBytes" | "totalBytes") => {
    const combined = Math.max(coordinating[name], primary[name]);
    return {
      combined_coordinating_and_primary_in_bytes: combined,
      coordinating_in_bytes: coordinating[name],
      primary_in_bytes: primary[name],
      replica_in_bytes: 0,
      all_in_bytes: combined,
    };
  };
  return {
    memory: {
      current: bytes("currentBytes"),
      total: {
        ...bytes("totalBytes"),
        coordinating_rejections: coordinating.rejections,
        primary_rejections: primary.rejections,
        replica_rejections: 0,
      },
      limit_in_bytes: indexing.limitBytes,
    },
  };
}
