/** One document: write, read, delete, update. */
import type { Index, StoredDocument, WriteOperation } from "../../engine/index.js";
import type { BodyOf } from "../body/shape.js";
import { readShape, shape } from "../body/shape.js";
import { indexFor } from "../bulk/bulk.js";
import { readConditions } from "../bulk/conditions.js";
import { checkId, type UPDATE_SHAPE, updateAnswer, updateOperation } from "../bulk/operation.js";
import { refreshAfterWrite } from "../bulk/refresh.js";
import { writeRouted } from "../bulk/routed-write.js";
import { shardsText, type Written, writeMembers, writeStatus } from "../bulk/write-response.js";
import {
  ApiError,
  illegalArgument,
  indexNotFound,
  itemError,
  notSupported,
  routingMissing,
  toApiError,
  validationFailed,
  withIndex,
} from "../errors.js";
import { type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { aliasOf } from "../indices/aliases.js";
import { onIndex } from "../indices/gone.js";
import { documentRouting } from "../indices/names.js";
import { isOnShard } from "../indices/shards.js";
import { withoutMark } from "../json/body.js";
import { type ByteWriter, byteWriter } from "../json/byte-writer.js";
import type { Json } from "../json/value.js";
import { isObject } from "../json/value.js";
import { quote } from "../search/render.js";
import { readSourceOption, type SourceOption, sourceParameters } from "../search/source-option.js";

/** `PUT /i/_doc/1`, `POST /i/_doc`, and `_create`. */
export async function indexDocument(request: ApiRequest, body: Buffer): Promise<Reply> {
  const { captured, parameters, path } = request;
  if (body.length === 0) throw new ApiError(400, "parse_exception", "request body is required");
  const create = path.includes("/_create/") || parameters.text("op_type") === "create";
  const operation: WriteOperation = {
    kind: create ? "create" : "index",
    source: withoutMark(body),
    ...conditionsOf(request, create ? "create" : "index"),
  };
  if (captured.id !== undefined) {
    checkId(captured.id);
    operation.id = captured.id;
  }
  return writeOne(request, operation);
}

export async function deleteDocument(request: ApiRequest): Promise<Reply> {
  return writeOne(request, { kind: "delete", id: request.captured.id, ...conditionsOf(request, "delete") });
}

/** `POST /i/_update/1` with a partial document. */
export async function updateDocument(request: ApiRequest, body: BodyOf<typeof UPDATE_SHAPE>): Promise<Reply> {
  const { parameters, captured } = request;
  if (request.bytes.length === 0) throw new ApiError(400, "parse_exception", "request body is required");
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

async function writeOne(request: ApiRequest, operation: WriteOperation, source?: Json): Promise<Reply> {
  const { parameters, captured } = request;
  const index = await indexFor(request, captured.index, parameters.boolean("require_alias", false));
  const { engine } = request.node;
  const routing = documentRouting(engine, captured.index, index, operation.routing);
  const [outcome] = await onIndex(engine, index, (one) =>
    writeRouted(one, [routing === undefined ? operation : { ...operation, routing }]),
  );
  if (!outcome.ok) throw withIndex(outcome.error, index);
  const refresh = parameters.refresh();
  await refreshAfterWrite(engine, [index], refresh);
  const members = writeMembers(outcome, index.name, shardsText(index), refresh === "true");
  const get =
    operation.kind === "update" ? updateAnswer(outcome, source, { source: sourceParameters(parameters) }) : "";
  return rendered(`{${members}${get}}`, writeStatus(outcome), locationOf(outcome, index));
}

function locationOf(written: Written, index: Index): Record<string, string> | undefined {
  if (written.result !== "created") return undefined;
  return { location: `/${encodeURIComponent(index.name)}/_doc/${encodeURIComponent(written.id)}` };
}

/** The one index a read of one document goes to. */
function readTarget(request: ApiRequest, name: string): Index {
  const { engine } = request.node;
  const index = engine.index(name);
  if (index !== undefined) return index;
  const names = Object.keys(aliasOf(engine, name) ?? {});
  if (names.length > 1)
    throw illegalArgument(
      `alias [${name}] has more than one index associated with it [${names.join(", ")}], can't execute a single index op`,
    );
  const behind = names.length === 1 ? engine.index(names[0]) : undefined;
  if (behind === undefined) throw indexNotFound(name);
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
  if (parameters.refresh() === "true") await onIndex(request.node.engine, index, (one) => one.refresh());
  const document = read(index, captured.id, routing, request);
  if (document !== undefined) checkVersion(request, index, document);
  return { index, document };
}

/** The document, where the routing value says it must be. */
function read(index: Index, id: string, routing: string | undefined, request: ApiRequest): StoredDocument | undefined {
  const document = index.get(id, { realtime: request.parameters.boolean("realtime", true) });
  return document === undefined || isOnShard(index, document, routing) ? document : undefined;
}

function checkRouting(index: Index, id: string, routing: string | undefined): void {
  if (index.definition.mapping.routingRequired !== true || routing !== undefined) return;
  throw routingMissing(index.name, `routing is required for [${index.name}]/[${id}]`);
}

function checkVersion(request: ApiRequest, index: Index, document: StoredDocument): void {
  const wanted = request.parameters.integer("version");
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
  const hidden = stored !== undefined && !stored.includes("_source") && parameters.text("_source") === undefined;
  writeFound(out, {
    index: index.name,
    id: request.captured.id,
    document,
    source: hidden ? "none" : (sourceParameters(parameters) ?? "all"),
  });
  return rendered(out.finish(), document === undefined ? 404 : 200);
}

interface Shown {
  readonly index: string;
  readonly id: string;
  readonly document: StoredDocument | undefined;
  readonly source: SourceOption;
}

function writeFound(out: ByteWriter, { index, id, document, source }: Shown): void {
  if (document === undefined) {
    out.text(`{"_index":"${index}","_id":${quote(id)},"found":false}`);
    return;
  }
  const routing = document.routing === undefined ? "" : `"_routing":${quote(document.routing)},`;
  out.text(
    `{"_index":"${index}","_id":${quote(id)},"_version":${document.version},"_seq_no":${document.seqNo},"_primary_term":${document.primaryTerm},${routing}"found":true`,
  );
  if (source !== "none") {
    out.text(`,"_source":`);
    out.bytes(source === "all" ? document.source : source(document.source));
  }
  out.text("}");
}

/** `GET` and `HEAD /i/_source/1`: the document alone. */
export async function getSource(request: ApiRequest): Promise<Reply> {
  const { index, document } = await find(request);
  if (document === undefined) {
    throw new ApiError(
      404,
      "resource_not_found_exception",
      `Document not found [${index.name}]/[${request.captured.id}]`,
    );
  }
  const option = sourceParameters(request.parameters) ?? "all";
  if (option === "none") throw validationFailed("fetching source can not be disabled");
  const bytes = option === "all" ? document.source : option(document.source);
  return rendered(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

export const MGET_SHAPE = shape("mget", "object", { docs: "list", ids: "list" });

const MGET_DOC = shape("mget_doc", "object", {
  _index: "string",
  _id: "string",
  _type: "string",
  routing: "string",
  _source: "any",
  stored_fields: "strings",
  version: "integer",
  version_type: "string",
});

/** `_mget`: several documents, each found, not found, or with its own error. */
export async function multiGet(request: ApiRequest, body: BodyOf<typeof MGET_SHAPE>): Promise<Reply> {
  const asked = [...(body.docs ?? []), ...(body.ids ?? []).map((id) => ({ _id: String(id) }))];
  if (asked.length === 0) throw validationFailed("no documents to get");
  const reads = asked.map((one) => readMgetDoc(request, one));
  if (request.parameters.refresh() === "true") await refreshAll(request, reads);
  const out = byteWriter();
  out.text(`{"docs":[`);
  for (const [at, one] of reads.entries()) {
    if (at > 0) out.text(",");
    getOne(out, request, one);
  }
  out.text("]}");
  return rendered(out.finish());
}

interface Wanted {
  readonly name: string;
  readonly id: string;
  readonly asked: BodyOf<typeof MGET_DOC>;
}

function readMgetDoc(request: ApiRequest, given: Json): Wanted {
  if (!isObject(given)) throw illegalArgument("docs array element should include an object");
  const asked = readShape(given, MGET_DOC);
  const name = asked._index ?? request.captured.index;
  if (name === undefined) throw validationFailed("index is missing");
  if (asked._id === undefined) throw validationFailed("id is missing");
  if (asked.version !== undefined) throw notSupported("[version] in [mget]");
  return { name, id: asked._id, asked };
}

async function refreshAll(request: ApiRequest, reads: readonly Wanted[]): Promise<void> {
  const names = new Set(reads.map((one) => one.name));
  await Promise.all([...names].map((name) => request.node.engine.index(name)?.refresh()));
}

function getOne(out: ByteWriter, request: ApiRequest, { name, id, asked }: Wanted): void {
  try {
    const index = readTarget(request, name);
    const given = asked.routing ?? request.parameters.text("routing");
    const routing = documentRouting(request.node.engine, name, index, given);
    checkRouting(index, id, routing);
    const document = read(index, id, routing, request);
    const stored = asked.stored_fields ?? request.parameters.list("stored_fields");
    const hidden = stored !== undefined && !stored.includes("_source");
    const shared = sourceParameters(request.parameters) ?? (hidden ? "none" : "all");
    const source = asked._source === undefined ? shared : readSourceOption(asked._source);
    writeFound(out, { index: index.name, id, document, source });
  } catch (error) {
    const found = toApiError(error);
    const cause = itemError(found, request.identity);
    out.text(JSON.stringify({ _index: name, _id: id, error: { root_cause: [cause], ...cause } }));
  }
}
