/**
 * The way of printed operations from an extractor process to its parent: a file without a name that both have open. What
 * goes over the channel between them is copied six times and arrives in pieces of 64 KB, which the parent's collector has
 * to chase; this takes one write and one read, and an extractor need not wait until its parent listens.
 *
 * The file holds the answers to one batch. A parent sends the next batch when it has all of them, and has read them; the
 * file is then written from its beginning again.
 */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BulkPart } from "../documents/lines.js";
import { AnswerMemory } from "./answer-memory.js";
import type { FileResult } from "./protocol.js";

/** An answer on its way. */
export interface SentResult {
  /** Without the bytes of its parts where they lie in the file. */
  result: FileResult;
  /** Where they lie there, and the length of each; absent when they come with the result. */
  at?: number;
  lengths?: number[];
}

/** Bytes below which an answer is sent as a whole: two calls of the system cost as much. */
const LEAST_BYTES = 4096;

const NOTHING = new Uint8Array(0);

/** Opens a file that nobody else can; nothing where that is impossible. The caller closes it. */
export function openPartsFile(): number | undefined {
  const name = path.join(tmpdir(), `pinakes-${process.pid}-${randomUUID()}`);
  try {
    const file = openSync(name, "wx+", 0o600);
    try {
      unlinkSync(name);
      return file;
    } catch {
      closeSync(file);
      return undefined;
    }
  } catch {
    return undefined;
  }
}

/** The extractor's side. */
export class PartsWriter {
  #end = 0;

  /** `file`: its descriptor. */
  constructor(private readonly file: number) {}

  /** Begins the answers to another batch. */
  restart(): void {
    this.#end = 0;
  }

  /** Moves an answer's bytes into the file; where it has no room for them they stay. */
  send(result: FileResult): SentResult {
    const parts = partsOf(result);
    const lengths = parts.map(({ bytes }) => bytes.length);
    const length = lengths.reduce((sum, one) => sum + one, 0);
    if (length < LEAST_BYTES) return { result };
    const at = this.#end;
    try {
      for (const { bytes } of parts) this.#write(bytes);
    } catch {
      this.#end = at;
      return { result };
    }
    for (const part of parts) part.bytes = NOTHING;
    return { result, at, lengths };
  }

  #write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const written = writeSync(this.file, bytes, from, bytes.length - from, this.#end);
      from += written;
      this.#end += written;
    }
  }
}

/**
 * The parent's side: the whole answer, its bytes in memory that the parts give back. Throws when the file does not hold
 * what it should.
 */
export function receive(
  { result, at, lengths }: SentResult,
  file: number | undefined,
  memory = new AnswerMemory(),
): FileResult {
  if (at === undefined || lengths === undefined) return result;
  const length = lengths.reduce((sum, one) => sum + one, 0);
  const { bytes, giveBack } = memory.lend(length);
  for (let from = 0; from < length; ) {
    const count = file === undefined ? 0 : readSync(file, bytes, from, length - from, at + from);
    if (count === 0) throw new RangeError(`operations of ${result.path}: ${from} of ${length} bytes are there`);
    from += count;
  }
  let from = 0;
  for (const [index, part] of partsOf(result).entries()) {
    const end = from + lengths[index]!;
    const count = end - from;
    part.bytes = bytes.subarray(from, end);
    part.giveBack = () => giveBack(count);
    from = end;
  }
  return result;
}

/** All parts of an answer, in the same order on either side. */
function partsOf(result: FileResult): BulkPart[] {
  if (result.kind === "same") return [];
  const records = result.kind === "indexed" ? result.datasets.flatMap(({ parts }) => parts) : [];
  return [...(result.parts ?? []), ...records];
}
