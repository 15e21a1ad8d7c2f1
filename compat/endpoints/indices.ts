/** Indices and what belongs to them. */
import { ANALYZE_SHAPE, analyze } from "../handlers/analyze.js";
import { getSettings, putSettings } from "../handlers/index-settings.js";
import {
  CREATE_SHAPE,
  createIndex,
  deleteIndex,
  existsIndex,
  getFieldMapping,
  getIndex,
  getMapping,
  PUT_MAPPING_SHAPE,
  putMapping,
} from "../handlers/indices.js";
import { addBlock, closeIndices, openIndices, removeBlock } from "../handlers/open-close.js";
import { indicesRecovery } from "../handlers/recovery.js";
import { cloneIndex, RESIZE_SHAPE, shrinkIndex, splitIndex } from "../handlers/resize.js";
import { indexSegments } from "../handlers/segments.js";
import { shardStores } from "../handlers/shard-stores.js";
import { indexStats } from "../handlers/stats.js";
import { clearCache, flush, forceMerge, refresh, upgrade } from "../handlers/upkeep.js";
import { CLUSTER_WAITS, INDEX_OPTIONS, type ParameterName } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const CHANGE: readonly ParameterName[] = [...CLUSTER_WAITS, ...INDEX_OPTIONS];
const SHOW: readonly ParameterName[] = [
  ...INDEX_OPTIONS,
  "cluster_manager_timeout",
  "flat_settings",
  "include_defaults",
  "local",
  "master_timeout",
];
const STATS: readonly ParameterName[] = [
  ...INDEX_OPTIONS,
  "completion_fields",
  "fielddata_fields",
  "fields",
  "forbid_closed_indices",
  "groups",
  "include_segment_file_sizes",
  "include_unloaded_segments",
  "level",
  "types",
];

const RESIZE: readonly ParameterName[] = [
  ...CLUSTER_WAITS,
  "copy_settings",
  "task_execution_timeout",
  "wait_for_active_shards",
  "wait_for_completion",
];
const OPEN_CLOSE: readonly ParameterName[] = [
  ...CHANGE,
  "task_execution_timeout",
  "wait_for_active_shards",
  "wait_for_completion",
];

