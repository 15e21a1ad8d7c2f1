/** Indices and what belongs to them. */
import { ANALYZE_SHAPE, analyze } from "../handlers/analyze.js";
import {
  CREATE_SHAPE,
  clearCache,
  createIndex,
  deleteIndex,
  existsIndex,
  flush,
  forceMerge,
  getFieldMapping,
  getIndex,
  getMapping,
  getSettings,
  putMapping,
  putSettings,
  refresh,
} from "../handlers/indices.js";
import { indexSegments } from "../handlers/segments.js";
import { indexStats } from "../handlers/stats.js";
import { MAPPING_SHAPE } from "../mapping/index.js";
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

/** Sorted by name. */
export const INDEX_ROWS: readonly Row[] = [
  ...endpoint("indices.analyze", "GET,POST /_analyze ; GET,POST /{index}/_analyze", {
    status: "partial",
    missing: "explain, attributes",
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
    status: "partial",
    missing: "tasks",
    parameters: [...INDEX_OPTIONS, "flush", "max_num_segments", "only_expunge_deletes", "wait_for_completion"],
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
  ...endpoint("indices.put_mapping", "PUT,POST /{index}/_mapping ; PUT,POST /{index}/_mappings", {
    status: "partial",
    missing: "runtime fields; see the field types",
    parameters: [...CHANGE, "include_type_name", "write_index_only"],
    body: MAPPING_SHAPE,
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
  ...endpoint("indices.refresh", "GET,POST /_refresh ; GET,POST /{index}/_refresh", {
    status: "full",
    missing: "",
    parameters: INDEX_OPTIONS,
    body: "none",
    privilege: "write",
    handler: refresh,
  }),
  ...endpoint("indices.segments", "GET /_segments ; GET /{index}/_segments", {
    status: "full",
    missing: "",
    parameters: [...INDEX_OPTIONS, "verbose"],
    body: "none",
    privilege: "monitor",
    handler: indexSegments,
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
];
