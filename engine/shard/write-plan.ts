/**
 * The first step of a write: what each operation of a batch means, before anything of it is prepared or numbered. Ids
 * are made, updates become the document they lead to. An update reads what the operations before it wrote, so a batch
 * is cut into runs: within a run no update follows another operation on its id.
 */
import { EngineError } from "../errors.js";
import type { WriteOperation, WriteOutcome } from "../write.js";
import { checkSequence } from "./conflicts.js";
import type { CurrentDocuments } from "./current-documents.js";
import { encodeSource, mergeSource } from "./merge-source.js";

/** An operation to be prepared and numbered. */
export interface PlannedWrite {
  /** Its place in the batch. */
  readonly position: number;
  /** What to do; updates have become index or create. */
  readonly operation: Exclude<WriteOperation, { kind: "update" }>;
  readonly id: string;
  /** The id was made now: nothing can be known of it. */
  readonly fresh: boolean;
  /** It was an update: its outcome carries the new source. */
  readonly update: boolean;
}

/** A planned write, or what has already become of the operation. */
export type Planned = { write: PlannedWrite } | { outcome: WriteOutcome };

/** What planning has to know of the index. */
export interface PlanContext {
  readonly index: string;
  readonly documents: CurrentDocuments;
  readonly makeId: () => string;
  /** Writes without a routing value are refused. */
  readonly routingRequired: boolean;
}

type Update = Extract<WriteOperation, { kind: "update" }>;

/** Elasticsearch's limit. */
const MAX_ID_BYTES = 512;
/** What a log record's header can say. */
const MAX_ROUTING_BYTES = 32_000;

/** Where the run that begins at `from` ends. */
export function endOfRun(operations: readonly WriteOperation[], from: number): number {
  const hasUpdates = operations.some((operation) => operation.kind === "update");
  if (!hasUpdates) return operations.length;
  const seen = new Set<string>();
  for (let i = from; i < operations.length; i++) {
    const { id, kind } = operations[i];
    if (kind === "update" && seen.has(operations[i].id as string)) return i;
    if (id !== undefined) seen.add(id);
  }
  return operations.length;
}

/** Plans one operation; whatever is wrong with it is its outcome. */
export function planWrite(operation: WriteOperation, position: number, context: PlanContext): Planned {
  const id = operation.id ?? context.makeId();
  try {
    checkTarget(operation, id, context);
    if (operation.kind === "update") return planUpdate(operation, position, context);
    return { write: { position, operation, id, fresh: operation.id === undefined, update: false } };
  } catch (error) {
    if (error instanceof EngineError) return { outcome: { ok: false, id, error } };
    throw error;
  }
}

function checkTarget(operation: WriteOperation, id: string, { index, routingRequired }: PlanContext): void {
  if (id.length * 3 > MAX_ID_BYTES && Buffer.byteLength(id) > MAX_ID_BYTES) {
    const bytes = Buffer.byteLength(id);
    const message = `id [${id}] is too long, must be no longer than ${MAX_ID_BYTES} bytes but was: ${bytes}`;
    throw new EngineError("invalid_value", message, { id });
  }
  if (operation.routing === undefined) {
    if (routingRequired) throw new EngineError("routing_missing", `routing is required for [${index}]/[${id}]`, { id });
  } else if (Buffer.byteLength(operation.routing) > MAX_ROUTING_BYTES) {
    throw new EngineError("invalid_value", `routing of [${id}] is longer than ${MAX_ROUTING_BYTES} bytes`, { id });
  }
}

/** Elasticsearch's UpdateHelper: the document an update leads to, from the one that is there. */
function planUpdate(update: Update, position: number, context: PlanContext): Planned {
  const { id } = update;
  const current = context.documents.newest(id);
  if (!current || current.state.deleted) return planUpsert(update, position);
  // No other write can come between this and the numbering: there is nothing to retry.
  checkSequence(update, id, current.state);
  const { source, routing } = context.documents.source(current);
  const merged = mergeSource(source, update.doc ?? {});
  if (update.detectNoop && !merged.changed) {
    const { seqNo, primaryTerm, version } = current.state;
    return { outcome: { ok: true, id, result: "noop", seqNo, primaryTerm, version, source, routing } };
  }
  const target = { id, routing: update.routing ?? routing };
  const operation = { kind: "index", source: merged.source, ...target } as const;
  return { write: { position, operation, id, fresh: false, update: true } };
}

function planUpsert(update: Update, position: number): Planned {
  const { id, routing } = update;
  const document = update.docAsUpsert ? update.doc : update.upsert;
  if (!document) throw new EngineError("document_missing", `[${id}]: document missing`, { id });
  const operation = { kind: "create", id, routing, source: encodeSource(document) } as const;
  return { write: { position, operation, id, fresh: false, update: true } };
}
