import { ColumnRows } from "../columns/column-rows.js";
import { InternalError } from "../errors.js";
import type { ByteOutput } from "../source/byte-output.js";
import type { DocumentValues } from "../source/document-values.js";
import { printText } from "../source/print-text.js";
import type { Arena } from "../store/arena.js";
import { StoredTerms } from "../text/stored-terms.js";
import type { SegmentTrigrams } from "../trigrams/index.js";
import type { SegmentFile } from "./file.js";
import { WarmSections } from "./warm-sections.js";

/**
 * The values that a segment's columns hold of a document, read value by value: putting ten documents together need not
 * load whole columns.
 */
export class StoredValues implements DocumentValues {
  doc = 0;
  readonly #source: WarmSections;
  readonly #columns: (ColumnRows | undefined)[] = [];
  readonly #terms: (StoredTerms | undefined)[] = [];

  constructor(
    file: SegmentFile,
    readonly arena: Arena,
    private readonly texts: (field: number) => SegmentTrigrams | null,
  ) {
    this.#source = new WarmSections(file);
  }

  count(field: number): number {
    const text = this.texts(field);
    if (text !== null) return text.endValue(this.doc) - text.firstValue(this.doc);
    return this.#column(field).count(this.doc);
  }

  long(field: number, index: number): number | bigint {
    return this.#column(field).long(this.doc, index);
  }

  double(field: number, index: number): number {
    return this.#column(field).double(this.doc, index);
  }

  term(field: number, index: number, output: ByteOutput): void {
    this.#terms[field] ??= new StoredTerms(this.#source, this.arena, field);
    const term = this.#terms[field].term(this.#column(field).ordinal(this.doc, index));
    output.append(term, 0, term.length);
  }

  text(field: number, index: number, output: ByteOutput): void {
    const text = this.texts(field);
    if (text === null) throw new InternalError(`field ${field} has no text`);
    const value = text.firstValue(this.doc) + index;
    const length = text.valueLength(value);
    printText(this.arena.u8, text.loadValue(value, 0, length), length, output);
  }

  #column(field: number): ColumnRows {
    this.#columns[field] ??= new ColumnRows(this.#source, this.arena, field);
    return this.#columns[field];
  }
}
