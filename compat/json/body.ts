/** A request's bytes as JSON, with Elasticsearch's errors when they are none. */
import { isUtf8 } from "node:buffer";
import { ApiError } from "../errors.js";
import { JsonSyntaxError, parseJson } from "./parse.js";
import type { Json } from "./value.js";

/** Throws ApiError 400 `x_content_parse_exception` that names line and column. */
export function parseBody(bytes: Uint8Array): Json {
  if (!isUtf8(bytes)) throw new ApiError(400, "x_content_parse_exception", "[1:1] Invalid UTF-8 in the request body");
  return parseText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
}

/** The same for text. */
export function parseText(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, message } = error;
    throw new ApiError(400, "x_content_parse_exception", `[${line}:${column}] ${message}`, {
      fields: { line, col: column },
    });
  }
}
