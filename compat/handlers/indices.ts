/** Indices: create, get, delete, and their mappings. Settings are in index-settings.ts, upkeep in upkeep.ts. */
import type { FieldMapping, Index } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { hasActiveShards } from "../bulk/active-shards.js";
import { inTurn } from "../cluster/in-turn.js";
import { readClusterSetting } from "../cluster/settings.js";
import { parentOf } from "../data-streams/kept.js";
import { checkNoWriteIndex, withoutIndex } from "../data-streams/remove.js";
import { ApiError, illegalArgument } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { AliasChanges, aliasesOfIndex, aliasOf } from "../indices/aliases.js";
import { deletable, unblocked } from "../indices/blocks.js";
import { checkFree, makeIndex, withProvidedName } from "../indices/create.js";
import { concreteName } from "../indices/date-math.js";
import { onIndex } from "../indices/gone.js";
import { indicesOf, nameOptions, STRICT, wildcard } from "../indices/names.js";
import { readAliases } from "../indices/read-alias.js";
import { replicasOf } from "../indices/settings.js";
import { type JsonObject, setMember } from "../json/value.js";
import { defaultsOf, MAPPING_SHAPE, printField, printMapping, readMapping } from "../mapping/index.js";
import { templatesSeen } from "../templates/built-in.js";
import { planIndex } from "../templates/plan-index.js";
import { shownSettings } from "./index-settings.js";

export const CREATE_SHAPE = shape("create_index", "object", {
  settings: "object",
  mappings: "object",
  aliases: "object",
});

/** `PUT /index` */
export function createIndex(request: ApiRequest, body: BodyOf<typeof CREATE_SHAPE>): Promise<Reply> {
  const { engine } = request.node;
  const given = request.captured.index;
  return inTurn(engine, async () => {
    const name = concreteName(engine, given);
    checkFree(engine, name);
    const aliases = body.aliases === undefined ? undefined : readAliases(body.aliases);
    const asked = { name, settings: body.settings, mappings: body.mappings, aliases };
    const plan = withProvidedName(planIndex(templatesSeen(request), asked), given);
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
  checkDestructive(request, expression);
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
  const options = { ...nameOptions(request.parameters, { ...STRICT, closed: true }), aliases: "left out" as const };
  for (const name of expression.split(",")) {
    if (aliasOf(engine, name) !== undefined && !options.ignoreUnavailable) {
      throw illegalArgument(
        `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
      );
    }
  }
  const indices = deletable(indicesOf(engine, expression, options));
  for (const { name } of indices) checkNoWriteIndex(engine, name);
  return indices;
}

/** What takes indices away names them, unless `action.destructive_requires_name` says otherwise. Throws ApiError 400. */
export function checkDestructive({ node, identity }: ApiRequest, expression: string): void {
  const needsName = identity.name === "os2" ? "false" : "true";
  const setting = readClusterSetting(node.engine, "action.destructive_requires_name") ?? needsName;
  if (setting === "false") return;
  const all = expression.split(",").some((part) => part === "" || part === "_all" || part.includes("*"));
  if (all) throw illegalArgument("Wildcard expressions or all indices are not allowed");
}

function shown(request: ApiRequest): Index[] {
  const options = nameOptions(request.parameters);
  return unblocked(indicesOf(request.node.engine, request.captured.index ?? "_all", options), "metadata_read");
}

/** `GET /index`: aliases, mappings, settings, and the data stream it is behind. */
export function getIndex(request: ApiRequest): Reply {
  const answer: Record<string, unknown> = {};
  for (const index of shown(request)) {
    const parent = parentOf(request.node.engine, index.name);
    answer[index.name] = {
      aliases: aliasesOfIndex(request.node.engine, index.name),
      mappings: printMapping(index.definition.mapping),
      settings: shownSettings(request, index),
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

export function getMapping(request: ApiRequest): Reply {
  return json(
    Object.fromEntries(
      shown(request).map((index) => [index.name, { mappings: printMapping(index.definition.mapping) }]),
    ),
  );
}

/** A mapping, and the name of a type, which is refused in words of its own. */
export const PUT_MAPPING_SHAPE = shape(
  MAPPING_SHAPE.name,
  MAPPING_SHAPE.style,
  { ...MAPPING_SHAPE.keys, _doc: "any" },
  MAPPING_SHAPE.refused,
);

/** `PUT /index/_mapping`: adds fields. */
export async function putMapping(request: ApiRequest, body: BodyOf<typeof PUT_MAPPING_SHAPE>): Promise<Reply> {
  if (request.bytes.length === 0)
    throw new ApiError(400, "action_request_validation_exception", "Validation Failed: 1: mapping source is missing;");
  if (Object.hasOwn(body, "_doc")) throw illegalArgument("Types cannot be provided in put mapping requests");
  const change = readMapping(body as JsonObject);
  const options = nameOptions(request.parameters, { ...STRICT, closed: true, allowNoIndices: false });
  const indices = unblocked(indicesOf(request.node.engine, request.captured.index, options), "metadata_write");
  for (const index of indices) await onIndex(request.node.engine, index, (one) => one.updateMapping(change));
  return ACKNOWLEDGED;
}

/** `GET /index/_mapping/field/a,b*`: the mapping of single fields. */
export function getFieldMapping(request: ApiRequest): Reply {
  const defaults = request.parameters.boolean("include_defaults", false);
  const patterns = request.captured.fields.split(",").map((pattern) => wildcard(pattern));
  const answer: Record<string, unknown> = {};
  for (const index of shown(request)) {
    const mappings: Record<string, unknown> = {};
    for (const [path, field] of index.fields()) {
      if (field.type === "object" || !patterns.some((matches) => matches(path))) continue;
      const printed = printField(field as FieldMapping);
      const mapping = { [lastName(path)]: defaults ? { ...defaultsOf(field.type), ...printed } : printed };
      setMember(mappings, path, { full_name: path, mapping });
    }
    answer[index.name] = { mappings };
  }
  return json(answer);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
