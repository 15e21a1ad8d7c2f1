/** `_cat`: tables for people. */
import { loadavg } from "node:os";
import type { Index, IndexStats } from "../../engine/index.js";
import { aligned, answerTable, type Column, column, extra } from "../cat/table.js";
import { activePercent, healthOf, shardCounts, sumShards, worst } from "../cluster/state.js";
import { type Reply, text } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { type AliasEntry, aliasesOfIndex } from "../indices/aliases.js";
import { indicesOf, nameOptions, STRICT, searchTargets, wildcard } from "../indices/names.js";
import { replicasOf, shardsOf } from "../indices/settings.js";

interface Measured {
  readonly index: Index;
  readonly stats: IndexStats;
}

function measured(request: ApiRequest): Measured[] {
  const options = nameOptions(request.parameters);
  return indicesOf(request.node.engine, request.captured.index ?? "_all", options).map((index) => ({
    index,
    stats: index.stats(),
  }));
}

const INDICES: readonly Column<Measured>[] = [
  column("health", "h", "current health status", ({ index }) => healthOf(index)),
  column("status", "s", "open/close status", () => "open"),
  column("index", "i,idx", "index name", ({ index }) => index.name),
  column("uuid", "id,uuid", "index uuid", ({ index }) => index.definition.uuid),
  column("pri", "p,shards.primary,shardsPrimary", "number of primary shards", ({ index }) =>
    shardsOf(index.definition.settings),
  ),
  column("rep", "r,shards.replica,shardsReplica", "number of replica shards", ({ index }) =>
    replicasOf(index.definition.settings),
  ),
  column("docs.count", "dc,docsCount", "available docs", ({ stats }) => stats.docs.count),
  column("docs.deleted", "dd,docsDeleted", "deleted docs", ({ stats }) => stats.docs.deleted),
  extra("creation.date", "cd", "index creation date (millisecond value)", ({ index }) => index.definition.createdAt),
  extra("creation.date.string", "cds", "index creation date (as string)", ({ index }) =>
    new Date(index.definition.createdAt).toISOString(),
  ),
  column("store.size", "ss,storeSize", "store size of primaries & replicas", ({ stats }) => ({
    bytes: stats.storeBytes,
  })),
  column("pri.store.size", "", "store size of primaries", ({ stats }) => ({ bytes: stats.storeBytes })),
  extra("dataset.size", "", "total size of dataset", ({ stats }) => ({ bytes: stats.storeBytes })),
  extra("segments.count", "sc,segmentsCount", "number of segments", ({ stats }) => stats.segments.length),
  extra("indexing.index_total", "iito", "number of indexing ops", ({ stats }) => stats.counters.indexed),
  extra("search.query_total", "sqto", "total query phase ops", ({ stats }) => stats.counters.searches),
];

export function catIndices(request: ApiRequest): Reply {
  return answerTable(request, INDICES, () => {
    const wanted = request.parameters.text("health");
    const rows = measured(request);
    return wanted === undefined ? rows : rows.filter(({ index }) => healthOf(index) === wanted);
  });
}

interface HealthRow {
  readonly request: ApiRequest;
  readonly indices: readonly Index[];
  readonly now: Date;
}

