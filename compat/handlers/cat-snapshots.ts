/** `_cat/repositories` and `_cat/snapshots`. */
import type { RepositoryInfo, SnapshotDetails } from "../../engine/index.js";
import { aligned, answerTable, type Column, column, extra } from "../cat/table.js";
import { validationFailed } from "../errors.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { findRepositories } from "../snapshot/names.js";
import { failureText, shardsOfSnapshot, stateName } from "../snapshot/render.js";
import { readDetails } from "./snapshots.js";

const REPOSITORIES: readonly Column<RepositoryInfo>[] = [
  column("id", "id,repoId", "unique repository id", ({ name }) => name),
  aligned(
    "right",
    column("type", "t,type", "repository type", ({ shown }) => (shown as { type: string }).type),
  ),
];

export function catRepositories(request: ApiRequest): Reply {
  return answerTable(request, REPOSITORIES, () => request.node.engine.snapshots.repositories());
}

interface SnapshotRow {
  readonly snapshot: SnapshotDetails;
  readonly now: number;
}

const clock = (millis: number) => new Date(millis).toISOString().slice(11, 19);
const seconds = (millis: number) => String(Math.floor(millis / 1_000));

const SNAPSHOTS: readonly Column<SnapshotRow>[] = [
  column("id", "id,snapshot", "unique snapshot", ({ snapshot }) => snapshot.name),
  column("repository", "re,repo", "repository name", ({ snapshot }) => snapshot.repository),
  aligned(
    "right",
    column("status", "s,status", "snapshot name", ({ snapshot }) => stateName(snapshot.state)),
  ),
  column("start_epoch", "ste,startEpoch", "start time in seconds since 1970-01-01 00:00:00", ({ snapshot }) =>
    seconds(snapshot.startedAt),
  ),
  column("start_time", "sti,startTime", "start time in HH:MM:SS", ({ snapshot }) => clock(snapshot.startedAt)),
  column("end_epoch", "ete,endEpoch", "end time in seconds since 1970-01-01 00:00:00", ({ snapshot }) =>
    seconds(snapshot.endedAt),
  ),
  column("end_time", "eti,endTime", "end time in HH:MM:SS", ({ snapshot }) => clock(snapshot.endedAt)),
  column("duration", "dur,duration", "duration", ({ snapshot, now }) => ({
    millis: (snapshot.endedAt || now) - snapshot.startedAt,
  })),
  column("indices", "i,indices", "number of indices", ({ snapshot }) => snapshot.indices.length),
  column(
    "successful_shards",
    "ss,successful_shards",
    "number of successful shards",
    ({ snapshot }) => shardsOfSnapshot(snapshot).successful,
  ),
  column(
    "failed_shards",
    "fs,failed_shards",
    "number of failed shards",
    ({ snapshot }) => shardsOfSnapshot(snapshot).failed,
  ),
  column(
    "total_shards",
    "ts,total_shards",
    "number of total shards",
    ({ snapshot }) => shardsOfSnapshot(snapshot).total,
  ),
  extra("reason", "r,reason", "reason for failures", ({ snapshot }) => failureText(snapshot)),
];

/** OpenSearch wants a repository, one, and has no column for it. */
export async function catSnapshots(request: ApiRequest): Promise<Reply> {
  const { node, captured, identity, parameters } = request;
  const opensearch = identity.distribution === "opensearch";
  const columns = opensearch ? SNAPSHOTS.filter(({ name }) => name !== "repository") : SNAPSHOTS;
  if (parameters.boolean("help", false)) return answerTable(request, columns, () => []);
  if (opensearch && captured.repository === undefined) throw validationFailed("repository is missing");
  const rows: SnapshotRow[] = [];
  for (const { name } of findRepositories(node.engine, captured.repository)) {
    const listed = await node.engine.snapshots.list(name);
    for (const snapshot of await readDetails(request, listed)) rows.push({ snapshot, now: node.now() });
  }
  return answerTable(request, columns, () => rows);
}
