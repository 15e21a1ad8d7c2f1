import { EngineError } from "../errors.js";
import type { VectorSimilarity } from "../mapping/mapping.js";
import type { Arena } from "../store/arena.js";
import { Growing } from "../store/growing.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import { encodeVectorMeta, type VectorMeta } from "./format.js";

/** Vectors of one field as the write buffer gathers them. */
export class VectorBuffer {
  readonly #docs: Growing<"u32">;
  readonly #rows: Growing<"f32">;
  readonly #magnitudes: Growing<"f32">;
  #dims = 0;

  constructor(
    readonly arena: Arena,
    readonly similarity: VectorSimilarity,
  ) {
    this.#docs = new Growing(arena, "u32");
    this.#rows = new Growing(arena, "f32");
    this.#magnitudes = new Growing(arena, "f32");
  }

  get bytes(): number {
    return this.#docs.bytes + this.#rows.bytes + this.#magnitudes.bytes;
  }

  /** Adds the vector of `dims` f32 at `address` (a multiple of 4); documents ascend. Cosine vectors are normalised here. */
  add(doc: number, address: number, dims: number): void {
    if (this.#dims !== 0 && dims !== this.#dims) {
      throw new EngineError("document_malformed", `a vector has ${dims} dimensions where the field has ${this.#dims}`);
    }
    this.#dims = dims;
    const at = this.#rows.length;
    this.#rows.reserve(at + dims);
    const row = this.#rows.view.subarray(at, at + dims);
    row.set(this.arena.f32.subarray(address / 4, address / 4 + dims));
    this.#rows.length = at + dims;
    this.#docs.push(doc);
    if (this.similarity === "cosine") this.#magnitudes.push(normalise(row));
  }

  flush(sink: SectionSink, field: number, docCount: number): void {
    const docs = this.#docs.filled();
    if (docs.length === 0) return;
    const meta = { dims: this.#dims, rows: docs.length, similarity: this.similarity };
    sink.begin(SectionKind.vectorRows, field);
    sink.append(bytesOf(this.#rows.filled()));
    sink.end();
    const everywhere = docs.length === docCount && docs[docCount - 1] === docCount - 1;
    writeVectorFacts(sink, field, { meta, docs: everywhere ? null : docs, magnitudes: this.#magnitudes.filled() });
  }

  close(): void {
    this.#docs.close();
    this.#rows.close();
    this.#magnitudes.close();
  }
}

/** Everything but the rows: written after them. */
export function writeVectorFacts(
  sink: SectionSink,
  field: number,
  facts: { meta: VectorMeta; docs: Uint32Array | null; magnitudes: Float32Array },
): void {
  if (facts.docs !== null) {
    sink.begin(SectionKind.vectorDocs, field);
    sink.append(bytesOf(facts.docs));
    sink.end();
  }
  if (facts.meta.similarity === "cosine") {
    sink.begin(SectionKind.vectorMagnitudes, field);
    sink.append(bytesOf(facts.magnitudes));
    sink.end();
  }
  sink.begin(SectionKind.vectorMeta, field);
  sink.append(encodeVectorMeta(facts.meta));
  sink.end();
}

/** Divides by the Euclidean length, in place; returns the length. A zero vector stays. */
export function normalise(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] /= length;
  return length;
}

function bytesOf(values: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
