/** Snapshots: make, show, clone, bring back, remove. */
import type { CreateSnapshot, EngineFace, SnapshotDetails, SnapshotSummary } from "../../engine/index.js";
import { ApiError, validationFailed } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { indicesOf, STRICT } from "../indices/names.js";
import type { JsonObject } from "../json/value.js";
import { checkFeatures, checkKeys, readExpansion, readFlag, readNames, readObject } from "../snapshot/body.js";
import { chooseIndices } from "../snapshot/choose-indices.js";
import { attachmentOf } from "../snapshot/data-streams.js";
import { GLOBAL_STATE } from "../snapshot/global-state.js";
import {
  checkRepository,
  checkSnapshotName,
  findRepositories,
  findSnapshots,
  snapshotMissing,
} from "../snapshot/names.js";
import { pageOf, readPage, type Sortable } from "../snapshot/page.js";
import {
  briefInfo,
  type InfoOptions,
  shardsOfSnapshot,
  snapshotInfo,
  snapshotStatus,
  sumShards,
} from "../snapshot/render.js";
import { planRestore, readRestoreBody } from "../snapshot/restore-request.js";

const CREATE_KEYS = [
  "expand_wildcards",
  "feature_states",
  "ignore_unavailable",
  "include_global_state",
  "indices",
  "metadata",
  "partial",
];

/** `PUT /_snapshot/r/s`: its moment is when this is asked; the answer comes at once unless the end is waited for. */
export async function createSnapshot(request: ApiRequest, body: JsonObject): Promise<Reply> {
  const { node, captured, parameters } = request;
  const { repository, snapshot } = captured;
  checkRepository(node.engine, repository);
  checkSnapshotName(repository, snapshot);
  const running = await node.engine.snapshots.create(repository, readCreate(node.engine, snapshot, body));
  if (!parameters.boolean("wait_for_completion", false)) return json({ accepted: true });
  return json({ snapshot: snapshotInfo(await running.done, infoOptions(request)) });
}

function readCreate(engine: EngineFace, name: string, body: JsonObject): CreateSnapshot {
  checkKeys(body, CREATE_KEYS);
  checkFeatures(body.feature_states);
  const note = readObject(body.metadata, "malformed metadata, should be an object");
  const indices = indicesOf(engine, (readNames(body.indices, "indices") ?? []).join(","), {
    ...STRICT,
    ...readExpansion(body.expand_wildcards),
    ignoreUnavailable: readFlag(body.ignore_unavailable, "ignore_unavailable", false),
  });
  return {
    name,
    indices: indices.map(({ name }) => ({ name, attachment: attachmentOf(engine, name) })),
    globalState: readFlag(body.include_global_state, "include_global_state", true)
      ? GLOBAL_STATE.map(({ prefix }) => prefix)
      : null,
    partial: readFlag(body.partial, "partial", false),
    note: note ?? null,
  };
}

function infoOptions({ identity, node, parameters }: ApiRequest): InfoOptions {
  return {
    identity,
    nodeId: node.id,
    repository: parameters.boolean("include_repository", true),
    indexNames: parameters.boolean("index_names", true),
    indexDetails: parameters.boolean("index_details", false),
  };
}

/** `GET /_snapshot/r/a,b*` */
export async function getSnapshots(request: ApiRequest): Promise<Reply> {
  const { captured, parameters } = request;
  const options = readPage(parameters);
  const chosen = await chooseSnapshots(request, captured.snapshot);
  const verbose = parameters.boolean("verbose", true);
  const needsDetails = verbose || ["shard_count", "failed_shard_count"].includes(options.key);
  const found = needsDetails
    ? (await readDetails(request, chosen)).map((details) => sortable(details, details))
    : chosen.map((summary) => sortable(summary, undefined));
  const page = pageOf(found, options);
  const info = infoOptions(request);
  return json({
    snapshots: page.items.map(({ summary, details }) =>
      verbose && details !== undefined ? snapshotInfo(details, info) : briefInfo(summary, info),
    ),
    ...(page.next === undefined ? {} : { next: page.next }),
    ...(request.identity.distribution === "opensearch" ? {} : { total: page.total, remaining: page.remaining }),
  });
}

/** Snapshots, whole; those that can't be read are left out where `ignore_unavailable` says so. */
export async function readDetails(request: ApiRequest, chosen: readonly SnapshotSummary[]): Promise<SnapshotDetails[]> {
  const { node, parameters } = request;
  const found: SnapshotDetails[] = [];
  for (const { repository, name } of chosen) {
    try {
      found.push(await node.engine.snapshots.details(repository, name));
    } catch (error) {
      if (!parameters.boolean("ignore_unavailable", false)) throw error;
    }
  }
  return found;
}

interface Found extends Sortable {
  readonly summary: SnapshotSummary;
  readonly details: SnapshotDetails | undefined;
}

