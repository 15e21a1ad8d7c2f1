/** Snapshots as `_snapshot` shows them. An index is one piece here; its shards are counted as its settings ask for them. */
import type {
  SnapshotAmount,
  SnapshotDetails,
  SnapshotIndex,
  SnapshotState,
  SnapshotSummary,
} from "../../engine/index.js";
import type { Identity } from "../identities.js";
import { shardsOf } from "../indices/settings.js";
import { streamsIn } from "./data-streams.js";

const STATES: Readonly<Record<SnapshotState, string>> = {
  in_progress: "IN_PROGRESS",
  success: "SUCCESS",
  partial: "PARTIAL",
  failed: "FAILED",
};

export function stateName(state: SnapshotState): string {
  return STATES[state];
}

export interface SnapshotShards {
  readonly total: number;
  readonly failed: number;
  readonly successful: number;
}

/** Shards of a snapshot; all of an index whose data is not in it have failed. */
export function shardsOfSnapshot({ contents, state }: SnapshotDetails): SnapshotShards {
  // While it is made nothing is said of them, as in Elasticsearch.
  if (state === "in_progress") return { total: 0, failed: 0, successful: 0 };
  return sumShards(contents);
}

/** Shards of some indices of a snapshot. */
export function sumShards(indices: readonly SnapshotIndex[]): SnapshotShards {
  const count = (some: readonly SnapshotIndex[]) =>
    some.reduce((sum, { definition }) => sum + shardsOf(definition.settings), 0);
  const total = count(indices);
  const failed = count(indices.filter(({ failure }) => failure !== null));
  return { total, failed, successful: total - failed };
}

/** What `GET _snapshot` may leave out or add. */
export interface InfoOptions {
  readonly identity: Identity;
  readonly nodeId: string;
  readonly repository: boolean;
  readonly indexNames: boolean;
  readonly indexDetails: boolean;
}

/** A snapshot without what costs a look into it. */
export function briefInfo(snapshot: SnapshotSummary, options: InfoOptions): Record<string, unknown> {
  return {
    ...head(snapshot, options),
    ...(options.indexNames ? { indices: snapshot.indices } : {}),
    data_streams: [],
    state: STATES[snapshot.state],
  };
}

/** A snapshot, whole. */
export function snapshotInfo(snapshot: SnapshotDetails, options: InfoOptions): Record<string, unknown> {
  const { identity } = options;
  const opensearch = identity.distribution === "opensearch";
  return {
    ...head(snapshot, options),
    version_id: versionId(identity),
    version: identity.version,
    ...(opensearch ? { remote_store_index_shallow_copy: false } : {}),
    ...(options.indexNames ? { indices: snapshot.indices } : {}),
    ...(options.indexDetails ? { index_details: indexDetails(snapshot) } : {}),
    data_streams: streamsIn(snapshot.contents),
    include_global_state: snapshot.globalState !== null,
    ...(snapshot.note === null ? {} : { metadata: snapshot.note }),
    state: STATES[snapshot.state],
    ...(snapshot.state === "failed" ? { reason: failureText(snapshot) } : {}),
    ...times(snapshot, opensearch),
    failures: failuresOf(snapshot, options.nodeId),
    shards: shardsOfSnapshot(snapshot),
    ...(opensearch ? {} : { feature_states: [] }),
  };
}

function head({ name, uuid, repository }: SnapshotSummary, options: InfoOptions): Record<string, unknown> {
  const named = options.repository && options.identity.distribution === undefined;
  return { snapshot: name, uuid, ...(named ? { repository } : {}) };
}

/** OpenSearch shows an end of 0 while there is none. */
function times({ startedAt, endedAt }: SnapshotSummary, opensearch: boolean): Record<string, unknown> {
  return {
    start_time: new Date(startedAt).toISOString(),
    start_time_in_millis: startedAt,
    ...(endedAt > 0 || opensearch
      ? {
          end_time: new Date(endedAt).toISOString(),
          end_time_in_millis: endedAt,
          duration_in_millis: endedAt > 0 ? endedAt - startedAt : 0,
        }
      : {}),
  };
}

function failuresOf({ contents }: SnapshotDetails, nodeId: string): unknown[] {
  return contents
    .filter(({ failure }) => failure !== null)
    .map(({ name, failure }) => ({
      index: name,
      index_uuid: name,
      shard_id: 0,
      reason: failure,
      node_id: nodeId,
      status: "INTERNAL_SERVER_ERROR",
    }));
}

