/**
 * Writing to an index of several virtual shards: a delete or an update looks for its document on the shard of its routing
 * value alone. A document elsewhere is not found, as in Elasticsearch, and left as it is.
 */
import { EngineError, type Index, type WriteOperation, type WriteOutcome } from "../../engine/index.js";
import { ApiError } from "../errors.js";
import { shardsOf } from "../indices/settings.js";
import { isOnShard } from "../indices/shards.js";

/** Writes the operations; outcomes come in their order. */
export async function writeRouted(index: Index, operations: WriteOperation[]): Promise<WriteOutcome[]> {
  if (index.damage !== undefined) {
    const reason = `[${index.name}][0] primary shard is not active: ${index.damage.message}`;
    throw new ApiError(503, "unavailable_shards_exception", reason);
  }
  const elsewhere = findElsewhere(index, operations);
  if (elsewhere.size === 0) return index.write(operations);
  const written = await index.write(operations.filter((_, at) => !elsewhere.has(at)));
  let next = 0;
  return operations.map((_, at) => elsewhere.get(at) ?? written[next++]);
}

/** What becomes of the operations, by position, whose document lies on another shard. */
function findElsewhere(index: Index, operations: readonly WriteOperation[]): Map<number, WriteOutcome> {
  const found = new Map<number, WriteOutcome>();
  if (shardsOf(index.definition.settings) <= 1) return found;
  // Where the operations before an operation put its document.
  const placed = new Map<string, string | undefined>();
  for (const [at, operation] of operations.entries()) {
    const { id, kind, routing } = operation;
    if (id === undefined) continue;
    if (kind === "index" || kind === "create") {
      placed.set(id, routing);
      continue;
    }
    const current = placed.has(id) ? { id, routing: placed.get(id) } : index.get(id);
    if (current !== undefined && !isOnShard(index, current, routing)) found.set(at, notFound(index, operation, id));
  }
  return found;
}

function notFound(index: Index, operation: WriteOperation, id: string): WriteOutcome {
  if (operation.kind === "delete") {
    return { ok: true, id, result: "not_found", seqNo: index.stats().maxSeqNo, primaryTerm: 1, version: 1 };
  }
  if (operation.kind === "update" && (operation.docAsUpsert || operation.upsert !== undefined)) {
    const message = `[${id}] exists with another routing value: a document with the same _id on a second shard is not supported by Pinakes`;
    return { ok: false, id, error: new EngineError("query_unsupported", message) };
  }
  return { ok: false, id, error: new EngineError("document_missing", `[${id}]: document missing`, { id }) };
}
