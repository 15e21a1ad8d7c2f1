/** The node and the cluster of one. */
import {
  CLUSTER_SETTINGS_SHAPE,
  clusterState,
  compatibility,
  getClusterSettings,
  health,
  info,
  putClusterSettings,
} from "../handlers/cluster.js";
import { nodesInfo, nodesStats } from "../handlers/nodes.js";
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
  "GET /_nodes/stats ; GET /_nodes/{node_id}/stats ; GET /_nodes/stats/{metric} ; GET /_nodes/{node_id}/stats/{metric}";

/** Sorted by name. */
export const CLUSTER_ROWS: readonly Row[] = [
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
  ...endpoint("info", "GET /", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: info,
  }),
  ...endpoint("nodes.info", NODES, {
    status: "partial",
    missing: "jvm, thread_pool and modules metrics",
    parameters: ["flat_settings", "timeout"],
    body: "none",
    privilege: "monitor",
    handler: nodesInfo,
  }),
  ...endpoint("nodes.stats", STATS, {
    status: "partial",
    missing: "thread_pool, breaker, transport and script metrics",
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
  ...endpoint("ping", "HEAD /", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: info,
  }),
];
