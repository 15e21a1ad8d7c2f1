/** `_delete_by_query` and `_update_by_query`: a search over held readers, written back in batches. */
import {
  EngineError,
  type Hit,
  type Index,
  type PinnedReaders,
  type Query,
  type SearchRequest,
  type SearchTarget,
  type WriteOperation,
} from "../../engine/index.js";
import { type BodyOf, oneOf, shape } from "../body/shape.js";
import { checkActiveShards } from "../bulk/active-shards.js";
import { refreshAfterWrite } from "../bulk/refresh.js";
import { type ApiError, itemError, toApiError, validationFailed, withIndex } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { onIndex } from "../indices/gone.js";
import { DOCUMENTS, nameOptions, searchTargets } from "../indices/names.js";
import { readShardChoice } from "../indices/shards.js";
import { double } from "../json/print.js";
import { readQuery } from "../query/index.js";
import { reachable } from "../search/missing-shards.js";
import { readSort } from "../search/sort.js";
import { searchFailure, searchPlace } from "../search-failure.js";

const REFUSED = ["script", "slice", "sort"];
const KEYS = { query: "object", max_docs: "integer", conflicts: "string" } as const;
export const DELETE_SHAPE = shape("delete_by_query", "object", KEYS, REFUSED);
export const UPDATE_SHAPE = shape("update_by_query", "object", KEYS, [...REFUSED, "script"]);

type ByQueryBody = BodyOf<typeof DELETE_SHAPE>;

const BATCH = 1_000;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 1_000;

interface Progress {
  total: number;
  done: number;
  batches: number;
  conflicts: number;
  /** How often a batch was refused for want of room and written later. */
  retries: number;
  readonly failures: unknown[];
  readonly written: Set<Index>;
}

/** Deletes what matches, as long as it is still what the search saw. */
export async function deleteByQuery(request: ApiRequest, body: ByQueryBody): Promise<Reply> {
  if (body.query === undefined) throw validationFailed("query is missing");
  return run(request, body, "deleted", (hit) => ({ kind: "delete", id: hit.id, ...stateOf(hit) }));
}

/** Writes each match again as it is: picks up a changed mapping. */
export async function updateByQuery(request: ApiRequest, body: ByQueryBody): Promise<Reply> {
  return run(request, body, "updated", (hit) => ({
    kind: "index",
    id: hit.id,
    source: hit.source ?? new Uint8Array(),
    ...stateOf(hit),
  }));
}

function stateOf(hit: Hit) {
  return {
    ifSeqNo: hit.seqNo,
    ifPrimaryTerm: hit.primaryTerm,
    ...(hit.routing === undefined ? {} : { routing: hit.routing }),
  };
}

async function run(
  request: ApiRequest,
  body: ByQueryBody,
  counted: "deleted" | "updated",
  operation: (hit: Hit) => WriteOperation,
): Promise<Reply> {
  const { node, parameters } = request;
  const started = performance.now();
  const refresh = parameters.boolean("refresh", false) ? "true" : "false";
  const conflicts = oneOf(
    body.conflicts ?? parameters.text("conflicts") ?? "abort",
    ["abort", "proceed"] as const,
    "[conflicts]",
  );
  const maxDocs = body.max_docs ?? parameters.integer("max_docs") ?? Number.POSITIVE_INFINITY;
  if (!(maxDocs > 0))
    throw validationFailed(`maxDocs should be greater than 0 if the request limits the number of documents`);
  readSort([]);
  const query: Query = body.query === undefined ? { kind: "match_all", boost: 1 } : readQuery(body.query);
  const targets = searchTargets(
    node.engine,
    request.captured.index,
    nameOptions(parameters, DOCUMENTS),
    readShardChoice(parameters, node),
  );
  for (const { index } of targets) {
    const one = node.engine.index(index);
    if (one === undefined) continue;
    unblocked([one], "write");
    checkActiveShards(parameters, one);
  }
  // What was written before the request must be seen by it, refreshed or not: Elasticsearch searches as it is, and so do we.
  const readers = node.engine.pin(reachable(node.engine, targets, "whole").sound);
  const progress: Progress = {
    total: 0,
    done: 0,
    batches: 0,
    conflicts: 0,
    retries: 0,
    failures: [],
    written: new Set(),
  };
  const verb = counted === "deleted" ? "delete" : "update";
  request.task.describe(() => `${verb}-by-query [${request.captured.index}]`);
  request.task.report(() => statusOf(progress, counted));
  const work = async () => {
    await writePages(request, { readers, query, maxDocs, targets, progress, conflicts, operation, counted });
    await refreshAfterWrite(node.engine, progress.written, refresh);
    const answered = answer(progress, counted, Math.round(performance.now() - started));
    return json(request.task.cancelled ? { ...answered, canceled: "by user request" } : answered, httpStatus(progress));
  };
  return parameters.boolean("wait_for_completion", true) ? work() : node.tasks.runOn(request, work);
}

interface Work {
  readonly readers: PinnedReaders;
  readonly targets: readonly SearchTarget[];
  readonly query: Query;
  readonly maxDocs: number;
  readonly progress: Progress;
  readonly conflicts: "abort" | "proceed";
  readonly operation: (hit: Hit) => WriteOperation;
  readonly counted: "deleted" | "updated";
}

