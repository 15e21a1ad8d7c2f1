/** Indices: create, get, delete, mappings, settings, refresh, flush, force-merge. */
import type { FieldMapping, Index } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { hasActiveShards } from "../bulk/active-shards.js";
import { inTurn } from "../cluster/in-turn.js";
import { readClusterSetting } from "../cluster/settings.js";
import { shardTotals } from "../cluster/state.js";
import { parentOf } from "../data-streams/kept.js";
import { checkNoWriteIndex, withoutIndex } from "../data-streams/remove.js";
import { ApiError, illegalArgument, notSupported, validationFailed } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { AliasChanges, aliasesOfIndex, aliasOf } from "../indices/aliases.js";
import { checkFree, makeIndex } from "../indices/create.js";
import { engineSettings, flatSettings, mergeSettings, nest } from "../indices/definition.js";
import { onIndex } from "../indices/gone.js";
import { indicesOf, nameOptions, STRICT, wildcard } from "../indices/names.js";
import { readAliases } from "../indices/read-alias.js";
import { checkDynamic, readSettings, replicasOf } from "../indices/settings.js";
import { isObject, type JsonObject, setMember } from "../json/value.js";
import { type MAPPING_SHAPE, printField, printMapping, readMapping } from "../mapping/index.js";
import { templatesSeen } from "../templates/built-in.js";
import { planIndex } from "../templates/plan-index.js";

export const CREATE_SHAPE = shape("create_index", "object", {
  settings: "object",
  mappings: "object",
  aliases: "object",
});

/** `PUT /index` */
export function createIndex(request: ApiRequest, body: BodyOf<typeof CREATE_SHAPE>): Promise<Reply> {
  const { engine } = request.node;
  const name = request.captured.index;
  return inTurn(engine, async () => {
    checkFree(engine, name);
    const aliases = body.aliases === undefined ? undefined : readAliases(body.aliases);
    const asked = { name, settings: body.settings, mappings: body.mappings, aliases };
    const plan = planIndex(templatesSeen(request), asked);
    checkWantedShards(request.parameters, plan.definition.settings);
    const index = await makeIndex(engine, plan);
    const complete = hasActiveShards(request.parameters, index);
    return json({ acknowledged: true, shards_acknowledged: complete, index: index.name });
  });
}

/** No index can have more copies than its settings ask for. Throws ApiError 400. */
function checkWantedShards(parameters: Parameters, settings: Readonly<Record<string, string>>): void {
  const wanted = parameters.text("wait_for_active_shards");
  if (wanted === undefined || wanted === "all") return;
  const copies = 1 + replicasOf(settings);
  if (Number(wanted) <= copies) return;
  throw illegalArgument(
    `invalid wait_for_active_shards[${wanted}]: cannot be greater than number of shard copies [${copies}]`,
  );
}

/** `DELETE /index`; wildcards need `action.destructive_requires_name: false`. */
export function deleteIndex(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  const expression = request.captured.index;
  const needsName = request.identity.name === "os2" ? "false" : "true";
  const destructive = readClusterSetting(engine, "action.destructive_requires_name") ?? needsName;
  if (destructive !== "false" && (expression === "_all" || expression.includes("*"))) {
    throw illegalArgument("Wildcard expressions or all indices are not allowed");
  }
  return inTurn(engine, async () => {
    const indices = indicesToDelete(request);
    for (const { name } of indices) {
      const changes = new AliasChanges(engine);
      changes.removeIndex(name);
      await engine.deleteIndex(name, { ...withoutIndex(engine, name), ...changes.records() });
    }
    return ACKNOWLEDGED;
  });
}

