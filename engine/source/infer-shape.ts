import { SLOT_END } from "./assemble.js";
import { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import { type FieldPaths, NO_COLUMNS, type SlotField } from "./field-paths.js";
import { closing, skipBlanks, stringEnd, valueEnd } from "./json-scan.js";
import { ShapeEncoder } from "./shape.js";
import { type Form, SlotFinder } from "./slot-finder.js";
import { SlotKind } from "./slots.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;
const SMALL_N = 0x6e;
const MAX_DEPTH = 20;

/** Finds the shape of a document that is like none before, and what of it must be kept. */
export class ShapeInference {
  /** The shape that was found. */
  readonly encoder = new ShapeEncoder();
  /** What the slots keep, each ended by SLOT_END. */
  readonly kept = new ByteOutput();
  /** For each slot that is kept the columns that could have printed it; none for others. */
  columns: (readonly SlotField[])[] = [];
  readonly #finder = new SlotFinder();
  #source: Uint8Array = new Uint8Array(0);
  #values: DocumentValues | null = null;
  #paths: FieldPaths | null = null;
  /** Where the literal begins that is not written yet. */
  #literal = 0;

  /** False where the document is not an object or is written in a way that this does not follow. */
  infer(source: Uint8Array, values: DocumentValues, paths: FieldPaths): boolean {
    this.#source = source;
    this.#values = values;
    this.#paths = paths;
    this.#literal = 0;
    this.kept.at = 0;
    this.columns = [];
    this.encoder.begin();
    const start = skipBlanks(source, 0);
    const end = source[start] === OPEN_OBJECT ? this.#object(start, "", 0) : -1;
    if (end < 0 || skipBlanks(source, end) !== source.length) return false;
    this.encoder.literal(source, this.#literal, source.length);
    return true;
  }

  /** Each of these takes where its part begins and returns where it ends, or -1. */
  #object(from: number, prefix: string, depth: number): number {
    const source = this.#source;
    let at = skipBlanks(source, from + 1);
    if (source[at] === CLOSE_OBJECT) return at + 1;
    for (;;) {
      if (source[at] !== QUOTE) return -1;
      const keyEnd = stringEnd(source, at + 1);
      if (keyEnd < 0) return -1;
      const key = this.#key(at + 1, keyEnd);
      at = skipBlanks(source, keyEnd + 1);
      if (source[at] !== COLON) return -1;
      at = this.#value(skipBlanks(source, at + 1), key === null ? null : prefix + key, depth);
      if (at < 0) return -1;
      at = skipBlanks(source, at);
      if (source[at] === CLOSE_OBJECT) return at + 1;
      if (source[at] !== COMMA) return -1;
      at = skipBlanks(source, at + 1);
    }
  }

  /** null: with escapes, then no field is looked for. */
  #key(from: number, to: number): string | null {
    const source = this.#source;
    for (let at = from; at < to; at++) if (source[at] === BACKSLASH) return null;
    return Buffer.from(source.buffer, source.byteOffset + from, to - from).toString("utf8");
  }

  #value(from: number, path: string | null, depth: number): number {
    const source = this.#source;
    switch (source[from]) {
      case QUOTE: {
        const end = stringEnd(source, from + 1);
        return end < 0 ? -1 : this.#slot(SlotKind.text, from + 1, end, path) + 1;
      }
      case OPEN_ARRAY: {
        const end = closing(source, from + 1);
        return end < 0 ? -1 : this.#slot(SlotKind.items, from + 1, end, path) + 1;
      }
      case OPEN_OBJECT:
        if (path !== null && depth < MAX_DEPTH && this.#paths!.isObject(path)) {
          return this.#object(from, `${path}.`, depth + 1);
        }
    }
    const end = valueEnd(source, from);
    // null is nowhere in the columns, and as short as any slot.
    if (end < 0 || source[from] === SMALL_N) return end;
    return this.#slot(SlotKind.value, from, end, path);
  }

  #slot(form: Form, from: number, to: number, path: string | null): number {
    const source = this.#source;
    this.encoder.literal(source, this.#literal, from);
    this.#literal = to;
    const columns = path === null ? NO_COLUMNS : this.#paths!.columnsOf(path);
    if (columns.length > 0 && this.#finder.find({ form, source, from, to }, columns, this.#values!)) {
      this.encoder.slot(this.#finder.kind, this.#finder.field);
      this.columns.push(NO_COLUMNS);
      return to;
    }
    this.encoder.slot(form, 0);
    this.kept.append(source, from, to);
    this.kept.byte(SLOT_END);
    this.columns.push(columns);
    return to;
  }
}
