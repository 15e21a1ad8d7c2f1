/** The node and the cluster of one. */
import { ALLOCATION_EXPLAIN_SHAPE, allocationExplain } from "../handlers/allocation-explain.js";
import {
  CLUSTER_SETTINGS_SHAPE,
  clusterState,
  compatibility,
  getClusterSettings,
  health,
  info,
  putClusterSettings,
  slowRequests,
} from "../handlers/cluster.js";
import { clusterStats } from "../handlers/cluster-stats.js";
import { hotThreads } from "../handlers/hot-threads.js";
import { memoryReport } from "../handlers/memory.js";
import { nodesStats } from "../handlers/node-stats.js";
import { nodesInfo } from "../handlers/nodes.js";
import { cancelTasks, getTask, listTasks } from "../handlers/tasks.js";
import { CLUSTER_WAITS, INDEX_OPTIONS, type ParameterName } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const HEALTH: readonly ParameterName[] = [
  ...CLUSTER_WAITS,
  "expand_wildcards",
  "level",
  "local",
  "wait_for_active_shards",
  "wait_for_events",
  "wait_for_no_initializing_shards",
  "wait_for_no_relocating_shards",
  "wait_for_nodes",
  "wait_for_status",
];
const NODE_STATS: readonly ParameterName[] = [
  "completion_fields",
  "fielddata_fields",
  "fields",
  "groups",
  "include_segment_file_sizes",
  "include_unloaded_segments",
  "level",
  "timeout",
  "types",
];
const NODES = "GET /_nodes ; GET /_nodes/{node_id} ; GET /_nodes/{node_id}/{metric}";
const STATS =
  "GET /_nodes/stats ; GET /_nodes/{node_id}/stats ; GET /_nodes/stats/{metric} ; GET /_nodes/{node_id}/stats/{metric} ; " +
  "GET /_nodes/stats/{metric}/{index_metric} ; GET /_nodes/{node_id}/stats/{metric}/{index_metric}";
const HOT_THREADS: readonly ParameterName[] = [
  "ignore_idle_threads",
  "interval",
  "snapshots",
  "threads",
  "timeout",
  "type",
];
const TASKS: readonly ParameterName[] = [
  "actions",
  "detailed",
  "group_by",
  "nodes",
  "parent_task_id",
  "timeout",
  "wait_for_completion",
];

/** Sorted by name. */
export const CLUSTER_ROWS: readonly Row[] = [
  ...endpoint("cluster.allocation_explain", "GET,POST /_cluster/allocation/explain", {
    status: "full",
    missing: "",
    parameters: [...CLUSTER_WAITS, "include_disk_info", "include_yes_decisions"],
    body: ALLOCATION_EXPLAIN_SHAPE,
    privilege: "monitor",
    handler: allocationExplain,
  }),
  ...endpoint("cluster.get_settings", "GET /_cluster/settings", {
    status: "full",
    missing: "",
    parameters: [...CLUSTER_WAITS, "flat_settings", "include_defaults"],
    body: "none",
    privilege: "monitor",
    handler: getClusterSettings,
  }),
  ...endpoint("cluster.health", "GET /_cluster/health ; GET /_cluster/health/{index}", {
    status: "full",
    missing: "",
    parameters: HEALTH,
    body: "none",
    privilege: "monitor",
    handler: health,
  }),
  ...endpoint("cluster.put_settings", "PUT /_cluster/settings", {
    status: "partial",
    missing: "settings that are not known, by name",
    parameters: [...CLUSTER_WAITS, "flat_settings"],
    body: CLUSTER_SETTINGS_SHAPE,
    privilege: "manage",
    handler: putClusterSettings,
  }),
  ...endpoint(
    "cluster.state",
    "GET /_cluster/state ; GET /_cluster/state/{metrics} ; GET /_cluster/state/{metrics}/{index}",
    {
      status: "partial",
      missing: "routing tables",
      parameters: [...INDEX_OPTIONS, "flat_settings", "local", "master_timeout", "timeout"],
      body: "none",
      privilege: "monitor",
      handler: clusterState,
    },
  ),
  ...endpoint("cluster.stats", "GET /_cluster/stats ; GET /_cluster/stats/nodes/{node_id}", {
    status: "full",
    missing: "",
    parameters: ["flat_settings", "timeout"],
    body: "none",
    privilege: "monitor",
    handler: clusterStats,
  }),
  ...endpoint("info", "GET /", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: info,
  }),
  ...endpoint("nodes.hot_threads", "GET /_nodes/hot_threads ; GET /_nodes/{node_id}/hot_threads", {
    status: "partial",
    missing: "types block and mem",
    parameters: HOT_THREADS,
    body: "none",
    privilege: "monitor",
    handler: hotThreads,
    table: true,
  }),
  ...endpoint("nodes.info", NODES, {
    status: "partial",
    missing: "the metrics modules, aggregations and indices",
    parameters: ["flat_settings", "timeout"],
    body: "none",
    privilege: "monitor",
    handler: nodesInfo,
  }),
  ...endpoint("nodes.stats", STATS, {
    status: "full",
    missing: "",
    parameters: NODE_STATS,
    body: "none",
    privilege: "monitor",
    handler: nodesStats,
  }),
  ...endpoint("pinakes.compat", "GET /_pinakes/compat", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: compatibility,
  }),
  ...endpoint("pinakes.memory", "GET /_pinakes/memory", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: memoryReport,
  }),
  ...endpoint("pinakes.slow_requests", "GET /_pinakes/slow_requests", {
    status: "full",
    missing: "",
    parameters: ["reset"],
    body: "none",
    privilege: "monitor",
    handler: slowRequests,
  }),
  ...endpoint("ping", "HEAD /", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: info,
  }),
  ...endpoint("tasks.cancel", "POST /_tasks/_cancel ; POST /_tasks/{task_id}/_cancel", {
    status: "full",
    missing: "",
    parameters: ["actions", "group_by", "nodes", "parent_task_id", "timeout", "wait_for_completion"],
    body: "none",
    privilege: "manage",
    handler: cancelTasks,
  }),
  ...endpoint("tasks.get", "GET /_tasks/{task_id}", {
    status: "full",
    missing: "",
    parameters: ["timeout", "wait_for_completion"],
    body: "none",
    privilege: "monitor",
    handler: getTask,
  }),
  ...endpoint("tasks.list", "GET /_tasks", {
    status: "full",
    missing: "",
    parameters: TASKS,
    body: "none",
    privilege: "monitor",
    handler: listTasks,
  }),
];
