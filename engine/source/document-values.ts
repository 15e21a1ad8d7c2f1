import type { ByteOutput } from "./byte-output.js";

/**
 * The values that the columns hold of one document, in the order of the columns: what `_source` is printed from. When a
 * document is written its prepared records stand in for the columns it will be in.
 */
export interface DocumentValues {
  /** How many values the field has; 0 also where they are not known to be in the column's order. */
  count(field: number): number;
  /** A value of a column of whole numbers: a bigint where it is no safe integer. */
  long(field: number, index: number): number | bigint;
  /** A value of a column of fractions. */
  double(field: number, index: number): number;
  /** Appends the bytes of a value of a column of ordinals. */
  term(field: number, index: number, output: ByteOutput): void;
  /** Appends a value of a field whose text is kept, as the inside of a JSON string (print-text.ts). */
  text(field: number, index: number, output: ByteOutput): void;
}
