/**
 * Errors below the table of endpoints, of fastify and of Node's HTTP parser, in the shape of all others: what cannot be
 * read as a request still gets an answer that clients understand.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ApiError, errorBody, illegalArgument, toApiError } from "../errors.js";
import type { Identity } from "../identities.js";
import { tooLarge } from "./decompress.js";

/** What fastify threw before a handler ran. */
export function fastifyError(error: unknown, limit: number): ApiError {
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return tooLarge(limit);
  if (code === undefined || statusCode === undefined || statusCode >= 500) return toApiError(error);
  return new ApiError(statusCode, "illegal_argument_exception", message ?? code);
}

/** Texts for what Node's HTTP parser (llhttp) refuses, by its error code. */
const PARSER_ERRORS: Readonly<Record<string, string>> = {
  HPE_INVALID_CHUNK_SIZE: "Invalid character in chunk size",
  HPE_INVALID_CONTENT_LENGTH: "Content-Length value is not a number",
  HPE_INVALID_METHOD: "the request line begins with no known HTTP method",
  HPE_INVALID_TRANSFER_ENCODING: "Transfer-Encoding cannot be read",
  HPE_INVALID_URL: "the request line holds no valid path",
  HPE_INVALID_VERSION: "the request line holds no known HTTP version",
  HPE_UNEXPECTED_CONTENT_LENGTH: "Content-Length may be given once, and not beside Transfer-Encoding",
};

/** What Node's HTTP parser could not read. */
export function parserError(error: NodeJS.ErrnoException): ApiError {
  const { code } = error;
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ApiError(431, "too_long_http_header_exception", "the request line and headers are too large");
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ApiError(408, "timeout_exception", "the request did not arrive in time");
  }
  return illegalArgument(`the request is not valid HTTP: ${PARSER_ERRORS[code ?? ""] ?? error.message}`);
}

/** Answers on a connection that holds no request, and ends it: what follows on it cannot be told apart. */
export function answerSocket(error: NodeJS.ErrnoException, socket: Socket, identity: Identity): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const found = parserError(error);
  const body = Buffer.from(JSON.stringify(errorBody(found, identity)));
  const head = [
    `HTTP/1.1 ${found.status} ${STATUS_CODES[found.status]}`,
    "x-elastic-product: Elasticsearch",
    "content-type: application/json",
    `content-length: ${body.length}`,
    "connection: close",
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]));
}
