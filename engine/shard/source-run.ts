/**
 * Raw documents in the arena, where any thread can prepare them and gets find them until a segment has them. One
 * allocation: each document's bytes, then a zero byte (the walk of json-walk.ts ends there).
 */
import type { Arena } from "../store/arena.js";
import { HeldMemory } from "../store/held-memory.js";

/** Where documents lie, by place; plain data that can be posted. */
export interface SourcePlaces {
  readonly addresses: Float64Array;
  /** Bytes; -1: there is no document at this place (a delete). */
  readonly lengths: Int32Array;
}

/** Documents in memory that is held until everyone has released it. */
export interface SourceRun extends SourcePlaces {
  readonly memory: HeldMemory;
}

/** Readable bytes behind the last document. */
const SLACK = 64;

/** Copies documents into the arena; undefined where an operation has none. Throws `overloaded`. */
export function loadSources(arena: Arena, documents: readonly (Uint8Array | undefined)[]): SourceRun {
  let bytes = SLACK;
  for (const document of documents) if (document !== undefined) bytes += document.length + 1;
  const memory = new HeldMemory(arena, arena.alloc(bytes));
  const addresses = new Float64Array(documents.length);
  const lengths = new Int32Array(documents.length).fill(-1);
  let at = memory.address;
  documents.forEach((document, i) => {
    if (document === undefined) return;
    arena.u8.set(document, at);
    arena.u8[at + document.length] = 0;
    addresses[i] = at;
    lengths[i] = document.length;
    at += document.length + 1;
  });
  return { memory, addresses, lengths };
}
