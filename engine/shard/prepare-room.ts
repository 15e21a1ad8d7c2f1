/**
 * How large a document may be. While it is indexed its source, its records and what they make the write buffer grow by
 * lie in the arena together: a document that takes more than half of it never gets through, however often it is tried,
 * and is refused as a fault of its own. Only a shortage that can pass is `overloaded`.
 */
import { EngineError } from "../errors.js";
import type { Arena } from "../store/arena.js";

/** The document that is being prepared. */
export interface CurrentDocument {
  /** Bytes of records before its own. */
  start: number;
  /** Bytes of its source. */
  source: number;
}

/** Bytes of arena that a document takes: the memtable's estimate (memtable.ts), and its source while it is walked. */
export function bytesTaken(sourceBytes: number, recordBytes: number): number {
  return 3 * sourceBytes + 4 * recordBytes;
}

/** Throws document_malformed when a document with so many bytes of records never fits. */
export function checkSize(arena: Arena, document: CurrentDocument, recordBytes: number): void {
  const bytes = bytesTaken(document.source, recordBytes);
  const limit = Math.floor(arena.capacity / 2);
  if (bytes <= limit) return;
  throw new EngineError(
    "document_malformed",
    `The document is too large: its ${document.source} bytes take at least ${bytes} bytes of memory while they are indexed, ` +
      `and one document may take ${limit}, half of the node's arena: split it, or give the node more memory`,
    { size: document.source, bytes, limit },
  );
}

/**
 * Arena bytes for a document that then has at least `recordBytes` of records. Throws document_malformed when it is too
 * large for there ever to be room, else overloaded.
 */
export function allocateFor(arena: Arena, document: CurrentDocument, bytes: number, recordBytes: number): number {
  const address = arena.tryAlloc(bytes);
  if (address !== 0) return address;
  checkSize(arena, document, recordBytes);
  return arena.alloc(bytes);
}
