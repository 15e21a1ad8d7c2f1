/** One request from its headers to its reply: guards, identity, row, parameters, body, handler, errors. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Match, Router } from "../endpoints/router.js";
import type { Privilege, Row } from "../endpoints/row.js";
import { errorBody, toApiError } from "../errors.js";
import { type Identity, type IdentityName, identityOf } from "../identities.js";
import type { Node } from "../node.js";
import { taskAction } from "../tasks/actions.js";
import { RequestTask } from "../tasks/request-task.js";
import type { Closing } from "./closing.js";
import { type Cors, corsHeaders, preflightHeaders } from "./cors.js";
import { decompress } from "./decompress.js";
import { type ContentForm, toJsonBody, toJsonLines } from "./forms/convert.js";
import { checkOrigin } from "./guards.js";
import { located } from "./locate.js";
import { answerFormat, bodyForm, checkVersions } from "./media-types.js";
import { acceptedNames, Parameters, readParameters } from "./parameters.js";
import { PlainError } from "./plain-error.js";
import { bodyMemory, releaseBody } from "./read-body.js";
import { json, type Reply } from "./reply.js";
import type { ApiRequest } from "./request.js";
import { type AnswerForm, send } from "./send.js";
import { SOURCE_BODY, sourceOf, takesSource } from "./source-body.js";
import { Warnings } from "./warnings.js";

/** Decides whether a request may do what its row needs; throws ApiError 401 or 403. */
export type Door = (request: FastifyRequest, privilege: Privilege) => void | Promise<void>;

export interface Dispatch {
  readonly node: Node;
  readonly closing: Closing;
  readonly router: Router;
  readonly defaultIdentity: IdentityName;
  readonly door: Door | undefined;
  /** Pages of other origins that are let in; undefined: none. */
  readonly cors: Cors | undefined;
  readonly warn: (message: string) => void;
}

const EMPTY = Buffer.alloc(0);
const EVERY_NAME = acceptedNames([]);

/** Answers a request; never throws. */
export async function dispatch(to: Dispatch, request: FastifyRequest, out: FastifyReply): Promise<void> {
  const began = performance.now();
  const identity = identityOf(request.headers, to.defaultIdentity);
  const [path, queryString] = splitUrl(request.raw.url ?? "/");
  const call: Call = {
    to,
    request,
    out,
    identity,
    path,
    queryString,
    warnings: new Warnings(),
    parameters: undefined,
    format: "json",
    bytes: EMPTY,
    task: undefined,
  };
  let reply: Reply;
  try {
    reply = await answer(call);
  } catch (error) {
    reply = errorReply(error, call);
  }
  call.task?.answered();
  const form = formOf(call);
  try {
    await send(reply, form, out);
  } finally {
    releaseBody(request);
  }
  to.node.slowRequests.ended({ method: request.method, path, opaqueId: form.opaqueId }, began);
}

interface Call {
  readonly to: Dispatch;
  readonly request: FastifyRequest;
  readonly out: FastifyReply;
  readonly identity: Identity;
  readonly path: string;
  readonly queryString: string;
  readonly warnings: Warnings;
  parameters: Parameters | undefined;
  /** Of the answer, once the request has been read so far. */
  format: ContentForm;
  bytes: Buffer;
  task: RequestTask | undefined;
}

async function answer(call: Call): Promise<Reply> {
  const { to, request, identity, path } = call;
  to.closing.check();
  checkOrigin(request.headers, to.cors);
  if (request.method === "OPTIONS") return options(call);
  const { row, captured } = to.router.find(request.method, path, identity.name);
  if (to.door !== undefined) await to.door(request, row.privilege);
  const hasBody = bodyOf(request).length > 0;
  checkVersions(request.headers.accept, request.headers["content-type"], hasBody);
  if (row.status !== "not built") call.parameters = readParameters(call.queryString, acceptedOf(row, !hasBody), path);
  const format = answerFormat(call.parameters?.text("format"), request.headers.accept ?? "", row.table);
  if (format !== "text") call.format = format;
  call.bytes = await readBytes(call, row);
  if (call.parameters !== undefined) warnOfParameters(call, call.parameters);
  to.node.requests.count(row.name);
  call.task = beginTask(call, row, captured);
  return row.run(apiRequest(call, captured, call.task));
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : EMPTY;
}

/** The body as plain JSON: unpacked, and translated from the form it came in. */
async function readBytes({ to, request, parameters }: Call, row: Row): Promise<Buffer> {
  const body = bodyOf(request);
  const type = request.headers["content-type"];
  const form = bodyForm(type, body.length > 0);
  const encoding = request.headers["content-encoding"];
  const memory = { limit: to.node.maxContentBytes, memory: bodyMemory(to.node.engine, request) };
  const plain = encoding === undefined ? body : await decompress(body, encoding, memory);
  if (body.length === 0) return (parameters === undefined ? undefined : sourceOf(parameters)) ?? plain;
  return isStream(row) ? toJsonLines(plain, form, type ?? "") : toJsonBody(plain, form);
}