/** Why a snapshot is not whole, in one line; empty when it is. */
export function failureText({ contents }: SnapshotDetails): string {
  const failed = contents.filter(({ failure }) => failure !== null);
  return failed.map(({ name, failure }) => `[${name}] ${failure}`).join("; ");
}

function indexDetails({ contents }: SnapshotDetails): Record<string, unknown> {
  return Object.fromEntries(
    contents.map(({ name, definition, total, segments }) => [
      name,
      { shard_count: shardsOf(definition.settings), size_in_bytes: total.bytes, max_segments_per_shard: segments },
    ]),
  );
}

/** Numbers of versions: 8.19.2 is 8190299; OpenSearch's have a bit of their own (1.0.0 must be greater than 7.10.2). */
const OPENSEARCH_BIT = 0x0800_0000;

function versionId({ version, distribution }: Identity): number {
  const [major, minor, patch] = version.split(".").map(Number);
  const id = major * 1_000_000 + minor * 10_000 + patch * 100 + 99;
  return distribution === "opensearch" ? id + OPENSEARCH_BIT : id;
}

type Stage = SnapshotIndex["stage"];

const STAGES: Readonly<Record<Stage, string>> = {
  waiting: "INIT",
  copying: "STARTED",
  done: "DONE",
  failed: "FAILURE",
};
const COUNTED: Readonly<Record<Stage, keyof ShardStats>> = {
  waiting: "initializing",
  copying: "started",
  done: "done",
  failed: "failed",
};

interface ShardStats {
  initializing: number;
  started: number;
  finalizing: number;
  done: number;
  failed: number;
  total: number;
}

/** A snapshot in `_status`: stages, files and bytes, of each shard. */
export function snapshotStatus(snapshot: SnapshotDetails): Record<string, unknown> {
  const { contents, startedAt, endedAt, state } = snapshot;
  const last = Math.max(startedAt, ...contents.map((index) => index.endedAt));
  return {
    snapshot: snapshot.name,
    repository: snapshot.repository,
    uuid: snapshot.uuid,
    state: state === "in_progress" ? "STARTED" : STATES[state],
    include_global_state: snapshot.globalState !== null,
    shards_stats: shardStats(contents),
    stats: {
      ...amounts(total(contents, "incremental"), total(contents, "total")),
      start_time_in_millis: startedAt,
      time_in_millis: (endedAt || last) - startedAt,
    },
    indices: Object.fromEntries(contents.map((index) => [index.name, indexStatus(index)])),
  };
}

function indexStatus(index: SnapshotIndex): Record<string, unknown> {
  const shards = Array.from({ length: shardsOf(index.definition.settings) }, (_, at) => [at, shardStatus(index, at)]);
  return { shards_stats: shardStats([index]), stats: statsOf(index), shards: Object.fromEntries(shards) };
}

/** The first shard has all files. */
function shardStatus(index: SnapshotIndex, at: number): Record<string, unknown> {
  const none = { files: 0, bytes: 0 };
  return {
    stage: STAGES[index.stage],
    stats: statsOf(at === 0 ? index : { ...index, total: none, incremental: none }),
    ...(index.failure === null ? {} : { reason: index.failure }),
  };
}

function statsOf({ incremental, total, startedAt, endedAt }: SnapshotIndex): Record<string, unknown> {
  const time = endedAt > 0 ? endedAt - startedAt : 0;
  return { ...amounts(incremental, total), start_time_in_millis: startedAt, time_in_millis: time };
}

function shardStats(contents: readonly SnapshotIndex[]): ShardStats {
  const stats = { initializing: 0, started: 0, finalizing: 0, done: 0, failed: 0, total: 0 };
  for (const { stage, definition } of contents) {
    const shards = shardsOf(definition.settings);
    stats[COUNTED[stage]] += shards;
    stats.total += shards;
  }
  return stats;
}

function total(contents: readonly SnapshotIndex[], what: "incremental" | "total"): SnapshotAmount {
  const sum = { files: 0, bytes: 0 };
  for (const index of contents) {
    sum.files += index[what].files;
    sum.bytes += index[what].bytes;
  }
  return sum;
}

function amounts(incremental: SnapshotAmount, total: SnapshotAmount): Record<string, unknown> {
  const shown = ({ files, bytes }: SnapshotAmount) => ({ file_count: files, size_in_bytes: bytes });
  return { incremental: shown(incremental), total: shown(total) };
}
