/** From a handler's reply to the bytes on the wire: form (`pretty`, `filter_path`, `human`), headers, compression. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply } from "fastify";
import { printJson } from "../json/print.js";
import { parseTree, printPretty } from "../json/tree.js";
import { filterPath } from "./filter-path.js";
import { type ContentForm, fromJsonText } from "./forms/convert.js";
import { humanTwins } from "./human.js";
import { answerType, TEXT_TYPE } from "./media-types.js";
import type { Reply } from "./reply.js";

const compress = promisify(gzip);

/** Smaller answers are sent as they are: compressing them costs more than it saves. */
const COMPRESS_FROM_BYTES = 4_096;

/** What the request says about the form of its answer. */
export interface AnswerForm {
  readonly head: boolean;
  readonly accept: string;
  /** Of answers that are no text. */
  readonly format: ContentForm;
  readonly acceptsGzip: boolean;
  readonly pretty: boolean;
  readonly human: boolean;
  readonly filterPath: readonly string[];
  readonly opaqueId: string | undefined;
  /** `Warning` headers, whole. */
  readonly warnings: readonly string[];
  /** For a page of another origin. */
  readonly cors: Readonly<Record<string, string>>;
}

/** Sends the reply; resolves when it is handed to the socket. */
export async function send(reply: Reply, form: AnswerForm, out: FastifyReply): Promise<void> {
  const { body } = reply;
  const type = body.kind === "text" ? TEXT_TYPE : answerType(form.format, form.accept);
  // Bytes, not text: fastify would add a charset of its own to the content type of text.
  let payload = toBytes(body.kind === "text" ? body.text : inForm(reply, form));
  out.code(reply.status).header("x-elastic-product", "Elasticsearch").header("content-type", type);
  if (form.opaqueId !== undefined) out.header("x-opaque-id", form.opaqueId);
  if (form.warnings.length > 0) out.header("warning", form.warnings);
  if (reply.headers !== undefined) out.headers(reply.headers);
  out.headers(form.cors);
  if (form.head) {
    out.header("content-length", payload.length);
    payload = NOTHING;
  } else if (form.acceptsGzip && payload.length >= COMPRESS_FROM_BYTES) {
    payload = await compress(payload, { level: 1 });
    const vary = form.cors.vary === undefined ? "accept-encoding" : `${form.cors.vary}, accept-encoding`;
    out.header("content-encoding", "gzip").header("vary", vary);
  }
  out.send(payload);
}

const NOTHING = Buffer.alloc(0);

function toBytes(payload: string | Buffer): Buffer {
  return typeof payload === "string" ? Buffer.from(payload) : payload;
}

function inForm(reply: Reply, form: AnswerForm): string | Buffer {
  const text = jsonText(reply, form);
  if (form.format === "json") return form.pretty ? `${printPretty(parseTree(text.toString()))}\n` : text;
  return fromJsonText(text.toString(), form.format);
}

function jsonText(reply: Reply, form: AnswerForm): string | Buffer {
  const { body } = reply;
  if (body.kind === "text") return body.text;
  const text = body.kind === "rendered" ? body.json : printJson(form.human ? humanTwins(body.value) : body.value);
  return form.filterPath.length > 0 ? filterPath(text.toString(), form.filterPath) : text;
}
