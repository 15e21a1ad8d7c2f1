/**
 * What an index must say, kept in a plain Map: versions, sequence numbers, conflicts, updates, external versions, as
 * Elasticsearch has them. Knows one uncertainty only: whether a deleted document's version is still remembered after
 * the index was opened anew (tombstones may live in memory).
 */
import type { ErrorCode } from "../../errors.js";
import type { WriteOperation, WriteOutcome } from "../../write.js";

/** A document, or what a delete left of it. */
export interface ModelDocument {
  readonly seqNo: number;
  /** NaN: one of two, which nobody has told yet. */
  readonly version: number;
  /** The bytes as text; null: deleted. */
  readonly source: string | null;
  /** A delete that may be forgotten. */
  readonly doubtful: boolean;
}

/** What must become of an operation. */
export type Expected =
  | { readonly ok: true; readonly result: string; readonly seqNo: number; readonly version: number }
  | { readonly ok: false; readonly code: ErrorCode };

type Json = Record<string, unknown>;

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** One index. */
export class IndexModel {
  readonly documents: Map<string, ModelDocument>;
  nextSeqNo: number;

  constructor(from?: IndexModel) {
    this.documents = new Map(from?.documents);
    this.nextSeqNo = from?.nextSeqNo ?? 0;
  }

  /** The document, if it lives. */
  alive(id: string): ModelDocument | undefined {
    const found = this.documents.get(id);
    return found?.source === null ? undefined : found;
  }

  /** Living documents in the order of their sequence numbers. */
  living(): [string, ModelDocument & { source: string }][] {
    const all = [...this.documents].filter(([, { source }]) => source !== null);
    return (all as [string, ModelDocument & { source: string }][]).sort(([, a], [, b]) => a.seqNo - b.seqNo);
  }

  /** Does what the operation says; `made` is the id of a document that came without one. */
  apply(operation: WriteOperation, made?: string): Expected {
    return this.#expect(operation, (operation.id ?? made) as string, this.documents.get(operation.id as string));
  }

  /** The same, told what the index did, which must be right: throws where it is not. Learns what was uncertain. */
  follow(operation: WriteOperation, outcome: WriteOutcome): void {
    const before = operation.id === undefined ? undefined : this.documents.get(operation.id);
    const possible = before?.doubtful ? [{ ...before, doubtful: false }, undefined] : [before];
    const { nextSeqNo } = this;
    const expected: Expected[] = [];
    for (const current of possible) {
      const one = this.#expect(operation, outcome.id, current);
      if (says(outcome, one)) return;
      expected.push(one);
      this.#takeBack(outcome.id, before, nextSeqNo);
    }
    const found = outcome.ok ? show(outcome) : `${outcome.error.code}: ${outcome.error.message}`;
    throw new Error(`${describe(operation)}: expected ${expected.map(show).join(" or ")}, found ${found}`);
  }

  /** The index was closed and opened: it may not remember what was deleted. */
  reopened(): void {
    for (const [id, document] of this.documents) {
      if (document.source === null) this.documents.set(id, { ...document, doubtful: true });
    }
  }

  #takeBack(id: string, before: ModelDocument | undefined, nextSeqNo: number): void {
    this.nextSeqNo = nextSeqNo;
    if (before) this.documents.set(id, before);
    else this.documents.delete(id);
  }

  #expect(operation: WriteOperation, id: string, current: ModelDocument | undefined): Expected {
    const alive = current && current.source !== null ? current : undefined;
    const code = refusal(operation, current, alive);
    if (code) return { ok: false, code };
    const source = sourceAfter(operation, alive?.source ?? undefined);
    if (operation.kind === "update" && operation.detectNoop && alive && sameJson(source as string, alive.source)) {
      return { ok: true, result: "noop", seqNo: alive.seqNo, version: alive.version };
    }
    const version = operation.version?.value ?? (current?.doubtful ? Number.NaN : (current?.version ?? 0) + 1);
    const seqNo = this.nextSeqNo++;
    this.documents.set(id, { seqNo, version, source, doubtful: false });
    const [there, absent] = source === null ? ["deleted", "not_found"] : ["updated", "created"];
    return { ok: true, result: alive ? there : absent, seqNo, version };
  }
}

/** The error that an operation must fail with, if it must. */
function refusal(
  operation: WriteOperation,
  current: ModelDocument | undefined,
  alive: ModelDocument | undefined,
): ErrorCode | null {
  const { kind, ifSeqNo, version } = operation;
  if (kind === "update") {
    if (!alive) return operation.docAsUpsert || operation.upsert ? null : "document_missing";
    return ifSeqNo !== undefined && alive.seqNo !== ifSeqNo ? "version_conflict" : null;
  }
  if (ifSeqNo !== undefined && alive?.seqNo !== ifSeqNo) return "version_conflict";
  if (version && current) {
    const least = version.type === "external" ? version.value - 1 : version.value;
    return current.version > least ? "version_conflict" : null;
  }
  return kind === "create" && alive ? "version_conflict" : null;
}

function sourceAfter(operation: WriteOperation, current: string | undefined): string | null {
  if (operation.kind === "delete") return null;
  if (operation.kind !== "update") return text(operation.source);
  const doc = (operation.doc ?? {}) as Json;
  if (current === undefined) return JSON.stringify(operation.docAsUpsert ? doc : operation.upsert);
  return JSON.stringify(merged(JSON.parse(current) as Json, doc));
}

function merged(into: Json, change: Json): Json {
  const result = { ...into };
  for (const [key, value] of Object.entries(change)) {
    const before = result[key];
    result[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sameJson(a: string, b: string | null): boolean {
  return a === b;
}

function says(outcome: WriteOutcome, expected: Expected): boolean {
  if (!outcome.ok || !expected.ok) return !outcome.ok && !expected.ok && outcome.error.code === expected.code;
  return outcome.result === expected.result && outcome.seqNo === expected.seqNo && outcome.version === expected.version;
}

function show(outcome: Expected | Extract<WriteOutcome, { ok: true }>): string {
  return outcome.ok ? `${outcome.result} #${outcome.seqNo} v${outcome.version}` : outcome.code;
}

/** An operation on one line, for failure messages. */
export function describe(operation: WriteOperation): string {
  const { kind, id, ifSeqNo, version } = operation;
  const conditions = [
    ifSeqNo === undefined ? "" : ` if #${ifSeqNo}`,
    version ? ` ${version.type} v${version.value}` : "",
  ];
  const content = kind === "update" ? JSON.stringify(operation.doc) : kind === "delete" ? "" : text(operation.source);
  return `${kind} ${id}${conditions.join("")} ${content}`;
}
