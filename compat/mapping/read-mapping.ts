/** A whole mapping, from Elasticsearch's JSON to the engine's. */
import type { DynamicTemplate, Mapping } from "../../engine/index.js";
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { mapperError, readDynamic, readField, readParameters, readProperties } from "./read-field.js";

/** Keys at the root of a mapping. */
export const MAPPING_SHAPE = shape(
  "_doc",
  "object",
  {
    properties: "object",
    dynamic: "any",
    date_detection: "boolean",
    numeric_detection: "boolean",
    dynamic_date_formats: "strings",
    dynamic_templates: "list",
    _meta: "object",
    _routing: "object",
    _source: "object",
    _size: "object",
    _field_names: "object",
    _data_stream_timestamp: "object",
  },
  ["runtime", "subobjects", "_tier"],
);

const ROUTING = shape("_routing", "object", { required: "boolean" });
const SOURCE = shape("_source", "object", { enabled: "boolean" }, ["includes", "excludes", "mode"]);
const TIMESTAMP = shape("_data_stream_timestamp", "object", { enabled: "boolean" });
/** The field that Elasticsearch's data streams are ordered by. */
export const TIMESTAMP_FIELD = "@timestamp";

/** Reads a mapping's JSON; only what is given is set. Throws ApiError 400 `mapper_parsing_exception`. */
export function readMapping(given: Json): Partial<Mapping> {
  if (!isObject(given)) throw mapperError("the mapping must be an object");
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(MAPPING_SHAPE.keys, key) && !MAPPING_SHAPE.refused.includes(key)) throw unknownRoot(given);
  }
  return fromShape(readShape(given, MAPPING_SHAPE));
}

function unknownRoot(given: JsonObject): Error {
  const unknown = Object.entries(given).filter(([key]) => !Object.hasOwn(MAPPING_SHAPE.keys, key));
  const listed = unknown.map(
    ([key, value]) => `${key} : ${typeof value === "object" ? JSON.stringify(value) : String(value)}`,
  );
  return mapperError(`Root mapping definition has unsupported parameters:  [${listed.join("] [")}]`);
}

function fromShape(body: BodyOf<typeof MAPPING_SHAPE>): Partial<Mapping> {
  refuseMetadataFields(body);
  const mapping: Partial<Mapping> = {};
  if (body.properties !== undefined) mapping.properties = readProperties(body.properties, "");
  if (body.dynamic !== undefined) mapping.dynamic = readDynamic(body.dynamic, "_doc");
  if (body.date_detection !== undefined) mapping.dateDetection = body.date_detection;
  if (body.numeric_detection !== undefined) mapping.numericDetection = body.numeric_detection;
  if (body.dynamic_date_formats !== undefined) mapping.dynamicDateFormats = body.dynamic_date_formats;
  if (body.dynamic_templates !== undefined) mapping.dynamicTemplates = body.dynamic_templates.map(readTemplate);
  if (body._source !== undefined) {
    const { enabled } = readShape(body._source, SOURCE);
    if (enabled !== undefined) mapping.sourceEnabled = enabled;
  }
  if (body._meta !== undefined) mapping.meta = body._meta;
  if (body._data_stream_timestamp !== undefined && readShape(body._data_stream_timestamp, TIMESTAMP).enabled === true) {
    mapping.timestampField = TIMESTAMP_FIELD;
  }
  if (body._routing !== undefined) mapping.routingRequired = readShape(body._routing, ROUTING).required ?? false;
  return mapping;
}

function refuseMetadataFields(body: BodyOf<typeof MAPPING_SHAPE>): void {
  for (const name of ["_size", "_field_names"] as const) {
    const given = body[name];
    if (given !== undefined && given.enabled !== false) throw mapperError(`[${name}] is not supported by Pinakes`);
  }
}

const TEMPLATE = shape(
  "dynamic_templates",
  "object",
  {
    match: "strings",
    unmatch: "strings",
    path_match: "strings",
    path_unmatch: "strings",
    match_mapping_type: "strings",
    match_pattern: "string",
    mapping: "object",
  },
  ["runtime", "unmatch_mapping_type"],
);

function readTemplate(given: Json): DynamicTemplate {
  const entries = isObject(given) ? Object.entries(given) : [];
  if (entries.length !== 1) throw mapperError("A dynamic template must be defined with a name");
  const [name, body] = entries[0];
  const options = readShape(body, TEMPLATE);
  if (options.mapping === undefined) throw mapperError(`template [${name}] must have either mapping or runtime set`);
  const template: DynamicTemplate = { name, mapping: readTemplateMapping(name, options.mapping) };
  if (options.match !== undefined) template.match = options.match;
  if (options.unmatch !== undefined) template.unmatch = options.unmatch;
  if (options.path_match !== undefined) template.pathMatch = options.path_match;
  if (options.path_unmatch !== undefined) template.pathUnmatch = options.path_unmatch;
  if (options.match_mapping_type !== undefined) template.matchMappingType = options.match_mapping_type;
  if (options.match_pattern !== undefined) template.matchPattern = readPattern(name, options.match_pattern);
  return template;
}

function readPattern(name: string, text: string): "simple" | "regex" {
  if (text === "simple" || text === "regex") return text;
  throw mapperError(`No matching pattern matched on [${text}] in dynamic template [${name}]`);
}

/**
 * The mapping of a template, in the engine's terms. Placeholders may stand for the type: then parameters are read for
 * the types that take them, whichever it will be.
 */
function readTemplateMapping(name: string, mapping: JsonObject): Record<string, unknown> {
  const { type, ...parameters } = mapping;
  if (type === "object") return { ...parameters, type };
  if (typeof type === "string" && !type.includes("{")) return { ...readField(name, mapping) };
  return { ...(type === undefined ? {} : { type }), ...anyTypeParameters(name, parameters) };
}

function anyTypeParameters(name: string, parameters: JsonObject): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parameters)) {
    const field = firstThatTakes(name, key, value);
    const { type: _type, ...rest } = field;
    Object.assign(read, rest);
  }
  return read;
}

const GUESSED_TYPES = ["keyword", "text", "date", "long", "dense_vector"] as const;

function firstThatTakes(name: string, key: string, value: Json) {
  let failure: unknown;
  for (const type of GUESSED_TYPES) {
    const field = { type };
    try {
      readParameters(name, { [key]: value }, field);
      return field;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}
