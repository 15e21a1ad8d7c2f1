/** One action with its source line as the engine's operation. */
import type { WriteOperation } from "../../engine/index.js";
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { ApiError, validationFailed } from "../errors.js";
import type { ApiRequest } from "../http/request.js";
import { parseBody } from "../json/body.js";
import type { Json } from "../json/value.js";
import { readSourceOption, type SourceOption, sourceParameters } from "../search/source-option.js";
import type { Action, ActionMeta } from "./action.js";
import { readConditions } from "./conditions.js";
import type { RefreshPolicy } from "./refresh.js";
import type { Written } from "./write-response.js";

/** What the URL of a bulk says for all of its items. */
export interface BulkDefaults {
  readonly index: string | undefined;
  readonly routing: string | undefined;
  readonly requireAlias: boolean;
  readonly refresh: RefreshPolicy;
  readonly source: SourceOption | undefined;
}

export function bulkDefaults(request: ApiRequest): BulkDefaults {
  const { parameters, captured } = request;
  return {
    index: captured.index,
    routing: parameters.text("routing"),
    requireAlias: parameters.boolean("require_alias", false),
    refresh: parameters.refresh(),
    source: sourceParameters(parameters),
  };
}

export const UPDATE_SHAPE = shape(
  "UpdateRequest",
  "object",
  { doc: "object", upsert: "object", doc_as_upsert: "boolean", detect_noop: "boolean", _source: "any" },
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
    const operation: WriteOperation = { kind, source: source ?? Buffer.alloc(0) };
    if (meta._id !== undefined) operation.id = meta._id;
    if (routing !== undefined) operation.routing = routing;
    return { operation: needsConditions(meta) ? Object.assign(operation, readConditions(meta, kind)) : operation };
  }
  if (meta._id === undefined) throw validationFailed("id is missing");
  const common = { id: meta._id, ...(routing === undefined ? {} : { routing }), ...readConditions(meta, kind) };
  if (kind === "delete") return { operation: { kind, ...common } };
  const body = readShape(parseBody(source ?? Buffer.alloc(0)), UPDATE_SHAPE);
  const operation = { ...updateOperation(meta._id, body, meta.retry_on_conflict ?? 0), ...common };
  return body._source === undefined ? { operation } : { operation, shown: body._source };
}

function needsConditions(meta: ActionMeta): boolean {
  return meta.if_seq_no !== undefined || meta.if_primary_term !== undefined || meta.version !== undefined;
}

/** An update from its body. */
export function updateOperation(
  id: string,
  body: BodyOf<typeof UPDATE_SHAPE>,
  retryOnConflict: number,
): Extract<WriteOperation, { kind: "update" }> {
  const { doc, upsert, doc_as_upsert, detect_noop } = body;
  if (doc === undefined)
    throw validationFailed(
      doc_as_upsert === true ? "doc must be specified if doc_as_upsert is enabled" : "script or doc is missing",
    );
  return {
    kind: "update",
    id,
    doc,
    ...(upsert === undefined ? {} : { upsert }),
    docAsUpsert: doc_as_upsert ?? false,
    detectNoop: detect_noop ?? true,
    retryOnConflict,
  };
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
