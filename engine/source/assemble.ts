import { CorruptionError } from "../errors.js";
import type { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import type { Shape } from "./shape.js";
import { isKept, printNothing, printSlot } from "./slots.js";

/** Ends each kept slot in a record; JSON text never contains it. */
export const SLOT_END = 0;

/** A shape, and for each of its slots 1 where nobody wants what is there; null: all are wanted. */
export interface WantedShape {
  readonly shape: Shape;
  readonly hidden: Uint8Array | null;
}

/**
 * Appends the document: a shape, what its record keeps (from `from` on), and the values of its columns. Throws
 * CorruptionError when the record does not fit the shape; `name` says whose it is.
 */
export function assemble(
  { shape, hidden }: WantedShape,
  record: Uint8Array,
  from: number,
  values: DocumentValues,
  output: ByteOutput,
  name: string,
): void {
  const { literals, literalEnds, kinds, fields } = shape;
  let literal = 0;
  let at = from;
  for (let slot = 0; slot < kinds.length; slot++) {
    const isHidden = hidden !== null && hidden[slot] === 1;
    output.append(literals, literal, literalEnds[slot]);
    literal = literalEnds[slot];
    if (isHidden) printNothing(kinds[slot], output);
    if (isKept(kinds[slot])) {
      const end = record.indexOf(SLOT_END, at);
      if (end < 0) throw misfit(name, kinds.length, slot);
      if (!isHidden) output.append(record, at, end);
      at = end + 1;
    } else if (!isHidden) {
      printSlot(kinds[slot], fields[slot], values, output);
    }
  }
  output.append(literals, literal, literals.length);
  if (at !== record.length) throw misfit(name, kinds.length, kinds.length + 1);
}

/** A record's shape within its run (0: the whole document follows) and where the rest begins. */
export function readHead(record: Uint8Array): { shape: number; next: number } {
  let shape = 0;
  let next = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = record[next++];
    shape |= (byte & 127) << shift;
    if (!(byte > 127)) return { shape: shape >>> 0, next };
  }
}

function misfit(name: string, slots: number, found: number): CorruptionError {
  return new CorruptionError(`${name} (_source)`, 0, `a record of ${slots} slots`, `one of ${found}`);
}
