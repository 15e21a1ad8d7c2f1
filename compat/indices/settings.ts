/**
 * Index settings: one row each with what it must look like, whether it may change on a live index, and what it does.
 * Names are without the `index.` prefix. A setting that is in no row is refused as unknown; those in `NOT_BUILT` by name.
 */
import { type Index, routingShards } from "../../engine/index.js";
import { illegalArgument, notSupported, toApiError, validationFailed } from "../errors.js";
import { isObject, type Json, type JsonObject, member, setMember } from "../json/value.js";
import { didYouMean } from "../near-names.js";
import { parseDuration, parseSize } from "../units.js";

export interface IndexSetting {
  readonly name: string;
  readonly kind: "count" | "duration" | "size" | "boolean" | "text";
  readonly dynamic: boolean;
  /** `engine`: acts in the engine. `wire`: acts in compat. `moot`: one node or one copy makes it meaningless; kept and shown. */
  readonly effect: "engine" | "wire" | "moot";
  readonly values?: readonly string[];
  /** The least that a duration or a size may be, as it is written. */
  readonly least?: string;
}

/** What says on which nodes shards may lie, by name, host, address or id. */
const NODE_FILTERS = ["exclude", "include", "require"].flatMap((kind) =>
  ["_host", "_id", "_ip", "_name"].map((what) => `routing.allocation.${kind}.${what}`),
);

/** Where shards may go: they are where they are, for there is one node. */
const ALLOCATION_SETTINGS: readonly IndexSetting[] = [
  "routing.allocation.enable",
  "routing.allocation.include._tier_preference",
  "routing.rebalance.enable",
  ...NODE_FILTERS,
]
  .sort()
  .map((name) => ({ name, kind: "text", dynamic: true, effect: "moot" }));

/** Sorted by name. */
export const INDEX_SETTINGS: readonly IndexSetting[] = [
  { name: "analyze.max_token_count", kind: "count", dynamic: true, effect: "wire" },
  { name: "auto_expand_replicas", kind: "text", dynamic: true, effect: "wire" },
  { name: "blocks.metadata", kind: "boolean", dynamic: true, effect: "wire" },
  { name: "blocks.read", kind: "boolean", dynamic: true, effect: "wire" },
  { name: "blocks.read_only", kind: "boolean", dynamic: true, effect: "wire" },
  { name: "blocks.read_only_allow_delete", kind: "boolean", dynamic: true, effect: "wire" },
  { name: "blocks.write", kind: "boolean", dynamic: true, effect: "wire" },
  { name: "codec", kind: "text", dynamic: false, effect: "moot" },
  { name: "default_pipeline", kind: "text", dynamic: true, effect: "wire" },
  { name: "final_pipeline", kind: "text", dynamic: true, effect: "wire" },
  { name: "gc_deletes", kind: "duration", dynamic: true, effect: "engine" },
  { name: "hidden", kind: "boolean", dynamic: true, effect: "wire" },
  { name: "mapping.nested_objects.limit", kind: "count", dynamic: true, effect: "engine" },
  { name: "mapping.total_fields.limit", kind: "count", dynamic: true, effect: "engine" },
  { name: "max_docvalue_fields_search", kind: "count", dynamic: true, effect: "wire" },
  { name: "max_regex_length", kind: "count", dynamic: true, effect: "wire" },
  { name: "max_result_window", kind: "count", dynamic: true, effect: "engine" },
  { name: "max_script_fields", kind: "count", dynamic: true, effect: "moot" },
  { name: "max_slices_per_scroll", kind: "count", dynamic: true, effect: "wire" },
  { name: "max_terms_count", kind: "count", dynamic: true, effect: "wire" },
  { name: "merge.scheduler.max_merge_count", kind: "count", dynamic: true, effect: "moot" },
  { name: "merge.scheduler.max_thread_count", kind: "count", dynamic: true, effect: "moot" },
  { name: "number_of_replicas", kind: "count", dynamic: true, effect: "wire" },
  { name: "number_of_routing_shards", kind: "count", dynamic: false, effect: "wire" },
  { name: "number_of_shards", kind: "count", dynamic: false, effect: "wire" },
  { name: "priority", kind: "count", dynamic: true, effect: "moot" },
  { name: "refresh_interval", kind: "duration", dynamic: true, effect: "engine" },
  { name: "requests.cache.enable", kind: "boolean", dynamic: true, effect: "moot" },
  ...ALLOCATION_SETTINGS,
  { name: "soft_deletes.enabled", kind: "boolean", dynamic: false, effect: "moot", values: ["true"] },
  { name: "translog.durability", kind: "text", dynamic: true, effect: "engine", values: ["request", "async"] },
  { name: "translog.flush_threshold_size", kind: "size", dynamic: true, effect: "engine", least: "56b" },
  { name: "translog.retention.age", kind: "duration", dynamic: true, effect: "moot" },
  { name: "translog.retention.size", kind: "size", dynamic: true, effect: "moot" },
  { name: "translog.sync_interval", kind: "duration", dynamic: true, effect: "engine", least: "100ms" },
  { name: "unassigned.node_left.delayed_timeout", kind: "duration", dynamic: true, effect: "moot" },
];

