/** From the body of an index's creation to the engine's definition, and back to what `GET /index` shows. */
import type { AnalysisSettings, Index, IndexDefinition, Mapping } from "../../engine/index.js";
import { illegalArgument } from "../errors.js";
import { isObject, type Json, type JsonObject, member, setMember } from "../json/value.js";
import { readMapping } from "../mapping/index.js";
import { parseDuration, parseSize } from "../units.js";
import { expandsReplicas, type GivenSettings, RESIZED_ROUTING_SHARDS, readSettings } from "./settings.js";

export type NewDefinition = Omit<IndexDefinition, "uuid" | "createdAt">;

const DEFAULT_REFRESH_MS = 1_000;
const DEFAULT_GC_DELETES_MS = 60_000;
const DEFAULT_FIELD_LIMIT = 1_000;
const DEFAULT_NESTED_LIMIT = 10_000;
const DEFAULT_RESULT_WINDOW = 10_000;

/** Settings whose value the engine holds itself. */
type EngineSettings = Pick<
  IndexDefinition,
  | "refreshIntervalMs"
  | "durability"
  | "syncIntervalMs"
  | "flushThresholdBytes"
  | "totalFieldsLimit"
  | "nestedObjectsLimit"
  | "maxResultWindow"
  | "gcDeletesMs"
>;

/** Reads the `settings` and `mappings` of a new index. Throws ApiError 400. */
export function newDefinition(settings: Json | undefined, mappings: Json | undefined): NewDefinition {
  const given = readSettings(settings);
  const mapping = mappings === undefined ? {} : readMapping(unwrapType(mappings));
  const kept = withoutNulls(given.values);
  return {
    mapping: { properties: {}, ...mapping } as Mapping,
    analysis: readAnalysis(given),
    ...engineSettings(kept),
    settings: { number_of_shards: "1", number_of_replicas: "1", ...kept },
  };
}

/** What the settings mean to the engine, defaults filled in. */
export function engineSettings(kept: Readonly<Record<string, string>>): EngineSettings {
  const refresh = kept.refresh_interval;
  const sync = kept["translog.sync_interval"];
  const threshold = kept["translog.flush_threshold_size"];
  return {
    refreshIntervalMs: refresh === undefined ? DEFAULT_REFRESH_MS : parseDuration(refresh, "index.refresh_interval"),
    durability: (kept["translog.durability"] ?? "request").toLowerCase() === "async" ? "async" : "request",
    syncIntervalMs: sync === undefined ? undefined : parseDuration(sync, "index.translog.sync_interval"),
    flushThresholdBytes:
      threshold === undefined ? undefined : parseSize(threshold, "index.translog.flush_threshold_size"),
    totalFieldsLimit: Number(kept["mapping.total_fields.limit"] ?? DEFAULT_FIELD_LIMIT),
    nestedObjectsLimit: Number(kept["mapping.nested_objects.limit"] ?? DEFAULT_NESTED_LIMIT),
    maxResultWindow: Number(kept.max_result_window ?? DEFAULT_RESULT_WINDOW),
    // -1: deleted documents are not remembered at all.
    gcDeletesMs:
      kept.gc_deletes === undefined ? DEFAULT_GC_DELETES_MS : parseDuration(kept.gc_deletes, "index.gc_deletes"),
  };
}

/** Merges changes into kept settings; null takes a setting back to its default. */
export function mergeSettings(
  kept: Readonly<Record<string, string>>,
  change: GivenSettings["values"],
): Record<string, string> {
  return withoutNulls({ ...kept, ...change });
}

/** Settings that are given, those that are taken back left out. */
export function withoutNulls(values: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** `{"_doc":{...}}`, as old clients send it. */
function unwrapType(mappings: Json): Json {
  if (!isObject(mappings)) return mappings;
  const keys = Object.keys(mappings);
  return keys.length === 1 && keys[0] === "_doc" ? mappings._doc : mappings;
}

const ANALYSIS_PARTS: Readonly<Record<string, keyof AnalysisSettings>> = {
  analyzer: "analyzer",
  tokenizer: "tokenizer",
  filter: "filter",
  char_filter: "charFilter",
  normalizer: "normalizer",
};

/** Analysis with further components; one of the same name is replaced. */
export function mergeAnalysis(kept: AnalysisSettings, change: AnalysisSettings): AnalysisSettings {
  const merged = { ...kept };
  for (const part of Object.values(ANALYSIS_PARTS)) merged[part] = { ...kept[part], ...change[part] };
  return merged;
}

/** `analysis` settings; what the components mean is the engine's. */
export function readAnalysis(given: GivenSettings): AnalysisSettings {
  const analysis: AnalysisSettings = { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} };
  for (const [part, components] of Object.entries(given.analysis ?? {})) {
    if (!Object.hasOwn(ANALYSIS_PARTS, part) || !isObject(components)) {
      throw illegalArgument(
        `unknown setting [index.analysis.${part}] please check that any required plugins are installed`,
      );
    }
    for (const [name, options] of Object.entries(components)) {
      if (!isObject(options)) throw illegalArgument(`[index.analysis.${part}.${name}] must be an object`);
      setMember<object>(analysis[ANALYSIS_PARTS[part]], name, options);
    }
  }
  return analysis;
}

/** Elasticsearch keeps this beside the settings: only the cluster's state shows it. */
const UNSHOWN: ReadonlySet<string> = new Set([RESIZED_ROUTING_SHARDS]);

/** All settings of an index under dotted names with `index.`, as strings (analysis lists stay lists). */
export function flatSettings(index: Index): Record<string, unknown> {
  const { definition } = index;
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(definition.settings)) {
    if (!UNSHOWN.has(name)) flat[`index.${name}`] = value;
  }
  if (expandsReplicas(definition.settings)) flat["index.number_of_replicas"] = "0";
  for (const [part, key] of Object.entries(ANALYSIS_PARTS)) {
    for (const [name, options] of Object.entries(definition.analysis[key])) {
      flattenInto(flat, `index.analysis.${part}.${name}`, options as JsonObject);
    }
  }
  flat["index.creation_date"] = String(definition.createdAt);
  flat["index.provided_name"] ??= index.name;
  flat["index.uuid"] = definition.uuid;
  flat["index.version.created"] = CREATED_VERSION;
  return Object.fromEntries(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Elasticsearch's number for index version 8.19: clients only compare it. */
const CREATED_VERSION = "8537000";

function flattenInto(flat: Record<string, unknown>, path: string, options: JsonObject): void {
  for (const [name, value] of Object.entries(options)) {
    if (isObject(value)) flattenInto(flat, `${path}.${name}`, value);
    else flat[`${path}.${name}`] = Array.isArray(value) ? value.map(String) : String(value);
  }
}

/** Dotted names as nested objects. */
export function nest(flat: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(flat)) {
    const names = path.split(".");
    let at = root;
    for (const name of names.slice(0, -1)) {
      const child = member(at, name);
      const next: Record<string, unknown> = isObject(child) ? child : {};
      setMember(at, name, next);
      at = next;
    }
    setMember(at, names[names.length - 1], value);
  }
  return root;
}
