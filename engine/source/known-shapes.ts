/**
 * Which shapes the documents have that were shown last. What is shown of them often lies in columns alone: then neither their
 * block is unpacked nor looked for where in it they begin.
 */

/** Documents that a thread remembers, 12 bytes each; those whose keys fall on one place drive each other out. */
const PLACES = 8192;

const keys = new Float64Array(PLACES).fill(-1);
const shapes = new Uint32Array(PLACES);

/** More documents than a segment may have, and for how many segments there are keys: those after them are not remembered. */
const KEYS_PER_SEGMENT = 2 ** 31;
const MOST_SEGMENTS = 2 ** 21;

let segments = 0;

/** The documents of one segment, in this thread. */
export class KnownShapes {
  /** The key of its first document; -1: there is none left. */
  readonly #first = segments < MOST_SEGMENTS ? segments++ * KEYS_PER_SEGMENT : -1;

  /** A document's shape by its number in the segment; -1: it is not known. */
  of(doc: number): number {
    if (this.#first < 0) return -1;
    const key = this.#first + doc;
    const place = key % PLACES;
    return keys[place] === key ? shapes[place] : -1;
  }

  note(doc: number, shape: number): void {
    if (this.#first < 0) return;
    const key = this.#first + doc;
    const place = key % PLACES;
    keys[place] = key;
    shapes[place] = shape;
  }
}