/** Sorted by name. */
export const INDEX_ROWS: readonly Row[] = [
  ...endpoint("indices.add_block", "PUT /{index}/_block/{block}", {
    status: "full",
    missing: "",
    parameters: CHANGE,
    body: "none",
    privilege: "manage",
    handler: addBlock,
  }),
  ...endpoint("indices.analyze", "GET,POST /_analyze ; GET,POST /{index}/_analyze", {
    status: "full",
    missing: "",
    parameters: [],
    body: ANALYZE_SHAPE,
    privilege: "read",
    handler: analyze,
  }),
  ...endpoint("indices.clear_cache", "POST /_cache/clear ; POST /{index}/_cache/clear", {
    status: "full",
    missing: "",
    parameters: [...INDEX_OPTIONS, "fielddata", "fields", "index", "query", "request"],
    body: "none",
    privilege: "manage",
    handler: clearCache,
  }),
  ...endpoint("indices.clone", "PUT,POST /{index}/_clone/{target}", {
    status: "full",
    missing: "",
    parameters: RESIZE,
    body: RESIZE_SHAPE,
    privilege: "manage",
    handler: cloneIndex,
  }),
  ...endpoint("indices.close", "POST /{index}/_close", {
    status: "full",
    missing: "",
    parameters: OPEN_CLOSE,
    body: "none",
    privilege: "manage",
    handler: closeIndices,
  }),
  ...endpoint("indices.create", "PUT /{index}", {
    status: "partial",
    missing: "runtime fields, _source options, similarity and sort settings; see the field types",
    parameters: [...CLUSTER_WAITS, "include_type_name", "wait_for_active_shards"],
    body: CREATE_SHAPE,
    privilege: "manage",
    handler: createIndex,
  }),
  ...endpoint("indices.delete", "DELETE /{index}", {
    status: "full",
    missing: "",
    parameters: CHANGE,
    body: "none",
    privilege: "manage",
    handler: deleteIndex,
  }),
  ...endpoint("indices.exists", "HEAD /{index}", {
    status: "full",
    missing: "",
    parameters: SHOW,
    body: "none",
    privilege: "read",
    handler: existsIndex,
  }),
  ...endpoint("indices.flush", "GET,POST /_flush ; GET,POST /{index}/_flush", {
    status: "full",
    missing: "",
    parameters: [...INDEX_OPTIONS, "force", "wait_if_ongoing"],
    body: "none",
    privilege: "manage",
    handler: flush,
  }),
  ...endpoint("indices.forcemerge", "POST /_forcemerge ; POST /{index}/_forcemerge", {
    status: "full",
    missing: "",
    parameters: [
      ...INDEX_OPTIONS,
      "flush",
      "max_num_segments",
      "only_expunge_deletes",
      "primary_only",
      "wait_for_completion",
    ],
    body: "none",
    privilege: "manage",
    handler: forceMerge,
  }),
  ...endpoint("indices.get", "GET /{index}", {
    status: "full",
    missing: "",
    parameters: [...SHOW, "include_type_name"],
    body: "none",
    privilege: "read",
    handler: getIndex,
  }),
  ...endpoint("indices.get_field_mapping", "GET /_mapping/field/{fields} ; GET /{index}/_mapping/field/{fields}", {
    status: "full",
    missing: "",
    parameters: SHOW,
    body: "none",
    privilege: "read",
    handler: getFieldMapping,
  }),
  ...endpoint(
    "indices.get_mapping",
    "GET /_mapping ; GET /{index}/_mapping ; GET /_mappings ; GET /{index}/_mappings",
    {
      status: "full",
      missing: "",
      parameters: [...INDEX_OPTIONS, "cluster_manager_timeout", "local", "master_timeout"],
      body: "none",
      privilege: "read",
      handler: getMapping,
    },
  ),
  ...endpoint(
    "indices.get_settings",
    "GET /_settings ; GET /{index}/_settings ; GET /{index}/_settings/{name} ; GET /_settings/{name}",
    { status: "full", missing: "", parameters: SHOW, body: "none", privilege: "read", handler: getSettings },
  ),
  ...endpoint("indices.open", "POST /{index}/_open", {
    status: "full",
    missing: "",
    parameters: OPEN_CLOSE,
    body: "none",
    privilege: "manage",
    handler: openIndices,
  }),
  ...endpoint("indices.put_mapping", "PUT,POST /{index}/_mapping ; PUT,POST /{index}/_mappings", {
    status: "partial",
    missing: "runtime fields; see the field types",
    parameters: [...CHANGE, "include_type_name", "write_index_only"],
    body: PUT_MAPPING_SHAPE,
    privilege: "manage",
    handler: putMapping,
  }),
  ...endpoint("indices.put_settings", "PUT /_settings ; PUT /{index}/_settings", {
    status: "partial",
    missing: "settings that are not built, by name",
    parameters: [...CHANGE, "flat_settings", "preserve_existing"],
    body: "json",
    privilege: "manage",
    handler: putSettings,
  }),
  ...endpoint("indices.recovery", "GET /_recovery ; GET /{index}/_recovery", {
    status: "full",
    missing: "",
    parameters: [...INDEX_OPTIONS, "active_only", "detailed"],
    body: "none",
    privilege: "monitor",
    handler: indicesRecovery,
  }),
  ...endpoint("indices.refresh", "GET,POST /_refresh ; GET,POST /{index}/_refresh", {
    status: "full",
    missing: "",
    parameters: INDEX_OPTIONS,
    body: "none",
    privilege: "write",
    handler: refresh,
  }),
  ...endpoint("indices.remove_block", "DELETE /{index}/_block/{block}", {
    status: "full",
    missing: "",
    parameters: CHANGE,
    body: "none",
    privilege: "manage",
    handler: removeBlock,
  }),
  ...endpoint("indices.segments", "GET /_segments ; GET /{index}/_segments", {
    status: "full",
    missing: "",
    parameters: [...INDEX_OPTIONS, "verbose"],
    body: "none",
    privilege: "monitor",
    handler: indexSegments,
  }),
  ...endpoint("indices.shard_stores", "GET /_shard_stores ; GET /{index}/_shard_stores", {
    status: "full",
    missing: "",
    parameters: [...INDEX_OPTIONS, "status"],
    body: "none",
    privilege: "monitor",
    handler: shardStores,
  }),
  ...endpoint("indices.shrink", "PUT,POST /{index}/_shrink/{target}", {
    status: "full",
    missing: "",
    parameters: RESIZE,
    body: RESIZE_SHAPE,
    privilege: "manage",
    handler: shrinkIndex,
  }),
  ...endpoint("indices.split", "PUT,POST /{index}/_split/{target}", {
    status: "full",
    missing: "",
    parameters: RESIZE,
    body: RESIZE_SHAPE,
    privilege: "manage",
    handler: splitIndex,
  }),
  ...endpoint(
    "indices.stats",
    "GET /_stats ; GET /_stats/{metric} ; GET /{index}/_stats ; GET /{index}/_stats/{metric}",
    {
      status: "full",
      missing: "",
      parameters: STATS,
      body: "none",
      privilege: "monitor",
      handler: indexStats,
    },
  ),
  ...endpoint("indices.upgrade", "POST /_upgrade ; POST /{index}/_upgrade", {
    status: "full",
    missing: "",
    parameters: [...INDEX_OPTIONS, "only_ancient_segments", "wait_for_completion"],
    body: "none",
    privilege: "manage",
    handler: upgrade,
    identities: ["os2"],
  }),
];
