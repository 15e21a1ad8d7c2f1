/** `_resolve/index`: what names and patterns mean, by kind. */
import type { EngineFace } from "../../engine/index.js";
import { dataStreamNames, dataStreamOf, parentOf } from "../data-streams/kept.js";
import { indexNotFound } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { aliasesOfIndex, aliasNames, aliasOf } from "../indices/aliases.js";
import { indicesOf, type NameOptions, nameOptions, STRICT, wildcard } from "../indices/names.js";

/** `GET /_resolve/index/a,b*` */
export function resolveIndex(request: ApiRequest): Reply {
  const { engine } = request.node;
  const options = { ...nameOptions(request.parameters, STRICT), aliases: "left out" as const };
  const parts = request.captured.name.split(",");
  return json({
    indices: indicesNamed(engine, parts, options).map((name) => describeIndex(engine, name)),
    aliases: chosen(aliasNames(engine), parts, options, (name) => isHiddenAlias(engine, name)).map((name) => ({
      name,
      indices: Object.keys(aliasOf(engine, name) ?? {}).sort(),
    })),
    data_streams: chosen(dataStreamNames(engine), parts, options, (name) => isHiddenStream(engine, name)).map((name) =>
      describeStream(engine, name),
    ),
  });
}

/** Indices by their own names. A name that means nothing at all is a 404. */
function indicesNamed(engine: EngineFace, parts: readonly string[], options: NameOptions): string[] {
  const others = new Set([...aliasNames(engine), ...dataStreamNames(engine)]);
  for (const part of parts) {
    const isPattern = part === "_all" || part.includes("*") || part.startsWith("-");
    const known = isPattern || engine.index(part) !== undefined || others.has(part);
    if (!known && !options.ignoreUnavailable) throw indexNotFound(part);
  }
  const own = parts.filter((part) => !others.has(part));
  return own.length === 0 ? [] : indicesOf(engine, own.join(","), options).map(({ name }) => name);
}

function describeIndex(engine: EngineFace, name: string): Record<string, unknown> {
  const aliases = Object.keys(aliasesOfIndex(engine, name));
  const parent = parentOf(engine, name);
  return {
    name,
    ...(aliases.length === 0 ? {} : { aliases }),
    attributes: attributesOf(engine, name),
    ...(parent === undefined ? {} : { data_stream: parent }),
  };
}

function attributesOf(engine: EngineFace, name: string): string[] {
  const hidden = engine.index(name)?.definition.settings.hidden === "true";
  return hidden ? ["hidden", "open"] : ["open"];
}

function describeStream(engine: EngineFace, name: string): Record<string, unknown> {
  const stream = dataStreamOf(engine, name);
  return {
    name,
    backing_indices: stream?.indices,
    timestamp_field: stream?.timestampField,
  };
}

/** Names that the parts mean: by themselves, or by a pattern that they are not hidden from. */
function chosen(
  names: readonly string[],
  parts: readonly string[],
  options: NameOptions,
  isHidden: (name: string) => boolean,
): string[] {
  const found = new Set<string>();
  for (const part of parts) {
    const excludes = part.startsWith("-");
    const pattern = part === "_all" ? "*" : excludes ? part.slice(1) : part;
    const isPattern = pattern.includes("*");
    const matches = wildcard(pattern);
    for (const name of names) {
      if (!matches(name)) continue;
      if (excludes) found.delete(name);
      else if (!isPattern || ((options.open || options.closed) && (options.hidden || !isHidden(name)))) found.add(name);
    }
  }
  return names.filter((name) => found.has(name));
}

function isHiddenAlias(engine: EngineFace, name: string): boolean {
  return Object.values(aliasOf(engine, name) ?? {}).some((entry) => entry.is_hidden === true);
}

function isHiddenStream(engine: EngineFace, name: string): boolean {
  return dataStreamOf(engine, name)?.hidden === true;
}
