import { parseJson } from "../../compat/json/parse.js";
import type { Json } from "../../compat/json/value.js";
import type { Value } from "./values.js";

/** The value of JSON text. Throws JsonSyntaxError. */
export function readJson(text: string): Value {
  return toValue(parseJson(text));
}

function toValue(json: Json): Value {
  if (Array.isArray(json)) return json.map(toValue);
  if (typeof json !== "object" || json === null) return json;
  return new Map(Object.entries(json).map(([key, member]) => [key, toValue(member)]));
}
