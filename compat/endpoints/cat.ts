/** Tables for people. */
import { catAliases, catCount, catFielddata, catHealth, catHelp, catIndices, catShards } from "../handlers/cat.js";
import { catNodes } from "../handlers/cat-nodes.js";
import { catRepositories, catSnapshots } from "../handlers/cat-snapshots.js";
import { catComponentTemplates, catTemplates } from "../handlers/cat-templates.js";
import { catSegments } from "../handlers/segments.js";
import { catTasks } from "../handlers/tasks.js";
import { catThreadPool } from "../handlers/thread-pool.js";
import { CAT, INDEX_OPTIONS, type ParameterName } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const BY_INDEX: readonly ParameterName[] = [...CAT, ...INDEX_OPTIONS];

/** Sorted by name. */
export const CAT_ROWS: readonly Row[] = [
  ...endpoint("cat.aliases", "GET /_cat/aliases ; GET /_cat/aliases/{name}", {
    status: "full",
    missing: "",
    parameters: [...CAT, "expand_wildcards"],
    body: "none",
    privilege: "monitor",
    handler: catAliases,
    table: true,
  }),
  ...endpoint("cat.component_templates", "GET /_cat/component_templates ; GET /_cat/component_templates/{name}", {
    status: "full",
    missing: "",
    parameters: CAT,
    body: "none",
    privilege: "monitor",
    handler: catComponentTemplates,
    table: true,
  }),
  ...endpoint("cat.count", "GET /_cat/count ; GET /_cat/count/{index}", {
    status: "full",
    missing: "",
    parameters: BY_INDEX,
    body: "none",
    privilege: "monitor",
    handler: catCount,
    table: true,
  }),
  ...endpoint("cat.fielddata", "GET /_cat/fielddata ; GET /_cat/fielddata/{fields}", {
    status: "full",
    missing: "",
    parameters: [...CAT, "fields"],
    body: "none",
    privilege: "monitor",
    handler: catFielddata,
    table: true,
  }),
  ...endpoint("cat.health", "GET /_cat/health", {
    status: "full",
    missing: "",
    parameters: [...CAT, "ts"],
    body: "none",
    privilege: "monitor",
    handler: catHealth,
    table: true,
  }),
  ...endpoint("cat.help", "GET /_cat", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: catHelp,
    table: true,
  }),
  ...endpoint("cat.indices", "GET /_cat/indices ; GET /_cat/indices/{index}", {
    status: "full",
    missing: "",
    parameters: [...BY_INDEX, "health", "include_unloaded_segments", "pri"],
    body: "none",
    privilege: "monitor",
    handler: catIndices,
    table: true,
  }),
  ...endpoint("cat.nodes", "GET /_cat/nodes", {
    status: "full",
    missing: "",
    parameters: [...CAT, "full_id", "include_unloaded_segments", "timeout"],
    body: "none",
    privilege: "monitor",
    handler: catNodes,
    table: true,
  }),
  ...endpoint("cat.repositories", "GET /_cat/repositories", {
    status: "full",
    missing: "",
    parameters: CAT,
    body: "none",
    privilege: "monitor",
    handler: catRepositories,
    table: true,
  }),
  ...endpoint("cat.segments", "GET /_cat/segments ; GET /_cat/segments/{index}", {
    status: "full",
    missing: "",
    parameters: BY_INDEX,
    body: "none",
    privilege: "monitor",
    handler: catSegments,
    table: true,
  }),
  ...endpoint("cat.shards", "GET /_cat/shards ; GET /_cat/shards/{index}", {
    status: "full",
    missing: "",
    parameters: CAT,
    body: "none",
    privilege: "monitor",
    handler: catShards,
    table: true,
  }),
  ...endpoint("cat.snapshots", "GET /_cat/snapshots ; GET /_cat/snapshots/{repository}", {
    status: "full",
    missing: "",
    parameters: [...CAT, "ignore_unavailable"],
    body: "none",
    privilege: "monitor",
    handler: catSnapshots,
    table: true,
  }),
  ...endpoint("cat.tasks", "GET /_cat/tasks", {
    status: "full",
    missing: "",
    parameters: [...CAT, "actions", "detailed", "nodes", "parent_task_id"],
    body: "none",
    privilege: "monitor",
    handler: catTasks,
    table: true,
  }),
  ...endpoint("cat.templates", "GET /_cat/templates ; GET /_cat/templates/{name}", {
    status: "full",
    missing: "",
    parameters: CAT,
    body: "none",
    privilege: "monitor",
    handler: catTemplates,
    table: true,
  }),
  ...endpoint("cat.thread_pool", "GET /_cat/thread_pool ; GET /_cat/thread_pool/{thread_pool_patterns}", {
    status: "full",
    missing: "",
    parameters: [...CAT, "size"],
    body: "none",
    privilege: "monitor",
    handler: catThreadPool,
    table: true,
  }),
];
