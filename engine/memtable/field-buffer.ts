import { ColumnBuffer } from "../columns/buffer.js";
import { ExistsBuffer, writeExists } from "../columns/exists.js";
import type { TermOrdinals } from "../columns/writer.js";
import type { Field } from "../mapping/field-table.js";
import type { Arena } from "../store/arena.js";
import type { SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { TextBuffer } from "../trigrams/index.js";
import { similarityOf } from "../vectors/format.js";
import { VectorBuffer } from "../vectors/writer.js";

/** What a write buffer gathers of one field besides its terms; parts appear when they are first needed. */
export class FieldBuffer {
  #column: ColumnBuffer | null = null;
  #exists: ExistsBuffer | null = null;
  #vectors: VectorBuffer | null = null;
  #text: TextBuffer | null = null;

  constructor(
    readonly arena: Arena,
    readonly field: Field,
  ) {}

  get bytes(): number {
    return (
      (this.#column?.bytes ?? 0) + (this.#exists?.bytes ?? 0) + (this.#vectors?.bytes ?? 0) + (this.#text?.bytes ?? 0)
    );
  }

  /** A value for the column, as two words (see columns/buffer.ts), or mere existence where the field has no column. */
  addValue(doc: number, low: number, high: number): void {
    const kind = this.field.column;
    if (kind === null) {
      this.addExists(doc);
      return;
    }
    this.#column ??= new ColumnBuffer(this.arena, kind);
    this.#column.add(doc, low, high);
  }

  addExists(doc: number): void {
    this.#exists ??= new ExistsBuffer(this.arena);
    this.#exists.add(doc);
  }

  addVector(doc: number, address: number, dims: number): void {
    this.#vectors ??= new VectorBuffer(this.arena, similarityOf(this.field.mapping));
    this.#vectors.add(doc, address, dims);
    this.addExists(doc);
  }

  /** A value of a field whose text is kept: `length` bytes at `address`, which must stay there until they are written. */
  addText(doc: number, address: number, length: number): void {
    this.#text ??= new TextBuffer(this.arena);
    this.#text.add(doc, address, length);
    this.addExists(doc);
  }

  /** Writes the sections of the field's text. Yields after some work. */
  *flushText(storage: Storage, sink: SectionSink, docCount: number): Generator<void, void> {
    if (this.#text !== null) yield* this.#text.write(storage, sink, this.field.ordinal, docCount);
  }

  /** Writes the field's other sections; `ordinals` maps term numbers to ordinals in the field's dictionary. */
  flush(sink: SectionSink, docCount: number, ordinals: TermOrdinals): void {
    const { ordinal } = this.field;
    this.#column?.flush(sink, ordinal, docCount, this.field.column === "ordinals" ? ordinals : null);
    this.#vectors?.flush(sink, ordinal, docCount);
    if (this.#exists === null) return;
    const bits = this.#exists.bits(docCount);
    this.#column?.addPresence(bits);
    writeExists(sink, ordinal, docCount, bits);
  }

  close(): void {
    this.#column?.close();
    this.#exists?.close();
    this.#vectors?.close();
    this.#text?.close();
  }
}
