/** `_stats` of indices. */
import type { Index } from "../../engine/index.js";
import { healthOf, shardCounts, sumShards } from "../cluster/state.js";
import { illegalArgument } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { DOCUMENTS, indicesOf, nameOptions, STRICT } from "../indices/names.js";
import { GROUP_NAMES, type GroupOptions, printGroups } from "../stats/groups.js";
import { readMetrics } from "../stats/metrics.js";
import { shardStats } from "../stats/shards.js";
import { totalsOf } from "../stats/totals.js";

const KNOWN: ReadonlySet<string> = new Set(GROUP_NAMES);
const LEVELS: readonly string[] = ["cluster", "indices", "shards"];

/** Reads what the parameters say about the groups. */
export function groupOptions({ identity, parameters }: ApiRequest): GroupOptions {
  const fields = parameters.list("fields");
  return {
    identity,
    fielddataFields: parameters.list("fielddata_fields") ?? fields ?? [],
    completionFields: parameters.list("completion_fields") ?? fields ?? [],
    searchGroups: parameters.list("groups") ?? [],
    fileSizes: parameters.boolean("include_segment_file_sizes", false),
    unloadedSegments: parameters.boolean("include_unloaded_segments", false),
  };
}

/** Every copy is a primary, so `primaries` and `total` are alike. */
export function indexStats(request: ApiRequest): Reply {
  const { node, captured, parameters } = request;
  const metrics = readMetrics(captured.metric, KNOWN, { path: request.path, what: "metric" });
  const names = metrics === "all" ? [] : metrics;
  const level = parameters.text("level") ?? "indices";
  if (!LEVELS.includes(level)) {
    throw illegalArgument(`level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`);
  }
  const options = groupOptions(request);
  const forbidsClosed = parameters.boolean("forbid_closed_indices", true);
  const expansion = nameOptions(parameters, forbidsClosed ? DOCUMENTS : STRICT);
  const named = unblocked(indicesOf(node.engine, captured.index ?? "_all", expansion), "metadata_read");
  // Of a damaged index nothing is known; that its shards are missing is in `_shards`.
  const indices = named.filter(({ damage }) => damage === undefined);
  const both = (of: readonly Index[]) => {
    const stats = printGroups(totalsOf(node, of), names, options);
    return { primaries: stats, total: stats };
  };
  const { primaries, unassigned } = sumShards(named);
  const answer: Record<string, unknown> = {
    _shards: { total: primaries + unassigned, successful: primaries, failed: 0 },
    _all: both(indices),
  };
  if (level === "cluster") return json(answer);
  answer.indices = Object.fromEntries(
    indices.map((index) => [
      index.name,
      {
        uuid: index.definition.uuid,
        health: healthOf(index),
        status: index.definition.closed === true ? "close" : "open",
        ...both([index]),
        ...(level === "shards" ? { shards: shardsOf(request, index, { names, options }) } : {}),
      },
    ]),
  );
  return json(answer);
}

function shardsOf(
  request: ApiRequest,
  index: Index,
  asked: { names: readonly string[]; options: GroupOptions },
): Record<string, unknown> {
  const { primaries } = shardCounts(index);
  return Object.fromEntries(
    Array.from({ length: primaries }, (_, shard) => [shard, [shardStats(request.node, index, { shard, ...asked })]]),
  );
}
