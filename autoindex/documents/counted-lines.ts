import { INDEX } from "../../code/index.js";
import { BulkLines } from "./lines.js";

/** How many documents of code there are: files, declarations, references. A catalog entry keeps them in this order. */
export type DocumentCounts = [files: number, declarations: number, references: number];

/** The indices that are counted, in the order of the counts. */
export const COUNTED_INDICES = [INDEX.files, INDEX.declarations, INDEX.references] as const;

/** Bulk operations that count what they write: an `_id` that is written twice is one document. */
export class CountedLines extends BulkLines {
  readonly #ids = new Set<string>();
  readonly #counts: DocumentCounts = [0, 0, 0];

  /** Documents written so far. */
  get counts(): DocumentCounts {
    return [...this.#counts];
  }

  override index(index: string, id: string, source: string): void {
    super.index(index, id, source);
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    this.#counts[COUNTED_INDICES.findIndex((name) => name === index)]++;
  }
}

/** The sum of two counts, kept in the first. */
export function addCounts(sum: DocumentCounts, more: readonly number[]): void {
  for (let at = 0; at < sum.length; at++) sum[at]! += more[at] ?? 0;
}
