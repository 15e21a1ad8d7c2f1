/** The shapes of a segment being written: numbered from 1 in the order of their first document. */

/** Most shapes of a write buffer. */
const MAX_SHAPES = 1024;
/** Bytes of shapes that are allowed at once, and per byte of documents: shapes that hardly repeat cost more than they save. */
const FREE_BYTES = 32 * 1024;
const SHARE = 1 / 8;

export class ShapeTable {
  /** Encoded shapes; shape n is at n - 1. */
  readonly encoded: Uint8Array[] = [];
  readonly #ids = new Map<string, number>();
  #bytes = 0;

  /** The number of this shape, which is added if need be; 0: there is no room for more. */
  idOf(shape: Uint8Array, documentBytes: number): number {
    const key = Buffer.from(shape.buffer, shape.byteOffset, shape.length).toString("latin1");
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const allowed = FREE_BYTES + SHARE * documentBytes;
    if (this.encoded.length >= MAX_SHAPES || this.#bytes + shape.length > allowed) return 0;
    this.#bytes += shape.length;
    this.encoded.push(shape.slice());
    this.#ids.set(key, this.encoded.length);
    return this.encoded.length;
  }
}
