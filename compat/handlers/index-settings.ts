/** Settings of indices: shown, changed. */
import type { Index } from "../../engine/index.js";
import { validationFailed } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import {
  engineSettings,
  flatSettings,
  mergeAnalysis,
  mergeSettings,
  nest,
  readAnalysis,
} from "../indices/definition.js";
import { onIndex } from "../indices/gone.js";
import { indicesOf, nameOptions, STRICT, wildcard } from "../indices/names.js";
import { checkChange, type GivenSettings, readSettings } from "../indices/settings.js";
import { isObject, type JsonObject } from "../json/value.js";

/** `GET /index/_settings/name*` */
export function getSettings(request: ApiRequest): Reply {
  const patterns = request.captured.name?.split(",").map((pattern) => wildcard(pattern === "_all" ? "*" : pattern));
  const defaults = request.parameters.boolean("include_defaults", false);
  const answer: Record<string, unknown> = {};
  const options = nameOptions(request.parameters, { ...STRICT, closed: true });
  const indices = indicesOf(request.node.engine, request.captured.index ?? "_all", options);
  for (const index of unblocked(indices, "metadata_read")) {
    const all = Object.entries(allSettings(request, index));
    const chosen = patterns === undefined ? all : all.filter(([name]) => patterns.some((matches) => matches(name)));
    if (chosen.length === 0) continue;
    const settings = inForm(request, Object.fromEntries(chosen));
    answer[index.name] = defaults ? { settings, defaults: inForm(request, defaultSettings(index)) } : { settings };
  }
  return json(answer);
}

/** All settings of an index in the form that the request asks for: nested or flat, `human` with readable twins. */
export function shownSettings(request: ApiRequest, index: Index): Record<string, unknown> {
  return inForm(request, allSettings(request, index));
}

function allSettings(request: ApiRequest, index: Index): Record<string, unknown> {
  const flat = flatSettings(index);
  if (!request.parameters.boolean("human", false)) return flat;
  return {
    ...flat,
    "index.creation_date_string": new Date(index.definition.createdAt).toISOString(),
    "index.version.created_string": request.identity.version,
  };
}

function inForm(request: ApiRequest, flat: Record<string, unknown>): Record<string, unknown> {
  return request.parameters.boolean("flat_settings", false) ? flat : nest(flat);
}

function defaultSettings(index: Index): Record<string, unknown> {
  const { definition } = index;
  const defaults: Record<string, string> = {
    "index.refresh_interval": "1s",
    "index.translog.durability": "REQUEST",
    "index.translog.flush_threshold_size": "96mb",
    "index.translog.sync_interval": "5s",
    "index.mapping.total_fields.limit": "1000",
    "index.max_result_window": "10000",
    "index.auto_expand_replicas": "false",
    "index.hidden": "false",
  };
  return Object.fromEntries(
    Object.entries(defaults).filter(([name]) => definition.settings[name.slice("index.".length)] === undefined),
  );
}

/** `PUT /index/_settings`; what is fixed while an index is open may change while it is closed. */
export async function putSettings(request: ApiRequest, given: JsonObject): Promise<Reply> {
  if (Object.keys(given).length === 0) throw validationFailed("no settings to update");
  const change = readSettings(isObject(given.settings) ? given.settings : given);
  const options = nameOptions(request.parameters, { ...STRICT, closed: true, allowNoIndices: false });
  const indices = indicesOf(request.node.engine, request.captured.index ?? "_all", options);
  if (!lifts(change)) unblocked(indices, "metadata_write");
  checkChange(change, indices);
  const keepExisting = request.parameters.boolean("preserve_existing", false);
  for (const index of indices) await changeSettings(request, index, change, keepExisting);
  return ACKNOWLEDGED;
}

/** Blocks that forbid changing settings are lifted by changing them, as in Elasticsearch's TransportUpdateSettingsAction. */
function lifts({ values, analysis }: GivenSettings): boolean {
  const names = Object.keys(values);
  if (names.includes("blocks.read_only") || names.includes("blocks.read_only_allow_delete")) return true;
  return names.length === 1 && names[0] === "blocks.metadata" && analysis === undefined;
}

async function changeSettings(
  request: ApiRequest,
  index: Index,
  change: GivenSettings,
  keepExisting: boolean,
): Promise<void> {
  const { settings, analysis } = index.definition;
  const values = keepExisting
    ? Object.fromEntries(Object.entries(change.values).filter(([name]) => settings[name] === undefined))
    : change.values;
  const merged = mergeSettings(settings, values);
  const analyzed = change.analysis === undefined ? {} : { analysis: mergeAnalysis(analysis, readAnalysis(change)) };
  await onIndex(request.node.engine, index, (one) =>
    one.updateSettings({ settings: merged, ...engineSettings(merged), ...analyzed }),
  );
}