/** Settings that would change results or behaviour and are not built: prefixes. */
const NOT_BUILT = [
  "lifecycle.",
  "similarity.",
  "sort.",
  "query.default_field",
  "mode",
  "indexing.slowlog.",
  "search.slowlog.",
  "mapping.",
  "highlight.",
  "max_",
  "analyze.",
  "knn",
  "store.",
  "merge.",
  "write.",
  "routing",
  "search.",
  "shard.",
  "soft_deletes",
];

/** Settings given at creation and when changing: dotted, without `index.`, strings; analysis apart. */
export interface GivenSettings {
  readonly values: Record<string, string | null>;
  readonly analysis: JsonObject | undefined;
}

/** Flattens `{index:{refresh_interval:..}}`, `{"index.refresh_interval":..}` and `{refresh_interval:..}` alike. */
export function readSettings(given: Json | undefined): GivenSettings {
  const values: Record<string, string | null> = {};
  const analysis: JsonObject = {};
  flatten(given ?? {}, "", (path, value) => {
    const name = path.startsWith("index.") ? path.slice("index.".length) : path;
    if (name.startsWith("analysis.")) setDeep(analysis, name.slice("analysis.".length).split("."), value);
    else setMember(values, name, value === null ? null : checked(name, String(value)));
  });
  return { values, analysis: Object.keys(analysis).length === 0 ? undefined : analysis };
}

/** Lists stay whole, as values. */
function flatten(value: Json, path: string, visit: (path: string, value: Json) => void): void {
  if (!isObject(value)) {
    visit(path, value);
    return;
  }
  for (const [key, member] of Object.entries(value)) flatten(member, path === "" ? key : `${path}.${key}`, visit);
}

function setDeep(object: JsonObject, names: string[], value: Json): void {
  // kind (analyzer, filter, ...), the component's own name, then its options, whose names may hold dots no longer.
  const [name, ...below] = names;
  if (below.length === 0) {
    setMember(object, name, value);
    return;
  }
  const child = member(object, name);
  const next: JsonObject = isObject(child) ? child : {};
  setMember(object, name, next);
  setDeep(next, below, value);
}

function checked(name: string, value: string): string {
  const setting = INDEX_SETTINGS.find((one) => one.name === name);
  if (setting === undefined) throw unknownSetting(name);
  if (setting.kind === "count" && !/^\d+$/.test(value)) {
    throw illegalArgument(`Failed to parse value [${value}] for setting [index.${name}]`);
  }
  if (setting.kind === "boolean" && value !== "true" && value !== "false") {
    throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
  }
  checkAmount(setting, value);
  if (name === "soft_deletes.enabled" && value !== "true") {
    throw illegalArgument("Creating indices with soft-deletes disabled is no longer supported.");
  }
  if (setting.values !== undefined && !setting.values.includes(value.toLowerCase())) {
    // Elasticsearch says what Java says of the one enumeration there is among the settings.
    throw illegalArgument(
      `No enum constant org.elasticsearch.index.translog.Translog.Durability.${value.toUpperCase()}`,
    );
  }
  if (name === "number_of_shards" && (Number(value) < 1 || Number(value) > 1024)) {
    throw illegalArgument(
      `Failed to parse value [${value}] for setting [index.number_of_shards] must be >= 1 and <= 1024`,
    );
  }
  if (name === "number_of_replicas" && Number(value) > MOST_REPLICAS) {
    throw validationFailed(
      `this action would add [${Number(value) + 1}] total shards, but this cluster has at most [${MOST_REPLICAS}] shards open`,
    );
  }
  return value;
}

