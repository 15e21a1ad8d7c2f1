/**
 * Errors as Elasticsearch says them. `ApiError` is what this folder throws; `ENGINE_ERRORS` has one row for each code of
 * the engine's errors; `errorBody` prints either in Elasticsearch's shape. Reasons are read by clients and by Kibana:
 * their words are part of the wire.
 */
import { EngineError, type EngineFace, type ErrorCode } from "../engine/index.js";
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
  closed: { status: 503, type: "node_closed_exception", fields: {} },
  corrupt: { status: 500, type: "corrupt_index_exception", fields: {} },
  data_folder_locked: { status: 500, type: "illegal_state_exception", fields: {} },
  document_malformed: { status: 400, type: "document_parsing_exception", fields: {} },
  document_missing: { status: 404, type: "document_missing_exception", fields: INDEX_FIELDS },
  field_limit: { status: 400, type: "illegal_argument_exception", fields: {} },
  fielddata_disabled: { status: 400, type: "illegal_argument_exception", fields: {} },
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
  result_window: { status: 400, type: "illegal_argument_exception", fields: {} },
  routing_missing: { status: 400, type: "routing_missing_exception", fields: { index: "index" } },
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
  return { type: type === "exception" ? "illegal_argument_exception" : type, reason: message, ...extra };
}

/** The same error, told to belong to an index: what the engine cannot know is filled in. */
export function withIndex(
  error: unknown,
  index: { readonly name: string; readonly definition: { uuid: string } },
): ApiError {
  const found = toApiError(error);
  if (found.type !== "version_conflict_engine_exception" && found.type !== "document_missing_exception") return found;
  return new ApiError(found.status, found.type, found.message, {
    ...found.extra,
    fields: { index_uuid: index.definition.uuid, shard: "0", index: index.name },
  });
}

/** Where a search failed. */
export interface SearchPlace {
  readonly index: string;
  readonly indexUuid: string;
  readonly node: string;
}

/** The place of a failure: its first index. */
export function searchPlace(
  engine: EngineFace,
  targets: readonly { readonly index: string }[],
  node: string,
): SearchPlace {
  const index = targets[0]?.index ?? "_na_";
  return { index, indexUuid: engine.index(index)?.definition.uuid ?? "_na_", node };
}

/** A failure of a search on its shard: Elasticsearch wraps the cause. Errors of the request itself stay as they are. */
export function searchFailure(error: unknown, place: SearchPlace): ApiError {
  if (!(error instanceof EngineError) || !SHARD_FAILURES.has(error.code)) return toApiError(error);
  const cause = shardCause(error, place);
  const reason = printCause(cause, {});
  return new ApiError(ENGINE_ERRORS[error.code].status, "search_phase_execution_exception", "all shards failed", {
    rootCause: { ...cause, causedBy: undefined },
    fields: {
      phase: "query",
      grouped: true,
      failed_shards: [{ shard: 0, index: place.index, node: place.node, reason }],
    },
    // A cause without a deeper one is repeated as its own, as Elasticsearch does.
    causedBy: cause.causedBy === undefined ? { ...cause, causedBy: cause } : cause,
  });
}

const DATE_FAILURE = "failed to parse date field";

/** A value that a field cannot hold fails the making of the query, unless it is a date. */
function shardCause(error: EngineError, { index, indexUuid }: SearchPlace): ErrorCause {
  const { type } = ENGINE_ERRORS[error.code];
  const plain = { type, reason: error.message };
  if (error.code === "invalid_value" && error.message.startsWith(DATE_FAILURE))
    return { ...plain, type: "parse_exception" };
  if (error.code !== "invalid_value" && error.code !== "query_unsupported") return plain;
  return {
    type: "query_shard_exception",
    reason: `failed to create query: ${error.message}`,
    fields: { index, index_uuid: indexUuid },
    causedBy: { ...plain, type: "illegal_argument_exception" },
  };
}

const SHARD_FAILURES: ReadonlySet<ErrorCode> = new Set([
  "fielddata_disabled",
  "invalid_value",
  "query_unsupported",
  "result_window",
]);

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
