/** One action with its source line as the engine's operation. */
import type { WriteOperation } from "../../engine/index.js";
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { ApiError, validationFailed } from "../errors.js";
import { located } from "../http/locate.js";
import type { ApiRequest } from "../http/request.js";
import { parseBody, withoutMark } from "../json/body.js";
import { memberTexts } from "../json/tree.js";
import type { Json } from "../json/value.js";
import { readSourceOption, type SourceOption, sourceParameters } from "../search/source-option.js";
import type { Action, ActionMeta } from "./action.js";
import { isGiven, readConditions, readSequence, type Sequence, sequenceProblems } from "./conditions.js";
import type { RefreshPolicy } from "./refresh.js";
import type { Written } from "./write-response.js";

/** What the URL of a bulk says for all of its items. */
export interface BulkDefaults {
  readonly index: string | undefined;
  readonly routing: string | undefined;
  readonly requireAlias: boolean;
  readonly requireDataStream: boolean;
  readonly refresh: RefreshPolicy;
  readonly source: SourceOption | undefined;
}

export function bulkDefaults(request: ApiRequest): BulkDefaults {
  const { parameters, captured } = request;
  return {
    index: captured.index,
    routing: parameters.text("routing"),
    requireAlias: parameters.boolean("require_alias", false),
    requireDataStream: parameters.boolean("require_data_stream", false),
    refresh: parameters.refresh(),
    source: sourceParameters(parameters),
  };
}

export const UPDATE_SHAPE = shape(
  "UpdateRequest",
  "object",
  {
    doc: "object",
    upsert: "object",
    doc_as_upsert: "boolean",
    detect_noop: "boolean",
    if_seq_no: "integer",
    if_primary_term: "integer",
    _source: "any",
  },
  ["script", "scripted_upsert"],
);

const MAX_ID_BYTES = 512;

/** An operation, and the `_source` that an update's body asks to see. */
export interface ReadOperation {
  readonly operation: WriteOperation;
  readonly shown?: Json;
}

/** Throws ApiError 400. `source` is absent for deletes. */
export function operationOf(action: Action, source: Buffer | undefined, defaults: BulkDefaults): ReadOperation {
  const { meta } = action;
  const kind = action.kind === "index" && meta.op_type === "create" ? "create" : action.kind;
  if (meta._id !== undefined) checkId(meta._id);
  const routing = meta.routing ?? defaults.routing;
  if (kind === "index" || kind === "create") {
    const operation: WriteOperation = { kind, source: withoutMark(source ?? Buffer.alloc(0)) };
    if (meta._id !== undefined) operation.id = meta._id;
    if (routing !== undefined) operation.routing = routing;
    return { operation: needsConditions(meta) ? Object.assign(operation, readConditions(meta, kind)) : operation };
  }
  if (meta._id === undefined) throw validationFailed("id is missing");
  const target = { id: meta._id, ...(routing === undefined ? {} : { routing }) };
  if (kind === "delete") return { operation: { kind, ...target, ...readConditions(meta, kind) } };
  const body = readUpdate(source ?? Buffer.alloc(0));
  const operation = { ...updateOperation({ id: meta._id, body, source: source ?? Buffer.alloc(0) }, meta), ...target };
  return body._source === undefined ? { operation } : { operation, shown: body._source };
}

function readUpdate(source: Buffer): BodyOf<typeof UPDATE_SHAPE> {
  try {
    return readShape(parseBody(source), UPDATE_SHAPE);
  } catch (error) {
    throw error instanceof ApiError ? located(error, source) : error;
  }
}

function needsConditions({ if_seq_no, if_primary_term, version, version_type }: ActionMeta): boolean {
  return [if_seq_no, if_primary_term, version, version_type].some((given) => given !== undefined);
}

/** What is said of an update beside its body. */
export interface UpdateOptions {
  readonly if_seq_no?: number;
  readonly if_primary_term?: number;
  readonly retry_on_conflict?: number;
}

/** An update's body as it was read and as it was written. */
export interface UpdateBody {
  readonly id: string;
  readonly body: BodyOf<typeof UPDATE_SHAPE>;
  readonly source: Buffer;
}

/** An update from its body, whose conditions win. Throws ApiError 400 with everything that is wrong with it. */
export function updateOperation(
  { id, body, source }: UpdateBody,
  options: UpdateOptions,
): Extract<WriteOperation, { kind: "update" }> {
  const { doc_as_upsert, detect_noop } = body;
  const sequence = readSequence({
    if_seq_no: body.if_seq_no ?? options.if_seq_no,
    if_primary_term: body.if_primary_term ?? options.if_primary_term,
  });
  const retryOnConflict = options.retry_on_conflict ?? 0;
  const problems = updateProblems(body, sequence, retryOnConflict);
  if (problems.length > 0) throw validationFailed(...problems);
  // Documents go on as text, so that their numbers keep their spelling.
  const texts = memberTexts(withoutMark(source).toString());
  return {
    kind: "update",
    id,
    doc: Buffer.from(texts.get("doc") ?? "{}"),
    ...(body.upsert === undefined ? {} : { upsert: Buffer.from(texts.get("upsert") ?? "{}") }),
    docAsUpsert: doc_as_upsert ?? false,
    detectNoop: detect_noop ?? true,
    retryOnConflict,
    ...(isGiven(sequence) ? { ifSeqNo: sequence.seqNo, ifPrimaryTerm: sequence.term } : {}),
  };
}

/** Elasticsearch's UpdateRequest.validate, in its order. */
function updateProblems(body: BodyOf<typeof UPDATE_SHAPE>, sequence: Sequence, retryOnConflict: number): string[] {
  const { doc, upsert, doc_as_upsert } = body;
  const problems = sequenceProblems(sequence);
  if (isGiven(sequence)) {
    if (retryOnConflict > 0) problems.push("compare and write operations can not be retried");
    if (doc_as_upsert === true) problems.push("compare and write operations can not be used with upsert");
    if (upsert !== undefined) problems.push("upsert requests don't support `if_seq_no` and `if_primary_term`");
  }
  if (doc === undefined) problems.push("script or doc is missing");
  if (doc === undefined && doc_as_upsert === true) {
    problems.push("doc must be specified if doc_as_upsert is enabled");
  }
  return problems;
}

/** Throws for an id that no document may have. */
export function checkId(id: string): void {
  if (id === "") throw new ApiError(400, "illegal_argument_exception", "if _id is specified it must not be empty");
  // A UTF-16 unit is at most three bytes: most ids need no counting.
  if (id.length * 3 <= MAX_ID_BYTES) return;
  const bytes = Buffer.byteLength(id);
  if (bytes > MAX_ID_BYTES)
    throw validationFailed(`id [${id}] is too long, must be no longer than 512 bytes but was: ${bytes}`);
}

/** `,"get":{...}` of an update whose new source was asked for, else nothing. */
export function updateAnswer(
  written: Written,
  asked: Json | undefined,
  defaults: Pick<BulkDefaults, "source">,
): string {
  const option = asked === undefined ? defaults.source : readSourceOption(asked);
  if (option === undefined || option === "none" || written.source === undefined) return "";
  const bytes = option === "all" ? written.source : option(written.source);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  return `,"get":{"_seq_no":${written.seqNo},"_primary_term":${written.primaryTerm},"found":true,"_source":${source}}`;
}
