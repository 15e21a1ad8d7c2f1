/**
 * `_recovery` and `_cat/recovery`: how the shards of each index came to be open. Files are never copied from another node, so
 * that all of them are reused, but for those of a restored or copied index, which were there when it was opened too.
 */
import type { Index, Opening } from "../../engine/index.js";
import { answerTable, type Cell, type Column, column, extra } from "../cat/table.js";
import { hostOf } from "../cluster/node-names.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { indicesOf, nameOptions, STRICT } from "../indices/names.js";
import { shardsOf } from "../indices/settings.js";

const TYPES: Readonly<Record<Opening["source"], string>> = {
  empty: "EMPTY_STORE",
  existing: "EXISTING_STORE",
  snapshot: "SNAPSHOT",
  copy: "LOCAL_SHARDS",
};

interface Recovery {
  readonly index: Index;
  readonly shard: number;
  /** Of the whole index at its first shard, of nothing at the others: one physical shard holds all documents. */
  readonly opening: Opening;
}

/** What is open; a damaged index has not recovered. */
function recoveries(request: ApiRequest): Recovery[] {
  const { node, captured, parameters } = request;
  // No recovery goes on while a request is answered.
  if (parameters.boolean("active_only", false)) return [];
  const options = nameOptions(parameters, { ...STRICT, closed: true });
  const indices = unblocked(
    indicesOf(node.engine, captured.index ?? parameters.text("index") ?? "_all", options),
    "metadata_read",
  );
  return indices
    .filter(({ damage }) => damage === undefined)
    .flatMap((index) => {
      const { opening } = index.stats();
      return Array.from({ length: shardsOf(index.definition.settings) }, (_, shard) => ({
        index,
        shard,
        opening: shard === 0 ? opening : { ...opening, files: 0, bytes: 0, replayed: 0 },
      }));
    });
}

/** `GET /_recovery` */
export function indicesRecovery(request: ApiRequest): Reply {
  const answer: Record<string, { shards: unknown[] }> = {};
  for (const recovery of recoveries(request)) {
    const { name } = recovery.index;
    if (!Object.hasOwn(answer, name)) answer[name] = { shards: [] };
    answer[name].shards.push(describe(request, recovery));
  }
  return json(answer);
}

function describe(request: ApiRequest, { shard, opening }: Recovery): Record<string, unknown> {
  const { node } = request;
  const stoppedAt = opening.startedAt + Math.round(opening.milliseconds);
  return {
    id: shard,
    type: TYPES[opening.source],
    stage: "DONE",
    primary: true,
    start_time_in_millis: opening.startedAt,
    stop_time_in_millis: stoppedAt,
    ...readableTimes(request, opening.startedAt, stoppedAt),
    total_time_in_millis: Math.round(opening.milliseconds),
    source: opening.source === "existing" ? { bootstrap_new_history_uuid: false } : {},
    target: {
      id: node.id,
      host: hostOf(node),
      transport_address: node.address(),
      ip: hostOf(node),
      name: node.name,
    },
    index: filesOf(request, opening),
    translog: {
      recovered: opening.replayed,
      total: opening.replayed,
      percent: "100.0%",
      total_on_start: opening.replayed,
      total_time_in_millis: 0,
    },
    verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
  };
}

/** After the numbers they belong to: `human` would make durations of those. */
function readableTimes({ parameters }: ApiRequest, startedAt: number, stoppedAt: number): Record<string, string> {
  if (!parameters.boolean("human", false)) return {};
  return { start_time: new Date(startedAt).toISOString(), stop_time: new Date(stoppedAt).toISOString() };
}

function filesOf({ parameters }: ApiRequest, { files, bytes }: Opening): Record<string, unknown> {
  const percent = reusedPercent(files);
  // Which files there are is not kept: none of them had to be brought here.
  const details = parameters.boolean("detailed", false) ? { details: [] } : {};
  return {
    size: { total_in_bytes: bytes, reused_in_bytes: bytes, recovered_in_bytes: 0, percent },
    files: { total: files, reused: files, recovered: 0, percent, ...details },
    total_time_in_millis: 0,
    source_throttle_time_in_millis: 0,
    target_throttle_time_in_millis: 0,
  };
}

/** Of no files, none has come; of files that were there all are done. */
function reusedPercent(files: number): string {
  return files === 0 ? "0.0%" : "100.0%";
}

interface RecoveryRow extends Recovery {
  readonly request: ApiRequest;
}

/** OpenSearch prints plain bytes here. */
function size({ identity }: ApiRequest, bytes: number): Cell {
  return identity.distribution === undefined ? { bytes } : bytes;
}

const COLUMNS: readonly Column<RecoveryRow>[] = [
  column("index", "i,idx", "index name", ({ index }) => index.name),
  column("shard", "s,sh", "shard name", ({ shard }) => shard),
  extra("start_time", "start", "recovery start time", ({ opening }) => new Date(opening.startedAt).toISOString()),
  extra(
    "start_time_millis",
    "start_millis",
    "recovery start time in epoch milliseconds",
    ({ opening }) => opening.startedAt,
  ),
  extra("stop_time", "stop", "recovery stop time", ({ opening }) => new Date(stopOf(opening)).toISOString()),
  extra("stop_time_millis", "stop_millis", "recovery stop time in epoch milliseconds", ({ opening }) =>
    stopOf(opening),
  ),
  column("time", "t,ti", "recovery time", ({ opening }) => ({ millis: Math.round(opening.milliseconds) })),
  column("type", "ty", "recovery type", ({ opening }) => TYPES[opening.source].toLowerCase()),
  column("stage", "st", "recovery stage", () => "done"),
  column("source_host", "shost", "source host", () => "n/a"),
  column("source_node", "snode", "source node name", () => "n/a"),
  column("target_host", "thost", "target host", ({ request }) => hostOf(request.node)),
  column("target_node", "tnode", "target node name", ({ request }) => request.node.name),
  column("repository", "rep", "repository", () => "n/a"),
  column("snapshot", "snap", "snapshot", () => "n/a"),
  column("files", "f", "number of files to recover", () => 0),
  column("files_recovered", "fr", "files recovered", () => 0),
  column("files_percent", "fp", "percent of files recovered", ({ opening }) => reusedPercent(opening.files)),
  column("files_total", "tf", "total number of files", ({ opening }) => opening.files),
  column("bytes", "b", "number of bytes to recover", ({ request }) => size(request, 0)),
  column("bytes_recovered", "br", "bytes recovered", ({ request }) => size(request, 0)),
  column("bytes_percent", "bp", "percent of bytes recovered", ({ opening }) => reusedPercent(opening.files)),
  column("bytes_total", "tb", "total number of bytes", ({ request, opening }) => size(request, opening.bytes)),
  column("translog_ops", "to", "number of translog ops to recover", ({ opening }) => opening.replayed),
  column("translog_ops_recovered", "tor", "translog ops recovered", ({ opening }) => opening.replayed),
  column("translog_ops_percent", "top", "percent of translog ops recovered", () => "100.0%"),
];

function stopOf({ startedAt, milliseconds }: Opening): number {
  return startedAt + Math.round(milliseconds);
}

/** `GET /_cat/recovery` */
export function catRecovery(request: ApiRequest): Reply {
  return answerTable(request, COLUMNS, () => recoveries(request).map((recovery) => ({ ...recovery, request })));
}