const HEALTH: readonly Column<HealthRow>[] = [
  aligned(
    "left",
    column("epoch", "t,time", "seconds since 1970-01-01 00:00:00", ({ now }) => Math.floor(now.getTime() / 1_000)),
  ),
  column("timestamp", "ts,hms,hhmmss", "time in HH:MM:SS", ({ now }) => now.toISOString().slice(11, 19)),
  column("cluster", "cl", "cluster name", ({ request }) => request.node.clusterName),
  column("status", "st", "health status", ({ indices }) => worst(indices)),
  column("node.total", "nt,nodeTotal", "total number of nodes", () => 1),
  column("node.data", "nd,nodeData", "number of nodes that can store data", () => 1),
  column(
    "shards",
    "t,sh,shards.total,shardsTotal",
    "total number of shards",
    ({ indices }) => sumShards(indices).primaries,
  ),
  column(
    "pri",
    "p,shards.primary,shardsPrimary",
    "number of primary shards",
    ({ indices }) => sumShards(indices).primaries,
  ),
  column("relo", "r,shards.relocating,shardsRelocating", "number of relocating nodes", () => 0),
  column("init", "i,shards.initializing,shardsInitializing", "number of initializing nodes", () => 0),
  column(
    "unassign",
    "u,shards.unassigned,shardsUnassigned",
    "number of unassigned shards",
    ({ indices }) => sumShards(indices).unassigned,
  ),
  column("pending_tasks", "pt,pendingTasks", "number of pending tasks", () => 0),
  aligned(
    "right",
    column("max_task_wait_time", "mtwt,maxTaskWaitTime", "wait time of longest task pending", () => "-"),
  ),
  aligned(
    "right",
    column(
      "active_shards_percent",
      "asp,activeShardsPercent",
      "active number of shards in percent",
      ({ indices }) => `${activePercent(sumShards(indices)).toFixed(1)}%`,
    ),
  ),
];

export function catHealth(request: ApiRequest): Reply {
  const ts = request.parameters.boolean("ts", true);
  const columns = ts ? HEALTH : HEALTH.filter(({ name }) => name !== "epoch" && name !== "timestamp");
  return answerTable(request, columns, () => {
    const indices = indicesOf(request.node.engine, "_all", { ...STRICT, hidden: true });
    return [{ request, indices, now: new Date(request.node.now()) }];
  });
}

interface CountRow {
  readonly now: Date;
  readonly count: number;
}

const COUNT: readonly Column<CountRow>[] = [
  aligned(
    "left",
    column("epoch", "t,time", "seconds since 1970-01-01 00:00:00", ({ now }) => Math.floor(now.getTime() / 1_000)),
  ),
  column("timestamp", "ts,hms,hhmmss", "time in HH:MM:SS", ({ now }) => now.toISOString().slice(11, 19)),
  column("count", "dc,docs.count,docsCount", "the document count", ({ count }) => count),
];

export async function catCount(request: ApiRequest): Promise<Reply> {
  const { engine, now } = request.node;
  const targets = searchTargets(engine, request.captured.index ?? "_all", nameOptions(request.parameters));
  const count = await engine.count(targets, { kind: "match_all", boost: 1 });
  return answerTable(request, COUNT, () => [{ now: new Date(now()), count }]);
}

const NODES: readonly Column<ApiRequest>[] = [
  extra("id", "nodeId", "unique node id", ({ node, parameters }) =>
    parameters.boolean("full_id", false) ? node.id : node.id.slice(0, 4),
  ),
  extra("pid", "p", "process id", () => process.pid),
  column("ip", "i", "ip address", ({ node }) => node.address().replace(/:\d+$/, "")),
  extra("port", "po", "bound transport port", ({ node }) => node.address().replace(/^.*:/, "")),
  extra("http_address", "http", "bound http address", ({ node }) => node.address()),
  extra("version", "v", "es version", ({ identity }) => identity.version),
  column("heap.percent", "hp,heapPercent", "used heap ratio", () =>
    Math.round((process.memoryUsage().heapUsed / process.memoryUsage().heapTotal) * 100),
  ),
  extra("heap.current", "hc,heapCurrent", "used heap", () => ({ bytes: process.memoryUsage().heapUsed })),
  column("ram.percent", "rp,ramPercent", "used share of the engine's memory", ({ node }) => {
    const { arenaUsed, arenaBytes } = node.engine.memory();
    return Math.round((arenaUsed / arenaBytes) * 100);
  }),
  column("cpu", "", "recent cpu usage, not measured", () => null),
  aligned(
    "right",
    column("load_1m", "l", "1m load avg", () => loadavg()[0].toFixed(2)),
  ),
  aligned(
    "right",
    column("load_5m", "l", "5m load avg", () => loadavg()[1].toFixed(2)),
  ),
  aligned(
    "right",
    column("load_15m", "l", "15m load avg", () => loadavg()[2].toFixed(2)),
  ),
  extra("uptime", "u", "node uptime", ({ node }) => ({ millis: node.now() - node.startedAt })),
  column("node.role", "r,role,nodeRole", "m:master eligible node, d:data node, i:ingest node", () => "dim"),
  column("master", "m", "*:current master", () => "*"),
  column("name", "n", "node name", ({ node }) => node.name),
];

