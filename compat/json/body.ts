/** A request's bytes as JSON, with Elasticsearch's errors when they are none. */
import { isUtf8 } from "node:buffer";
import { ApiError } from "../errors.js";
import { JsonSyntaxError, parseJson } from "./parse.js";
import type { Json } from "./value.js";

/** Throws ApiError 400 `json_parse_exception` that names line and column. A byte order mark is skipped. */
export function parseBody(bytes: Uint8Array): Json {
  if (!isUtf8(bytes)) throw new ApiError(400, "json_parse_exception", "[1:1] Invalid UTF-8 in the request body");
  const json = withoutMark(bytes);
  return parseText(Buffer.from(json.buffer, json.byteOffset, json.length).toString());
}

/** Whether bytes are UTF-8. */
export function isUtf8Text(bytes: Uint8Array): boolean {
  return isUtf8(bytes);
}

const MARK = [0xef, 0xbb, 0xbf] as const;

/** The bytes without a UTF-8 byte order mark before them, which Elasticsearch's parser skips too. */
export function withoutMark<B extends Uint8Array>(bytes: B): B {
  return bytes[0] === MARK[0] && bytes[1] === MARK[1] && bytes[2] === MARK[2]
    ? (bytes.subarray(MARK.length) as B)
    : bytes;
}

/** The same for text. */
export function parseText(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, message } = error;
    throw new ApiError(400, "json_parse_exception", `[${line}:${column}] ${message}`, {
      fields: { line, col: column },
    });
  }
}
