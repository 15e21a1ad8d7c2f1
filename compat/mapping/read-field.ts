/** One field or object of a mapping, from Elasticsearch's JSON to the engine's. */
import type { Dynamic, FieldMapping, FieldType, Mapping, ObjectMapping } from "../../engine/index.js";
import { readValue } from "../body/shape.js";
import { ApiError, illegalArgument } from "../errors.js";
import { double } from "../json/print.js";
import { isObject, type Json, type JsonObject, member, setMember } from "../json/value.js";
import { didYouMean } from "../near-names.js";
import { DEFAULT_ONLY, KEPT, KNOWN_TYPES, MAPPING_PARAMETERS, TYPE_FORMS } from "./parameters.js";

type Properties = Mapping["properties"];

/** 400 `mapper_parsing_exception`. */
export function mapperError(reason: string): ApiError {
  return new ApiError(400, "mapper_parsing_exception", reason);
}

/** The object under `properties`. Dotted names become objects, as in Elasticsearch. */
export function readProperties(given: Json, path: string): Properties {
  if (!isObject(given))
    throw mapperError(`Expected map for property [properties] on field [${path}] but got a ${typeof given}`);
  const properties: Properties = {};
  for (const [name, body] of Object.entries(given)) {
    if (name === "") throw illegalArgument("field name cannot be an empty string");
    const full = path === "" ? name : `${path}.${name}`;
    place(properties, name.split("."), readEntry(full, body), full);
  }
  return properties;
}

function place(properties: Properties, names: string[], entry: FieldMapping | ObjectMapping, full: string): void {
  const [name, ...below] = names;
  const existing = member(properties, name);
  if (below.length === 0) {
    if (existing?.type === "object" && entry.type === "object") Object.assign(existing.properties, entry.properties);
    else if (existing !== undefined) throw mapperError(`Field [${full}] is defined more than once`);
    else setMember(properties, name, entry);
    return;
  }
  const parent: ObjectMapping = existing?.type === "object" ? existing : { type: "object", properties: {} };
  if (existing !== undefined && existing.type !== "object") {
    throw mapperError(`Can't define field [${full}]: [${name}] is no object`);
  }
  if (existing === undefined) place(properties, [name], parent, full);
  place(parent.properties, below, entry, full);
}

function readEntry(path: string, body: Json): FieldMapping | ObjectMapping {
  if (!isObject(body))
    throw mapperError(`Expected map for property [fields] on field [${path}] but got a ${typeof body}`);
  if (body.type === undefined || body.type === "object" || body.type === "nested") {
    if (
      body.type === undefined &&
      body.properties === undefined &&
      body.dynamic === undefined &&
      body.enabled === undefined &&
      Object.keys(body).length > 0
    ) {
      throw mapperError(`No type specified for field [${path}]`);
    }
    return readObject(path, body);
  }
  return readField(path, body);
}

function readObject(path: string, body: JsonObject): ObjectMapping {
  const { type, properties, dynamic, enabled, subobjects, ...unknown } = body;
  if (subobjects !== undefined && subobjects !== true)
    throw mapperError(`[subobjects] other than true on [${path}] is not supported by Pinakes`);
  refuseRest(path, String(type ?? "object"), unknown);
  const object: ObjectMapping = {
    type: "object",
    properties: properties === undefined ? {} : readProperties(properties, path),
  };
  if (type === "nested") object.nested = true;
  if (dynamic !== undefined) object.dynamic = readDynamic(dynamic, path);
  if (enabled !== undefined) object.enabled = readValue(enabled, "boolean", `[${path}]`, "enabled") as boolean;
  return object;
}

/** true, false or strict; `runtime` needs runtime fields. */
export function readDynamic(given: Json, path: string): Dynamic {
  const text = String(given).toLowerCase();
  if (text === "true" || text === "false" || text === "strict" || text === "strict_allow_templates") return text;
  if (text === "runtime") throw mapperError(`[dynamic: runtime] on [${path}] is not supported by Pinakes`);
  throw mapperError(`dynamic must be one of [true, false, strict, runtime] but was [${text}] on [${path}]`);
}

/** A field with a type. A type that is not known is Elasticsearch's "No handler for type". */
export function readField(path: string, body: JsonObject): FieldMapping {
  const { type, ...parameters } = body;
  if (typeof type !== "string" || !KNOWN_TYPES.has(type)) {
    const hint = didYouMean(String(type), KNOWN_TYPES);
    throw mapperError(`No handler for type [${String(type)}] declared on field [${path.split(".").at(-1)}]${hint}`);
  }
  if (type === "nested") throw mapperError(`Type [nested] cannot be used in multi field on field [${path}]`);
  const form = Object.hasOwn(TYPE_FORMS, type) ? TYPE_FORMS[type] : undefined;
  if (form !== undefined) return readForm(path, parameters, form);
  const field: FieldMapping = { type: type as FieldType };
  if (parameters.scaling_factor !== undefined) refuseRest(path, type, { scaling_factor: parameters.scaling_factor });
  readParameters(path, parameters, field);
  if (type === "alias" && field.path === undefined)
    throw mapperError(`The [path] property must be specified for field [${path}].`);
  return field;
}

