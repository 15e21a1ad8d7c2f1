/**
 * Mappings of templates laid over one another, before they are read: what a template says of a field replaces what a
 * weaker one said of it; objects are joined. Elasticsearch does it by ObjectMapper.merge with the reason INDEX_TEMPLATE,
 * and for legacy templates by XContentHelper.mergeDefaults.
 */
import { illegalArgument } from "../errors.js";
import { printJson } from "../json/print.js";
import { isObject, type Json, type JsonObject, member, setMember } from "../json/value.js";

/** A mapping without `_doc` around it, dotted names of fields made into objects. */
export function normalMapping(given: JsonObject): JsonObject {
  const keys = Object.keys(given);
  const inner = keys.length === 1 && keys[0] === "_doc" ? given._doc : given;
  return isObject(inner) ? withObjects(inner) : {};
}

/** Weakest first. Throws ApiError 400 where an object meets a field. */
export function mergeMappings(mappings: readonly JsonObject[]): JsonObject {
  return mappings.map(normalMapping).reduce(mergeRoots, {});
}

/** The same for legacy templates: whatever the stronger one leaves out is filled in, lists are joined. */
export function mergeLegacyMappings(mappings: readonly JsonObject[]): JsonObject {
  return mappings.map(normalMapping).reduce((weaker, stronger) => fillIn(stronger, weaker), {});
}

function withObjects(mapping: JsonObject): JsonObject {
  const { properties } = mapping;
  if (!isObject(properties)) return mapping;
  let expanded: JsonObject = {};
  for (const [name, entry] of Object.entries(properties)) {
    const inner = isObject(entry) ? withObjects(entry) : entry;
    expanded = mergeProperties(expanded, placed(name.split("."), inner), "");
  }
  return { ...mapping, properties: expanded };
}

/** `a.b` as `b` in the object `a`; a name that is no path stays as it is, to be refused by its reader. */
function placed([name, ...below]: readonly string[], entry: Json): JsonObject {
  const object: JsonObject = {};
  setMember(object, name, below.length === 0 ? entry : { properties: placed(below, entry) });
  return object;
}

function mergeRoots(weaker: JsonObject, stronger: JsonObject): JsonObject {
  const merged: JsonObject = { ...weaker, ...stronger };
  if (isObject(weaker.properties) && isObject(stronger.properties)) {
    merged.properties = mergeProperties(weaker.properties, stronger.properties, "");
  }
  if (Array.isArray(weaker.dynamic_templates) && Array.isArray(stronger.dynamic_templates)) {
    merged.dynamic_templates = byName(weaker.dynamic_templates, stronger.dynamic_templates, (_, given) => given);
  }
  if (isObject(weaker._meta) && isObject(stronger._meta)) merged._meta = fillIn(stronger._meta, weaker._meta);
  return merged;
}

function mergeProperties(weaker: JsonObject, stronger: JsonObject, path: string): JsonObject {
  const merged = { ...weaker };
  for (const [name, entry] of Object.entries(stronger)) {
    const before = member(weaker, name);
    setMember(merged, name, before === undefined ? entry : mergeEntry(before, entry, `${path}${name}`));
  }
  return merged;
}

function mergeEntry(weaker: Json, stronger: Json, path: string): Json {
  if (!holdsFields(weaker) && !holdsFields(stronger)) return stronger;
  if (!holdsFields(weaker) || !holdsFields(stronger)) {
    throw illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`);
  }
  if ((weaker.type === "nested") !== (stronger.type === "nested")) {
    throw illegalArgument(`can't merge a non-nested mapping [${path}] with a nested mapping`);
  }
  const merged: JsonObject = { ...weaker, ...stronger };
  if (isObject(weaker.properties) && isObject(stronger.properties)) {
    merged.properties = mergeProperties(weaker.properties, stronger.properties, `${path}.`);
  }
  return merged;
}

function holdsFields(entry: Json): entry is JsonObject {
  return isObject(entry) && (entry.type === undefined || entry.type === "object" || entry.type === "nested");
}

/** `stronger` with the members it lacks taken from `weaker`, all the way down. */
function fillIn(stronger: JsonObject, weaker: JsonObject): JsonObject {
  const filled = { ...weaker };
  for (const [name, value] of Object.entries(stronger)) {
    const before = member(weaker, name);
    setMember(filled, name, before === undefined ? value : filledValue(value, before));
  }
  return filled;
}

function filledValue(stronger: Json, weaker: Json): Json {
  if (isObject(stronger) && isObject(weaker)) return fillIn(stronger, weaker);
  if (!Array.isArray(stronger) || !Array.isArray(weaker)) return stronger;
  if ([...stronger, ...weaker].every(isNamed))
    return byName(weaker, stronger, (before, given) => fillIn(given, before));
  const texts = new Set(weaker.map(printJson));
  return [...weaker, ...stronger.filter((value) => !texts.has(printJson(value)))];
}

function isNamed(value: Json): value is JsonObject {
  return isObject(value) && Object.keys(value).length === 1;
}

/**
 * Lists of `{name: {...}}`: those of the weaker list in its order, then the new ones; `join` says what becomes of a pair.
 * What is of another form stays, for the reader of the mapping to refuse.
 */
function byName(
  weaker: readonly Json[],
  stronger: readonly Json[],
  join: (weaker: JsonObject, stronger: JsonObject) => JsonObject,
): Json[] {
  const entries = new Map<string, Json>();
  for (const value of [...weaker, ...stronger]) {
    const name = isNamed(value) ? Object.keys(value)[0] : printJson(value);
    const before = entries.get(name);
    entries.set(name, before !== undefined && isNamed(before) && isNamed(value) ? join(before, value) : value);
  }
  return [...entries.values()];
}
