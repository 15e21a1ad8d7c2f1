/** `_cluster/stats`: indices and the one node, added up. */
import { availableParallelism, platform } from "node:os";
import type { Index } from "../../engine/index.js";
import { namesNode, nodesEnvelope } from "../cluster/node-names.js";
import { shardCounts, worst } from "../cluster/state.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { EVERY, indicesOf } from "../indices/names.js";
import { double } from "../json/print.js";
import { diskSpace } from "../process/fs-stats.js";
import { heapNumbers, threadCount } from "../process/heap-stats.js";
import { fileDescriptors, machineMemoryStats } from "../process/os-stats.js";
import { printGroups } from "../stats/groups.js";
import { totalsOf } from "../stats/totals.js";
import { groupOptions } from "./stats.js";

const GROUPS = ["docs", "store", "fielddata", "query_cache", "completion", "segments"];

/** `GET /_cluster/stats` */
export function clusterStats(request: ApiRequest): Reply {
  const { node, captured } = request;
  const matches = namesNode(request, captured.node_id);
  const indices = matches ? indicesOf(node.engine, "_all", EVERY) : [];
  return json({
    ...nodesEnvelope(request, matches),
    cluster_uuid: node.clusterUuid,
    timestamp: node.now(),
    status: worst(indices),
    indices: indicesPart(request, indices),
    nodes: nodesPart(request, matches),
  });
}

function indicesPart(request: ApiRequest, indices: readonly Index[]): Record<string, unknown> {
  return {
    count: indices.length,
    shards: indices.length === 0 ? {} : shardsPart(indices),
    ...printGroups(totalsOf(request.node, indices), GROUPS, groupOptions(request)),
    mappings: { field_types: fieldTypes(indices) },
    analysis: {
      char_filter_types: [],
      tokenizer_types: [],
      filter_types: [],
      analyzer_types: [],
      built_in_char_filters: [],
      built_in_tokenizers: [],
      built_in_filters: [],
      built_in_analyzers: [],
      ...analysisTypes(indices),
    },
    versions: [{ version: request.identity.version, index_count: indices.length, primary_shard_count: primaries() }],
  };

  function primaries(): number {
    return indices.reduce((sum, index) => sum + shardCounts(index).primaries, 0);
  }
}

/** There are no copies: every shard is a primary. */
function shardsPart(indices: readonly Index[]): Record<string, unknown> {
  const counts = indices.map((index) => shardCounts(index).primaries);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const spread = { min: Math.min(...counts), max: Math.max(...counts), avg: double(total / counts.length) };
  const none = { min: double(0), max: double(0), avg: double(0) };
  return {
    total,
    primaries: total,
    replication: double(0),
    index: { shards: spread, primaries: spread, replication: none },
  };
}

/** How many fields there are of each type, and in how many indices. */
function fieldTypes(indices: readonly Index[]): unknown[] {
  const types = new Map<string, { count: number; indices: Set<string> }>();
  for (const index of indices) {
    for (const { type } of index.fields().values()) {
      const entry = types.get(type) ?? { count: 0, indices: new Set() };
      entry.count++;
      entry.indices.add(index.name);
      types.set(type, entry);
    }
  }
  return [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { count, indices: named }]) => ({ name, count, index_count: named.size }));
}

/** Kinds of parts that indices define for their analysis. */
function analysisTypes(indices: readonly Index[]): Record<string, unknown> {
  const kinds = {
    char_filter_types: "charFilter",
    tokenizer_types: "tokenizer",
    filter_types: "filter",
    analyzer_types: "analyzer",
  } as const;
  return Object.fromEntries(
    Object.entries(kinds).map(([key, kind]) => {
      const found = new Map<string, { count: number; indices: Set<string> }>();
      for (const index of indices) {
        for (const { type = "custom" } of Object.values(index.definition.analysis[kind])) {
          const entry = found.get(String(type)) ?? { count: 0, indices: new Set() };
          entry.count++;
          entry.indices.add(index.name);
          found.set(String(type), entry);
        }
      }
      return [key, [...found].map(([name, { count, indices: own }]) => ({ name, count, index_count: own.size }))];
    }),
  );
}

function nodesPart(request: ApiRequest, matches: boolean): Record<string, unknown> {
  const { node, identity } = request;
  const one = matches ? 1 : 0;
  const opensearch = identity.distribution !== undefined;
  const { open } = fileDescriptors();
  const heap = heapNumbers();
  const disk = diskSpace(node.engine.dataFolder);
  const counts = {
    total: one,
    ...(opensearch ? { cluster_manager: one } : {}),
    coordinating_only: 0,
    data: one,
    ingest: one,
    master: one,
  };
  if (!matches) return { count: counts, versions: [], plugins: [], network_types: {} };
  return {
    count: counts,
    versions: [identity.version],
    os: {
      available_processors: availableParallelism(),
      allocated_processors: availableParallelism(),
      names: [{ name: platform(), count: 1 }],
      pretty_names: [{ pretty_name: platform(), count: 1 }],
      mem: machineMemoryStats(),
    },
    process: {
      cpu: { percent: node.cpu.load().processPercent },
      open_file_descriptors: { min: open, max: open, avg: open },
    },
    jvm: {
      max_uptime_in_millis: Math.round(process.uptime() * 1_000),
      versions: [
        {
          version: process.versions.node,
          vm_name: "V8",
          vm_version: process.versions.v8,
          vm_vendor: "Node.js",
          bundled_jdk: false,
          using_bundled_jdk: null,
          count: 1,
        },
      ],
      mem: { heap_used_in_bytes: heap.used, heap_max_in_bytes: heap.max },
      threads: threadCount(),
    },
    fs: { total_in_bytes: disk.total, free_in_bytes: disk.free, available_in_bytes: disk.available },
    plugins: [],
    network_types: { transport_types: { netty4: 1 }, http_types: { netty4: 1 } },
    discovery_types: { "single-node": 1 },
    packaging_types: [{ ...(opensearch ? {} : { flavor: "default" }), type: "unknown", count: 1 }],
    ingest: { number_of_pipelines: 0, processor_stats: {} },
  };
}
