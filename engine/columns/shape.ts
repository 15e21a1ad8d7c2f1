/**
 * Which documents have values and how many: what all kinds of column share, gathered document by document.
 */
import { bitWords, setBit } from "../store/bits.js";
import { SectionKind, type SectionSink } from "../store/section.js";

/** Presence and offsets of a column; null as in the column's format. */
export interface ColumnShapeData {
  readonly docs: number;
  readonly present: number;
  /** Rows of columnValues. */
  readonly values: number;
  readonly presence: Uint32Array | null;
  readonly offsets: Uint32Array | null;
}

/** Takes the number of values of each document, in order. */
export class ShapeBuilder {
  readonly #bits: Uint32Array;
  readonly #offsets: Uint32Array | null;
  #doc = 0;
  #present = 0;
  #values = 0;

  /** `multi`: documents may have several values, so rows are found by offsets. */
  constructor(
    readonly docs: number,
    readonly multi: boolean,
  ) {
    this.#bits = new Uint32Array(bitWords(docs));
    this.#offsets = multi ? new Uint32Array(docs + 1) : null;
  }

  add(valueCount: number): void {
    const doc = this.#doc++;
    if (valueCount > 0) {
      setBit(this.#bits, doc);
      this.#present++;
      this.#values += valueCount;
    }
    if (this.#offsets !== null) this.#offsets[doc + 1] = this.#values;
  }

  finish(): ColumnShapeData {
    return {
      docs: this.docs,
      present: this.#present,
      values: this.multi ? this.#values : this.docs,
      presence: this.#present === this.docs ? null : this.#bits,
      offsets: this.#offsets,
    };
  }
}

/** Writes the presence and offsets sections a shape needs. */
export function writeShape(sink: SectionSink, field: number, shape: ColumnShapeData): void {
  if (shape.presence !== null) writeWords(sink, SectionKind.columnPresence, field, shape.presence);
  if (shape.offsets !== null) writeWords(sink, SectionKind.columnOffsets, field, shape.offsets);
}

/** A section of u32. */
export function writeWords(sink: SectionSink, kind: SectionKind, field: number, words: Uint32Array): void {
  sink.begin(kind, field);
  sink.append(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  sink.end();
}
