import path from "node:path";
import { describe, expect, it } from "vitest";
import type { VectorSimilarity } from "../mapping/mapping.js";
import { SegmentFile } from "../segment/file.js";
import { SegmentFileWriter } from "../segment/file-writer.js";
import type { SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { type Chance, chance, hex, temporaryFolder, testStorage } from "../store/testing.js";
import { encodeVectorMeta } from "./format.js";
import { mergeVectors } from "./merge.js";
import { readVectors, type SegmentVectors } from "./reader.js";
import { VectorBuffer } from "./writer.js";

const FIELD = 2;

function randomVector(random: Chance, dims: number): Float32Array {
  return Float32Array.from({ length: dims }, () => (random(2001) - 1000) / 500);
}

function write(storage: Storage, sink: SectionSink, similarity: VectorSimilarity, docs: (Float32Array | null)[]): void {
  const buffer = new VectorBuffer(storage.arena, similarity);
  docs.forEach((vector, doc) => {
    if (vector === null) return;
    const address = storage.scratch.region("rows", vector.byteLength);
    storage.arena.f32.set(vector, address / 4);
    buffer.add(doc, address, vector.length);
  });
  buffer.flush(sink, FIELD, docs.length);
  buffer.close();
}

/** Written with room to spare, read with the storage that is tested. */
function reopen(storage: Storage, write: (sink: SectionSink, writing: Storage) => void): SegmentVectors | null {
  const name = path.join(temporaryFolder(), "a.seg");
  const writing = testStorage();
  const writer = new SegmentFileWriter(writing, name);
  write(writer, writing);
  writer.finish();
  const file = SegmentFile.open(storage, name);
  file.beginUse();
  return readVectors(file, storage, FIELD, () => null);
}

function similarity(kind: VectorSimilarity, a: Float32Array, b: Float32Array): number {
  const length = kind === "cosine" ? Math.hypot(...a) : 1;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += kind === "l2_norm" ? (a[i] - b[i]) ** 2 : (a[i] / length) * b[i];
  return sum;
}

function check(random: Chance, kind: VectorSimilarity, vectors: SegmentVectors, docs: (Float32Array | null)[]): void {
  const present = docs.flatMap((vector, doc) => (vector === null ? [] : [{ vector, doc }]));
  expect(vectors.rows).toBe(present.length);
  expect(present.map((_, row) => vectors.docs?.[row] ?? row)).toEqual(present.map(({ doc }) => doc));
  const query = randomVector(random, vectors.dims);
  const out = new Float32Array(present.length);
  vectors.similarities(query, null, out);
  const rows = Uint32Array.from({ length: 20 }, () => random(present.length));
  const some = new Float32Array(rows.length);
  vectors.similarities(query, rows, some);
  rows.forEach((row, i) => {
    expect(some[i], random.label).toBeCloseTo(similarity(kind, present[row].vector, query), 3);
    expect(some[i], random.label).toBe(out[row]);
    const stored = vectors.vector(row);
    const magnitude = vectors.magnitude(row);
    stored.forEach((value, d) => {
      expect(value * magnitude, random.label).toBeCloseTo(present[row].vector[d], 4);
    });
  });
}

describe("vectors of a segment", () => {
  it("have the meta that the format's comment shows", () => {
    const meta = encodeVectorMeta({ dims: 3, rows: 2, similarity: "cosine" });
    expect(Buffer.from(meta).toString("hex")).toBe(hex("03000000 02000000 01000000 00000000"));
  });

  for (const kind of ["cosine", "dot_product", "l2_norm", "max_inner_product"] as const) {
    for (const arena of ["resident", "read where they lie"] as const) {
      it(`score by ${kind}, whole and after a merge (${arena})`, () => {
        const random = chance();
        const storage = testStorage(arena === "resident" ? 64 * 2 ** 20 : 2 ** 20);
        const dims = 96;
        const parts = [800, 5, 900].map((count, i) =>
          Array.from({ length: count }, () => (i === 2 || random(5) > 0 ? randomVector(random, dims) : null)),
        );
        parts[1][0] = randomVector(random, dims);
        const inputs = parts.map((docs, i) => {
          const vectors = reopen(storage, (sink, writing) => write(writing, sink, kind, docs));
          check(random, kind, vectors!, docs);
          const live = new Uint32Array(32).fill(i === 1 ? 0xffffffff : 0xefffff7f);
          return { vectors, docCount: docs.length, live: i === 1 ? null : live };
        });
        const merged = reopen(storage, (sink) => {
          for (const step = mergeVectors(sink, FIELD, inputs); !step.next().done; );
        });
        const kept = parts.flatMap((docs, i) =>
          docs.filter((_, doc) => inputs[i].live === null || (inputs[i].live[doc >>> 5] >>> (doc & 31)) & 1),
        );
        check(random, kind, merged!, kept);
      });
    }
  }

  it("keep a zero vector as it is", () => {
    const storage = testStorage();
    const vectors = reopen(storage, (sink, writing) => write(writing, sink, "cosine", [new Float32Array(4)]))!;
    expect([...vectors.vector(0)]).toEqual([0, 0, 0, 0]);
    expect(vectors.magnitude(0)).toBe(0);
  });

  it("refuse a query of other dimensions, and a second length of vectors", () => {
    const storage = testStorage();
    const vectors = reopen(storage, (sink, writing) => write(writing, sink, "l2_norm", [new Float32Array(4)]))!;
    expect(() => vectors.similarities(new Float32Array(3), null, new Float32Array(1))).toThrow(/3 dimensions.*has 4/);
    const buffer = new VectorBuffer(storage.arena, "l2_norm");
    const address = storage.arena.alloc(64);
    buffer.add(0, address, 4);
    expect(() => buffer.add(1, address, 5)).toThrow(/5 dimensions where the field has 4/);
  });
});
