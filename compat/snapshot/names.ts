/** Names of repositories and snapshots, and what expressions of them mean. */
import type { EngineFace, RepositoryInfo, SnapshotSummary } from "../../engine/index.js";
import { ApiError } from "../errors.js";
import { wildcard } from "../indices/names.js";

const FILE_NAME = /[ "*\\<|,>/?]/;
const FORBIDDEN = '[ , ", *, \\, <, |, ,, >, /, ?]';

/** Throws ApiError 500 `repository_exception`, as Elasticsearch does. */
export function checkRepositoryName(name: string): void {
  const why = name.includes("#")
    ? "must not contain '#'"
    : FILE_NAME.test(name)
      ? `must not contain the following characters ${FORBIDDEN}`
      : undefined;
  if (why !== undefined) throw new ApiError(500, "repository_exception", `[${name}] ${why}`);
}

/** Throws ApiError 400 `invalid_snapshot_name_exception`. */
export function checkSnapshotName(repository: string, name: string): void {
  const why = nameFault(name);
  if (why === undefined) return;
  const reason = `[${repository}:${name}] Invalid snapshot name [${name}], ${why}`;
  throw new ApiError(400, "invalid_snapshot_name_exception", reason);
}

function nameFault(name: string): string | undefined {
  if (name === "") return "cannot be empty";
  if (/\s/.test(name)) return "must not contain whitespace";
  if (name.includes(",")) return "must not contain ','";
  if (name.includes("#")) return "must not contain '#'";
  if (name.startsWith("_")) return "must not start with '_'";
  if (name !== name.toLowerCase()) return "must be lowercase";
  return FILE_NAME.test(name) ? `must not contain the following characters ${FORBIDDEN}` : undefined;
}

export function repositoryMissing(name: string): ApiError {
  return new ApiError(404, "repository_missing_exception", `[${name}] missing`);
}

export function snapshotMissing(repository: string, name: string): ApiError {
  return new ApiError(404, "snapshot_missing_exception", `[${repository}:${name}] is missing`);
}

/** Throws ApiError 404 for a name that no repository has. */
export function checkRepository(engine: EngineFace, name: string): void {
  if (!engine.snapshots.repositories().some((one) => one.name === name)) throw repositoryMissing(name);
}

/** Repositories of a comma list with wildcards, sorted by name. Throws ApiError 404 for a name, not for a pattern. */
export function findRepositories(engine: EngineFace, expression: string | undefined): RepositoryInfo[] {
  const all = engine.snapshots.repositories();
  if (expression === undefined || expression === "_all" || expression === "*") return all;
  const chosen = new Set<string>();
  for (const part of partsOf(expression)) {
    const matches = wildcard(part);
    const found = all.filter(({ name }) => matches(name));
    if (found.length === 0 && !part.includes("*")) throw repositoryMissing(part);
    for (const { name } of found) chosen.add(name);
  }
  return all.filter(({ name }) => chosen.has(name));
}

/** How names of snapshots are taken. */
export interface SnapshotNames {
  /** A name that is not there is left out. */
  readonly ignoreMissing: boolean;
  /** What a pattern is that matches nothing. */
  readonly unmatched: "allowed" | "missing";
}

/**
 * Snapshots of a comma list with wildcards, `_all` and `_current`, in the order of the list there is; `-name` takes away
 * again once a pattern has come before. Throws ApiError 404.
 */
export function findSnapshots<S extends SnapshotSummary>(
  all: readonly S[],
  repository: string,
  expression: string,
  options: SnapshotNames,
): S[] {
  const chosen = new Set<S>();
  let sawPattern = false;
  const parts = partsOf(expression);
  for (const part of parts) {
    const excludes = part.startsWith("-") && sawPattern;
    const matches = matcher(excludes ? part.slice(1) : part);
    const found = all.filter(matches);
    for (const one of found) excludes ? chosen.delete(one) : chosen.add(one);
    sawPattern ||= isPattern(part);
    if (found.length === 0 && !excludes && !isPattern(part) && !options.ignoreMissing) {
      throw snapshotMissing(repository, part);
    }
  }
  const onlyPatterns = parts.every((part) => part.includes("*"));
  if (chosen.size === 0 && onlyPatterns && options.unmatched === "missing" && !options.ignoreMissing) {
    throw snapshotMissing(repository, parts[0]);
  }
  return all.filter((one) => chosen.has(one));
}

function matcher(part: string): (snapshot: SnapshotSummary) => boolean {
  if (part === "_all") return () => true;
  if (part === "_current") return ({ state }) => state === "in_progress";
  const matches = wildcard(part);
  return ({ name }) => matches(name);
}

function isPattern(part: string): boolean {
  return part === "_all" || part === "_current" || part.includes("*");
}

function partsOf(expression: string): string[] {
  return expression
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
