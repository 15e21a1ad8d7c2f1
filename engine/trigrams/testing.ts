/** For tests: what a field's text and grams say of it, read through its face. */
import { gramAt, NO_GRAM } from "../regex/index.js";
import type { CellSource, SectionKind } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { MemorySink } from "../store/testing.js";
import { MemorySource } from "../text/testing.js";
import { TextBuffer } from "./build.js";
import { type ChunkPiece, openTrigrams, type SegmentTrigrams, type TrigramField } from "./field.js";

/** A line with where it lies. */
export interface TextLine {
  readonly doc: number;
  readonly value: number;
  /** Number within its value, and where it begins there. */
  readonly line: number;
  readonly from: number;
  readonly bytes: Buffer;
  readonly grams: ReadonlySet<number>;
  readonly chunk: number;
}

/** Every value, by document. */
export function valuesOf(field: TrigramField, doc: number, u8: Uint8Array): Buffer[] {
  const values: Buffer[] = [];
  for (let value = field.firstValue(doc); value < field.endValue(doc); value++) {
    const length = field.valueLength(value);
    const at = field.loadValue(value, 0, length);
    values.push(Buffer.from(u8.subarray(at, at + length)));
  }
  return values;
}

/** Every line of every chunk, from the pieces of chunks; throws where pieces are not what values say. */
export function linesOf(field: TrigramField, u8: Uint8Array): TextLine[] {
  const lines: TextLine[] = [];
  const pieces: ChunkPiece[] = [];
  for (let chunk = 0; chunk < field.chunkCount; chunk++) {
    const count = field.pieces(chunk, pieces);
    const base = field.loadChunks(chunk, chunk);
    const text = Buffer.from(u8.subarray(base, base + field.chunkLength(chunk)));
    for (const { doc, value, from, to, line, at } of pieces.slice(0, count)) {
      const bytes = text.subarray(at, at + to - from);
      let start = 0;
      for (let number = line; start < bytes.length; number++) {
        const feed = bytes.indexOf(10, start);
        const end = feed < 0 ? bytes.length : feed + 1;
        const own = bytes.subarray(start, end);
        lines.push({ doc, value, line: number, from: from + start, bytes: own, grams: gramsIn(own), chunk });
        start = end;
      }
      if (to < field.valueLength(value) && bytes.at(-1) !== 10) throw new Error(`chunk ${chunk} cuts a line`);
    }
  }
  return lines;
}

function gramsIn(bytes: Uint8Array): ReadonlySet<number> {
  const grams = new Set<number>();
  for (let at = 0; at < bytes.length; at++) grams.add(gramAt(bytes, at));
  grams.delete(NO_GRAM);
  return grams;
}

/** A field written from texts by document, and merged or not, read from memory; `warm`: sections count as loaded. */
export function writtenField(
  storage: Storage,
  documents: readonly (readonly (string | Buffer)[])[],
  { warm = false }: { warm?: boolean } = {},
): { field: SegmentTrigrams; sink: MemorySink } {
  const buffer = new TextBuffer(storage.arena);
  const sink = new MemorySink();
  const addresses: number[] = [];
  documents.forEach((texts, doc) => {
    for (const text of texts) {
      const bytes = Buffer.from(text as string);
      const address = storage.arena.alloc(bytes.length + 16);
      storage.arena.u8.set(bytes, address);
      buffer.add(doc, address, bytes.length);
      addresses.push(address);
    }
  });
  for (const steps = buffer.write(storage, sink, TEST_FIELD, documents.length); !steps.next().done; );
  buffer.close();
  for (const address of addresses) storage.arena.free(address);
  return { field: fieldOf(storage, sink, warm), sink };
}

export const TEST_FIELD = 3;

/** The field that a sink holds. */
export function fieldOf(storage: Storage, sink: MemorySink, warm = false): SegmentTrigrams {
  const source = new MemorySource(storage, sink);
  const cells: CellSource = Object.assign(Object.create(source) as MemorySource, {
    warm: (kind: SectionKind, field: number) => (warm ? (source.pin(kind, field)?.address ?? 0) : 0),
  });
  return openTrigrams(source, cells, storage, TEST_FIELD)!;
}
