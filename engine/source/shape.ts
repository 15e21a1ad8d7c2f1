/**
 * The shape of a document: what documents written by one program have in common, keys, punctuation and white space, as
 * literals, and slots between them for what differs. Encoded:
 *
 *   literal, then for each slot: its kind, its field where it is printed from a column, the literal behind it
 *
 * A literal is a varint, its length, and that many bytes; a kind is one byte (slots.ts); a field is its ordinal as
 * varint.
 *
 * Example, {"a":1,"b":"x"} where a is printed from field 3 (a long) and b kept:
 *   05 7b 22 61 22 3a, 05 03, 06 2c 22 62 22 3a 22, 00, 02 22 7d
 */
import { ByteOutput } from "./byte-output.js";
import { isKept } from "./slots.js";

/** A shape ready for use: there is one literal more than there are slots. */
export interface Shape {
  /** All literals, one after the other. */
  readonly literals: Uint8Array;
  /** Where each literal ends. */
  readonly literalEnds: Uint32Array;
  readonly kinds: Uint8Array;
  /** Ordinals of fields; 0 for slots that are kept. */
  readonly fields: Uint32Array;
}

/** Puts an encoded shape together. */
export class ShapeEncoder {
  readonly output = new ByteOutput(512);

  begin(): void {
    this.output.at = 0;
  }

  /** The next literal: source[from, to). */
  literal(source: Uint8Array, from: number, to: number): void {
    this.output.varint(to - from);
    this.output.append(source, from, to);
  }

  slot(kind: number, field: number): void {
    this.output.byte(kind);
    if (!isKept(kind)) this.output.varint(field);
  }

  /** The encoded shape; a view that is valid until the next `begin`. */
  get bytes(): Uint8Array {
    return this.output.bytes.subarray(0, this.output.at);
  }
}

/** The shape that these bytes encode. */
export function decodeShape(bytes: Uint8Array): Shape {
  const literals = new ByteOutput(bytes.length);
  const ends: number[] = [];
  const kinds: number[] = [];
  const fields: number[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (!(byte > 127)) return value >>> 0;
    }
  };
  for (;;) {
    const length = varint();
    literals.append(bytes, at, at + length);
    at += length;
    ends.push(literals.at);
    if (at >= bytes.length) break;
    const kind = bytes[at++];
    kinds.push(kind);
    fields.push(isKept(kind) ? 0 : varint());
  }
  return {
    literals: literals.bytes.slice(0, literals.at),
    literalEnds: Uint32Array.from(ends),
    kinds: Uint8Array.from(kinds),
    fields: Uint32Array.from(fields),
  };
}
