import type { EngineError } from "./errors.js";

interface Target {
  /** Absent for index and create: the node makes a short, time-ordered one. */
  id?: string;
  routing?: string;
  /** Both or neither: the write happens only if the document is at this state. */
  ifSeqNo?: number;
  ifPrimaryTerm?: number;
  version?: { value: number; type: "external" | "external_gte" };
}

/** A JSON object: its text in UTF-8, whose numbers keep their spelling (`2.0`), or plain values. */
export type JsonDocument = Uint8Array | Record<string, unknown>;

/** One operation of a batch. `source` is the raw JSON object as it came; it is kept byte for byte. */
export type WriteOperation =
  | ({ kind: "index" | "create"; source: Uint8Array } & Target)
  | ({ kind: "delete"; id: string } & Target)
  | ({
      kind: "update";
      id: string;
      /** Merged into the current source, objects recursively, other values replaced. */
      doc?: JsonDocument;
      /** Indexed when there is no document. */
      upsert?: JsonDocument;
      docAsUpsert: boolean;
      /** A merge that changes nothing writes nothing. */
      detectNoop: boolean;
      retryOnConflict: number;
    } & Target);

/** What became of one operation. `source` is given for updates (the new bytes). */
export type WriteOutcome =
  | {
      ok: true;
      id: string;
      result: "created" | "updated" | "deleted" | "noop" | "not_found";
      seqNo: number;
      primaryTerm: number;
      version: number;
      source?: Uint8Array;
      routing?: string;
    }
  | { ok: false; id: string; error: EngineError };

/** A document as get finds it. */
export interface StoredDocument {
  id: string;
  seqNo: number;
  primaryTerm: number;
  version: number;
  routing?: string;
  source: Uint8Array;
}
