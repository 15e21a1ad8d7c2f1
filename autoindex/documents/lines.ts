import { quoted } from "./quoted.js";

/** Bytes after which a part ends; a document larger than this is a part of its own. */
const PART_LENGTH = 1024 * 1024;

/**
 * Collects bulk operations as text and hands them out as bytes in parts that end between operations, so that a large
 * file needs no single huge request.
 */
export class BulkLines {
  readonly #parts: BulkPart[] = [];
  #pending: string[] = [];
  #pendingLength = 0;

  /** `source` is a document's JSON, already printed. */
  index(index: string, id: string, source: string): void {
    this.#add(`{"index":{"_index":${quoted(index)},"_id":${quoted(id)}}}\n${source}\n`);
  }

  delete(index: string, id: string): void {
    this.#add(`{"delete":{"_index":${JSON.stringify(index)},"_id":${JSON.stringify(id)}}}\n`);
  }

  /** Changes some fields of a document. */
  update(index: string, id: string, fields: object): void {
    const target = JSON.stringify({ update: { _index: index, _id: id } });
    this.#add(`${target}\n${JSON.stringify({ doc: fields })}\n`);
  }

  /** All that was added, in order; nothing is left behind. */
  take(): BulkPart[] {
    this.#cut();
    return this.#parts.splice(0);
  }

  #add(operation: string): void {
    this.#pending.push(operation);
    this.#pendingLength += operation.length;
    if (this.#pendingLength >= PART_LENGTH) this.#cut();
  }

  #cut(): void {
    if (this.#pending.length === 0) return;
    this.#parts.push({ operations: this.#pending.length, bytes: Buffer.from(this.#pending.join("")) });
    this.#pending = [];
    this.#pendingLength = 0;
  }
}

/** Bytes of some whole operations. */
export interface BulkPart {
  operations: number;
  bytes: Uint8Array;
  /** Says that nobody will read the bytes again, where their memory has another use then. */
  giveBack?: () => void;
}

/** To be called when parts have been written and nobody will read them again: there is nothing in them then. */
export function giveBack(parts: readonly BulkPart[]): void {
  for (const part of parts) {
    part.bytes = NOTHING;
    part.giveBack?.();
    delete part.giveBack;
  }
}

const NOTHING = new Uint8Array(0);

/** Deletions of what `parts`, which hold nothing else than `index` operations, would have written. */
export function deletionsOf(parts: readonly BulkPart[]): BulkPart[] {
  const lines = new BulkLines();
  for (const { index, id } of targetsOf(parts)) lines.delete(index, id);
  return lines.take();
}

/** What `parts`, which hold nothing else than `index` operations, write. */
export function* targetsOf(parts: readonly BulkPart[]): Generator<{ index: string; id: string }> {
  for (const { bytes } of parts) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    for (const [number, line] of text.split("\n").entries()) {
      if (number % 2 === 1 || line === "") continue;
      const { index } = JSON.parse(line) as { index: { _index: string; _id: string } };
      yield { index: index._index, id: index._id };
    }
  }
}
