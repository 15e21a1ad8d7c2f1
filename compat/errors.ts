/**
 * Errors as Elasticsearch says them. `ApiError` is what this folder throws; `ENGINE_ERRORS` has one row for each code of
 * the engine's errors; `errorBody` prints either in Elasticsearch's shape. Reasons are read by clients and by Kibana:
 * their words are part of the wire.
 */
import { EngineError, type ErrorCode } from "../engine/index.js";
import type { Identity } from "./identities.js";

/** Fields beside type and reason, in the order they are printed. */
export type ErrorFields = Readonly<Record<string, string | number | boolean | object>>;

export interface ErrorCause {
  readonly type: string;
  readonly reason: string | null;
  readonly fields?: ErrorFields;
  readonly causedBy?: ErrorCause;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    reason: string,
    readonly extra: {
      readonly fields?: ErrorFields;
      readonly causedBy?: ErrorCause;
      /** Printed as the root cause instead of the error itself. */
      readonly rootCause?: ErrorCause;
      readonly headers?: Readonly<Record<string, string>>;
      /** Name of the body key the error is about: the place of its value becomes `line` and `col`. */
      readonly key?: string;
      /** Where of that key: at its value unless said. */
      readonly place?: "name" | "value";
    } = {},
  ) {
    super(reason);
    this.name = "ApiError";
  }
}

/** 400 `illegal_argument_exception`, the most common refusal. */
export function illegalArgument(reason: string, causedBy?: ErrorCause): ApiError {
  return new ApiError(400, "illegal_argument_exception", reason, { causedBy });
}

/** Something Elasticsearch has and Pinakes does not: named, never ignored. */
export function notSupported(what: string): ApiError {
  return illegalArgument(`${what} is not supported by Pinakes`);
}

/** 400 `parsing_exception` about a key of the body. */
export function parsingError(reason: string, key?: string, causedBy?: ErrorCause): ApiError {
  return new ApiError(400, "parsing_exception", reason, { key, causedBy });
}

/** 400 `x_content_parse_exception`: what Elasticsearch's ObjectParser says of a key of the body. */
export function contentError(
  reason: string,
  key: string,
  more: { causedBy?: ErrorCause; place?: "name" } = {},
): ApiError {
  return new ApiError(400, "x_content_parse_exception", reason, { key, ...more });
}

/** 400 `action_request_validation_exception` with its numbered list. */
export function validationFailed(...problems: string[]): ApiError {
  const list = problems.map((problem, at) => `${at + 1}: ${problem};`).join("");
  return new ApiError(400, "action_request_validation_exception", `Validation Failed: ${list}`);
}

export function indexNotFound(name: string, reason = `no such index [${name}]`): ApiError {
  return new ApiError(404, "index_not_found_exception", reason, {
    fields: { "resource.type": "index_or_alias", "resource.id": name, index_uuid: "_na_", index: name },
  });
}

/** 400: the documents of a closed index can't be had. */
export function indexClosed({ name, definition }: { name: string; definition: { uuid: string } }): ApiError {
  return new ApiError(400, "index_closed_exception", "closed", {
    fields: { index_uuid: definition.uuid, index: name },
  });
}

/** The same about an index that one document was asked of: Elasticsearch calls the resource otherwise there. */
export function documentIndexNotFound(name: string): ApiError {
  return new ApiError(404, "index_not_found_exception", `no such index [${name}]`, {
    fields: { "resource.type": "index_expression", "resource.id": name, index_uuid: "_na_", index: name },
  });
}

interface EngineErrorRow {
  readonly status: number;
  readonly type: string;
  /** The engine's `details` that go into the answer, under their wire names. */
  readonly fields: Readonly<Record<string, string>>;
}

const INDEX_FIELDS = { index_uuid: "index_uuid", shard: "shard", index: "index" };

