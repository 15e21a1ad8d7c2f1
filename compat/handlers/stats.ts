/** `_stats` of indices. */
import { healthOf, sumShards } from "../cluster/state.js";
import { illegalArgument, notSupported } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { indicesOf, nameOptions } from "../indices/names.js";
import { didYouMean } from "../near-names.js";
import { printStats } from "./nodes.js";

const METRICS: ReadonlySet<string> = new Set([
  "completion",
  "docs",
  "fielddata",
  "flush",
  "get",
  "indexing",
  "merge",
  "query_cache",
  "recovery",
  "refresh",
  "request_cache",
  "search",
  "segments",
  "store",
  "translog",
  "warmer",
]);

/** Every copy is a primary, so `primaries` and `total` are alike. */
export function indexStats(request: ApiRequest): Reply {
  const { node, captured, parameters } = request;
  const metrics = captured.metric?.split(",").filter((metric) => metric !== "_all") ?? [];
  for (const metric of metrics) if (!METRICS.has(metric)) throw unknownMetric(request, metric);
  const level = parameters.text("level") ?? "indices";
  const indices = indicesOf(node.engine, captured.index ?? "_all", nameOptions(parameters));
  const both = (of: typeof indices) => {
    const stats = chosen(printStats(of), metrics);
    return { primaries: stats, total: stats };
  };
  const { primaries, unassigned } = sumShards(indices);
  const answer: Record<string, unknown> = {
    _shards: { total: primaries + unassigned, successful: primaries, failed: 0 },
    _all: both(indices),
  };
  if (level === "shards") throw notSupported("[level=shards] of [_stats]");
  if (level !== "cluster") {
    answer.indices = Object.fromEntries(
      indices.map((index) => [
        index.name,
        { uuid: index.definition.uuid, health: healthOf(index), status: "open", ...both([index]) },
      ]),
    );
  }
  return json(answer);
}

function unknownMetric(request: ApiRequest, metric: string): Error {
  const hint = didYouMean(metric, METRICS);
  return illegalArgument(
    `request [${request.path}] contains unrecognized metric: [${metric}]${hint === "" ? "" : ` ->${hint}`}`,
  );
}

/** `merge` in the path is `merges` in the answer. */
function chosen(stats: Record<string, unknown>, metrics: readonly string[]): Record<string, unknown> {
  if (metrics.length === 0) return stats;
  const names = metrics.map((metric) => (metric === "merge" ? "merges" : metric));
  return Object.fromEntries(Object.entries(stats).filter(([name]) => names.includes(name)));
}
