/** Bodies of `_snapshot` requests: their keys one by one, with Elasticsearch's words for values of the wrong form. */
import { illegalArgument, notSupported } from "../errors.js";
import { expansion } from "../indices/names.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { didYouMean } from "../near-names.js";

/** Throws ApiError 400 for a key that is not among these. */
export function checkKeys(body: JsonObject, known: readonly string[], refused: readonly string[] = []): void {
  for (const key of Object.keys(body)) {
    if (refused.includes(key)) throw notSupported(`[${key}] of snapshots`);
    if (!known.includes(key)) throw illegalArgument(`Unknown parameter ${key}${didYouMean(key, known)}`);
  }
}

/** A comma list or an array of strings. */
export function readNames(value: Json | undefined, key: string): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return splitNames(value);
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value as string[];
  throw illegalArgument(`malformed ${key} section, should be an array of strings`);
}

function splitNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

export function readFlag(value: Json | undefined, key: string, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw illegalArgument(`Could not convert [${key}] to boolean`, {
    type: "illegal_argument_exception",
    reason: `Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`,
  });
}

export function readText(value: Json | undefined, key: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw illegalArgument(`malformed ${key}`);
}

export function readObject(value: Json | undefined, message: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw illegalArgument(message);
}

/** There are no features with indices of their own: none may be asked for. */
export function checkFeatures(value: Json | undefined): void {
  const names = readNames(value, "feature_states") ?? [];
  const unknown = names.filter((name) => name !== "none");
  if (unknown.length > 0) throw notSupported(`feature state [${unknown[0]}]`);
}

/** `expand_wildcards` in a body; closed and hidden indices are taken unless it says otherwise. */
export function readExpansion(value: Json | undefined): ReturnType<typeof expansion> {
  const words = readNames(value, "expand_wildcards");
  if (words === undefined) return { open: true, closed: true, hidden: true };
  for (const word of words) {
    if (!["open", "closed", "hidden", "none", "all"].includes(word)) {
      throw illegalArgument(`No valid expand wildcard value [${word}]`);
    }
  }
  return expansion(words);
}
