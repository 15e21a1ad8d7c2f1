/** One document: write, read, delete, update. */
import type { Index, StoredDocument, WriteOperation } from "../../engine/index.js";
import type { BodyOf } from "../body/shape.js";
import { checkActiveShards } from "../bulk/active-shards.js";
import { indexFor } from "../bulk/bulk.js";
import { INTERNAL_VERSION, readConditions, readWantedVersion } from "../bulk/conditions.js";
import type { Requires } from "../bulk/group.js";
import { droppedMembers } from "../bulk/ingest-items.js";
import { checkId, type UPDATE_SHAPE, updateAnswer, updateOperation } from "../bulk/operation.js";
import { refreshAfterWrite } from "../bulk/refresh.js";
import { writeRouted } from "../bulk/routed-write.js";
import { NO_SHARDS, shardsText, type Written, writeMembers, writeStatus } from "../bulk/write-response.js";
import { writeCheck } from "../data-streams/write-checks.js";
import {
  ApiError,
  documentIndexNotFound,
  illegalArgument,
  indexClosed,
  routingMissing,
  validationFailed,
  withIndex,
} from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import { type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { placeText } from "../identities.js";
import { aliasOf } from "../indices/aliases.js";
import { unblocked } from "../indices/blocks.js";
import { concreteName } from "../indices/date-math.js";
import { onIndex } from "../indices/gone.js";
import { documentRouting } from "../indices/names.js";
import { isOnShard } from "../indices/shards.js";
import { ingest, type NamedOperation, pipelinesFor } from "../ingest/index.js";
import { withoutMark } from "../json/body.js";
import { type ByteWriter, byteWriter } from "../json/byte-writer.js";
import { printJson } from "../json/print.js";
import type { Json } from "../json/value.js";
import { quote } from "../search/render.js";
import { type SourceOption, sourceParameters } from "../search/source-option.js";
import { storedFields } from "../search/stored-fields.js";

/** `PUT /i/_doc/1`, `POST /i/_doc`, and `_create`. */
export async function indexDocument(request: ApiRequest, body: Buffer): Promise<Reply> {
  const { captured } = request;
  if (body.length === 0) throw new ApiError(400, "parse_exception", "request body is required");
  // A document whose id is made here can only be created.
  const made = captured.id === undefined && !request.parameters.has("op_type");
  const kind = made ? "create" : readOpType(request);
  const conditions = conditionsOf(request, captured.id === undefined ? "create" : kind);
  const operation: WriteOperation = { kind, source: withoutMark(body), ...conditions };
  if (captured.id !== undefined) {
    checkId(captured.id);
    operation.id = captured.id;
  }
  return writeOne(request, operation);
}

function readOpType({ path, parameters }: ApiRequest): "index" | "create" {
  const given = parameters.text("op_type");
  const word = given?.toLowerCase();
  if (path.includes("/_create/")) {
    if (word === undefined || word === "create") return "create";
    throw illegalArgument(`opType must be 'create', found: [${given}]`);
  }
  if (word === undefined || word === "index") return "index";
  if (word === "create") return "create";
  throw illegalArgument(`opType must be 'create' or 'index', found: [${given}]`);
}

export async function deleteDocument(request: ApiRequest): Promise<Reply> {
  return writeOne(request, { kind: "delete", id: request.captured.id, ...conditionsOf(request, "delete") });
}

/** `POST /i/_update/1` with a partial document. */
export async function updateDocument(request: ApiRequest, body: BodyOf<typeof UPDATE_SHAPE>): Promise<Reply> {
  const { parameters, captured } = request;
  if (parameters.has("version") || parameters.has("version_type")) throw validationFailed(INTERNAL_VERSION);
  const given = { ...body, doc_as_upsert: body.doc_as_upsert ?? parameters.boolean("doc_as_upsert", false) };
  const update = updateOperation(
    { id: captured.id, body: given, source: request.bytes },
    {
      if_seq_no: parameters.integer("if_seq_no"),
      if_primary_term: parameters.integer("if_primary_term"),
      retry_on_conflict: parameters.integer("retry_on_conflict"),
    },
  );
  return writeOne(request, { ...update, ...routingOf(request) }, body._source);
}

function conditionsOf(request: ApiRequest, kind: "index" | "create" | "delete") {
  const { parameters } = request;
  const conditions = readConditions(
    {
      if_seq_no: parameters.integer("if_seq_no"),
      if_primary_term: parameters.integer("if_primary_term"),
      version: parameters.integer("version"),
      version_type: parameters.text("version_type"),
    },
    kind,
  );
  return { ...conditions, ...routingOf(request) };
}

function routingOf(request: ApiRequest): { routing?: string } {
  const routing = request.parameters.text("routing");
  return routing === undefined ? {} : { routing };
}

/** One write, after its pipelines. */
async function writeOne(request: ApiRequest, given: WriteOperation, source?: Json): Promise<Reply> {
  const { parameters, captured } = request;
  const names = pipelinesFor(request, captured.index, parameters.text("pipeline"));
  if (names === undefined) return writeTo(request, { name: captured.index, operation: given }, source);
  const made = ingest(request, { name: captured.index, operation: given }, names);
  if (made.kind === "kept") return writeTo(request, made, source);
  return rendered(`{${droppedMembers(captured.index, given.id)}}`);
}

async function writeTo(request: ApiRequest, { name, operation }: NamedOperation, source?: Json): Promise<Reply> {
  const { parameters, captured } = request;
  const refresh = parameters.refresh();
  const { engine } = request.node;
  // What the request says of a name is not said of one that a pipeline chose.
  const requires = name === captured.index ? requiredOf(parameters) : "nothing";
  const index = await indexFor(request, { name, requires, operations: [operation] });
  writeCheck(engine, name)?.(operation);
  checkActiveShards(parameters, index);
  const routing = documentRouting(engine, name, index, operation.routing);
  const leave = engine.resources.indexing.enter("coordinating", request.bytes.length);
  const write = (one: Index) => writeRouted(one, [routing === undefined ? operation : { ...operation, routing }]);
  const [outcome] = await onIndex(engine, index, write).finally(leave);
  if (!outcome.ok) throw withIndex(outcome.error, index);
  // Nothing was written that a refresh could show.
  const noop = outcome.result === "noop";
  await refreshAfterWrite(engine, noop ? [] : [index], refresh);
  const shards = noop ? NO_SHARDS : shardsText(index);
  const members = writeMembers(outcome, placeText(index.name, request.identity), shards, refresh === "true" && !noop);
  const get =
    operation.kind === "update" ? updateAnswer(outcome, source, { source: sourceParameters(parameters) }) : "";
  return rendered(`{${members}${get}}`, writeStatus(outcome), locationOf(outcome, index));
}

function requiredOf(parameters: Parameters): Requires {
  if (parameters.boolean("require_alias", false)) return "alias";
  return parameters.boolean("require_data_stream", false) ? "data stream" : "nothing";
}

function locationOf(written: Written, index: Index): Record<string, string> | undefined {
  if (written.result !== "created") return undefined;
  return { location: `/${encodeURIComponent(index.name)}/_doc/${encodeURIComponent(written.id)}` };
}

/** The one index a read of one document goes to. Throws ApiError 404, 400 for a closed one, 403 for one that may not be read. */
export function readTarget(request: ApiRequest, given: string): Index {
  const index = documentIndex(request, concreteName(request.node.engine, given));
  if (index.definition.closed === true) throw indexClosed(index);
  return unblocked([index], "read")[0];
}

function documentIndex(request: ApiRequest, name: string): Index {
  const { engine } = request.node;
  const index = engine.index(name);
  if (index !== undefined) return index;
  const names = Object.keys(aliasOf(engine, name) ?? {});
  if (names.length > 1)
    throw illegalArgument(
      `alias [${name}] has more than one index associated with it [${names.join(", ")}], can't execute a single index op`,
    );
  const behind = names.length === 1 ? engine.index(names[0]) : undefined;
  if (behind === undefined) throw documentIndexNotFound(name);
  return behind;
}

interface Found {
  readonly index: Index;
  readonly document: StoredDocument | undefined;
}

async function find(request: ApiRequest): Promise<Found> {
  const { parameters, captured } = request;
  const index = readTarget(request, captured.index);
  const routing = documentRouting(request.node.engine, captured.index, index, parameters.text("routing"));
  checkRouting(index, captured.id, routing);
  const wanted = readWantedVersion({
    version: parameters.integer("version"),
    version_type: parameters.text("version_type"),
  });
  if (refreshesFirst(parameters)) await onIndex(request.node.engine, index, (one) => one.refresh());
  const document = read(index, captured.id, routing, request);
  if (document !== undefined) checkVersion(wanted, index, document);
  return { index, document };
}

/** A source, and its copy in the answer. */
const SOURCE_COPIES = 2;

/** The document, where the routing value says it must be. */
export function read(
  index: Index,
  id: string,
  routing: string | undefined,
  request: ApiRequest,
): StoredDocument | undefined {
  const document = index.get(id, { realtime: request.parameters.boolean("realtime", true) });
  if (document !== undefined) request.task.memory.charge(SOURCE_COPIES * document.source.length, "<documents>");
  return document === undefined || isOnShard(index, document, routing) ? document : undefined;
}

/** Throws ApiError 400 where the mapping wants a routing value and there is none. */
export function checkRouting(index: Index, id: string, routing: string | undefined): void {
  if (index.definition.mapping.routingRequired !== true || routing !== undefined) return;
  throw routingMissing(index.name, `routing is required for [${index.name}]/[${id}]`);
}

/** A real-time read sees everything anyway. */
export function refreshesFirst(parameters: Parameters): boolean {
  return parameters.boolean("refresh", false) && !parameters.boolean("realtime", true);
}

/** Throws ApiError 409 for a document of another version than wanted. */
export function checkVersion(wanted: number | undefined, index: Index, document: StoredDocument): void {
  if (wanted === undefined || wanted === document.version) return;
  const reason = `[${document.id}]: version conflict, current version [${document.version}] is different than the one provided [${wanted}]`;
  throw new ApiError(409, "version_conflict_engine_exception", reason, {
    fields: { index_uuid: index.definition.uuid, shard: "0", index: index.name },
  });
}

/** `GET` and `HEAD /i/_doc/1`. */
export async function getDocument(request: ApiRequest): Promise<Reply> {
  const { index, document } = await find(request);
  const { parameters } = request;
  const out = byteWriter();
  const stored = parameters.list("stored_fields");
  const unasked = stored !== undefined && !stored.includes("_source") && parameters.text("_source") === undefined;
  const hidden = unasked || hidesSource(index);
  writeFound(out, {
    place: placeText(index.name, request.identity),
    id: request.captured.id,
    document,
    source: hidden ? "none" : (sourceParameters(parameters) ?? "all"),
    fields: storedText(index, document, stored),
  });
  return rendered(out.finish(), document === undefined ? 404 : 200);
}

interface Shown {
  /** Comes from `placeText`. */
  readonly place: string;
  readonly id: string;
  readonly document: StoredDocument | undefined;
  readonly source: SourceOption;
  /** Text behind everything else: stored fields. */
  readonly fields: string;
}

/** Whether the mapping switches `_source` off. */
export function hidesSource(index: Index): boolean {
  return index.definition.mapping.sourceEnabled === false;
}

/** The member `fields` of a document, a comma before it; empty without stored fields. */
export function storedText(
  index: Index,
  document: StoredDocument | undefined,
  names: readonly string[] | undefined,
): string {
  const read = document === undefined || names === undefined ? undefined : storedFields(index, names);
  const found = read === undefined || document === undefined ? {} : read(document.source);
  return Object.keys(found).length === 0 ? "" : `,"fields":${printJson(found)}`;
}

/** A document as get shows it. */
export function writeFound(out: ByteWriter, { place, id, document, source, fields }: Shown): void {
  if (document === undefined) {
    out.text(`{${place},"_id":${quote(id)},"found":false}`);
    return;
  }
  const routing = document.routing === undefined ? "" : `"_routing":${quote(document.routing)},`;
  out.text(
    `{${place},"_id":${quote(id)},"_version":${document.version},"_seq_no":${document.seqNo},"_primary_term":${document.primaryTerm},${routing}"found":true`,
  );
  if (source !== "none") {
    out.text(`,"_source":`);
    out.bytes(source === "all" ? document.source : source(document.source));
  }
  out.text(`${fields}}`);
}

/** `GET` and `HEAD /i/_source/1`: the document alone. */
export async function getSource(request: ApiRequest): Promise<Reply> {
  const { index, document } = await find(request);
  if (document === undefined || hidesSource(index)) {
    const what = document === undefined ? "Document" : "Source";
    const reason = `${what} not found [${index.name}]/[${request.captured.id}]`;
    throw new ApiError(404, "resource_not_found_exception", reason);
  }
  const option = sourceParameters(request.parameters) ?? "all";
  if (option === "none") throw validationFailed("fetching source can not be disabled");
  const bytes = option === "all" ? document.source : option(document.source);
  return rendered(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
