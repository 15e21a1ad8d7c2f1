/**
 * Whether an operation may go ahead, given what is known of its document: optimistic concurrency as Elasticsearch
 * has it (InternalEngine.planIndexingAsPrimary, VersionType), with its messages, which clients match on.
 */
import { EngineError } from "../errors.js";
import type { WriteOperation } from "../write.js";

/**
 * The primary term. Elasticsearch's grows when a shard is handed over or opened after a failure, so that writes of an
 * old holder are told apart; a single node never hands its indices over, so it stays at the first.
 */
export const PRIMARY_TERM = 1;

/** The newest known state of an id; a tombstone while `deleted`. */
export interface DocumentState {
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  readonly deleted: boolean;
}

/** Versions beyond are not told apart: as a number of JavaScript's, this one and the next but one look the same. */
const LAST_VERSION = Number.MAX_SAFE_INTEGER;

/**
 * Throws `version_conflict` if the operation's conditions do not hold, `invalid_value` if the document can't have a next
 * version. `current` undefined: no such document.
 */
export function checkConflicts(operation: WriteOperation, id: string, current: DocumentState | undefined): void {
  const exists = current !== undefined && !current.deleted;
  checkSequence(operation, id, exists ? current : undefined);
  if (operation.version) checkExternal(operation.version, id, current);
  else if (operation.kind === "create" && exists) {
    throw conflict(id, `document already exists (current version [${current.version}])`);
  } else if (current && current.version >= LAST_VERSION) throw noNextVersion(id);
}

/** The version a document gets by this operation. */
export function nextVersion(operation: WriteOperation, current: DocumentState | undefined): number {
  if (operation.version) return operation.version.value;
  return current ? current.version + 1 : 1;
}

/** Throws unless `current` (undefined: there is no document) is at the state that the operation requires, if any. */
export function checkSequence(operation: WriteOperation, id: string, current: DocumentState | undefined): void {
  if (operation.ifSeqNo === undefined) return;
  const { ifSeqNo, ifPrimaryTerm } = operation;
  if (current && current.seqNo === ifSeqNo && current.primaryTerm === ifPrimaryTerm) return;
  const found = current
    ? `current document has seqNo [${current.seqNo}] and primary term [${current.primaryTerm}]`
    : "but no document was found";
  throw conflict(id, `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}]. ${found}`);
}

/** External versions only ever grow, past deletes too. */
function checkExternal(wanted: { value: number; type: string }, id: string, current: DocumentState | undefined): void {
  if (!current) return;
  const orEqual = wanted.type === "external";
  if (current.version < wanted.value || (!orEqual && current.version === wanted.value)) return;
  const relation = orEqual ? "higher or equal to" : "higher than";
  throw conflict(id, `current version [${current.version}] is ${relation} the one provided [${wanted.value}]`);
}

function noNextVersion(id: string): EngineError {
  const reason = `[${id}]: the document has version [${LAST_VERSION}], the last one there is: no further one can be given`;
  const help = "what can be written is this version again, with version_type [external_gte]";
  return new EngineError("invalid_value", `${reason}; ${help}`, { id });
}

function conflict(id: string, reason: string): EngineError {
  return new EngineError("version_conflict", `[${id}]: version conflict, ${reason}`, { id });
}
