/** `_mget`: several documents, each found, not found, or with its own error. */
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { readWantedVersion } from "../bulk/conditions.js";
import { illegalArgument, itemError, toApiError, validationFailed } from "../errors.js";
import { type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { placeText } from "../identities.js";
import { aliasOf } from "../indices/aliases.js";
import { documentRouting } from "../indices/names.js";
import { type ByteWriter, byteWriter } from "../json/byte-writer.js";
import { isObject, type Json } from "../json/value.js";
import { readSourceOption, sourceParameters } from "../search/source-option.js";
import {
  checkRouting,
  checkVersion,
  hidesSource,
  read,
  readTarget,
  refreshesFirst,
  storedText,
  writeFound,
} from "./document.js";

export const MGET_SHAPE = shape("mget", "object", { docs: "list", ids: "list" });

const MGET_DOC = shape("mget_doc", "object", {
  _index: "string",
  _id: "string",
  _type: "string",
  routing: "string",
  _source: "any",
  stored_fields: "strings",
  version: "any",
  version_type: "string",
});

/** `GET /_mget` */
export async function multiGet(request: ApiRequest, body: BodyOf<typeof MGET_SHAPE>): Promise<Reply> {
  const asked = [...(body.docs ?? []), ...(body.ids ?? []).map((id) => ({ _id: String(id) }))];
  if (asked.length === 0) throw validationFailed("no documents to get");
  const reads = asked.map((one) => readMgetDoc(request, one));
  if (refreshesFirst(request.parameters)) await refreshAll(request, reads);
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
  readonly version: number | undefined;
}

function readMgetDoc(request: ApiRequest, given: Json): Wanted {
  if (!isObject(given)) throw illegalArgument("docs array element should include an object");
  const asked = readShape(given, MGET_DOC);
  const name = asked._index ?? request.captured.index;
  if (name === undefined) throw validationFailed("index is missing");
  if (asked._id === undefined) throw validationFailed("id is missing");
  const version = readWantedVersion({ version: readLong(asked.version), version_type: asked.version_type });
  return { name, id: asked._id, asked, version };
}

function readLong(value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === "string" && /^[-+]?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw illegalArgument(`For input string: "${String(value)}"`);
}

/** Names that are no index are told with their document. */
async function refreshAll({ node: { engine } }: ApiRequest, reads: readonly Wanted[]): Promise<void> {
  const named = reads.flatMap(({ name }) => [name, ...Object.keys(aliasOf(engine, name) ?? {})]);
  await Promise.all([...new Set(named)].map((name) => engine.index(name)?.refresh()));
}

function getOne(out: ByteWriter, request: ApiRequest, { name, id, asked, version }: Wanted): void {
  try {
    const index = readTarget(request, name);
    const given = asked.routing ?? request.parameters.text("routing");
    const routing = documentRouting(request.node.engine, name, index, given);
    checkRouting(index, id, routing);
    const document = read(index, id, routing, request);
    if (document !== undefined) checkVersion(version, index, document);
    const stored = asked.stored_fields ?? request.parameters.list("stored_fields");
    const hidden = stored !== undefined && !stored.includes("_source");
    const shared = sourceParameters(request.parameters) ?? (hidden ? "none" : "all");
    const wanted = asked._source === undefined ? shared : readSourceOption(asked._source);
    const source = hidesSource(index) ? "none" : wanted;
    const fields = storedText(index, document, stored);
    writeFound(out, { place: placeText(index.name, request.identity), id, document, source, fields });
  } catch (error) {
    const found = toApiError(error);
    const cause = itemError(found, request.identity);
    const failure = JSON.stringify({ _id: id, error: { root_cause: [cause], ...cause } });
    out.text(`{${placeText(name, request.identity)},${failure.slice(1)}`);
  }
}
