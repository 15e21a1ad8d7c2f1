/**
 * The shapes of a merged segment. Tables of inputs are put one behind the other, so that a block may be copied as it is:
 * its run's base moves. A table that is there already (all segments of one program's logs have the same) is not added
 * again. Where that would give too many shapes, equal ones become one, and the records of such an input are written
 * anew.
 */
import { readHead } from "./assemble.js";
import type { ShapeList } from "./shape-section.js";
import { WHOLE } from "./source-format.js";

/** Most shapes of a merged segment, and most that tables may be put together to without a look for equal ones. */
const MAX_SHAPES = 4096;
const MAX_JOINED = 256;

/** What became of one input's shapes. */
export interface MappedShapes {
  /** Its shapes in order are the merged ones from here on: blocks may be copied. -1: only `shapes` tells. */
  readonly offset: number;
  /** Merged number by number of the input's; -1: there was no room for it. */
  readonly shapes: Int32Array;
}

/** Gathers the merged shapes. */
export class ShapeMerge {
  /** Encoded, by merged number. */
  readonly encoded: Uint8Array[] = [];
  readonly #numbers = new Map<string, number>();

  add(input: ShapeList): MappedShapes {
    const shapes = Array.from({ length: input.count }, (_, i) => input.encoded(i));
    const keys = shapes.map((shape) => Buffer.from(shape).toString("latin1"));
    const offset = this.#joined(keys);
    if (offset < 0) return { offset: -1, shapes: Int32Array.from(shapes, (shape, i) => this.#number(shape, keys[i])) };
    for (let i = this.encoded.length - offset; i < shapes.length; i++) this.#push(shapes[i], keys[i]);
    return { offset, shapes: Int32Array.from(shapes, (_, i) => offset + i) };
  }

  /** Where a table lies among the merged shapes, or where it would if its rest was put behind them; -1: nowhere. */
  #joined(keys: readonly string[]): number {
    const merged = this.encoded.map((shape) => Buffer.from(shape).toString("latin1"));
    for (let offset = 0; offset <= merged.length; offset++) {
      if (offset + keys.length > Math.max(merged.length, MAX_JOINED)) return -1;
      const count = Math.min(keys.length, merged.length - offset);
      let equal = 0;
      while (equal < count && merged[offset + equal] === keys[equal]) equal++;
      if (equal === count) return offset;
    }
    return -1;
  }

  #number(shape: Uint8Array, key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    return this.encoded.length === MAX_SHAPES ? -1 : this.#push(shape, key);
  }

  #push(shape: Uint8Array, key: string): number {
    if (!this.#numbers.has(key)) this.#numbers.set(key, this.encoded.length);
    this.encoded.push(shape);
    return this.encoded.length - 1;
  }
}

/**
 * A record as it reads in the merged segment, where its base is 0: its head and where what follows begins in the old
 * record; null: its shape found no room, the document must be stored whole.
 */
export function mergedHead(
  record: Uint8Array,
  base: number,
  mapped: MappedShapes,
): { head: number; next: number } | null {
  if (base === WHOLE) return { head: 0, next: 0 };
  const { shape, next } = readHead(record);
  if (shape === 0) return { head: 0, next };
  const number = mapped.shapes[base + shape - 1];
  return number < 0 ? null : { head: number + 1, next };
}
