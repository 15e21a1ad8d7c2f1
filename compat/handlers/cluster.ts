/** The node as a cluster of one: identity, health, settings. Its state is in cluster-state.ts. */
import type { Index } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { breakerDefaults } from "../cluster/breaker-settings.js";
import { changeClusterSettings, clusterSettings, readClusterChange } from "../cluster/settings.js";
import { activePercent, healthOf, shardCounts, sumShards, worst } from "../cluster/state.js";
import { illegalArgument } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { Identity } from "../identities.js";
import { nest } from "../indices/definition.js";
import { EVERY, indicesOf, nameOptions } from "../indices/names.js";
import { replicasOf, shardsOf } from "../indices/settings.js";
import { double } from "../json/print.js";

/** Stands for a commit: Pinakes is built from source that has no Elasticsearch commit. */
export const BUILD_HASH = "pinakes0000000000000000000000000000000000";
export const BUILD_DATE = "2025-01-01T00:00:00.000000000Z";

/** `GET /` */
export function info(request: ApiRequest): Reply {
  const { node, identity } = request;
  return json({
    name: node.name,
    cluster_name: node.clusterName,
    cluster_uuid: node.clusterUuid,
    version: versionOf(identity),
    tagline: identity.tagline,
  });
}

function versionOf(identity: Identity): Record<string, unknown> {
  return {
    ...(identity.distribution === undefined ? {} : { distribution: identity.distribution }),
    number: identity.version,
    ...(identity.distribution === undefined ? { build_flavor: "default" } : {}),
    build_type: "tar",
    build_hash: BUILD_HASH,
    build_date: BUILD_DATE,
    build_snapshot: false,
    lucene_version: identity.luceneVersion,
    minimum_wire_compatibility_version: identity.minimumWireVersion,
    minimum_index_compatibility_version: identity.minimumIndexVersion,
  };
}

const RANKS = { green: 2, yellow: 1, red: 0 } as const;

/** `_cluster/health`. What is waited for either is so now or will never be: the answer comes at once. */
export function health(request: ApiRequest): Reply {
  const { node, parameters, captured } = request;
  const options = nameOptions(parameters, EVERY);
  const indices = indicesOf(node.engine, captured.index ?? "_all", options);
  const status = worst(indices);
  const wanted = parameters.text("wait_for_status") as keyof typeof RANKS | undefined;
  const timedOut =
    (wanted !== undefined && RANKS[status] < RANKS[wanted]) ||
    !nodesMatch(parameters.text("wait_for_nodes")) ||
    !shardsSuffice(parameters.text("wait_for_active_shards"), indices);
  const level = parameters.text("level") ?? "cluster";
  const body = {
    cluster_name: node.clusterName,
    status,
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    ...(request.identity.distribution === undefined
      ? {}
      : { discovered_master: true, discovered_cluster_manager: true }),
    ...counts(indices),
    ...(request.identity.distribution === undefined
      ? { unassigned_primary_shards: sumShards(indices).unassignedPrimaries }
      : {}),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: double(activePercent(sumShards(indices))),
    ...(level === "cluster"
      ? {}
      : { indices: Object.fromEntries(indices.map((index) => [index.name, indexHealth(request, index, level)])) }),
  };
  return json(body, timedOut ? 408 : 200);
}

function counts(indices: readonly Index[]) {
  const { primaries, unassigned } = sumShards(indices);
  return {
    active_primary_shards: primaries,
    active_shards: primaries,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: unassigned,
  };
}

function indexHealth({ identity }: ApiRequest, index: Index, level: string): Record<string, unknown> {
  const { settings } = index.definition;
  const wanted = shardsOf(settings);
  const { primaries, unassigned, unassignedPrimaries } = shardCounts(index);
  const ofPrimaries = (count: number) =>
    identity.distribution === undefined ? { unassigned_primary_shards: count } : {};
  const shard = {
    status: healthOf(index),
    primary_active: primaries > 0,
    active_shards: primaries / wanted,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: unassigned / wanted,
    ...ofPrimaries(unassignedPrimaries / wanted),
  };
  const shards = Object.fromEntries(Array.from({ length: wanted }, (_, at) => [at, shard]));
  return {
    status: healthOf(index),
    number_of_shards: wanted,
    number_of_replicas: replicasOf(settings),
    ...counts([index]),
    ...ofPrimaries(unassignedPrimaries),
    ...(level === "shards" ? { shards } : {}),
  };
}

