import { isSet } from "../store/bits.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import type { SegmentVectors } from "./reader.js";
import { writeVectorFacts } from "./writer.js";

/** One segment's part; `vectors` null: no document has one. */
export interface VectorInput {
  readonly vectors: SegmentVectors | null;
  readonly docCount: number;
  readonly live: Uint32Array | null;
}

const SLICE_ROWS = 1024;

/** Writes the live vectors of all inputs, in order. Yields after some work. */
export function* mergeVectors(sink: SectionSink, field: number, inputs: readonly VectorInput[]): Generator<void, void> {
  const meta = inputs.find(({ vectors }) => vectors !== null)?.vectors?.meta;
  if (meta === undefined) return;
  const docs: number[] = [];
  const magnitudes: number[] = [];
  let base = 0;
  sink.begin(SectionKind.vectorRows, field);
  for (const { vectors, docCount, live } of inputs) {
    const numbers = liveNumbers(docCount, live);
    for (let row = 0; row < (vectors?.rows ?? 0); row++) {
      const doc = vectors?.docs === null ? row : (vectors?.docs[row] ?? 0);
      if (vectors !== null && isSet(live, doc)) {
        const vector = vectors.vector(row);
        sink.append(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
        docs.push(base + (numbers === null ? doc : numbers[doc]));
        magnitudes.push(vectors.magnitude(row));
      }
      if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
    }
    base += numbers === null ? docCount : numbers[docCount];
  }
  sink.end();
  const everywhere = docs.length === base;
  writeVectorFacts(sink, field, {
    meta: { ...meta, rows: docs.length },
    docs: everywhere ? null : Uint32Array.from(docs),
    magnitudes: Float32Array.from(magnitudes),
  });
}

/** For each document its number among the live ones, then their count; null: the same numbers. */
function liveNumbers(docCount: number, live: Uint32Array | null): Uint32Array | null {
  if (live === null) return null;
  const numbers = new Uint32Array(docCount + 1);
  let next = 0;
  for (let doc = 0; doc < docCount; doc++) {
    numbers[doc] = next;
    if (isSet(live, doc)) next++;
  }
  numbers[docCount] = next;
  return numbers;
}
