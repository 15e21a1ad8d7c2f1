/** Upkeep of indices: refresh, flush, force-merge, caches, upgrade. */
import type { Index } from "../../engine/index.js";
import { shardTotals, sumShards } from "../cluster/state.js";
import { illegalArgument, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { onIndex } from "../indices/gone.js";
import { DOCUMENTS, indicesOf, nameOptions } from "../indices/names.js";
import { versionOf } from "./segments.js";

function named(request: ApiRequest): Index[] {
  const options = nameOptions(request.parameters, DOCUMENTS);
  return indicesOf(request.node.engine, request.captured.index ?? "_all", options);
}

/** What rewrites segments is a change of the index; a refresh or a flush is none. */
function changeable(request: ApiRequest): Index[] {
  return unblocked(named(request), "metadata_write");
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
  const onlyDeletes = parameters.boolean("only_expunge_deletes", false);
  const maxSegments = parameters.integer("max_num_segments");
  // OpenSearch 2 still takes both, and then drops deletes only; its own words say that this will end.
  if (onlyDeletes && maxSegments !== undefined && request.identity.distribution === undefined) {
    throw validationFailed(
      `cannot set only_expunge_deletes and max_num_segments at the same time, those two parameters are mutually exclusive`,
    );
  }
  if (maxSegments !== undefined && maxSegments < 1) throw illegalArgument("[max_num_segments] must be at least 1");
  const thenFlush = parameters.boolean("flush", true);
  const primariesOnly = parameters.boolean("primary_only", false);
  request.task.describe(() => describeMerge(request, { maxSegments, onlyDeletes, thenFlush, primariesOnly }));
  // Names are looked up by whoever does the work: a task fails of its own.
  const work = async () => {
    const indices = changeable(request);
    for (const index of indices) {
      await onIndex(request.node.engine, index, async (one) => {
        await one.forceMerge({ maxSegments: maxSegments ?? Number.MAX_SAFE_INTEGER, onlyDeletes });
        if (thenFlush) await one.flush();
      });
    }
    const { primaries } = sumShards(indices);
    return json(
      primariesOnly ? { _shards: { total: primaries, successful: primaries, failed: 0 } } : shardsOf(indices),
    );
  };
  return parameters.boolean("wait_for_completion", true) ? work() : request.node.tasks.runOn(request, work);
}

interface Merge {
  readonly maxSegments: number | undefined;
  readonly onlyDeletes: boolean;
  readonly thenFlush: boolean;
  readonly primariesOnly: boolean;
}

function describeMerge({ identity, captured }: ApiRequest, merge: Merge): string {
  const names = captured.index?.split(",").join(", ") ?? "";
  const primaries = identity.distribution === undefined ? "" : `, primaryOnly[${merge.primariesOnly}]`;
  return `Force-merge indices [${names}], maxSegments[${merge.maxSegments ?? -1}], onlyExpungeDeletes[${merge.onlyDeletes}], flush[${merge.thenFlush}]${primaries}`;
}

/** `POST /_cache/clear`: bitsets of filters, and what is kept with readers. None named means all. */
export function clearCache(request: ApiRequest): Reply {
  const { node, parameters } = request;
  const expression = request.captured.index ?? parameters.text("index") ?? "_all";
  const options = nameOptions(parameters, DOCUMENTS);
  const indices = unblocked(indicesOf(node.engine, expression, options), "metadata_read");
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

/**
 * `POST /_upgrade`, of OpenSearch: segments of an older format are written anew. What is read is of the newest format or is
 * brought to it by the merge that this asks for.
 */
export async function upgrade(request: ApiRequest): Promise<Reply> {
  const indices = changeable(request);
  const onlyOld = request.parameters.boolean("only_ancient_segments", false);
  const version = versionOf();
  for (const index of indices) {
    const old = index.stats().segments.some(({ formatVersion }) => versionOf(formatVersion) !== version);
    if (old && !onlyOld) {
      await onIndex(request.node.engine, index, (one) => one.forceMerge({ maxSegments: 1, onlyDeletes: false }));
    }
  }
  const upgraded = { upgrade_version: request.identity.version, oldest_lucene_segment_version: version };
  return json({
    _shards: shardTotals(indices),
    upgraded_indices: Object.fromEntries(indices.map(({ name }) => [name, upgraded])),
  });
}