/** `all`, or so many active shards. */
function shardsSuffice(wanted: string | undefined, indices: readonly Index[]): boolean {
  if (wanted === undefined) return true;
  const { primaries, unassigned } = sumShards(indices);
  if (wanted === "all") return unassigned === 0;
  if (!/^\d+$/.test(wanted)) throw illegalArgument(`cannot parse ActiveShardCount[${wanted}]`);
  return primaries >= Number(wanted);
}

/** `>=2`, `<3`, `ge(1)`, `1` against the one node there is. */
function nodesMatch(wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const match = /^(>=|<=|>|<|ge\(|le\(|gt\(|lt\(|)(\d+)\)?$/.exec(wanted.trim());
  if (match === null) throw illegalArgument(`failed to parse [wait_for_nodes] with value [${wanted}]`);
  const [, operator, text] = match;
  const number = Number(text);
  const tests: Readonly<Record<string, boolean>> = {
    ">=": number <= 1,
    "ge(": number <= 1,
    "<=": number >= 1,
    "le(": number >= 1,
    ">": number < 1,
    "gt(": number < 1,
    "<": number > 1,
    "lt(": number > 1,
    "": number === 1,
  };
  return tests[operator];
}

/** `GET /_cluster/settings` */
export function getClusterSettings(request: ApiRequest): Reply {
  const shown = (flat: Record<string, string>) =>
    request.parameters.boolean("flat_settings", false) ? flat : nest(flat);
  const { engine } = request.node;
  const answer: Record<string, unknown> = {
    persistent: shown(clusterSettings(engine, "persistent")),
    transient: shown(clusterSettings(engine, "transient")),
  };
  if (request.parameters.boolean("include_defaults", false)) {
    answer.defaults = shown({
      "action.auto_create_index": "true",
      "action.destructive_requires_name": "true",
      "search.max_buckets": "65536",
      "http.max_content_length": `${request.node.maxContentBytes}b`,
      "indexing_pressure.memory.limit": `${engine.resources.budget.indexingPressure}b`,
      ...breakerDefaults(),
      ...Object.fromEntries(
        Object.entries(request.node.attributes).map(([name, value]) => [`node.attr.${name}`, value]),
      ),
    });
  }
  return json(answer);
}

export const CLUSTER_SETTINGS_SHAPE = shape("cluster_settings", "object", {
  persistent: "object",
  transient: "object",
});

/** `PUT /_cluster/settings` */
export async function putClusterSettings(
  request: ApiRequest,
  body: BodyOf<typeof CLUSTER_SETTINGS_SHAPE>,
): Promise<Reply> {
  if (body.persistent === undefined && body.transient === undefined) throw illegalArgument("no settings to update");
  const changes = { persistent: readClusterChange(body.persistent), transient: readClusterChange(body.transient) };
  await changeClusterSettings(request.node.engine, changes);
  const flat = request.parameters.boolean("flat_settings", false);
  const shown = (change: Record<string, string | null>) => {
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null));
    return flat ? set : nest(set);
  };
  return json({ acknowledged: true, persistent: shown(changes.persistent), transient: shown(changes.transient) });
}

/** `GET /_pinakes/compat`: the table of endpoints, as it is. */
export function compatibility(request: ApiRequest): Reply {
  return json({ identity: request.identity.name, endpoints: request.node.endpoints });
}

/** `GET /_pinakes/slow_requests`: the slowest lately, and what they waited for; `reset=true` begins anew. */
export function slowRequests({ node, parameters }: ApiRequest): Reply {
  return json({ requests: node.slowRequests.list(parameters.boolean("reset", false)) });
}
