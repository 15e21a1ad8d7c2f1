import type { FieldMapping, FieldType } from "./mapping.js";

/**
 * One searchable field of an index under its full path (`user.name`, `title.keyword`). `ordinal` is its number in this
 * index for ever: segments and prepared documents name fields by it. Ordinals are handed out as fields appear and are
 * kept durable with the mapping.
 */
export interface Field {
  readonly ordinal: number;
  readonly path: string;
  readonly type: FieldType;
  readonly mapping: FieldMapping;
  /** Has a term dictionary and postings: text, keyword, boolean and ip unless `index: false`. */
  readonly inverted: boolean;
  /** Positions are kept: text. */
  readonly positions: boolean;
  /** One length byte per document is kept: text unless `norms: false`. */
  readonly norms: boolean;
  /** `ordinals` into the term dictionary (keyword, ip, boolean), or numbers; null for text and vectors. */
  readonly column: "ordinals" | "long" | "double" | null;
}
