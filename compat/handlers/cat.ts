/** `_cat`: tables for people. */
import path from "node:path";
import type { Index, IndexStats } from "../../engine/index.js";
import { blankWhereUnusable, unassignedWhereDamaged } from "../cat/damaged.js";
import { aligned, answerTable, type Column, column, extra } from "../cat/table.js";
import { hostOf } from "../cluster/node-names.js";
import { activePercent, healthOf, sumShards, worst } from "../cluster/state.js";
import { type Reply, text } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { Identity } from "../identities.js";
import { aliasMembers } from "../indices/alias-members.js";
import { type AliasEntry, aliasesOfIndex } from "../indices/aliases.js";
import { unblocked } from "../indices/blocks.js";
import {
  DOCUMENTS,
  EVERY,
  indicesOf,
  type NameOptions,
  nameOptions,
  STRICT,
  searchTargets,
  wildcard,
} from "../indices/names.js";
import { replicasOf, shardsOf } from "../indices/settings.js";
import { onReachable } from "../search/missing-shards.js";
import { pairedColumns, statColumns } from "../stats/columns.js";
import { type Totals, totalsOf } from "../stats/totals.js";

interface Measured {
  readonly index: Index;
  readonly stats: IndexStats;
  readonly totals: Totals;
}

function measured(request: ApiRequest, otherwise: NameOptions = STRICT): Measured[] {
  const options = nameOptions(request.parameters, otherwise);
  const indices = unblocked(indicesOf(request.node.engine, request.captured.index ?? "_all", options), "metadata_read");
  return indices.map((index) => ({
    index,
    stats: index.stats(),
    totals: totalsOf(request.node, [index]),
  }));
}

const datasetSize: Column<Measured> = extra("dataset.size", "", "total size of dataset", ({ stats }) => ({
  bytes: stats.storeBytes,
}));

const indicesColumns = (identity: Identity): readonly Column<Measured>[] => [
  column("health", "h", "current health status", ({ index }) => healthOf(index)),
  column("status", "s", "open/close status", statusOf),
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
  // OpenSearch has no such column.
  ...(identity.distribution === undefined ? [datasetSize] : []),
  ...pairedColumns<Measured>("indices", identity, ({ totals }) => totals),
  extra("memory.total", "tm,memoryTotal", "total used memory", ({ totals }) => ({ bytes: memoryOf(totals) })),
  extra("pri.memory.total", "", "total user memory", ({ totals }) => ({ bytes: memoryOf(totals) })),
  extra("search.throttled", "sth", "indicates if the index is search throttled", () => "false"),
];

function statusOf({ index }: Measured): string {
  return index.definition.closed === true ? "close" : "open";
}

function memoryOf({ segmentBytes, memtableBytes, queryCache, fielddata }: Totals): number {
  return segmentBytes + memtableBytes + queryCache.bytes + fielddata.bytes;
}