export function catNodes(request: ApiRequest): Reply {
  return answerTable(request, NODES, () => [request]);
}

interface AliasRow {
  readonly alias: string;
  readonly index: string;
  readonly entry: AliasEntry;
}

const ALIASES: readonly Column<AliasRow>[] = [
  column("alias", "a", "alias name", ({ alias }) => alias),
  column("index", "i,idx", "index alias points to", ({ index }) => index),
  column("filter", "f,fi", "filter", ({ entry }) => (entry.filter === undefined ? "-" : "*")),
  column("routing.index", "ri,routingIndex", "index routing", ({ entry }) => entry.index_routing ?? "-"),
  column("routing.search", "rs,routingSearch", "search routing", ({ entry }) => entry.search_routing ?? "-"),
  column("is_write_index", "w,isWriteIndex", "write index", ({ entry }) =>
    entry.is_write_index === undefined ? "-" : String(entry.is_write_index),
  ),
];

export function catAliases(request: ApiRequest): Reply {
  const { engine } = request.node;
  const patterns = (request.captured.name ?? "*").split(",").map((pattern) => wildcard(pattern));
  return answerTable(request, ALIASES, () =>
    indicesOf(engine, "_all", nameOptions(request.parameters, { ...STRICT, hidden: true })).flatMap((index) =>
      Object.entries(aliasesOfIndex(engine, index.name))
        .filter(([alias]) => patterns.some((matches) => matches(alias)))
        .map(([alias, entry]) => ({ alias, index: index.name, entry })),
    ),
  );
}

interface ShardRow extends Measured {
  readonly request: ApiRequest;
  readonly shard: number;
  readonly primary: boolean;
}

const SHARDS: readonly Column<ShardRow>[] = [
  column("index", "i,idx", "index name", ({ index }) => index.name),
  aligned(
    "left",
    column("shard", "s,sh", "shard name", ({ shard }) => shard),
  ),
  column("prirep", "p,pr,primaryOrReplica", "primary or replica", ({ primary }) => (primary ? "p" : "r")),
  column("state", "st", "shard state", ({ primary }) => (primary ? "STARTED" : "UNASSIGNED")),
  // One physical shard holds all documents: the first virtual one shows them.
  column("docs", "d,dc", "number of docs in shard", ({ primary, shard, stats }) =>
    primary ? (shard === 0 ? stats.docs.count : 0) : null,
  ),
  column("store", "sto", "store size of shard", ({ primary, shard, stats }) =>
    primary ? { bytes: shard === 0 ? stats.storeBytes : 0 } : null,
  ),
  extra("dataset", "", "size of dataset", ({ primary, shard, stats }) =>
    primary ? { bytes: shard === 0 ? stats.storeBytes : 0 } : null,
  ),
  column("ip", "", "ip of node where it lives", ({ primary, request }) =>
    primary ? request.node.address().replace(/:\d+$/, "") : null,
  ),
  column("node", "n", "name of node where it lives", ({ primary, request }) => (primary ? request.node.name : null)),
];

export function catShards(request: ApiRequest): Reply {
  return answerTable(request, SHARDS, () =>
    measured(request).flatMap((row) => {
      const { primaries, unassigned } = shardCounts(row.index);
      return Array.from({ length: primaries + unassigned }, (_, at) => ({
        ...row,
        request,
        shard: at % primaries,
        primary: at < primaries,
      }));
    }),
  );
}

const TABLES = ["aliases", "count", "health", "indices", "nodes", "shards"];

/** `GET /_cat`: which tables there are. */
export function catHelp(): Reply {
  return text(`=^.^=\n${TABLES.map((table) => `/_cat/${table}\n`).join("")}`);
}
