/** The node and the cluster of one. */
import { ALLOCATION_EXPLAIN_SHAPE, allocationExplain } from "../handlers/allocation-explain.js";
import {
  CLUSTER_SETTINGS_SHAPE,
  compatibility,
  getClusterSettings,
  health,
  info,
  putClusterSettings,
  slowRequests,
} from "../handlers/cluster.js";
import {
  clusterState,
  deleteVotingExclusions,
  pendingTasks,
  postVotingExclusions,
  REROUTE_SHAPE,
  remoteInfo,
  reroute,
} from "../handlers/cluster-state.js";
import { clusterStats } from "../handlers/cluster-stats.js";
import { listDangling, noDangling } from "../handlers/dangling.js";
import { hotThreads } from "../handlers/hot-threads.js";
import { memoryReport } from "../handlers/memory.js";
import { nodesStats } from "../handlers/node-stats.js";
import { nodesUsage, RELOAD_SHAPE, reloadSecureSettings } from "../handlers/node-usage.js";
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
const USAGE =
  "GET /_nodes/usage ; GET /_nodes/{node_id}/usage ; GET /_nodes/usage/{metric} ; GET /_nodes/{node_id}/usage/{metric}";
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
  ...endpoint("cluster.delete_voting_config_exclusions", "DELETE /_cluster/voting_config_exclusions", {
    status: "full",
    missing: "",
    parameters: [...CLUSTER_WAITS, "wait_for_removal"],
    body: "none",
    privilege: "manage",
    handler: deleteVotingExclusions,
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
  ...endpoint("cluster.pending_tasks", "GET /_cluster/pending_tasks", {
    status: "full",
    missing: "",
    parameters: ["cluster_manager_timeout", "local", "master_timeout"],
    body: "none",
    privilege: "monitor",
    handler: pendingTasks,
  }),
  ...endpoint("cluster.post_voting_config_exclusions", "POST /_cluster/voting_config_exclusions", {
    status: "full",
    missing: "",
    parameters: [...CLUSTER_WAITS, "node_ids", "node_names"],
    body: "none",
    privilege: "manage",
    handler: postVotingExclusions,
  }),
  ...endpoint("cluster.put_settings", "PUT /_cluster/settings", {
    status: "partial",
    missing: "settings that are not known, by name",
    parameters: [...CLUSTER_WAITS, "flat_settings"],
    body: CLUSTER_SETTINGS_SHAPE,
    privilege: "manage",
    handler: putClusterSettings,
  }),
  ...endpoint("cluster.remote_info", "GET /_remote/info", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: remoteInfo,
  }),
  ...endpoint("cluster.reroute", "POST /_cluster/reroute", {
    status: "partial",
    missing: "cancelling a primary; allocating a damaged one",
    parameters: [...CLUSTER_WAITS, "dry_run", "explain", "metric", "retry_failed"],
    body: REROUTE_SHAPE,
    privilege: "manage",
    handler: reroute,
  }),
  ...endpoint(
    "cluster.state",
    "GET /_cluster/state ; GET /_cluster/state/{metrics} ; GET /_cluster/state/{metrics}/{index}",
    {
      status: "full",
      missing: "",
      parameters: [
        ...INDEX_OPTIONS,
        ...CLUSTER_WAITS,
        "flat_settings",
        "local",
        "wait_for_metadata_version",
        "wait_for_timeout",
      ],
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
  ...endpoint("dangling_indices.delete_dangling_index", "DELETE /_dangling/{index_uuid}", {
    status: "full",
    missing: "",
    parameters: [...CLUSTER_WAITS, "accept_data_loss"],
    body: "none",
    privilege: "manage",
    handler: noDangling,
  }),
  ...endpoint("dangling_indices.import_dangling_index", "POST /_dangling/{index_uuid}", {
    status: "full",
    missing: "",
    parameters: [...CLUSTER_WAITS, "accept_data_loss"],
    body: "none",
    privilege: "manage",
    handler: noDangling,
  }),
  ...endpoint("dangling_indices.list_dangling_indices", "GET /_dangling", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: listDangling,
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
    missing: "the metrics indices and search_pipelines",
    parameters: ["flat_settings", "timeout"],
    body: "none",
    privilege: "monitor",
    handler: nodesInfo,
  }),
  ...endpoint(
    "nodes.reload_secure_settings",
    "POST /_nodes/reload_secure_settings ; POST /_nodes/{node_id}/reload_secure_settings",
    {
      status: "full",
      missing: "",
      parameters: ["timeout"],
      body: RELOAD_SHAPE,
      privilege: "manage",
      handler: reloadSecureSettings,
    },
  ),
  ...endpoint("nodes.stats", STATS, {
    status: "full",
    missing: "",
    parameters: NODE_STATS,
    body: "none",
    privilege: "monitor",
    handler: nodesStats,
  }),
  ...endpoint("nodes.usage", USAGE, {
    status: "partial",
    missing: "the metric aggregations",
    parameters: ["timeout"],
    body: "none",
    privilege: "monitor",
    handler: nodesUsage,
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