/** Writes page after page back; being cancelled ends it, and what was written stays written. */
async function writePages(request: ApiRequest, work: Work): Promise<void> {
  const { readers, targets, query, maxDocs, progress, conflicts, operation, counted } = work;
  const { node } = request;
  try {
    await pages(request, { readers, query, maxDocs, needSource: counted === "updated" }, (hits) =>
      writeBatch(
        request,
        hits.map((hit) => ({ hit, operation: operation(hit) })),
        { progress, conflicts },
      ),
    );
  } catch (error) {
    if (request.task.cancelled && error instanceof EngineError && error.code === "cancelled") return;
    throw searchFailure(error, searchPlace(node.engine, targets, node.id));
  } finally {
    readers.release();
  }
}

interface Pages {
  readonly readers: PinnedReaders;
  readonly query: Query;
  readonly maxDocs: number;
  readonly needSource: boolean;
}

/** Hands page after page to `each` until nothing is left, the limit is reached, or `each` says stop. */
async function pages(
  request: ApiRequest,
  asked: Pages,
  each: (hits: readonly Hit[]) => Promise<"go on" | "stop">,
): Promise<void> {
  let left = asked.maxDocs;
  let searchAfter: SearchRequest["searchAfter"];
  while (left > 0) {
    const size = Math.min(BATCH, left);
    const result = await request.node.engine.search(asked.readers, {
      ...pageRequest(asked, size),
      searchAfter,
      signal: request.task.signal,
      memory: request.task.memory,
    });
    const last = result.hits.at(-1);
    if (last === undefined || (await each(result.hits)) === "stop" || result.hits.length < size) return;
    request.task.memory.close();
    left -= result.hits.length;
    searchAfter = last.sort;
  }
}

function pageRequest(asked: Pages, size: number): SearchRequest {
  return {
    query: asked.query,
    knn: [],
    from: 0,
    size,
    sort: [{ field: "_shard_doc", order: "asc", missing: "_last" }],
    trackTotal: 0,
    trackScores: false,
    terminateAfter: 0,
    aggs: {},
    source: asked.needSource,
    explain: false,
    highlight: [],
    docValueFields: [],
    profile: false,
  };
}

interface Planned {
  readonly hit: Hit;
  readonly operation: WriteOperation;
}

async function writeBatch(
  request: ApiRequest,
  planned: readonly Planned[],
  to: { progress: Progress; conflicts: "abort" | "proceed" },
): Promise<"go on" | "stop"> {
  const { progress, conflicts } = to;
  progress.batches++;
  progress.total += planned.length;
  const byIndex = new Map<string, Planned[]>();
  for (const one of planned) {
    const list = byIndex.get(one.hit.index);
    if (list === undefined) byIndex.set(one.hit.index, [one]);
    else list.push(one);
  }
  for (const [name, list] of byIndex) {
    const index = request.node.engine.index(name);
    if (index === undefined) continue;
    progress.written.add(index);
    const operations = list.map((one) => one.operation);
    const outcomes = await writePatiently(request, index, { operations, progress });
    for (const outcome of outcomes) {
      if (outcome.ok) progress.done++;
      else note(request, progress, { error: withIndex(outcome.error, index), index: name, id: outcome.id, conflicts });
    }
  }
  return progress.failures.length > 0 ? "stop" : "go on";
}

/** Others may be writing more than there is room for: like a client, this waits and tries again. */
async function writePatiently(
  request: ApiRequest,
  index: Index,
  { operations, progress }: { operations: WriteOperation[]; progress: Progress },
) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await onIndex(request.node.engine, index, (one) => one.write(operations));
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "overloaded" || request.task.cancelled) throw error;
      progress.retries++;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function note(
  request: ApiRequest,
  progress: Progress,
  failed: { error: ApiError; index: string; id: string; conflicts: "abort" | "proceed" },
): void {
  const { error, index, id, conflicts } = failed;
  const conflict = error.status === 409;
  if (conflict) progress.conflicts++;
  if (conflict && conflicts === "proceed") return;
  progress.failures.push({ index, id, cause: itemError(toApiError(error), request.identity), status: error.status });
}

function answer(progress: Progress, counted: "deleted" | "updated", took: number): Record<string, unknown> {
  return { took, timed_out: false, ...statusOf(progress, counted), failures: progress.failures };
}

/** How far it is. */
function statusOf(progress: Progress, counted: "deleted" | "updated"): Record<string, unknown> {
  return {
    total: progress.total,
    ...(counted === "updated" ? { updated: progress.done } : {}),
    deleted: counted === "deleted" ? progress.done : 0,
    batches: progress.batches,
    version_conflicts: progress.conflicts,
    noops: 0,
    retries: { bulk: progress.retries, search: 0 },
    throttled_millis: 0,
    requests_per_second: double(-1),
    throttled_until_millis: 0,
  };
}

function httpStatus(progress: Progress): number {
  const [failure] = progress.failures as { status: number }[];
  return failure === undefined ? 200 : failure.status;
}