/** Endpoints whose body is many documents. */
function isStream({ name }: Row): boolean {
  return name === "bulk" || name === "msearch";
}

/** OpenSearch's words for the old name of a parameter. */
function warnOfParameters({ identity, warnings }: Call, parameters: Parameters): void {
  if (identity.distribution !== "opensearch" || !parameters.has("master_timeout")) return;
  warnings.add(
    "Parameter [master_timeout] is deprecated and will be removed in 3.0. To support inclusive language, please use [cluster_manager_timeout] instead.",
  );
}

function beginTask(call: Call, row: Row, captured: Match["captured"]): RequestTask {
  const { out, bytes } = call;
  const action = taskAction(row.name);
  return new RequestTask({
    engine: call.to.node.engine,
    action,
    describe: () => describeRequest(action.kind, captured.index, bytes),
    index: captured.index,
    opaqueId: opaqueIdOf(call.request),
    onClientGone: (callback) =>
      out.raw.once("close", () => {
        if (!out.raw.writableFinished) callback();
      }),
    onAnswerLeft: (callback) => (out.raw.destroyed ? callback() : out.raw.once("close", callback)),
  });
}

/** Bytes of a body that a description shows. */
const SHOWN_BYTES = 1_000;

function describeRequest(kind: string, index: string | undefined, bytes: Buffer): string {
  const indices = index === undefined ? "" : `indices[${index}]`;
  if (kind !== "search") return indices;
  return `indices[${index ?? ""}], search_type[QUERY_THEN_FETCH], source[${bytes.toString("utf8", 0, SHOWN_BYTES)}]`;
}

function apiRequest(call: Call, captured: Match["captured"], task: RequestTask): ApiRequest {
  const { to, request, identity, path, bytes } = call;
  return {
    node: to.node,
    identity,
    method: request.method,
    path,
    captured,
    parameters: call.parameters ?? new Parameters(new Map()),
    bytes,
    accept: request.headers.accept ?? "",
    host: request.headers.host ?? "",
    task,
    deprecated: (text) => call.warnings.add(text),
  };
}

function opaqueIdOf(request: FastifyRequest): string | undefined {
  const opaque = request.headers["x-opaque-id"];
  return typeof opaque === "string" ? opaque : undefined;
}

const ACCEPTED = new WeakMap<Row, ReadonlySet<string>>();
const WITH_SOURCE = new WeakMap<Row, ReadonlySet<string>>();

/** Without a body, requests that may have one take it from the query string too. */
function acceptedOf(row: Row, bodyless: boolean): ReadonlySet<string> {
  const withSource = bodyless && takesSource(row);
  const known = withSource ? WITH_SOURCE : ACCEPTED;
  let accepted = known.get(row);
  if (accepted === undefined) {
    accepted = acceptedNames(withSource ? [...row.parameters, ...SOURCE_BODY] : row.parameters);
    known.set(row, accepted);
  }
  return accepted;
}

function splitUrl(url: string): [path: string, queryString: string] {
  const mark = url.indexOf("?");
  return mark === -1 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}

function options({ to, request, path }: Call): Reply {
  const methods = to.router.methods(path);
  const preflight = preflightHeaders(to.cors, request.headers);
  if (methods.length === 0 && Object.keys(preflight).length === 0)
    throw new PlainError(400, `no handler found for uri [${path}] and method [OPTIONS]`, {}, false);
  return { status: 200, headers: { allow: methods.join(","), ...preflight }, body: { kind: "text", text: "" } };
}

/** The form is read leniently here, so that an error in it can still be answered. */
function formOf(call: Call): AnswerForm {
  const { headers, method } = call.request;
  const parameters = call.parameters ?? lenient(call.queryString);
  return {
    head: method === "HEAD",
    accept: headers.accept ?? "",
    format: call.format,
    acceptsGzip: /\bgzip\b/.test(String(headers["accept-encoding"] ?? "")),
    pretty: isTrue(parameters.text("pretty")),
    human: isTrue(parameters.text("human")),
    filterPath: parameters.list("filter_path") ?? [],
    opaqueId: opaqueIdOf(call.request),
    warnings: call.warnings.headers(call.identity),
    cors: corsHeaders(call.to.cors, headers),
  };
}

function lenient(queryString: string): Parameters {
  const known = [...new URLSearchParams(queryString)].filter(([name]) => EVERY_NAME.has(name));
  return new Parameters(new Map(known));
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && value !== "false";
}

function errorReply(error: unknown, call: Call): Reply {
  if (error instanceof PlainError) {
    const { status, message, headers, withStatus } = error;
    return json(withStatus ? { error: message, status } : { error: message }, status, headers);
  }
  const found = located(toApiError(error), call.bytes);
  if (found.status >= 500) call.to.warn(`${call.request.method} ${call.path}: ${found.stack ?? found.message}`);
  const trace = isTrue((call.parameters ?? lenient(call.queryString)).text("error_trace"));
  return json(errorBody(found, call.identity, trace), found.status, found.extra.headers);
}
