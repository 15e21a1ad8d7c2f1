/** Names in requests to indices: comma lists, wildcards, exclusions, aliases, `_all`, date math. */
import type { EngineFace, Index, Query, SearchTarget } from "../../engine/index.js";
import { oneOf } from "../body/shape.js";
import { dataStreamNames, dataStreamOf, writeIndexName } from "../data-streams/kept.js";
import { ApiError, illegalArgument, indexClosed, indexNotFound } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import { type JsonObject, member } from "../json/value.js";
import { readQuery } from "../query/index.js";
import { aliasNames, aliasOf, rawAliasOf } from "./aliases.js";
import { unblocked } from "./blocks.js";
import { concreteName } from "./date-math.js";
import { type ShardChoice, type ShardTarget, shardTarget } from "./shards.js";
import { wildcard } from "./wildcard.js";

export { wildcard };

/** How a name that is not there, or matches nothing, is taken. */
export interface NameOptions {
  readonly ignoreUnavailable: boolean;
  readonly allowNoIndices: boolean;
  /** Which indices wildcards match (`expand_wildcards`); neither open nor closed ones: nothing. */
  readonly open: boolean;
  readonly closed: boolean;
  readonly hidden: boolean;
  /** Whether a closed index may be meant; refused ones are left out where unavailable ones are ignored. */
  readonly closedNames: "taken" | "refused";
  /** Whether aliases and data streams stand for their indices. */
  readonly aliases: "followed" | "left out";
}

export const STRICT: NameOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  open: true,
  closed: false,
  hidden: false,
  closedNames: "taken",
  aliases: "followed",
};

/** What needs documents. */
export const DOCUMENTS: NameOptions = { ...STRICT, closedNames: "refused" };

/** What counts and lists all there is. */
export const EVERY: NameOptions = { ...STRICT, closed: true, hidden: true };

/** Reads `ignore_unavailable`, `allow_no_indices` and `expand_wildcards`. */
export function nameOptions(parameters: Parameters, otherwise: NameOptions = STRICT): NameOptions {
  const expand = parameters.list("expand_wildcards");
  return {
    ...otherwise,
    ignoreUnavailable: parameters.boolean("ignore_unavailable", otherwise.ignoreUnavailable),
    allowNoIndices: parameters.boolean("allow_no_indices", otherwise.allowNoIndices),
    ...(expand === undefined ? {} : expansion(expand)),
  };
}

/** What the words of `expand_wildcards` mean, read in order: `none` takes away what came before. Throws ApiError 400. */
export function expansion(words: readonly string[]): Pick<NameOptions, "open" | "closed" | "hidden"> {
  let states = { open: false, closed: false, hidden: false };
  for (const word of words) {
    oneOf(word, ["open", "closed", "hidden", "none", "all"] as const, "[expand_wildcards]");
    if (word === "all") states = { open: true, closed: true, hidden: true };
    else if (word === "none") states = { open: false, closed: false, hidden: false };
    else states = { ...states, [word]: true };
  }
  return states;
}

/** What an expression names: indices with the aliases they were reached by (none: by their own name). */
type Found = Map<string, Set<string> | "itself">;

/** Search targets of an expression, filters of aliases applied; sorted by index. Throws index_not_found, blocks. */
export function searchTargets(
  engine: EngineFace,
  expression: string,
  options: NameOptions,
  choice: ShardChoice = {},
): ShardTarget[] {
  const named = engine.index(expression);
  const found: Found =
    // The common case costs one look-up.
    named !== undefined && named.definition.closed !== true
      ? new Map([[expression, "itself" as const]])
      : resolve(engine, expression, options);
  for (const name of found.keys()) readable(engine, name);
  return [...found.keys()].sort().map((name) => {
    const via = found.get(name) ?? "itself";
    const whole = target(engine, name, via);
    const index = engine.index(name);
    return index === undefined ? whole : shardTarget(whole, index, choice, routingOf(engine, name, via));
  });
}

/** The search routing by which an expression narrows an index; undefined: by none. Throws index_not_found. */
export function searchRouting(
  engine: EngineFace,
  expression: string,
  options: NameOptions,
  index: string,
): string[] | undefined {
  return routingOf(engine, index, resolve(engine, expression, options).get(index) ?? "itself");
}

/** Throws ApiError 403 for an index that may not be read. */
function readable(engine: EngineFace, name: string): void {
  const index = engine.index(name);
  if (index !== undefined) unblocked([index], "read");
}

/** The search routing of the aliases an index was reached by; undefined when one of them has none. */
function routingOf(engine: EngineFace, index: string, via: Set<string> | "itself"): string[] | undefined {
  if (via === "itself") return undefined;
  const values = [...via].map((name) => member(aliasOf(engine, name) ?? {}, index)?.search_routing);
  return values.some((value) => value === undefined) ? undefined : values.flatMap((value) => value?.split(",") ?? []);
}

