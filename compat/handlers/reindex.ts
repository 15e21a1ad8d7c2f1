/** `_reindex`: documents of an index, here or of another cluster, into another index. */
import type { SearchTarget, WriteOperation } from "../../engine/index.js";
import type { BodyOf } from "../body/shape.js";
import type { DocumentSource, FoundDocument } from "../by-query/feed.js";
import { LocalSource } from "../by-query/local-source.js";
import { type CopyOptions, copyOptions } from "../by-query/options.js";
import { type REINDEX_SHAPE, type ReindexDest, type ReindexRequest, readReindex } from "../by-query/reindex-request.js";
import { checkAllowed, type RemoteHost } from "../by-query/remote-host.js";
import { RemoteSource } from "../by-query/remote-source.js";
import { runJob } from "../by-query/run.js";
import { sliceCount } from "../by-query/slices.js";
import { illegalArgument, validationFailed } from "../errors.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { DOCUMENTS, indicesOf, nameOptions, searchTargets, writeTarget } from "../indices/names.js";
import { readQuery } from "../query/index.js";
import { reachable } from "../search/missing-shards.js";

/** `POST /_reindex` */
export async function reindex(request: ApiRequest, body: BodyOf<typeof REINDEX_SHAPE>): Promise<Reply> {
  const { node, parameters } = request;
  const read = readReindex(body);
  const { source, dest } = read;
  const options = copyOptions(parameters, { conflicts: body.conflicts, max_docs: read.maxDocs }, source.size);
  const targets = source.remote === undefined ? localTargets(request, read) : [];
  const from =
    source.remote === undefined
      ? localSource(request, read, targets)
      : remoteSource(request, read, { remote: source.remote, options });
  return runJob(request, {
    source: from,
    options,
    slices: sliceCount(node.engine, targets, options.slices),
    pipeline: dest.pipeline,
    requireAlias: parameters.boolean("require_alias", false),
    plan: (document) => ({ name: dest.index, operation: operationOf(document, dest) }),
    shown: { updated: true, created: true },
    describe: () => describe(read),
  });
}

function describe({ source, dest }: ReindexRequest): string {
  const host = source.remote === undefined ? "" : `[host=${source.remote.address}]`;
  return `reindex from ${host}[${source.indices.join(", ")}] to [${dest.index}]`;
}

/** The indices that are read. Throws ApiError 400 where one of them is written to. */
function localTargets(request: ApiRequest, { source, dest }: ReindexRequest): SearchTarget[] {
  const { engine } = request.node;
  const options = nameOptions(request.parameters, DOCUMENTS);
  const targets = searchTargets(engine, source.indices.join(","), options);
  const written = engine.index(dest.index)?.name ?? writeTarget(engine, dest.index)?.name ?? dest.index;
  const names = indicesOf(engine, source.indices.join(","), options).map(({ name }) => name);
  if (names.includes(written))
    throw validationFailed(`reindex cannot write into an index its reading from [${dest.index}]`);
  return targets;
}

function localSource(
  request: ApiRequest,
  { source }: ReindexRequest,
  targets: readonly SearchTarget[],
): DocumentSource {
  const { engine } = request.node;
  const query = source.query === undefined ? ({ kind: "match_all", boost: 1 } as const) : readQuery(source.query);
  const readers = engine.pin(reachable(engine, targets, "whole").sound);
  const { shown, sort } = source;
  const filter = typeof shown === "function" ? { filter: shown } : {};
  return new LocalSource(request, { readers, targets, query, sort, source: "wanted", ...filter });
}

interface Remotely {
  readonly remote: RemoteHost;
  readonly options: CopyOptions;
}

function remoteSource(request: ApiRequest, { source }: ReindexRequest, { remote, options }: Remotely): DocumentSource {
  const { node, identity, task } = request;
  checkAllowed(remote, node.reindexHosts, identity);
  if (options.slices !== 1 && options.slices !== "auto") {
    throw illegalArgument(`reindex from remote sources doesn't support slices > 1 but was [${options.slices}]`);
  }
  return new RemoteSource({
    host: remote,
    indices: source.indices,
    body: source.remoteBody,
    pageSize: Math.min(options.pageSize, options.maxDocs),
    maxBytes: node.maxContentBytes,
    signal: task.signal,
    onRetry: () => undefined,
  });
}

function operationOf(document: FoundDocument, dest: ReindexDest): WriteOperation {
  const { id, source, version } = document;
  const operation: WriteOperation = { kind: dest.kind, id, source: source ?? new Uint8Array() };
  const routing =
    dest.routing.kind === "value" ? dest.routing.value : dest.routing.kind === "keep" ? document.routing : undefined;
  if (routing !== undefined) operation.routing = routing;
  if (dest.versions !== "internal") operation.version = { value: version, type: dest.versions };
  return operation;
}
