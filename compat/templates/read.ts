/** Templates as requests give them. */
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { ApiError, illegalArgument, validationFailed } from "../errors.js";
import type { Identity } from "../identities.js";
import { readAliases } from "../indices/read-alias.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { readMapping } from "../mapping/index.js";
import { mergeMappings } from "./merge-mappings.js";
import { readTemplateSettings } from "./settings.js";
import type {
  ComponentTemplate,
  DataStreamOptions,
  IndexTemplate,
  LegacyTemplate,
  TemplateContent,
} from "./template.js";

const CONTENT = shape("template", "object", { settings: "object", mappings: "object", aliases: "object" }, [
  "data_stream_options",
  "lifecycle",
]);

export const COMPONENT_SHAPE = shape("component_template", "object", {
  template: "object",
  version: "integer",
  _meta: "object",
  deprecated: "boolean",
});

export const INDEX_TEMPLATE_SHAPE = shape("index_template", "object", {
  index_patterns: "strings",
  template: "object",
  composed_of: "strings",
  ignore_missing_component_templates: "strings",
  priority: "integer",
  version: "integer",
  _meta: "object",
  data_stream: "object",
  allow_auto_create: "boolean",
  deprecated: "boolean",
});

export const LEGACY_SHAPE = shape("template", "object", {
  index_patterns: "strings",
  order: "integer",
  version: "integer",
  settings: "object",
  mappings: "object",
  aliases: "object",
});

const DATA_STREAM = shape(
  "data_stream",
  "object",
  { hidden: "boolean", allow_custom_routing: "boolean", timestamp_field: "object" },
  ["failure_store", "index_mode"],
);
const TIMESTAMP = shape("timestamp_field", "object", { name: "string" });
const DEFAULT_TIMESTAMP = "@timestamp";

/** Throws ApiError 400. */
export function readComponent(body: BodyOf<typeof COMPONENT_SHAPE>): ComponentTemplate {
  const { template, version, _meta, deprecated } = body;
  if (template === undefined) throw illegalArgument("Required [template]");
  return { template: readContent(template), ...given({ version, _meta, deprecated }) };
}

/** Throws ApiError 400. */
export function readIndexTemplate(body: BodyOf<typeof INDEX_TEMPLATE_SHAPE>, identity: Identity): IndexTemplate {
  const { index_patterns: patterns, template, priority, version, _meta, deprecated } = body;
  if (patterns === undefined) throw illegalArgument("Required [index_patterns]");
  if (patterns.length === 0) throw validationFailed("index patterns are missing");
  if (priority !== undefined && priority < 0) throw validationFailed("index template priority must be >= 0");
  const content = template === undefined ? undefined : readContent(template);
  const dataStream = body.data_stream === undefined ? undefined : readDataStream(body.data_stream, identity);
  return {
    patterns,
    composedOf: body.composed_of ?? [],
    ...given({ template: content, priority, version, _meta, deprecated, dataStream }),
    ...given({ ignoreMissing: body.ignore_missing_component_templates, allowAutoCreate: body.allow_auto_create }),
  };
}

/** Throws ApiError 400. `order` is what the query string says of it. */
export function readLegacyTemplate(body: BodyOf<typeof LEGACY_SHAPE>, order: number | undefined): LegacyTemplate {
  const { index_patterns: patterns, version, settings, mappings, aliases } = body;
  if (patterns === undefined || patterns.length === 0) throw validationFailed("index patterns are missing");
  return {
    patterns,
    order: body.order ?? order ?? 0,
    ...given({ version }),
    ...readParts({ settings, mappings, aliases }),
  };
}

function readContent(template: Json): TemplateContent {
  return readParts(readShape(template, CONTENT));
}

function readParts({ settings, mappings, aliases }: BodyOf<typeof CONTENT>): TemplateContent {
  if (mappings !== undefined) readMapping(mergeMappings([mappings]));
  return given({
    settings: settings === undefined ? undefined : readTemplateSettings(settings),
    mappings: mappings === undefined ? undefined : withoutType(mappings),
    aliases: aliases === undefined ? undefined : readAliases(aliases),
  });
}

function withoutType(mappings: JsonObject): JsonObject {
  const keys = Object.keys(mappings);
  return keys.length === 1 && isObject(mappings._doc) ? mappings._doc : mappings;
}

/** OpenSearch lets a template name the timestamp; Elasticsearch has one name for it. */
function readDataStream(options: JsonObject, identity: Identity): DataStreamOptions {
  const { hidden, allow_custom_routing, timestamp_field } = readShape(options, DATA_STREAM);
  if (timestamp_field !== undefined && identity.distribution !== "opensearch") {
    throw new ApiError(400, "x_content_parse_exception", "[data_stream] unknown field [timestamp_field]");
  }
  const named = timestamp_field === undefined ? undefined : readShape(timestamp_field, TIMESTAMP).name;
  return {
    hidden: hidden ?? false,
    allowCustomRouting: allow_custom_routing ?? false,
    timestampField: named ?? DEFAULT_TIMESTAMP,
  };
}

/** What is there of an object. */
function given<T extends object>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const there = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
