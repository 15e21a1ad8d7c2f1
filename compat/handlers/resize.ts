/** `_clone`, `_shrink`, `_split`. */
import type { Index } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { hasActiveShards } from "../bulk/active-shards.js";
import { ApiError, illegalArgument, indexClosed, indexNotFound, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { AliasChanges, aliasOf } from "../indices/aliases.js";
import { concreteName } from "../indices/date-math.js";
import { engineSettings, mergeSettings } from "../indices/definition.js";
import { checkIndexName } from "../indices/names.js";
import { readAlias } from "../indices/read-alias.js";
import { checkSource, type ResizeKind, resizedShards, shardsForSize } from "../indices/resize.js";
import { readSettings } from "../indices/settings.js";
import { parseSize } from "../units.js";
import { inBackground } from "./open-close.js";

export const RESIZE_SHAPE = shape(
  "resize_request",
  "object",
  { settings: "object", aliases: "object", max_shard_size: "string", max_primary_shard_size: "string" },
  [],
);

type Body = BodyOf<typeof RESIZE_SHAPE>;

export const cloneIndex = (request: ApiRequest, body: Body) => resize(request, body, "clone");
export const shrinkIndex = (request: ApiRequest, body: Body) => resize(request, body, "shrink");
export const splitIndex = (request: ApiRequest, body: Body) => resize(request, body, "split");

/** What the source was told of itself alone. */
const NOT_COPIED = { number_of_routing_shards: null, provided_name: null };

interface Plan {
  readonly source: Index;
  readonly target: string;
  readonly settings: Record<string, string>;
  readonly aliases: NonNullable<Body["aliases"]>;
}

function resize(request: ApiRequest, body: Body, kind: ResizeKind): Promise<Reply> | Reply {
  checkCopySettings(request);
  const plan = planOf(request, body, kind);
  request.task.describe(() => `${kind} from [${plan.source.name}] to [${plan.target}]`);
  return inBackground(request, async () => {
    const index = await make(request, plan);
    const complete = hasActiveShards(request.parameters, index);
    return json({ acknowledged: true, shards_acknowledged: complete, index: index.name });
  });
}

/** Settings are always copied; to say so is an old parameter. */
function checkCopySettings({ parameters }: ApiRequest): void {
  if (!parameters.boolean("copy_settings", true)) {
    throw illegalArgument("parameter [copy_settings] can not be explicitly set to [false]");
  }
}

/** Throws ApiError for what can't be, before anything is made. */
function planOf(request: ApiRequest, body: Body, kind: ResizeKind): Plan {
  const { engine } = request.node;
  const source = sourceOf(request);
  const target = concreteName(engine, request.captured.target);
  checkTarget(request, target);
  const asked = readSettings(body.settings);
  if (asked.analysis !== undefined) throw illegalArgument("can't override index.analysis when resizing");
  const values = { ...asked.values, ...sizedShards(source, body, kind, asked.values) };
  const shards = resizedShards(kind, source, values);
  if (request.identity.distribution !== undefined) checkMetadataBlocks(source, target, values);
  checkSource(source);
  const from = { "resize.source.name": source.name, "resize.source.uuid": source.definition.uuid };
  const merged = mergeSettings(source.definition.settings, { ...values, ...NOT_COPIED });
  const settings = { ...merged, ...shards, ...from };
  for (const options of Object.values(body.aliases ?? {})) readAlias(options);
  return { source, target, settings, aliases: body.aliases ?? {} };
}

function sourceOf({ node, captured }: ApiRequest): Index {
  const name = concreteName(node.engine, captured.index);
  const source = node.engine.index(name);
  if (source === undefined) throw indexNotFound(name);
  if (source.definition.closed === true) throw indexClosed(source);
  return source;
}

function checkTarget({ node }: ApiRequest, target: string): void {
  checkIndexName(target);
  const existing = node.engine.index(target);
  if (existing !== undefined) {
    const { uuid } = existing.definition;
    throw new ApiError(400, "resource_already_exists_exception", `index [${target}/${uuid}] already exists`, {
      fields: { index_uuid: uuid, index: target },
    });
  }
  if (aliasOf(node.engine, target) !== undefined) {
    throw new ApiError(400, "invalid_index_name_exception", `Invalid index name [${target}], already exists as alias`, {
      fields: { index_uuid: "_na_", index: target },
    });
  }
}

/** `max_shard_size` of OpenSearch, `max_primary_shard_size` of Elasticsearch: a number of shards for shrinking. */
function sizedShards(
  source: Index,
  body: Body,
  kind: ResizeKind,
  asked: Readonly<Record<string, string | null>>,
): { number_of_shards?: string } {
  const name = body.max_shard_size === undefined ? "max_primary_shard_size" : "max_shard_size";
  const size = body[name];
  if (size === undefined) return {};
  if (kind !== "shrink") throw validationFailed(`Unsupported parameter [${name}]`);
  if (typeof asked.number_of_shards === "string") {
    throw validationFailed(`Cannot set ${name} and index.number_of_shards at the same time!`);
  }
  const bytes = parseSize(size, name);
  if (bytes <= 0) throw validationFailed(`${name} must be greater than 0`);
  return { number_of_shards: String(shardsForSize(source, bytes)) };
}

const METADATA_BLOCKS = ["blocks.read_only", "blocks.metadata"];

/** OpenSearch 2.8 and later refuse a target that would begin with its metadata blocked. */
function checkMetadataBlocks(source: Index, target: string, values: Readonly<Record<string, string | null>>): void {
  for (const block of METADATA_BLOCKS) {
    if (values[block] === "true") {
      throw validationFailed(
        `target index [${target}] will be blocked by [index.${block}=true], this will disable metadata writes and cause the shards to be unassigned`,
      );
    }
    if (values[block] === undefined && source.definition.settings[block] === "true") {
      throw illegalArgument(
        `target index [${target}] will be blocked by [index.${block}=true] which is copied from the source index [${source.name}], this will disable metadata writes and cause the shards to be unassigned`,
      );
    }
  }
}

async function make({ node: { engine } }: ApiRequest, { source, target, settings, aliases }: Plan): Promise<Index> {
  const index = await engine.copyIndex(source.name, target, { settings, ...engineSettings(settings) });
  const changes = new AliasChanges(engine);
  for (const [alias, options] of Object.entries(aliases)) changes.add(alias, target, readAlias(options));
  await changes.apply();
  return index;
}