export function catIndices(request: ApiRequest): Reply {
  return answerTable(request, blankWhereUnusable(indicesColumns(request.identity)), () => {
    const wanted = request.parameters.text("health");
    const rows = measured(request, { ...STRICT, closed: true });
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
  column("discovered_cluster_manager", "dcm,dm", "discovered cluster manager node", () => "true"),
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
  const unshown = new Set([
    ...(request.parameters.boolean("ts", true) ? [] : ["epoch", "timestamp"]),
    // Elasticsearch has no such column.
    ...(request.identity.distribution === undefined ? ["discovered_cluster_manager"] : []),
  ]);
  const columns = HEALTH.filter(({ name }) => !unshown.has(name));
  return answerTable(request, columns, () => {
    const indices = indicesOf(request.node.engine, "_all", EVERY);
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
  const options = nameOptions(request.parameters, DOCUMENTS);
  const targets = searchTargets(engine, request.captured.index ?? "_all", options);
  const all = { kind: "match_all", boost: 1 } as const;
  const { result: count } = await onReachable(engine, targets, "partial", (sound) => engine.count(sound, all));
  return answerTable(request, COUNT, () => [{ now: new Date(now()), count }]);
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
  const options = nameOptions(request.parameters, EVERY);
  return answerTable(request, ALIASES, () =>
    aliasMembers(engine, "_all", options).flatMap((member) =>
      Object.entries(aliasesOfIndex(engine, member))
        .filter(([alias]) => patterns.some((matches) => matches(alias)))
        .map(([alias, entry]) => ({ alias, index: member, entry })),
    ),
  );
}

interface ShardRow extends Measured {
  readonly request: ApiRequest;
  readonly shard: number;
  readonly primary: boolean;
}

/** The columns of statistics: those before the sequence numbers, and warmers, which stand after them. */
function shardStatistics(identity: Identity, which: "before" | "after"): Column<ShardRow>[] {
  const columns = statColumns<ShardRow>("shards", identity, ({ primary, shard, totals, request }) =>
    primary ? (shard === 0 ? totals : totalsOf(request.node, [])) : null,
  );
  return columns.filter(({ name }) => name.startsWith("warmer.") === (which === "after"));
}

const datasetColumn: Column<ShardRow> = extra("dataset", "", "size of dataset", ({ primary, shard, stats }) =>
  primary ? { bytes: shard === 0 ? stats.storeBytes : 0 } : null,
);

const shardsColumns = (identity: Identity): readonly Column<ShardRow>[] => [
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
  // OpenSearch has no such column.
  ...(identity.distribution === undefined ? [datasetColumn] : []),
  column("ip", "", "ip of node where it lives", ({ primary, request }) =>
    primary ? request.node.address().replace(/:\d+$/, "") : null,
  ),
  extra("id", "", "unique id of node where it lives", ({ primary, request }) => (primary ? request.node.id : null)),
  column("node", "n", "name of node where it lives", ({ primary, request }) => (primary ? request.node.name : null)),
  extra("sync_id", "sync_id", "sync id", () => null),
  extra("unassigned.reason", "ur", "reason shard is unassigned", ({ primary }) => (primary ? null : "INDEX_CREATED")),
  extra("unassigned.at", "ua", "time shard became unassigned (UTC)", ({ primary, index }) =>
    primary ? null : new Date(index.definition.createdAt).toISOString(),
  ),
  extra("unassigned.for", "uf", "time has been unassigned", ({ primary, index, request }) =>
    primary ? null : { millis: request.node.now() - index.definition.createdAt },
  ),
  extra("unassigned.details", "ud", "additional details as to why the shard became unassigned", () => null),
  extra("recoverysource.type", "rs", "recovery source type", ({ primary }) => (primary ? null : "PEER")),
  ...shardStatistics(identity, "before"),
  extra("seq_no.max", "sqm,maxSeqNo", "max sequence number", seqNoOf),
  extra("seq_no.local_checkpoint", "sql,localCheckpoint", "local checkpoint", seqNoOf),
  extra("seq_no.global_checkpoint", "sqg,globalCheckpoint", "global checkpoint", seqNoOf),
  ...shardStatistics(identity, "after"),
  extra("path.data", "pd,dataPath", "shard data path", pathOf),
  extra("path.state", "ps,statsPath", "shard state path", pathOf),
  extra("docs.deleted", "dd,docsDeleted", "number of deleted docs in shard", ({ primary, shard, stats }) =>
    primary ? (shard === 0 ? stats.docs.deleted : 0) : null,
  ),
];

function seqNoOf({ primary, shard, stats }: ShardRow): number | null {
  return primary ? (shard === 0 ? stats.maxSeqNo : -1) : null;
}

function pathOf({ primary, request, index }: ShardRow): string | null {
  return primary ? path.join(request.node.engine.dataFolder, "indices", index.definition.uuid) : null;
}

export function catShards(request: ApiRequest): Reply {
  return answerTable(request, unassignedWhereDamaged(shardsColumns(request.identity)), () =>
    measured(request).flatMap((row) => {
      const { settings } = row.index.definition;
      const wanted = shardsOf(settings);
      return Array.from({ length: wanted * (1 + replicasOf(settings)) }, (_, at) => ({
        ...row,
        request,
        shard: at % wanted,
        primary: at < wanted,
      }));
    }),
  );
}

interface FielddataRow {
  readonly request: ApiRequest;
  readonly field: string;
  readonly bytes: number;
}

const FIELDDATA: readonly Column<FielddataRow>[] = [
  column("id", "", "node id", ({ request }) => request.node.id),
  column("host", "h", "host name", ({ request }) => hostOf(request.node)),
  column("ip", "", "ip address", ({ request }) => hostOf(request.node)),
  column("node", "n", "node name", ({ request }) => request.node.name),
  column("field", "f", "field name", ({ field }) => field),
  column("size", "", "field data usage", ({ bytes }) => ({ bytes })),
];

/** `GET /_cat/fielddata`: what is kept with readers, by the field it was made of. */
export function catFielddata(request: ApiRequest): Reply {
  const { engine } = request.node;
  const patterns = (request.captured.fields?.split(",") ?? request.parameters.list("fields") ?? ["*"]).map(wildcard);
  return answerTable(request, FIELDDATA, () => {
    const { byField } = totalsOf(request.node, indicesOf(engine, "_all", EVERY)).fielddata;
    const chosen = Object.entries(byField).filter(([field]) => patterns.some((matches) => matches(field)));
    return chosen.map(([field, bytes]) => ({ request, field, bytes }));
  });
}

const TABLES = [
  "aliases",
  "allocation",
  "count",
  "fielddata",
  "health",
  "indices",
  "master",
  "nodeattrs",
  "nodes",
  "pending_tasks",
  "plugins",
  "recovery",
  "repositories",
  "segments",
  "shards",
  "snapshots",
  "tasks",
  "thread_pool",
];

/** `GET /_cat`: which tables there are. */
export function catHelp(): Reply {
  return text(`=^.^=\n${TABLES.map((table) => `/_cat/${table}\n`).join("")}`);
}
