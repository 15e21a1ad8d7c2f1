/** `action.auto_create_index`: which names become indices by being written to. */
import { illegalArgument, indexNotFound } from "../errors.js";
import { wildcard } from "../indices/names.js";

export const AUTO_CREATE_SETTING = "action.auto_create_index";

/** Throws ApiError 400 for a value that says nothing: `true`, `false`, or patterns with `+` or `-` before them. */
export function checkAutoCreateSetting(name: string, value: string): void {
  if (name !== AUTO_CREATE_SETTING || value === "true" || value === "false") return;
  const parts = partsOf(value);
  if (parts.length > 0 && parts.every(({ pattern }) => pattern !== "")) return;
  throw illegalArgument(
    `Can't parse [${value}] for setting [${AUTO_CREATE_SETTING}] must be either [true, false, or a comma separated list of index patterns]`,
  );
}

/** Throws ApiError 404 unless the name may be made. */
export function checkAutoCreate(name: string, setting: string | undefined): void {
  if (setting === undefined || setting === "true") return;
  if (setting === "false") throw forbidden(name, `[${AUTO_CREATE_SETTING}] is [false]`);
  for (const { pattern, allowed } of partsOf(setting)) {
    if (!wildcard(pattern)(name)) continue;
    if (allowed) return;
    throw forbidden(
      name,
      `[${AUTO_CREATE_SETTING}] contains [-${pattern}] which forbids automatic creation of the index`,
    );
  }
  throw forbidden(name, `[${AUTO_CREATE_SETTING}] ([${setting}]) doesn't match`);
}

function partsOf(setting: string): { pattern: string; allowed: boolean }[] {
  return setting
    .split(",")
    .map((part) => part.trim())
    .map((part) => ({ pattern: part.replace(/^[+-]/, ""), allowed: !part.startsWith("-") }));
}

function forbidden(name: string, why: string): Error {
  return indexNotFound(name, `no such index [${name}] and ${why}`);
}
