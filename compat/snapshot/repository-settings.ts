/** Settings of repositories of type `fs`: one row each. What is in no row is refused by name. */
import type { RepositoryOptions } from "../../engine/index.js";
import { ApiError, type ErrorCause, illegalArgument, notSupported, toApiError } from "../errors.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { didYouMean } from "../near-names.js";
import { parseSize } from "../units.js";

interface SettingRow {
  readonly name: string;
  /** Puts the value, a string, into the options. Throws ApiError. */
  readonly read: (value: string, name: string) => Partial<RepositoryOptions>;
}

/** Sorted by name. */
export const REPOSITORY_SETTINGS: readonly SettingRow[] = [
  { name: "chunk_size", read: (value, name) => ({ chunkBytes: positiveSize(value, name) }) },
  { name: "compress", read: (value) => ({ compress: flag(value) }) },
  { name: "location", read: (value) => ({ location: value }) },
  { name: "max_number_of_snapshots", read: (value, name) => ({ maxSnapshots: count(value, name) }) },
  { name: "max_restore_bytes_per_sec", read: (value, name) => ({ restoreBytesPerSecond: rate(value, name) }) },
  { name: "max_snapshot_bytes_per_sec", read: (value, name) => ({ snapshotBytesPerSecond: rate(value, name) }) },
  { name: "readonly", read: (value) => ({ readonly: flag(value) }) },
];

/** Settings that Elasticsearch or OpenSearch have and that are not built. */
const NOT_BUILT: readonly string[] = [
  "base_path",
  "cache_strategy",
  "delegate_type",
  "prefix_mode_verification",
  "remote_store_index_shallow_copy",
  "shallow_snapshot_v2",
  "system_repository",
];

const DEFAULTS: Omit<RepositoryOptions, "location"> = {
  readonly: false,
  compress: true,
  chunkBytes: null,
  snapshotBytesPerSecond: null,
  restoreBytesPerSecond: null,
  maxSnapshots: 500,
};

/** Settings as they are kept and shown: strings under dotted names. */
export function flatRepositorySettings(given: JsonObject): Record<string, string> {
  const flat: Record<string, string> = {};
  const visit = (path: string, value: Json) => {
    if (isObject(value))
      for (const [key, member] of Object.entries(value)) visit(`${path}${path && "."}${key}`, member);
    else if (Array.isArray(value)) throw illegalArgument(`[${path}] takes one value, not a list`);
    else if (value !== null) flat[path] = String(value);
  };
  visit("", given);
  return flat;
}

/** What the settings mean. Throws ApiError 500 `repository_exception`, as Elasticsearch does. */
export function readRepositorySettings(name: string, settings: Readonly<Record<string, string>>): RepositoryOptions {
  let options = { ...DEFAULTS };
  try {
    for (const [key, value] of Object.entries(settings)) options = { ...options, ...rowOf(key).read(value, key) };
  } catch (error) {
    throw notCreated(name, causeOf(toApiError(error)));
  }
  if ("location" in options) return options as RepositoryOptions;
  throw notCreated(name, { type: "repository_exception", reason: `[${name}] missing location` });
}

/** The whole failure of a repository that can't be. */
export function notCreated(name: string, cause: ErrorCause): ApiError {
  const reason = `[${name}] failed to create repository`;
  const own = { type: "repository_exception", reason };
  const rootCause = cause.type === "repository_exception" ? cause : own;
  return new ApiError(500, "repository_exception", reason, { causedBy: cause, rootCause });
}

export function causeOf({ type, message, extra }: ApiError): ErrorCause {
  return { type, reason: message, ...(extra.causedBy === undefined ? {} : { causedBy: extra.causedBy }) };
}

function rowOf(name: string): SettingRow {
  const row = REPOSITORY_SETTINGS.find((one) => one.name === name);
  if (row !== undefined) return row;
  if (NOT_BUILT.includes(name)) throw notSupported(`repository setting [${name}]`);
  const hint = didYouMean(
    name,
    REPOSITORY_SETTINGS.map((one) => one.name),
  );
  throw illegalArgument(`unknown setting [${name}] of a repository of type [fs]${hint}`);
}

function flag(value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
}

function count(value: string, name: string): number {
  if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value);
  throw illegalArgument(`Failed to parse value [${value}] for setting [${name}] must be >= 1`);
}

function positiveSize(value: string, name: string): number {
  const bytes = parseSize(value, name);
  if (bytes > 0) return bytes;
  throw illegalArgument(`failed to parse value [${value}] for setting [${name}], must be >= [1b]`);
}

/** 0 and -1 mean: without a limit. */
function rate(value: string, name: string): number | null {
  const bytes = parseSize(value, name);
  return bytes > 0 ? bytes : null;
}
