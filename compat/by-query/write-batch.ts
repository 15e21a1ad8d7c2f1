/** One batch of documents, through their pipelines into their indices. */
import { EngineError, type Index, type WriteOperation, type WriteOutcome } from "../../engine/index.js";
import { checkActiveShards } from "../bulk/active-shards.js";
import { indexFor } from "../bulk/bulk.js";
import { writeRouted } from "../bulk/routed-write.js";
import { writeCheck } from "../data-streams/write-checks.js";
import { type ApiError, toApiError, withIndex } from "../errors.js";
import type { ApiRequest } from "../http/request.js";
import { onIndex } from "../indices/gone.js";
import { documentRouting } from "../indices/names.js";
import { BatchGrowth, ingest, type NamedOperation, type PipelineNames, pipelinesFor } from "../ingest/index.js";
import type { Progress } from "./progress.js";

/** What a batch belongs to. */
export interface BatchOptions {
  readonly progress: Progress;
  readonly pipeline: string | undefined;
  readonly requireAlias: boolean;
  readonly conflicts: "abort" | "proceed";
  /** Indices that were written to. */
  readonly written: Set<Index>;
}

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 1_000;

/** Writes a batch; what fails is noted in the progress. */
export async function writeBatch(
  request: ApiRequest,
  planned: readonly NamedOperation[],
  options: BatchOptions,
): Promise<void> {
  options.progress.batches++;
  const byName = new Map<string, WriteOperation[]>();
  for (const { name, operation } of ingested(request, planned, options)) {
    const list = byName.get(name);
    if (list === undefined) byName.set(name, [operation]);
    else list.push(operation);
  }
  for (const [name, operations] of byName) await writeTo(request, { name, operations }, options);
}

/** What pipelines leave of a batch. */
function ingested(request: ApiRequest, planned: readonly NamedOperation[], options: BatchOptions): NamedOperation[] {
  const names = new Map<string, PipelineNames | undefined>();
  const growth = new BatchGrowth(request.node.maxContentBytes);
  return planned.flatMap((one) => {
    if (!names.has(one.name)) names.set(one.name, pipelinesFor(request, one.name, options.pipeline));
    const pipelines = names.get(one.name);
    if (pipelines === undefined) return [one];
    try {
      const made = ingest(request, one, pipelines);
      if (made.kind === "kept") {
        growth.add(one.operation, made.operation);
        return [{ name: made.name, operation: made.operation }];
      }
      // What a pipeline drops counts as done, as in Elasticsearch.
      options.progress.updated++;
    } catch (error) {
      note(options, { error: toApiError(error), index: one.name, id: one.operation.id ?? "" });
    }
    return [];
  });
}

interface NamedBatch {
  readonly name: string;
  readonly operations: readonly WriteOperation[];
}

async function writeTo(request: ApiRequest, { name, operations }: NamedBatch, options: BatchOptions): Promise<void> {
  const { engine } = request.node;
  let index: Index;
  try {
    const requires = options.requireAlias ? "alias" : "nothing";
    index = await indexFor(request, { name, requires, operations });
    checkActiveShards(request.parameters, index);
  } catch (error) {
    for (const { id } of operations) note(options, { error: toApiError(error), index: name, id: id ?? "" });
    return;
  }
  options.written.add(index);
  const routed = allowed(request, { name, operations }, options).map((operation) => {
    const routing = documentRouting(engine, name, index, operation.routing);
    return routing === operation.routing ? operation : { ...operation, routing };
  });
  for (const outcome of await writePatiently(request, index, routed, options.progress)) {
    if (outcome.ok) count(options.progress, outcome.result);
    else note(options, { error: withIndex(outcome.error, index), index: index.name, id: outcome.id });
  }
}

/** The operations that the index takes; a data stream does not take all. */
function allowed({ node }: ApiRequest, { name, operations }: NamedBatch, options: BatchOptions): WriteOperation[] {
  const check = writeCheck(node.engine, name);
  return operations.filter((operation) => {
    try {
      check?.(operation);
      return true;
    } catch (error) {
      note(options, { error: toApiError(error), index: name, id: operation.id ?? "" });
      return false;
    }
  });
}

/** Others may be writing more than there is room for: like a client, this waits and tries again. */
async function writePatiently(
  request: ApiRequest,
  index: Index,
  operations: WriteOperation[],
  progress: Progress,
): Promise<WriteOutcome[]> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await onIndex(request.node.engine, index, (one) => writeRouted(one, operations));
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "overloaded" || request.task.cancelled) throw error;
      progress.bulkRetries++;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function count(progress: Progress, result: Extract<WriteOutcome, { ok: true }>["result"]): void {
  if (result === "created") progress.created++;
  else if (result === "updated") progress.updated++;
  else if (result === "deleted") progress.deleted++;
  else progress.noops++;
}

function note({ progress, conflicts }: BatchOptions, failed: { error: ApiError; index: string; id: string }): void {
  const conflict = failed.error.status === 409;
  if (conflict) progress.conflicts++;
  if (!conflict || conflicts === "abort") progress.failures.push(failed);
}