function sortable(summary: SnapshotSummary, details: SnapshotDetails | undefined): Found {
  const { name, repository, startedAt, endedAt, indices } = summary;
  const shards = () => (details === undefined ? { total: 0, failed: 0 } : shardsOfSnapshot(details));
  return { name, repository, startedAt, endedAt, indices: indices.length, shards, summary, details };
}

/** Snapshots of an expression in the repositories of another. OpenSearch knows one repository at a time, by its name. */
async function chooseSnapshots(request: ApiRequest, expression: string): Promise<SnapshotSummary[]> {
  const { node, captured, parameters } = request;
  // OpenSearch takes a pattern without matches for a missing name.
  const unmatched = request.identity.distribution === "opensearch" ? "missing" : "allowed";
  const options = { ignoreMissing: parameters.boolean("ignore_unavailable", false), unmatched } as const;
  const chosen: SnapshotSummary[] = [];
  for (const { name } of findRepositories(node.engine, exactFor(request, captured.repository))) {
    chosen.push(...findSnapshots(await node.engine.snapshots.list(name), name, expression, options));
  }
  return chosen;
}

function exactFor({ identity, node }: ApiRequest, repository: string): string {
  if (identity.distribution === "opensearch") checkRepository(node.engine, repository);
  return repository;
}

/** `GET /_snapshot/_status`, `/_snapshot/r/_status`: those being made; `/_snapshot/r/a,b/_status`: these. */
export async function snapshotsStatus(request: ApiRequest): Promise<Reply> {
  const { node, captured, parameters } = request;
  const { snapshots } = node.engine;
  const { repository, snapshot } = captured;
  const running = snapshots.running().filter((one) => repository === undefined || one.repository === repository);
  if (repository === undefined || snapshot === undefined || snapshot === "_all" || snapshot === "_current") {
    return json({ snapshots: running.map(snapshotStatus) });
  }
  const listed = await snapshots.list(repository);
  const names = snapshot.split(",").filter((name) => {
    if (listed.some((one) => one.name === name)) return true;
    if (parameters.boolean("ignore_unavailable", false)) return false;
    throw snapshotMissing(repository, name);
  });
  const details = await Promise.all([...new Set(names)].map((name) => snapshots.details(repository, name)));
  return json({ snapshots: details.map(snapshotStatus) });
}

/** `DELETE /_snapshot/r/a,b*` */
export async function deleteSnapshots(request: ApiRequest): Promise<Reply> {
  const { node, captured } = request;
  const { repository, snapshot } = captured;
  const all = await node.engine.snapshots.list(repository);
  const found = findSnapshots(all, repository, snapshot, { ignoreMissing: false, unmatched: "allowed" });
  if (found.length > 0)
    await node.engine.snapshots.remove(
      repository,
      found.map(({ name }) => name),
    );
  return ACKNOWLEDGED;
}

/** `PUT /_snapshot/r/s/_clone/t` */
export async function cloneSnapshot(request: ApiRequest, body: JsonObject): Promise<Reply> {
  const { node, captured } = request;
  const { repository, snapshot, target_snapshot: target } = captured;
  if (request.bytes.length === 0) throw new ApiError(400, "parse_exception", "request body is required");
  checkKeys(body, ["expand_wildcards", "ignore_unavailable", "indices"]);
  readExpansion(body.expand_wildcards);
  const asked = readNames(body.indices, "indices");
  if (asked === undefined || asked.length === 0) throw validationFailed("indices is missing");
  checkRepository(node.engine, repository);
  checkSnapshotName(repository, target);
  const { indices } = await node.engine.snapshots.details(repository, snapshot);
  const ignoreUnavailable = readFlag(body.ignore_unavailable, "ignore_unavailable", false);
  const chosen = chooseIndices(indices, asked, ignoreUnavailable);
  await node.engine.snapshots.clone(repository, { source: snapshot, target, indices: chosen });
  return ACKNOWLEDGED;
}

/** `POST /_snapshot/r/s/_restore`: indices are there when all of their bytes are. */
export async function restoreSnapshot(request: ApiRequest, body: JsonObject): Promise<Reply> {
  const { node, identity, captured, parameters } = request;
  const { repository, snapshot } = captured;
  const read = readRestoreBody(body);
  const details = await snapshotToRestore(node.engine, repository, snapshot);
  const plan = planRestore(node.engine, identity, details, read);
  const running = await node.engine.snapshots.restore(repository, snapshot, plan.request);
  if (!parameters.boolean("wait_for_completion", false)) return json({ accepted: true });
  await running.done;
  return json({
    snapshot: {
      snapshot,
      indices: plan.restored.map(({ target }) => target),
      shards: sumShards(plan.restored.map(({ index }) => index)),
    },
  });
}

async function snapshotToRestore(engine: EngineFace, repository: string, snapshot: string): Promise<SnapshotDetails> {
  const listed = await engine.snapshots.list(repository);
  if (listed.some(({ name, state }) => name === snapshot && state !== "in_progress")) {
    return engine.snapshots.details(repository, snapshot);
  }
  throw new ApiError(500, "snapshot_restore_exception", `[${repository}:${snapshot}] snapshot does not exist`);
}
