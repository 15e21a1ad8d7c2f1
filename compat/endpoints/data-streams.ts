/** Data streams, and indices that follow one another. */
import {
  createDataStream,
  dataStreamStats,
  deleteDataStreams,
  getDataStreams,
  MODIFY_SHAPE,
  migrateToDataStream,
  modifyDataStreams,
} from "../handlers/data-streams.js";
import { resolveIndex } from "../handlers/resolve-index.js";
import { ROLLOVER_SHAPE, rollover } from "../handlers/rollover.js";
import { CLUSTER_WAITS, INDEX_OPTIONS, type ParameterName } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const NAMES: readonly ParameterName[] = ["cluster_manager_timeout", "expand_wildcards", "master_timeout"];

/** Sorted by name. */
export const DATA_STREAM_ROWS: readonly Row[] = [
  ...endpoint("indices.create_data_stream", "PUT /_data_stream/{name}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: createDataStream,
  }),
  ...endpoint("indices.data_streams_stats", "GET /_data_stream/_stats ; GET /_data_stream/{name}/_stats", {
    status: "full",
    missing: "",
    parameters: ["expand_wildcards", "forbid_closed_indices"],
    body: "none",
    privilege: "monitor",
    handler: dataStreamStats,
  }),
  ...endpoint("indices.delete_data_stream", "DELETE /_data_stream/{name}", {
    status: "full",
    missing: "",
    parameters: NAMES,
    body: "none",
    privilege: "manage",
    handler: deleteDataStreams,
  }),
  ...endpoint("indices.get_data_stream", "GET /_data_stream ; GET /_data_stream/{name}", {
    status: "full",
    missing: "",
    parameters: [...NAMES, "include_defaults", "verbose"],
    body: "none",
    privilege: "monitor",
    handler: getDataStreams,
  }),
  ...endpoint("indices.migrate_to_data_stream", "POST /_data_stream/_migrate/{name}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: migrateToDataStream,
  }),
  ...endpoint("indices.modify_data_stream", "POST /_data_stream/_modify", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: MODIFY_SHAPE,
    privilege: "manage",
    handler: modifyDataStreams,
  }),
  ...endpoint("indices.resolve_index", "GET,POST /_resolve/index/{name}", {
    status: "partial",
    missing: "names of remote clusters, mode",
    parameters: INDEX_OPTIONS,
    body: "none",
    privilege: "read",
    handler: resolveIndex,
  }),
  ...endpoint("indices.rollover", "POST /{alias}/_rollover ; POST /{alias}/_rollover/{new_index}", {
    status: "partial",
    missing: "lazy",
    parameters: [...CLUSTER_WAITS, "dry_run", "include_type_name", "lazy", "wait_for_active_shards"],
    body: ROLLOVER_SHAPE,
    privilege: "manage",
    handler: rollover,
  }),
];