/** Indices of an expression, sorted by name. Throws index_not_found. */
export function indicesOf(engine: EngineFace, expression: string, options: NameOptions): Index[] {
  const names = [...resolve(engine, expression, options).keys()].sort();
  return names.map((name) => engine.index(name)).filter((index) => index !== undefined);
}

/**
 * The one index that a write to this name goes to; undefined when there is none by that name. Throws ApiError 400 for a
 * closed one, 403 for one that may not be written to.
 */
export function writeTarget(engine: EngineFace, given: string): Index | undefined {
  const index = writeIndex(engine, concreteName(engine, given));
  if (index === undefined) return undefined;
  if (index.definition.closed === true) throw indexClosed(index);
  return unblocked([index], "write")[0];
}

/** The index behind a name that is written to, whatever its condition. */
export function writeIndex(engine: EngineFace, name: string): Index | undefined {
  const index = indexOrWriteIndex(engine, name);
  if (index !== undefined) return index;
  const alias = rawAliasOf(engine, name);
  if (alias === undefined) return undefined;
  const entries = Object.entries(alias);
  const writer =
    entries.find(([, entry]) => entry.is_write_index === true) ??
    (entries.length === 1 && entries[0][1].is_write_index !== false ? entries[0] : undefined);
  if (writer === undefined) {
    throw illegalArgument(
      `no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
    );
  }
  return indexOrWriteIndex(engine, writer[0]);
}

/** An index, or the one that a data stream writes to. */
function indexOrWriteIndex(engine: EngineFace, name: string): Index | undefined {
  const index = engine.index(name);
  if (index !== undefined) return index;
  const stream = dataStreamOf(engine, name);
  return stream === undefined ? undefined : engine.index(writeIndexName(stream));
}

/**
 * The routing value of an operation on one document by an alias: the alias's own, which another may not contradict. Throws
 * ApiError 400.
 */
export function documentRouting(
  engine: EngineFace,
  name: string,
  index: Index,
  routing: string | undefined,
): string | undefined {
  if (index.name === name) return routing;
  const own = member(aliasOf(engine, name) ?? {}, index.name)?.index_routing;
  if (own === undefined || own === routing) return routing;
  if (routing === undefined) return own;
  throw illegalArgument(
    `Alias [${name}] has index routing associated with it [${own}], and was provided with routing value [${routing}], rejecting operation`,
  );
}

function target(engine: EngineFace, index: string, via: Set<string> | "itself"): SearchTarget {
  if (via === "itself") return { index };
  const filters: JsonObject[] = [];
  for (const name of via) {
    const filter = member(aliasOf(engine, name) ?? {}, index)?.filter;
    if (filter === undefined) return { index };
    filters.push(filter);
  }
  const queries = filters.map((filter) => readQuery(filter));
  return { index, filter: queries.length === 1 ? queries[0] : anyOf(queries) };
}

function anyOf(should: Query[]): Query {
  return { kind: "bool", must: [], should, filter: [], mustNot: [], boost: 1 };
}

function resolve(engine: EngineFace, expression: string, options: NameOptions): Found {
  const found: Found = new Map();
  let sawWildcard = false;
  const parts =
    expression === ""
      ? ["_all"]
      : expression
          .split(",")
          .map((part) => part.trim())
          .filter((part) => part !== "");
  for (const given of parts) {
    const part = concreteName(engine, given);
    const isWildcard = part === "_all" || part.includes("*");
    let matched = true;
    if (part.startsWith("-") && sawWildcard) exclude(engine, found, part.slice(1));
    else if (isWildcard) matched = addMatching(engine, found, part === "_all" ? "*" : part, options);
    else addNamed(engine, found, part, options);
    sawWildcard ||= isWildcard;
    if (isWildcard && !options.allowNoIndices && !matched) throw indexNotFound(part);
  }
  if (options.closedNames === "refused") withoutClosed(engine, found, options);
  if (found.size === 0 && !options.allowNoIndices) throw indexNotFound(expression === "" ? "_all" : expression);
  return found;
}

function addNamed(engine: EngineFace, found: Found, name: string, options: NameOptions): void {
  checkExpression(name);
  if (engine.index(name) !== undefined) {
    found.set(name, "itself");
    return;
  }
  const followed = options.aliases === "followed";
  const stream = dataStreamOf(engine, name);
  if (stream !== undefined && followed) addStream(engine, found, name);
  else if (aliasOf(engine, name) !== undefined && followed) addAlias(engine, found, name);
  else if (!options.ignoreUnavailable) throw indexNotFound(name);
}

/** Closed indices of what was found: refused, or left out where what is unavailable is ignored. */
function withoutClosed(engine: EngineFace, found: Found, options: NameOptions): void {
  for (const name of [...found.keys()]) {
    const index = engine.index(name);
    if (index?.definition.closed !== true) continue;
    if (!options.ignoreUnavailable) throw indexClosed(index);
    found.delete(name);
  }
}

/** The indices behind a data stream, or those of them that wildcards may match; whether there was one. */
function addStream(engine: EngineFace, found: Found, name: string, expands?: (index: Index) => boolean): boolean {
  let matched = false;
  for (const behind of dataStreamOf(engine, name)?.indices ?? []) {
    const index = engine.index(behind);
    if (index === undefined || expands?.(index) === false) continue;
    found.set(behind, "itself");
    matched = true;
  }
  return matched;
}

/** The alias's indices, or those of them that wildcards may match; whether there was one. */
function addAlias(engine: EngineFace, found: Found, name: string, expands?: (index: Index) => boolean): boolean {
  let matched = false;
  for (const behind of Object.keys(aliasOf(engine, name) ?? {})) {
    const index = engine.index(behind);
    if (index === undefined || expands?.(index) === false) continue;
    const via = found.get(behind);
    if (via === undefined) found.set(behind, new Set([name]));
    else if (via !== "itself") via.add(name);
    matched = true;
  }
  return matched;
}

/** Whether the pattern matches anything. */
function addMatching(engine: EngineFace, found: Found, pattern: string, options: NameOptions): boolean {
  const matches = wildcard(pattern);
  const expands = ({ definition }: Index) => (definition.closed === true ? options.closed : options.open);
  let matched = false;
  for (const name of engine.indexNames()) {
    const index = engine.index(name);
    if (index === undefined || !matches(name) || !expands(index)) continue;
    if (!options.hidden && isHidden(engine, name) && !dotPattern(pattern, name)) continue;
    found.set(name, "itself");
    matched = true;
  }
  if (options.aliases === "left out") return matched;
  for (const name of dataStreamNames(engine)) {
    const shown = options.hidden || dataStreamOf(engine, name)?.hidden !== true || dotPattern(pattern, name);
    if (shown && matches(name) && addStream(engine, found, name, expands)) matched = true;
  }
  for (const name of aliasNames(engine)) {
    if (matches(name) && (options.hidden || !isHiddenAlias(engine, name) || dotPattern(pattern, name))) {
      if (addAlias(engine, found, name, expands)) matched = true;
    }
  }
  return matched;
}

function exclude(engine: EngineFace, found: Found, pattern: string): void {
  const matches = wildcard(pattern);
  for (const name of [...found.keys()]) if (matches(name)) found.delete(name);
  for (const name of dataStreamNames(engine)) {
    if (matches(name)) for (const index of dataStreamOf(engine, name)?.indices ?? []) found.delete(index);
  }
  for (const name of aliasNames(engine)) {
    if (matches(name)) for (const index of Object.keys(aliasOf(engine, name) ?? {})) found.delete(index);
  }
}

function isHidden(engine: EngineFace, name: string): boolean {
  return engine.index(name)?.definition.settings.hidden === "true";
}

function isHiddenAlias(engine: EngineFace, name: string): boolean {
  return Object.values(aliasOf(engine, name) ?? {}).some((entry) => entry.is_hidden === true);
}

/** A pattern that begins with a dot names the hidden dot-indices it matches. */
function dotPattern(pattern: string, name: string): boolean {
  return pattern.startsWith(".") && name.startsWith(".");
}

function checkExpression(name: string): void {
  if (name.includes(":")) {
    throw new ApiError(
      404,
      "no_such_remote_cluster_exception",
      `no such remote cluster: [${name.slice(0, name.indexOf(":"))}]`,
    );
  }
  if (name.startsWith("_")) throw invalidName(name, "must not start with '_'.");
}

const FORBIDDEN = /[\\/*?"<>| ,#:]/;
const MAX_NAME_BYTES = 255;

/** Throws `invalid_index_name_exception` for a name no index may have. */
export function checkIndexName(name: string): void {
  if (name === "." || name === "..") throw invalidName(name, "must not be '.' or '..'");
  if (FORBIDDEN.test(name))
    throw invalidName(
      name,
      `must not contain the following characters ['\\','/','*','?','"','<','>','|',' ',',','#',':']`,
    );
  if (/^[_\-+]/.test(name)) throw invalidName(name, "must not start with '_', '-', or '+'");
  if (name !== name.toLowerCase()) throw invalidName(name, "must be lowercase");
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw invalidName(name, `index name is too long, (${Buffer.byteLength(name)} > ${MAX_NAME_BYTES})`);
}

function invalidName(name: string, why: string): ApiError {
  return new ApiError(400, "invalid_index_name_exception", `Invalid index name [${name}], ${why}`, {
    fields: { index_uuid: "_na_", index: name },
  });
}
