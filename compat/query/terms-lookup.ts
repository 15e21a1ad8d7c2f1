/**
 * `{"terms": {"user": {"index": "users", "id": "2", "path": "followers"}}}`: values that a document has. They are put in its
 * place before a request is read, so what reads queries knows lists alone.
 */
import type { Index } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { illegalArgument, notSupported } from "../errors.js";
import { parseText } from "../json/body.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { valuesAt } from "../json/values-at.js";

const LOOKUP = shape("terms_lookup", "object", {
  index: "string",
  id: "string",
  path: "string",
  routing: "string",
  store: "boolean",
});

/** The index of a name. Throws ApiError when there is none. */
export type FindIndex = (name: string) => Index;

/** The JSON with each lookup replaced by the list it stands for; the same where there is none. Throws ApiError. */
export function withLookups<T extends Json>(json: T, find: FindIndex): T {
  if (Array.isArray(json)) {
    const values: Json[] = json.map((one) => withLookups(one, find));
    return replaced(json, values) as T;
  }
  if (!isObject(json)) return json;
  const entries = Object.entries(json).map(([key, value]): [string, Json] => {
    if (key === "terms" && isObject(value)) return [key, withValues(value, find)];
    return [key, withLookups(value, find)];
  });
  return entries.every(([key, value]) => json[key] === value) ? json : (Object.fromEntries(entries) as T);
}

function replaced(before: Json[], after: Json[]): Json[] {
  return after.every((one, at) => one === before[at]) ? before : after;
}

function withValues(terms: JsonObject, find: FindIndex): JsonObject {
  const entries = Object.entries(terms).map(([field, value]): [string, Json] => {
    return [field, isObject(value) && value.path !== undefined ? lookUp(value, find) : value];
  });
  return entries.every(([field, value]) => terms[field] === value) ? terms : Object.fromEntries(entries);
}

/** A document that is not there has no values. */
function lookUp(given: JsonObject, find: FindIndex): Json[] {
  const { index, id, path, store } = readShape(given, LOOKUP);
  if (store === true) throw notSupported("[store] in terms lookup");
  if (index === undefined || id === undefined || path === undefined)
    throw illegalArgument("[terms] query lookup element requires specifying the [index], [id] and [path].");
  const document = find(index).get(id);
  if (document === undefined) return [];
  const { buffer, byteOffset, length } = document.source;
  return valuesAt(parseText(Buffer.from(buffer, byteOffset, length).toString()), path.split("."));
}
