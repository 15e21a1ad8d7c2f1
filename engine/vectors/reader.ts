import { EngineError } from "../errors.js";
import type { VectorColumn } from "../segment/types.js";
import { SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { decodeVectorMeta, VECTOR_META_BYTES, type VectorMeta } from "./format.js";

/** Vectors of a segment are loaded into the arena unless they would take more than this part of it. */
const RESIDENT_SHARE = 1 / 4;
/** Bytes read at once where they are not loaded. */
const SCAN_BYTES = 256 * 1024;

/** Finds rows that a query vector is near to; null while there is no graph. */
export type GraphSearch = VectorColumn["graph"];

/** The vectors of a field; null: the segment has none. Valid while the segment is in use. */
export function readVectors(
  source: SectionSource,
  storage: Storage,
  field: number,
  graph: () => GraphSearch,
): SegmentVectors | null {
  if (source.sectionSize(SectionKind.vectorMeta, field) < 0) return null;
  return new SegmentVectors(source, storage, field, graph);
}

export class SegmentVectors implements VectorColumn {
  readonly meta: VectorMeta;
  readonly docs: Uint32Array | null;
  readonly #source: SectionSource;
  readonly #storage: Storage;
  readonly #field: number;
  readonly #graph: () => GraphSearch;
  /** Address of the rows; 0: they are read where they lie. */
  readonly #resident: number;

  constructor(source: SectionSource, storage: Storage, field: number, graph: () => GraphSearch) {
    this.meta = decodeVectorMeta(source.read(SectionKind.vectorMeta, field, 0, VECTOR_META_BYTES));
    this.#source = source;
    this.#storage = storage;
    this.#field = field;
    this.#graph = graph;
    const docs = source.pin(SectionKind.vectorDocs, field);
    this.docs = docs && new Uint32Array(storage.arena.memory.buffer, docs.address, docs.length / 4);
    const size = source.sectionSize(SectionKind.vectorRows, field);
    const fits = size <= storage.arena.capacity * RESIDENT_SHARE;
    this.#resident = fits ? (source.pin(SectionKind.vectorRows, field)?.address ?? 0) : 0;
  }

  get dims(): number {
    return this.meta.dims;
  }

  get rows(): number {
    return this.meta.rows;
  }

  get graph(): GraphSearch {
    return this.#graph();
  }

  vector(row: number): Float32Array {
    const bytes = this.#source.read(SectionKind.vectorRows, this.#field, row * this.#rowBytes, this.#rowBytes);
    return new Float32Array(bytes.buffer, bytes.byteOffset, this.dims);
  }

  /** Length that a cosine vector had before it was normalised; 1 for other similarities. */
  magnitude(row: number): number {
    if (this.meta.similarity !== "cosine") return 1;
    const bytes = this.#source.read(SectionKind.vectorMagnitudes, this.#field, row * 4, 4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getFloat32(0, true);
  }

  similarities(query: Float32Array, rows: Uint32Array | null, out: Float32Array): void {
    if (query.length !== this.dims) {
      throw new EngineError(
        "invalid_value",
        `the query vector has ${query.length} dimensions, the field has ${this.dims}`,
      );
    }
    const { arena, kernels, scratch } = this.#storage;
    const address = scratch.region("query", this.#rowBytes);
    arena.f32.set(query, address / 4);
    const measure = this.meta.similarity === "l2_norm" ? kernels.squaredDistance : kernels.dot;
    const { dims } = this;
    if (rows === null) {
      this.#scan((at, row) => {
        out[row] = measure(address, at, dims);
      });
    } else {
      for (let i = 0; i < rows.length; i++) out[i] = measure(address, this.#rowAddress(rows[i]), dims);
    }
  }

  get #rowBytes(): number {
    return this.meta.dims * 4;
  }

  /** Calls with each row's address, in order. */
  #scan(visit: (address: number, row: number) => void): void {
    if (this.#resident !== 0) {
      for (let row = 0; row < this.rows; row++) visit(this.#resident + row * this.#rowBytes, row);
      return;
    }
    const { arena, scratch } = this.#storage;
    const step = Math.max(1, Math.floor(SCAN_BYTES / this.#rowBytes));
    for (let from = 0; from < this.rows; from += step) {
      const count = Math.min(step, this.rows - from);
      const bytes = this.#source.read(
        SectionKind.vectorRows,
        this.#field,
        from * this.#rowBytes,
        count * this.#rowBytes,
      );
      const address = scratch.region("rows", Math.max(SCAN_BYTES, bytes.length));
      arena.u8.set(bytes, address);
      for (let i = 0; i < count; i++) visit(address + i * this.#rowBytes, from + i);
    }
  }

  #rowAddress(row: number): number {
    if (this.#resident !== 0) return this.#resident + row * this.#rowBytes;
    const { arena, scratch } = this.#storage;
    const address = scratch.region("rows", Math.max(SCAN_BYTES, this.#rowBytes));
    arena.u8.set(this.#source.read(SectionKind.vectorRows, this.#field, row * this.#rowBytes, this.#rowBytes), address);
    return address;
  }
}