/** One row for each engine code. */
export const ENGINE_ERRORS: Readonly<Record<ErrorCode, EngineErrorRow>> = {
  analysis_unknown: { status: 400, type: "illegal_argument_exception", fields: {} },
  cancelled: { status: 400, type: "task_cancelled_exception", fields: {} },
  circuit_breaking: {
    status: 429,
    type: "circuit_breaking_exception",
    fields: { bytes_wanted: "bytesWanted", bytes_limit: "bytesLimit", durability: "durability" },
  },
  closed: { status: 503, type: "node_closed_exception", fields: {} },
  corrupt: { status: 500, type: "corrupt_index_exception", fields: {} },
  data_folder_locked: { status: 500, type: "illegal_state_exception", fields: {} },
  document_malformed: { status: 400, type: "document_parsing_exception", fields: {} },
  document_missing: { status: 404, type: "document_missing_exception", fields: INDEX_FIELDS },
  field_limit: { status: 400, type: "illegal_argument_exception", fields: {} },
  fielddata_disabled: { status: 400, type: "illegal_argument_exception", fields: {} },
  index_closed: {
    status: 400,
    type: "index_closed_exception",
    fields: { index_uuid: "uuid", index: "index" },
  },
  index_damaged: { status: 503, type: "no_shard_available_action_exception", fields: {} },
  index_exists: {
    status: 400,
    type: "resource_already_exists_exception",
    fields: { index_uuid: "index_uuid", index: "index" },
  },
  index_not_found: { status: 404, type: "index_not_found_exception", fields: { index: "index" } },
  internal: { status: 500, type: "illegal_state_exception", fields: {} },
  invalid_value: { status: 400, type: "illegal_argument_exception", fields: {} },
  io: { status: 500, type: "i_o_exception", fields: {} },
  mapping_conflict: { status: 400, type: "illegal_argument_exception", fields: {} },
  mapping_invalid: { status: 400, type: "mapper_parsing_exception", fields: {} },
  overloaded: { status: 429, type: "es_rejected_execution_exception", fields: {} },
  query_unsupported: { status: 400, type: "query_shard_exception", fields: {} },
  repository_busy: { status: 409, type: "repository_conflict_exception", fields: {} },
  repository_failed: { status: 500, type: "repository_exception", fields: {} },
  repository_missing: { status: 404, type: "repository_missing_exception", fields: {} },
  repository_unverified: { status: 500, type: "repository_verification_exception", fields: {} },
  result_window: { status: 400, type: "illegal_argument_exception", fields: {} },
  routing_missing: { status: 400, type: "routing_missing_exception", fields: { index: "index" } },
  snapshot_concurrent: { status: 503, type: "concurrent_snapshot_execution_exception", fields: {} },
  snapshot_failed: { status: 500, type: "snapshot_exception", fields: {} },
  snapshot_in_progress: { status: 400, type: "snapshot_in_progress_exception", fields: {} },
  snapshot_missing: { status: 404, type: "snapshot_missing_exception", fields: {} },
  snapshot_name_taken: { status: 400, type: "invalid_snapshot_name_exception", fields: {} },
  snapshot_unrestorable: { status: 500, type: "snapshot_restore_exception", fields: {} },
  strict_mapping: { status: 400, type: "strict_dynamic_mapping_exception", fields: {} },
  too_many_buckets: { status: 400, type: "too_many_buckets_exception", fields: { max_buckets: "max_buckets" } },
  version_conflict: { status: 409, type: "version_conflict_engine_exception", fields: INDEX_FIELDS },
};

