/** Where in a body an error is: Elasticsearch's parsers say it by line and column, both from 1. */
import { ApiError } from "../errors.js";
import { position } from "../json/parse.js";

/**
 * The same error with the place of the key it is about. A parsing error has line and column as fields, an
 * `x_content_parse_exception` begins its reason with them.
 */
export function located(error: ApiError, bytes: Uint8Array): ApiError {
  const { key, place = "value", ...extra } = error.extra;
  if (key === undefined || bytes.length === 0) return error;
  const found = findKey(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(), key, place);
  if (found === undefined) return error;
  const { line, column } = found;
  const prefix = `[${line}:${column}] `;
  const cause = extra.causedBy;
  const placed =
    error.type === "x_content_parse_exception"
      ? new ApiError(error.status, error.type, prefix + error.message, extra)
      : new ApiError(error.status, error.type, error.message, {
          ...extra,
          fields: { line, col: column, ...extra.fields },
          causedBy: cause === undefined ? undefined : { ...cause, reason: prefix + cause.reason },
        });
  placed.stack = error.stack;
  return placed;
}

/** The first place where the key stands before a colon. No expression is made of it: a key may be megabytes long. */
function findKey(body: string, key: string, place: "name" | "value") {
  const name = JSON.stringify(key);
  for (let at = body.indexOf(name); at !== -1; at = body.indexOf(name, at + 1)) {
    const behind = BEHIND_NAME.exec(body.slice(at + name.length, at + name.length + MOST_SPACE));
    if (behind !== null) return position(body, place === "name" ? at : at + name.length + behind[0].length);
  }
  return undefined;
}

const BEHIND_NAME = /^\s*:\s*/;
/** More white space than this around a colon is not looked through. */
const MOST_SPACE = 1_000;
