/** Single documents and many at once. */
import { bulk } from "../bulk/bulk.js";
import { UPDATE_SHAPE } from "../bulk/operation.js";
import { deleteDocument, getDocument, getSource, indexDocument, updateDocument } from "../handlers/document.js";
import { MGET_SHAPE, multiGet } from "../handlers/multi-get.js";
import { type ParameterName, SOURCE } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const WRITE: readonly ParameterName[] = [
  "if_primary_term",
  "if_seq_no",
  "refresh",
  "routing",
  "timeout",
  "version",
  "version_type",
  "wait_for_active_shards",
];
const INDEXING: readonly ParameterName[] = [
  ...WRITE,
  "include_source_on_error",
  "op_type",
  "pipeline",
  "require_alias",
  "require_data_stream",
];
const READ: readonly ParameterName[] = [
  ...SOURCE,
  "force_synthetic_source",
  "preference",
  "realtime",
  "refresh",
  "routing",
  "stored_fields",
];
const GET: readonly ParameterName[] = [...READ, "version", "version_type"];
const BULK: readonly ParameterName[] = [
  ...SOURCE,
  "include_source_on_error",
  "list_executed_pipelines",
  "pipeline",
  "refresh",
  "require_alias",
  "require_data_stream",
  "routing",
  "timeout",
  "wait_for_active_shards",
];
const UPDATE: readonly ParameterName[] = [
  ...SOURCE,
  "doc_as_upsert",
  "if_primary_term",
  "if_seq_no",
  "include_source_on_error",
  "refresh",
  "require_alias",
  "retry_on_conflict",
  "routing",
  "timeout",
  "version",
  "version_type",
  "wait_for_active_shards",
];
const NO_PIPELINES = "ingest pipelines";

/** Sorted by name. */
export const DOCUMENT_ROWS: readonly Row[] = [
  ...endpoint("bulk", "POST,PUT /_bulk ; POST,PUT /{index}/_bulk", {
    status: "partial",
    missing: `${NO_PIPELINES}, scripts, dynamic_templates`,
    parameters: BULK,
    body: "bytes",
    privilege: "write",
    handler: bulk,
  }),
  ...endpoint("create", "POST,PUT /{index}/_create/{id}", {
    status: "partial",
    missing: NO_PIPELINES,
    parameters: INDEXING,
    body: "bytes",
    privilege: "write",
    handler: indexDocument,
  }),
  ...endpoint("delete", "DELETE /{index}/_doc/{id}", {
    status: "full",
    missing: "",
    parameters: WRITE,
    body: "none",
    privilege: "write",
    handler: deleteDocument,
  }),
  ...endpoint("exists", "HEAD /{index}/_doc/{id}", {
    status: "full",
    missing: "",
    parameters: GET,
    body: "none",
    privilege: "read",
    handler: getDocument,
  }),
  ...endpoint("exists_source", "HEAD /{index}/_source/{id}", {
    status: "full",
    missing: "",
    parameters: READ,
    body: "none",
    privilege: "read",
    handler: getSource,
  }),
  ...endpoint("get", "GET /{index}/_doc/{id}", {
    status: "full",
    missing: "",
    parameters: GET,
    body: "none",
    privilege: "read",
    handler: getDocument,
  }),
  ...endpoint("get_source", "GET /{index}/_source/{id}", {
    status: "full",
    missing: "",
    parameters: READ,
    body: "none",
    privilege: "read",
    handler: getSource,
  }),
  ...endpoint("index", "POST /{index}/_doc ; POST,PUT /{index}/_doc/{id}", {
    status: "partial",
    missing: NO_PIPELINES,
    parameters: INDEXING,
    body: "bytes",
    privilege: "write",
    handler: indexDocument,
  }),
  ...endpoint("mget", "GET,POST /_mget ; GET,POST /{index}/_mget", {
    status: "full",
    missing: "",
    parameters: [...SOURCE, "force_synthetic_source", "preference", "realtime", "refresh", "routing", "stored_fields"],
    body: MGET_SHAPE,
    privilege: "read",
    handler: multiGet,
  }),
  ...endpoint("update", "POST /{index}/_update/{id}", {
    status: "partial",
    missing: "scripts",
    parameters: UPDATE,
    body: UPDATE_SHAPE,
    privilege: "write",
    handler: updateDocument,
  }),
];