/** A field of a type that is another with something more said. */
function readForm(path: string, parameters: JsonObject, form: (typeof TYPE_FORMS)[string]): FieldMapping {
  const field: FieldMapping = { ...form.field, kept: { ...form.field.kept } };
  const name = String(field.kept?.type);
  const refused = Object.keys(parameters).find((key) => form.refused.includes(key));
  if (refused !== undefined) refuseRest(path, name, { [refused]: parameters[refused] });
  const { value, ...others } = parameters;
  if (value !== undefined && name !== "constant_keyword") refuseRest(path, name, { value });
  if (value !== undefined && value !== null) field.constant = String(readValue(value, "scalar", `[${path}]`, "value"));
  readParameters(path, others, field);
  if (name === "scaled_float") checkScale(path, field.scale);
  return field;
}

function checkScale(path: string, scale: number | undefined): void {
  if (scale === undefined) throw mapperError(`Field [${path}] misses required parameter [scaling_factor]`);
  if (!(scale > 0)) throw mapperError(`[scaling_factor] must be a positive number, got [${double(scale).text}]`);
}

/** Reads parameters into a field; what does not fit its type is refused by name. */
export function readParameters(path: string, parameters: JsonObject, field: FieldMapping): void {
  const unknown: JsonObject = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (name === "fields") field.fields = readMultiFields(path, value);
    else if (!readParameter(path, name, value, field)) setMember(unknown, name, value);
  }
  refuseRest(path, field.type, unknown);
}

function readParameter(path: string, name: string, value: Json, field: FieldMapping): boolean {
  const row = MAPPING_PARAMETERS.find(
    (one) => one.name === name && (one.types === "all" || one.types.includes(field.type)),
  );
  if (row !== undefined) {
    // The analyzer called default is the one a field has without naming any.
    if (name === "analyzer" && value === "default") return true;
    if (value === null) return row.key === "nullValue";
    Object.assign(field, { [row.key]: readValue(value, row.kind, `[${path}]`, name) });
    return true;
  }
  const fixed = DEFAULT_ONLY.find((one) => one.name === name && one.types.includes(field.type));
  if (fixed !== undefined) {
    if (fixed.values.includes(value) || fixed.values.map(String).includes(String(value))) {
      if (fixed.shown) field.kept = { ...field.kept, [name]: value };
      return true;
    }
    throw mapperError(`[${name}] with value [${JSON.stringify(value)}] on field [${path}] is not supported by Pinakes`);
  }
  const kept = KEPT.find((one) => one.name === name && one.types.includes(field.type));
  if (kept === undefined) return false;
  if (kept.otherwise !== undefined && String(kept.otherwise) === String(value)) return true;
  if (field.type === "dense_vector") readVectorIndex(path, value, field);
  field.kept = { ...field.kept, [name]: value };
  return true;
}

const GRAPH_INDEXES = ["hnsw", "int8_hnsw", "int4_hnsw", "bbq_hnsw"];
const FLAT_INDEXES = ["flat", "int8_flat", "int4_flat", "bbq_flat"];

/** `index_options` of a vector: a flat index promises the exact scan; graph parameters and quantisation are ours to choose. */
function readVectorIndex(path: string, options: Json, field: FieldMapping): void {
  const type = isObject(options) ? options.type : undefined;
  if (typeof type === "string" && FLAT_INDEXES.includes(type)) field.vectorSearch = "exact";
  else if (typeof type !== "string" || !GRAPH_INDEXES.includes(type)) {
    throw mapperError(`Unknown vector index options type [${String(type)}] for field [${path}]`);
  }
}

function readMultiFields(path: string, given: Json): Record<string, FieldMapping> {
  if (!isObject(given)) throw mapperError(`expected map for property [fields] on field [${path}]`);
  const fields: Record<string, FieldMapping> = {};
  for (const [name, body] of Object.entries(given)) {
    if (!isObject(body) || body.type === undefined) throw mapperError(`No type specified for field [${path}.${name}]`);
    setMember(fields, name, readField(`${path}.${name}`, body));
  }
  return fields;
}

function refuseRest(path: string, type: string, unknown: JsonObject): void {
  const names = Object.keys(unknown);
  if (names.length === 0) return;
  const known = MAPPING_PARAMETERS.map((row) => row.name);
  const [name] = names;
  const value = unknown[name];
  const shown = typeof value === "object" ? JSON.stringify(value) : String(value);
  throw mapperError(
    `unknown parameter [${name}] on mapper [${path.split(".").at(-1)}] of type [${type}]${didYouMean(name, known)} (value [${shown}])`,
  );
}
