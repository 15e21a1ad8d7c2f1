/** Requests that no HTTP library sends: broken lines, lengths that lie, chunks that end nowhere, odd encodings. */
import type { Chance } from "../../../engine/store/testing/chance.js";
import type { WireRequest } from "./wire-request.js";

type Writer = (request: WireRequest, chance: Chance) => string;

const CRLF = "\r\n";

function head({ method, path }: WireRequest, more: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, "host: localhost", "connection: close", ...more, "", ""].join(CRLF);
}

const bodyOf = ({ body }: WireRequest) => (body ?? Buffer.alloc(0)).toString("latin1");
const lengthOf = (request: WireRequest) => bodyOf(request).length;
const JSON_TYPE = "content-type: application/json";

const WRITERS: readonly Writer[] = [
  (request) => head(request, [JSON_TYPE, `content-length: ${lengthOf(request) + 10}`]) + bodyOf(request),
  (request) => head(request, [JSON_TYPE, `content-length: ${Math.max(lengthOf(request) - 3, 0)}`]) + bodyOf(request),
  (request) => head(request, [JSON_TYPE, "content-length: -1"]) + bodyOf(request),
  (request) => head(request, [JSON_TYPE, "content-length: 99999999999999999999"]) + bodyOf(request),
  (request) => head(request, [JSON_TYPE, "content-length: 5", "content-length: 6"]) + bodyOf(request),
  (request) => head(request, [JSON_TYPE, "transfer-encoding: chunked", "content-length: 5"]) + bodyOf(request),
  (request) => head(request, [JSON_TYPE, "transfer-encoding: chunked"]) + chunked(bodyOf(request)),
  (request) => head(request, [JSON_TYPE, "transfer-encoding: chunked"]) + chunked(bodyOf(request)).slice(0, -5),
  (request) => `${head(request, [JSON_TYPE, "transfer-encoding: chunked"])}zz${CRLF}${bodyOf(request)}`,
  (request) => head(request, [JSON_TYPE, "transfer-encoding: gzip, chunked"]) + chunked(bodyOf(request)),
  (request) => head({ ...request, path: `${request.path}é\xff` }, []),
  (request) => head({ ...request, path: `${request.path} x` }, []),
  (request) => head({ ...request, path: request.path.slice(1) }, []),
  (request) => head({ ...request, path: `http://localhost${request.path}` }, []),
  (request) => head({ ...request, path: `/${"a".repeat(20_000)}` }, []),
  (request) => head({ ...request, method: "BREW" }, []),
  (request) => head({ ...request, method: "" }, []),
  (request) => head(request, [`x-long: ${"h".repeat(20_000)}`]),
  (request) =>
    head(
      request,
      Array.from({ length: 3000 }, (_, at) => `h${at}: v`),
    ),
  (request) => head(request, ["no colon here"]),
  (request) => head(request, ["x-nul: a\0b"]),
  (request) => head(request, ["expect: something"]),
  (request) => head(request, ["upgrade: websocket", "connection: upgrade"]),
  (request) => `${request.method} ${request.path}${CRLF}${CRLF}`,
  (request) => `${request.method} ${request.path} HTTP/9.9${CRLF}${CRLF}`,
  (request) => `${request.method} ${request.path} HTTP/1.0${CRLF}${CRLF}`,
  (request) => `${request.method} ${request.path} HTTP/1.1${CRLF}${CRLF}`,
  (request) => head(request, []).slice(0, 20),
  (request) => head(request, []).replaceAll(CRLF, "\n"),
  () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  (_, chance) => Array.from({ length: 1 + chance(400) }, () => String.fromCharCode(chance(256))).join(""),
  () => CRLF.repeat(1000),
];

function chunked(body: string): string {
  return `${body.length.toString(16)}${CRLF}${body}${CRLF}0${CRLF}${CRLF}`;
}

/** The bytes of one of them. */
export function rawBytes(request: WireRequest, chance: Chance): Buffer {
  return Buffer.from(WRITERS[chance(WRITERS.length)](request, chance), "latin1");
}
