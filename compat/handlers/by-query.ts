/** `_delete_by_query` and `_update_by_query`: a search over held readers, written back in batches. */
import { type BodyOf, shape } from "../body/shape.js";
import { checkActiveShards } from "../bulk/active-shards.js";
import type { FoundDocument } from "../by-query/feed.js";
import { LocalSource } from "../by-query/local-source.js";
import { copyOptions } from "../by-query/options.js";
import { type CopyJob, runJob } from "../by-query/run.js";
import { sliceCount } from "../by-query/slices.js";
import { validationFailed } from "../errors.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { DOCUMENTS, nameOptions, searchTargets } from "../indices/names.js";
import { readShardChoice } from "../indices/shards.js";
import { askedQuery } from "../query/asked-query.js";
import { reachable } from "../search/missing-shards.js";
import { readSort, readSortParameter } from "../search/sort.js";

const KEYS = { query: "object", max_docs: "integer", conflicts: "string", sort: "any" } as const;
/** The body of `_delete_by_query`. */
export const DELETE_SHAPE = shape("delete_by_query", "object", KEYS, ["slice"]);
/** The body of `_update_by_query`. */
export const UPDATE_SHAPE = shape("update_by_query", "object", KEYS, ["script", "slice"]);

type ByQueryBody = BodyOf<typeof DELETE_SHAPE>;
type ByQueryKind = "delete" | "update";

/** Deletes what matches, as long as it is still what the search saw. */
export async function deleteByQuery(request: ApiRequest, body: ByQueryBody): Promise<Reply> {
  if (body.query === undefined && request.parameters.text("q") === undefined)
    throw validationFailed("query is missing");
  return run(request, body, "delete", (document) => ({
    name: document.index,
    operation: { kind: "delete", id: document.id, ...stateOf(document) },
  }));
}

/** Writes each match again as it is: picks up a changed mapping, or goes through a pipeline. */
export async function updateByQuery(request: ApiRequest, body: ByQueryBody): Promise<Reply> {
  return run(request, body, "update", (document) => ({
    name: document.index,
    operation: {
      kind: "index",
      id: document.id,
      source: document.source ?? new Uint8Array(),
      ...stateOf(document),
    },
  }));
}

function stateOf({ seqNo, primaryTerm, routing }: FoundDocument) {
  return { ifSeqNo: seqNo, ifPrimaryTerm: primaryTerm, ...(routing === undefined ? {} : { routing }) };
}

async function run(request: ApiRequest, body: ByQueryBody, kind: ByQueryKind, plan: CopyJob["plan"]): Promise<Reply> {
  const { node, parameters, captured } = request;
  const options = copyOptions(parameters, body);
  const sortParameter = parameters.list("sort");
  const sort = sortParameter === undefined ? readSort(body.sort) : readSortParameter(sortParameter);
  const query = askedQuery(body.query, parameters);
  const choice = readShardChoice(parameters, node);
  const targets = searchTargets(node.engine, captured.index, nameOptions(parameters, DOCUMENTS), choice);
  for (const { index } of targets) {
    const one = node.engine.index(index);
    if (one === undefined) continue;
    unblocked([one], "write");
    checkActiveShards(parameters, one);
  }
  // What was written before the request must be seen by it, refreshed or not: Elasticsearch searches as it is, and so do we.
  const readers = node.engine.pin(reachable(node.engine, targets, "whole").sound);
  const source = new LocalSource(request, {
    readers,
    targets,
    query,
    sort,
    source: kind === "update" ? "wanted" : "not wanted",
  });
  return runJob(request, {
    source,
    options,
    plan,
    slices: sliceCount(node.engine, targets, options.slices),
    pipeline: parameters.text("pipeline"),
    requireAlias: false,
    shown: { updated: kind === "update", created: false },
    describe: () => `${kind}-by-query [${captured.index}]`,
  });
}