/** `cluster.max_shards_per_node` of a new cluster: each copy is listed in the cluster's state, wherever it is not. */
const MOST_REPLICAS = 1_000;

function checkAmount({ name, kind, least }: IndexSetting, value: string): void {
  if (kind !== "duration" && kind !== "size") return;
  const parse = kind === "duration" ? parseDuration : parseSetSize;
  const amount = parse(value, `index.${name}`);
  if (least === undefined || amount >= parse(least, name)) return;
  throw illegalArgument(`failed to parse value [${value}] for setting [index.${name}], must be >= [${least}]`);
}

/** What is wrong with a size is the cause of what is wrong with the setting. */
function parseSetSize(value: string, name: string): number {
  try {
    return parseSize(value, name);
  } catch (error) {
    const { message, type } = toApiError(error);
    throw illegalArgument(message, { type, reason: message });
  }
}

function unknownSetting(name: string): Error {
  if (NOT_BUILT.some((prefix) => name.startsWith(prefix))) return notSupported(`setting [index.${name}]`);
  const hint = didYouMean(
    name,
    INDEX_SETTINGS.map((setting) => setting.name),
  );
  return illegalArgument(
    `unknown setting [index.${name}]${hint} please check that any required plugins are installed, or check the breaking changes documentation for removed settings`,
  );
}

/** What never changes, open or closed. */
const FINAL: readonly string[] = ["number_of_shards", "number_of_routing_shards"];

/** Refuses to change what is fixed at creation, or while an index is open. */
export function checkChange({ values, analysis }: GivenSettings, indices: readonly Index[]): void {
  const final = Object.keys(values).find((name) => FINAL.includes(name));
  const fixed = INDEX_SETTINGS.filter(({ dynamic, name }) => !dynamic && Object.hasOwn(values, name));
  const names = [...fixed.map(({ name }) => `index.${name}`), ...flatNames(analysis ?? {}, "index.analysis")];
  const open = indices.filter(({ definition }) => definition.closed !== true);
  if (names.length > 0 && open.length > 0) {
    const places = open.map(({ name, definition }) => `[${name}/${definition.uuid}]`).join(", ");
    throw illegalArgument(`Can't update non dynamic settings [[${names.join(", ")}]] for open indices [${places}]`);
  }
  if (final !== undefined)
    throw illegalArgument(`final ${indices[0]?.name ?? ""} setting [index.${final}], not updateable`);
}

function flatNames(value: JsonObject, path: string): string[] {
  return Object.entries(value).flatMap(([key, member]) =>
    isObject(member) ? flatNames(member, `${path}.${key}`) : [`${path}.${key}`],
  );
}

/** `1` from settings, or 0 at once where `auto_expand_replicas` says so: there is no second node for a copy. */
export function replicasOf(settings: Readonly<Record<string, string>>): number {
  if (expandsReplicas(settings)) return 0;
  return Number(settings.number_of_replicas ?? "1");
}

export function expandsReplicas(settings: Readonly<Record<string, string>>): boolean {
  return settings.auto_expand_replicas !== undefined && settings.auto_expand_replicas !== "false";
}

/** Where an index keeps the number that it has from the one it was cloned, shrunk or split from. */
export const RESIZED_ROUTING_SHARDS = "resize.routing_shards";

/** Over how many parts routing values are spread before they are cut into shards. */
export function routingShardsOf(settings: Readonly<Record<string, string>>): number {
  const given = settings[RESIZED_ROUTING_SHARDS] ?? settings.number_of_routing_shards;
  return given === undefined ? routingShards(shardsOf(settings)) : Number(given);
}

export function shardsOf(settings: Readonly<Record<string, string>>): number {
  return Number(settings.number_of_shards ?? "1");
}
