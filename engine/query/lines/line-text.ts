/** The values of a field as text in the arena, one at a time: from where a segment keeps them, else from `_source`. */
import type { Arena } from "../../store/arena.js";
import type { TrigramField } from "../../trigrams/index.js";
import type { LeafContext } from "../exec/context.js";
import type { LinesFilter } from "../exec/plan.js";
import { sourceValues } from "../highlight/source-values.js";

/** Bytes behind a text that must be readable. */
const SLACK_BYTES = 16;

/** A value's bytes: valid until the next is loaded, and until others get the thread. */
export interface LoadedText {
  readonly address: number;
  readonly length: number;
}

/** Values of the documents of one leaf. */
export interface LineText {
  /** The index of grams, null: there is none. */
  readonly index: TrigramField | null;
  valueCount(doc: number): number;
  /** Value `n` of a document, from 0. */
  load(doc: number, n: number): LoadedText;
  /** Gives memory back. */
  close(): void;
}

/** Opens a field's text in a leaf; null: no document has any. */
export function openLineText(leaf: LeafContext, filter: LinesFilter): LineText | null {
  const { segment, context } = leaf;
  if (!filter.field.trigrams || segment.trigrams === undefined) {
    return new SourceText(leaf, filter.sourcePath, context.environment.arena);
  }
  const index = segment.trigrams(filter.field);
  return index === null ? null : keptText(index);
}

function keptText(index: TrigramField): LineText {
  return {
    index,
    valueCount: (doc) => index.endValue(doc) - index.firstValue(doc),
    load(doc, n) {
      const value = index.firstValue(doc) + n;
      const length = index.valueLength(value);
      return { address: index.loadValue(value, 0, length), length };
    },
    close() {},
  };
}

/** Values parsed out of `_source` and copied into the arena. */
class SourceText implements LineText {
  readonly index = null;
  #doc = -1;
  #values: readonly string[] = [];
  #address = 0;
  #room = 0;

  constructor(
    readonly leaf: LeafContext,
    readonly path: string,
    readonly arena: Arena,
  ) {}

  valueCount(doc: number): number {
    return this.#valuesOf(doc).length;
  }

  load(doc: number, n: number): LoadedText {
    const bytes = Buffer.from(this.#valuesOf(doc)[n], "utf8");
    this.#makeRoom(bytes.length + SLACK_BYTES);
    this.arena.u8.set(bytes, this.#address);
    return { address: this.#address, length: bytes.length };
  }

  close(): void {
    if (this.#room > 0) this.arena.free(this.#address);
    this.#room = 0;
  }

  #valuesOf(doc: number): readonly string[] {
    if (this.#doc !== doc) {
      const source = this.leaf.segment.source(doc);
      this.#values = sourceValues(JSON.parse(Buffer.from(source).toString("utf8")), this.path);
      this.#doc = doc;
    }
    return this.#values;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#room) return;
    this.close();
    this.#address = this.arena.alloc(bytes);
    this.#room = this.arena.sizeOf(this.#address);
  }
}
