import { expect, test } from "vitest";
import { EngineError, type ErrorCode } from "../engine/index.js";
import { ENGINE_ERRORS, errorBody, indexNotFound, toApiError, withIndex } from "./errors.js";
import { IDENTITIES } from "./identities.js";
import { searchFailure } from "./search-failure.js";

/** What each of the engine's errors looks like on the wire: status, type. */
const GOLDEN: Readonly<Record<ErrorCode, [number, string]>> = {
  analysis_unknown: [400, "illegal_argument_exception"],
  cancelled: [400, "task_cancelled_exception"],
  circuit_breaking: [429, "circuit_breaking_exception"],
  closed: [503, "node_closed_exception"],
  corrupt: [500, "corrupt_index_exception"],
  data_folder_locked: [500, "illegal_state_exception"],
  document_malformed: [400, "document_parsing_exception"],
  document_missing: [404, "document_missing_exception"],
  field_limit: [400, "illegal_argument_exception"],
  fielddata_disabled: [400, "illegal_argument_exception"],
  index_closed: [400, "index_closed_exception"],
  index_damaged: [503, "no_shard_available_action_exception"],
  index_exists: [400, "resource_already_exists_exception"],
  index_not_found: [404, "index_not_found_exception"],
  internal: [500, "illegal_state_exception"],
  invalid_value: [400, "illegal_argument_exception"],
  io: [500, "i_o_exception"],
  mapping_conflict: [400, "illegal_argument_exception"],
  mapping_invalid: [400, "mapper_parsing_exception"],
  overloaded: [429, "es_rejected_execution_exception"],
  query_unsupported: [400, "query_shard_exception"],
  repository_busy: [409, "repository_conflict_exception"],
  repository_failed: [500, "repository_exception"],
  repository_missing: [404, "repository_missing_exception"],
  repository_unverified: [500, "repository_verification_exception"],
  result_window: [400, "illegal_argument_exception"],
  routing_missing: [400, "routing_missing_exception"],
  snapshot_concurrent: [503, "concurrent_snapshot_execution_exception"],
  snapshot_failed: [500, "snapshot_exception"],
  snapshot_in_progress: [400, "snapshot_in_progress_exception"],
  snapshot_missing: [404, "snapshot_missing_exception"],
  snapshot_name_taken: [400, "invalid_snapshot_name_exception"],
  snapshot_unrestorable: [500, "snapshot_restore_exception"],
  strict_mapping: [400, "strict_dynamic_mapping_exception"],
  too_many_buckets: [400, "too_many_buckets_exception"],
  version_conflict: [409, "version_conflict_engine_exception"],
};

test.each(Object.entries(GOLDEN))("%s", (code, [status, type]) => {
  const found = toApiError(new EngineError(code as ErrorCode, "why"));
  expect(errorBody(found, IDENTITIES.es8)).toEqual({
    error: { root_cause: [{ type, reason: "why" }], type, reason: "why" },
    status,
  });
});

test("rows are sorted and complete", () => {
  expect(Object.keys(ENGINE_ERRORS)).toEqual(Object.keys(GOLDEN));
  expect(Object.keys(ENGINE_ERRORS)).toEqual(Object.keys(ENGINE_ERRORS).sort());
});

test("a missing index carries what clients look for", () => {
  const cause = {
    type: "index_not_found_exception",
    reason: "no such index [x]",
    "resource.type": "index_or_alias",
    "resource.id": "x",
    index_uuid: "_na_",
    index: "x",
  };
  expect(errorBody(indexNotFound("x"), IDENTITIES.es8)).toEqual({
    error: { root_cause: [cause], ...cause },
    status: 404,
  });
});

test("a conflict carries its index", () => {
  const conflict = new EngineError(
    "version_conflict",
    "[1]: version conflict, document already exists (current version [1])",
  );
  const found = withIndex(conflict, { name: "i", definition: { uuid: "u" } });
  expect(errorBody(found, IDENTITIES.es8).error).toMatchObject({ index: "i", index_uuid: "u", shard: "0" });
});

test("OpenSearch keeps the older name of a document that cannot be mapped", () => {
  const found = toApiError(new EngineError("document_malformed", "why"));
  expect(errorBody(found, IDENTITIES.os2).error).toMatchObject({ type: "mapper_parsing_exception" });
});

test("a failure of the shard is wrapped as a failed phase", () => {
  const found = searchFailure(new EngineError("fielddata_disabled", "why"), {
    index: "i",
    indexUuid: "u",
    node: "n",
    part: "query",
  });
  expect(errorBody(found, IDENTITIES.es8).error).toMatchObject({
    root_cause: [{ type: "illegal_argument_exception", reason: "why" }],
    type: "search_phase_execution_exception",
    reason: "all shards failed",
    phase: "query",
    grouped: true,
    failed_shards: [{ shard: 0, index: "i", node: "n", reason: { type: "illegal_argument_exception", reason: "why" } }],
    caused_by: { type: "illegal_argument_exception", reason: "why" },
  });
});

test.each([
  [
    "For input string",
    { type: "query_shard_exception", reason: "failed to create query: For input string", index: "i", index_uuid: "u" },
  ],
  [
    "failed to parse date field [x] with format [yyyy]",
    {
      type: "parse_exception",
      reason: "failed to parse date field [x] with format [yyyy]: [failed to parse date field [x] with format [yyyy]]",
    },
  ],
])("a query value that a field cannot hold: %s", (message, cause) => {
  const found = searchFailure(new EngineError("invalid_value", message), {
    index: "i",
    indexUuid: "u",
    node: "n",
    part: "query",
  });
  expect(errorBody(found, IDENTITIES.es8).error).toMatchObject({ root_cause: [cause] });
});

test("a fault of ours is a 500 with its message", () => {
  expect(errorBody(toApiError(new TypeError("boom")), IDENTITIES.es8)).toMatchObject({
    error: { reason: "TypeError: boom" },
    status: 500,
  });
});
