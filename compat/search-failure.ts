/**
 * How Elasticsearch reports a search that fails on its shards: `search_phase_execution_exception` around the cause. The
 * causes differ by what failed; their types are told apart here by the engine's words, which are Elasticsearch's own.
 */
import {
  EngineError,
  type EngineFace,
  type ErrorCode,
  type PinnedReaders,
  type SearchRequest,
  type SearchTarget,
} from "../engine/index.js";
import { type ApiError, ENGINE_ERRORS, type ErrorCause, phaseFailure, toApiError, valueErrorType } from "./errors.js";

/** Where a search failed. */
export interface SearchPlace {
  readonly index: string;
  readonly indexUuid: string;
  readonly node: string;
  /** What could not be made ready: the query, or what is computed over its hits. */
  readonly part: "query" | "rest";
}

/** The place of a failure: its first index. */
export function searchPlace(
  engine: EngineFace,
  targets: readonly { readonly index: string }[],
  node: string,
  part: SearchPlace["part"] = "query",
): SearchPlace {
  const index = targets[0]?.index ?? "_na_";
  return { index, indexUuid: engine.index(index)?.definition.uuid ?? "_na_", node, part };
}

/** Which part of a search failed: the query fails alone too. Asked only once a search has failed. */
export async function failedPart(
  engine: EngineFace,
  targets: readonly SearchTarget[] | PinnedReaders,
  request: SearchRequest,
): Promise<SearchPlace["part"]> {
  try {
    const queries = [request.query, ...(request.postFilter === undefined ? [] : [request.postFilter])];
    for (const query of queries) await engine.count(targets, query);
    return "rest";
  } catch {
    return "query";
  }
}

/** A failure of a search on its shard: Elasticsearch wraps the cause. Errors of the request itself stay as they are. */
export function searchFailure(error: unknown, place: SearchPlace): ApiError {
  if (!(error instanceof EngineError) || !SHARD_FAILURES.has(error.code)) return toApiError(error);
  return phaseFailure(ENGINE_ERRORS[error.code].status, shardCause(error, place), place);
}

const SHARD_FAILURES: ReadonlySet<ErrorCode> = new Set([
  "analysis_unknown",
  "circuit_breaking",
  "corrupt",
  "fielddata_disabled",
  "invalid_value",
  "query_unsupported",
  "result_window",
]);

/** What the cause is: `query` is a query that Elasticsearch itself refuses, `creation` one whose making failed. */
interface CauseRow {
  readonly words: RegExp;
  readonly form: "query" | "creation" | "plain";
  readonly type: string;
}

/** The first row that fits counts. */
const CAUSES: readonly CauseRow[] = [
  { words: /^Can only use (?:wildcard|prefix) queries on/, form: "query", type: "" },
  { words: /does not support case insensitive term queries$/, form: "query", type: "" },
  { words: /^No mapping found for \[/, form: "query", type: "" },
  { words: /^we only support AVG, MEDIAN and SUM on number based fields$/, form: "query", type: "" },
  { words: /analyzer \[.*\] not found$/, form: "query", type: "" },
  { words: /^Can't load fielddata on \[/, form: "plain", type: "illegal_argument_exception" },
  { words: /^Field \[.*\] of type \[/, form: "plain", type: "illegal_argument_exception" },
  { words: /^Failed to parse search_after value/, form: "plain", type: "illegal_argument_exception" },
  { words: /^Invalid (?:format|aggregation order path)/, form: "plain", type: "illegal_argument_exception" },
];

const DATE_FAILURE = /^failed to parse date field \[.*\] with format \[.*?\]/s;

function shardCause(error: EngineError, { index, indexUuid, part }: SearchPlace): ErrorCause {
  if (error.code === "circuit_breaking") {
    const { type, message, extra } = toApiError(error);
    return { type, reason: message, fields: extra.fields };
  }
  const date = DATE_FAILURE.exec(error.message);
  if (date !== null) return dateCause(date[0]);
  const asked = error.code === "invalid_value" || error.code === "query_unsupported";
  const { form, type } = CAUSES.find(({ words }) => words.test(error.message)) ?? {
    form: asked && part === "query" ? "creation" : "plain",
    type: asked ? valueErrorType(error.message) : ENGINE_ERRORS[error.code].type,
  };
  const fields = { index, index_uuid: indexUuid };
  const reason = error.message;
  if (form === "query") return { type: "query_shard_exception", reason, fields };
  const plain = { type, reason, causedBy: deeperCause(error) };
  if (form === "plain") return plain;
  return { type: "query_shard_exception", reason: `failed to create query: ${reason}`, fields, causedBy: plain };
}

function deeperCause(error: EngineError): ErrorCause | undefined {
  if (!(error.cause instanceof EngineError)) return undefined;
  const { message } = error.cause;
  return { type: valueErrorType(message), reason: message };
}

/** A date fails with what Java's parser says of it. */
function dateCause(reason: string): ErrorCause {
  return {
    type: "parse_exception",
    reason: `${reason}: [${reason}]`,
    causedBy: {
      type: "illegal_argument_exception",
      reason,
      causedBy: { type: "date_time_parse_exception", reason: "Failed to parse with all enclosed parsers" },
    },
  };
}
