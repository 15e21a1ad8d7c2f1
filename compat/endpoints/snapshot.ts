/** Backups: repositories and snapshots. */
import {
  cleanUpRepository,
  deleteRepository,
  getRepository,
  inspectRepository,
  putRepository,
  verifyRepository,
} from "../handlers/repositories.js";
import {
  cloneSnapshot,
  createSnapshot,
  deleteSnapshots,
  getSnapshots,
  restoreSnapshot,
  snapshotsStatus,
} from "../handlers/snapshots.js";
import { CLUSTER_WAITS, type ParameterName } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const MANAGER: readonly ParameterName[] = ["cluster_manager_timeout", "master_timeout"];
const GET: readonly ParameterName[] = [
  ...MANAGER,
  "after",
  "from_sort_value",
  "ignore_unavailable",
  "include_repository",
  "index_details",
  "index_names",
  "offset",
  "order",
  "size",
  "slm_policy_filter",
  "sort",
  "verbose",
];

/** Sorted by name. */
export const SNAPSHOT_ROWS: readonly Row[] = [
  ...endpoint("snapshot.cleanup_repository", "POST /_snapshot/{repository}/_cleanup", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: cleanUpRepository,
  }),
  ...endpoint("snapshot.clone", "PUT /_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "json",
    privilege: "manage",
    handler: cloneSnapshot,
  }),
  ...endpoint("snapshot.create", "POST,PUT /_snapshot/{repository}/{snapshot}", {
    status: "full",
    missing: "",
    parameters: [...MANAGER, "wait_for_completion"],
    body: "json",
    privilege: "manage",
    handler: createSnapshot,
  }),
  ...endpoint("snapshot.create_repository", "POST,PUT /_snapshot/{repository}", {
    status: "partial",
    missing: "repositories of another type than fs",
    parameters: [...CLUSTER_WAITS, "verify"],
    body: "json",
    privilege: "manage",
    handler: putRepository,
  }),
  ...endpoint("snapshot.delete", "DELETE /_snapshot/{repository}/{snapshot}", {
    status: "full",
    missing: "",
    parameters: MANAGER,
    body: "none",
    privilege: "manage",
    handler: deleteSnapshots,
  }),
  ...endpoint("snapshot.delete_repository", "DELETE /_snapshot/{repository}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: deleteRepository,
  }),
  ...endpoint("snapshot.get", "GET /_snapshot/{repository}/{snapshot}", {
    status: "partial",
    missing: "from_sort_value, slm_policy_filter",
    parameters: GET,
    body: "none",
    privilege: "monitor",
    handler: getSnapshots,
  }),
  ...endpoint("snapshot.get_repository", "GET /_snapshot ; GET /_snapshot/{repository}", {
    status: "full",
    missing: "",
    parameters: [...MANAGER, "flat_settings", "local"],
    body: "none",
    privilege: "monitor",
    handler: getRepository,
  }),
  ...endpoint("snapshot.repository_verify_integrity", "POST /_snapshot/{repository}/_verify_integrity", {
    status: "partial",
    missing: "numbers of threads and a limit on failed shards: everything is read, one blob at a time",
    parameters: [],
    body: "none",
    privilege: "manage",
    handler: inspectRepository,
    identities: ["es8", "es9"],
  }),
  ...endpoint("snapshot.restore", "POST /_snapshot/{repository}/{snapshot}/_restore", {
    status: "full",
    missing: "",
    parameters: [...MANAGER, "wait_for_completion"],
    body: "json",
    privilege: "manage",
    handler: restoreSnapshot,
  }),
  ...endpoint(
    "snapshot.status",
    "GET /_snapshot/_status ; GET /_snapshot/{repository}/_status ; GET /_snapshot/{repository}/{snapshot}/_status",
    {
      status: "full",
      missing: "",
      parameters: [...MANAGER, "ignore_unavailable"],
      body: "none",
      privilege: "monitor",
      handler: snapshotsStatus,
    },
  ),
  ...endpoint("snapshot.verify_repository", "POST /_snapshot/{repository}/_verify", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: verifyRepository,
  }),
];