function indicesToDelete(request: ApiRequest): Index[] {
  const { engine } = request.node;
  const expression = request.captured.index;
  const options = { ...nameOptions(request.parameters), aliases: "left out" as const };
  for (const name of expression.split(",")) {
    if (aliasOf(engine, name) !== undefined && !options.ignoreUnavailable) {
      throw illegalArgument(
        `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
      );
    }
  }
  const indices = indicesOf(engine, expression, options);
  for (const { name } of indices) checkNoWriteIndex(engine, name);
  return indices;
}

function named(request: ApiRequest): Index[] {
  return indicesOf(request.node.engine, request.captured.index ?? "_all", nameOptions(request.parameters));
}

/** `GET /index`: aliases, mappings, settings, and the data stream it is behind. */
export function getIndex(request: ApiRequest): Reply {
  const answer: Record<string, unknown> = {};
  for (const index of named(request)) {
    const parent = parentOf(request.node.engine, index.name);
    answer[index.name] = {
      aliases: aliasesOfIndex(request.node.engine, index.name),
      mappings: printMapping(index.definition.mapping),
      settings: shownSettings(request, flatSettings(index)),
      ...(parent === undefined ? {} : { data_stream: parent }),
    };
  }
  return json(answer);
}

/** `HEAD /index`: 404 when one of the names is not there. */
export function existsIndex(request: ApiRequest): Reply {
  const options = nameOptions(request.parameters, { ...STRICT, allowNoIndices: request.captured.index.includes("*") });
  const found = indicesOf(request.node.engine, request.captured.index, options);
  return json({}, found.length === 0 && !request.captured.index.includes("*") ? 404 : 200);
}

function shownSettings(request: ApiRequest, flat: Record<string, unknown>): Record<string, unknown> {
  return request.parameters.boolean("flat_settings", false) ? flat : nest(flat);
}

export function getMapping(request: ApiRequest): Reply {
  return json(
    Object.fromEntries(
      named(request).map((index) => [index.name, { mappings: printMapping(index.definition.mapping) }]),
    ),
  );
}

/** `PUT /index/_mapping`: adds fields. */
export async function putMapping(request: ApiRequest, body: BodyOf<typeof MAPPING_SHAPE>): Promise<Reply> {
  if (request.bytes.length === 0)
    throw new ApiError(400, "action_request_validation_exception", "Validation Failed: 1: mapping source is missing;");
  const change = readMapping(body as JsonObject);
  const indices = named(request);
  for (const index of indices) await onIndex(request.node.engine, index, (one) => one.updateMapping(change));
  return ACKNOWLEDGED;
}

/** `GET /index/_mapping/field/a,b*`: the mapping of single fields. */
export function getFieldMapping(request: ApiRequest): Reply {
  if (request.parameters.boolean("include_defaults", false)) throw notSupported("[include_defaults] of field mappings");
  const patterns = request.captured.fields.split(",").map((pattern) => wildcard(pattern));
  const answer: Record<string, unknown> = {};
  for (const index of named(request)) {
    const mappings: Record<string, unknown> = {};
    for (const [path, field] of index.fields()) {
      if (field.type === "object" || !patterns.some((matches) => matches(path))) continue;
      setMember(mappings, path, { full_name: path, mapping: { [lastName(path)]: printField(field as FieldMapping) } });
    }
    answer[index.name] = { mappings };
  }
  return json(answer);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** `GET /index/_settings/name*` */
export function getSettings(request: ApiRequest): Reply {
  const patterns = request.captured.name?.split(",").map((pattern) => wildcard(pattern === "_all" ? "*" : pattern));
  const defaults = request.parameters.boolean("include_defaults", false);
  const answer: Record<string, unknown> = {};
  for (const index of named(request)) {
    const all = Object.entries(flatSettings(index));
    const chosen = patterns === undefined ? all : all.filter(([name]) => patterns.some((matches) => matches(name)));
    if (chosen.length === 0) continue;
    const settings = shownSettings(request, Object.fromEntries(chosen));
    answer[index.name] = defaults
      ? { settings, defaults: shownSettings(request, defaultSettings(index)) }
      : { settings };
  }
  return json(answer);
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

/** `PUT /index/_settings` */
export async function putSettings(request: ApiRequest, given: JsonObject): Promise<Reply> {
  if (Object.keys(given).length === 0) throw validationFailed("no settings to update");
  const change = readSettings(isObject(given.settings) ? given.settings : given);
  if (change.analysis !== undefined)
    throw illegalArgument(
      `Can't update non dynamic settings [[index.analysis]] for open indices [[${request.captured.index ?? "_all"}]]`,
    );
  const keepExisting = request.parameters.boolean("preserve_existing", false);
  for (const index of named(request)) {
    checkDynamic(change.values, index.name);
    const { settings } = index.definition;
    const values = keepExisting
      ? Object.fromEntries(Object.entries(change.values).filter(([name]) => settings[name] === undefined))
      : change.values;
    const merged = mergeSettings(settings, values);
    await onIndex(request.node.engine, index, (one) =>
      one.updateSettings({ settings: merged, ...engineSettings(merged) }),
    );
  }
  return ACKNOWLEDGED;
}

function shardsOf(indices: readonly Index[]): Record<string, unknown> {
  return { _shards: shardTotals(indices) };
}

export async function refresh(request: ApiRequest): Promise<Reply> {
  const indices = named(request);
  await onEach(request, indices, (index) => index.refresh());
  return json(shardsOf(indices));
}

export async function flush(request: ApiRequest): Promise<Reply> {
  const { parameters } = request;
  if (parameters.boolean("force", false) && !parameters.boolean("wait_if_ongoing", true)) {
    throw validationFailed("wait_if_ongoing must be true for a force flush");
  }
  const indices = named(request);
  await onEach(request, indices, (index) => index.flush());
  return json(shardsOf(indices));
}

/** Without a number of segments, nothing is forced: what the merge policy wants is done anyway. */
export async function forceMerge(request: ApiRequest): Promise<Reply> {
  const { parameters } = request;
  const indices = named(request);
  const onlyDeletes = parameters.boolean("only_expunge_deletes", false);
  const maxSegments = parameters.integer("max_num_segments");
  if (onlyDeletes && maxSegments !== undefined) {
    throw validationFailed(
      `cannot set only_expunge_deletes and max_num_segments at the same time, those two parameters are mutually exclusive`,
    );
  }
  if (maxSegments !== undefined && maxSegments < 1) throw illegalArgument("[max_num_segments] must be at least 1");
  const thenFlush = parameters.boolean("flush", true);
  const names = indices.map(({ name }) => name).join(", ");
  request.task.describe(() => `Force-merge indices [${names}], maxSegments[${maxSegments ?? -1}]`);
  const work = async () => {
    for (const index of indices) {
      await onIndex(request.node.engine, index, async (one) => {
        await one.forceMerge({ maxSegments: maxSegments ?? Number.MAX_SAFE_INTEGER, onlyDeletes });
        if (thenFlush) await one.flush();
      });
    }
    return json(shardsOf(indices));
  };
  return parameters.boolean("wait_for_completion", true) ? work() : request.node.tasks.runOn(request, work);
}

/** `POST /_cache/clear`: bitsets of filters, and what is kept with readers. None named means all. */
export function clearCache(request: ApiRequest): Reply {
  const { node, parameters } = request;
  const expression = request.captured.index ?? parameters.text("index") ?? "_all";
  const indices = indicesOf(node.engine, expression, nameOptions(parameters));
  const asked = (["query", "fielddata", "request"] as const).filter((name) => parameters.boolean(name, false));
  const fields = parameters.list("fields");
  const all = asked.length === 0 && fields === undefined;
  const names = indices.map(({ name }) => name);
  if (all || asked.includes("query")) {
    node.engine.resources.clearCaches({ indices: names, query: true, fielddata: false });
  }
  if (all || asked.includes("fielddata") || fields !== undefined) {
    for (const field of fields ?? [undefined]) {
      node.engine.resources.clearCaches({ indices: names, query: false, fielddata: true, field });
    }
  }
  // A cache of whole answers (`request`) is not there to be cleared.
  return json(shardsOf(indices));
}

function onEach(request: ApiRequest, indices: readonly Index[], work: (index: Index) => Promise<void>) {
  return Promise.all(indices.map((index) => onIndex(request.node.engine, index, work)));
}