/** Any thrown thing as an ApiError. A fault of ours is a 500 that carries its message. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof EngineError) return fromEngine(error);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const wrapped = new ApiError(500, "exception", message);
  if (error instanceof Error && error.stack !== undefined) wrapped.stack = error.stack;
  return wrapped;
}

function fromEngine(error: EngineError): ApiError {
  const row = ENGINE_ERRORS[error.code];
  if (error.code === "index_not_found" && typeof error.details.index === "string") {
    return indexNotFound(error.details.index);
  }
  const fields: Record<string, string | number | boolean> = {};
  for (const [wire, detail] of Object.entries(row.fields)) {
    if (error.details[detail] !== undefined) fields[wire] = error.details[detail];
  }
  const wrapped = new ApiError(row.status, row.type, error.message, { fields, causedBy: causeOf(error.cause) });
  if (error.stack !== undefined) wrapped.stack = error.stack;
  return wrapped;
}

function causeOf(cause: unknown): ErrorCause | undefined {
  if (cause === undefined) return undefined;
  const { type, message, extra } = toApiError(cause);
  const known = type === "exception" || type === "illegal_argument_exception" ? valueErrorType(message) : type;
  return { type: known, reason: message, ...extra };
}

/** Types of Java's own exceptions about a value, told by their words. */
const VALUE_ERRORS: readonly (readonly [words: RegExp, type: string])[] = [
  [/^(?:For input string: "|empty String$)/, "number_format_exception"],
  [/^Failed to parse with all enclosed parsers$/, "date_time_parse_exception"],
  [/^Current token \(\w+\) not /, "json_parse_exception"],
  [/^Can't get text on a /, "illegal_state_exception"],
];

/** The type of what is said of a value that a field cannot hold. */
export function valueErrorType(reason: string): string {
  return VALUE_ERRORS.find(([words]) => words.test(reason))?.[1] ?? "illegal_argument_exception";
}

/** 400 `routing_missing_exception`: found before the index is asked, so without its uuid. */
export function routingMissing(index: string, reason: string): ApiError {
  return new ApiError(400, "routing_missing_exception", reason, { fields: { index_uuid: "_na_", index } });
}

/** The same error, told to belong to an index: what the engine cannot know is filled in. */
export function withIndex(
  error: unknown,
  index: { readonly name: string; readonly definition: { uuid: string } },
): ApiError {
  const found = toApiError(error);
  if (found.type === "routing_missing_exception") return routingMissing(index.name, found.message);
  if (found.type !== "version_conflict_engine_exception" && found.type !== "document_missing_exception") return found;
  return new ApiError(found.status, found.type, found.message, {
    ...found.extra,
    fields: { index_uuid: index.definition.uuid, shard: "0", index: index.name },
  });
}

const NOT_REPEATED: ReadonlySet<string> = new Set(["query_shard_exception", "circuit_breaking_exception"]);

/** 'all shards failed' for a cause, at the one place where the search ran. */
export function phaseFailure(
  status: number,
  cause: ErrorCause,
  place: { readonly index: string; readonly node: string },
): ApiError {
  const reason = printCause(cause, {});
  return new ApiError(status, "search_phase_execution_exception", "all shards failed", {
    rootCause: { ...cause, causedBy: undefined },
    fields: {
      phase: "query",
      grouped: true,
      failed_shards: [{ shard: 0, index: place.index, node: place.node, reason }],
    },
    // A cause without a deeper one is repeated as its own, as Elasticsearch does; queries and breakers are not.
    causedBy: cause.causedBy !== undefined || NOT_REPEATED.has(cause.type) ? cause : { ...cause, causedBy: cause },
  });
}

/** The member `error` of an answer or of a bulk item, type names as the identity spells them. */
export function errorObject(error: ApiError, identity: Identity, trace = false): Record<string, unknown> {
  const cause: ErrorCause = { type: error.type, reason: error.message, ...error.extra };
  const root = printCause(error.extra.rootCause ?? { ...cause, causedBy: undefined }, identity.errorTypes);
  const own = printCause(cause, identity.errorTypes);
  return { root_cause: [root], ...own, ...(trace ? { stack_trace: error.stack ?? "" } : {}) };
}

/** An error without `root_cause`: how bulk items and multi-search carry it. */
export function itemError(error: ApiError, identity: Identity): Record<string, unknown> {
  return printCause({ type: error.type, reason: error.message, ...error.extra }, identity.errorTypes);
}

/** The whole answer of a failed request. */
export function errorBody(error: ApiError, identity: Identity, trace = false): Record<string, unknown> {
  return { error: errorObject(error, identity, trace), status: error.status };
}

function printCause(cause: ErrorCause, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return {
    type: names[cause.type] ?? cause.type,
    reason: cause.reason,
    ...cause.fields,
    ...(cause.causedBy === undefined ? {} : { caused_by: printCause(cause.causedBy, names) }),
  };
}
