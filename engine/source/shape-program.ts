import { PROGRAM_SLOT_BYTES, SEVERAL } from "../kernels/follow-shape.js";
import { isWholeType } from "../mapping/numbers.js";
import type { Arena } from "../store/arena.js";
import { Growing } from "../store/growing.js";
import type { SlotField } from "./field-paths.js";
import type { Shape } from "./shape.js";
import { isKept, SlotKind } from "./slots.js";

/** A shape in the form in which a kernel follows documents through it (kernels/follow-shape.ts). */
export interface ShapeProgram {
  readonly shape: Shape;
  /** For each kept slot the columns that may print it in another document; none for other slots. */
  readonly columns: readonly (readonly SlotField[])[];
  /** Where it lies in the programs' memory, and where its literals begin. */
  readonly offset: number;
  readonly literals: number;
}

/** The programs of the shapes of a segment being written. Owns its memory until `close()`. */
export class ShapePrograms {
  readonly #bytes: Growing<"u8">;

  constructor(arena: Arena) {
    this.#bytes = new Growing(arena, "u8");
  }

  /** Where the programs begin now. */
  get address(): number {
    return this.#bytes.address;
  }

  add(shape: Shape, columns: readonly (readonly SlotField[])[]): ShapeProgram {
    const { literals, literalEnds, kinds, fields } = shape;
    const slots = kinds.length;
    const offset = this.#bytes.length;
    const literalsAt = offset + 4 + PROGRAM_SLOT_BYTES * slots + 4;
    const end = literalsAt + literals.length;
    // Kernels read 16 bytes further.
    this.#bytes.reserve(end + 16);
    const words = new Uint32Array(2 + 4 * slots);
    words[0] = slots;
    let literal = 0;
    for (let slot = 0; slot < slots; slot++) {
      const kept = isKept(kinds[slot]);
      words[1 + 4 * slot] = literalEnds[slot] - literal;
      words[2 + 4 * slot] = kinds[slot];
      words[3 + 4 * slot] = kept ? listKind(columns[slot]) : valueNumber(fields[slot], isTerm(kinds[slot]));
      words[4 + 4 * slot] = kept ? columnOf(columns[slot]) : 0;
      literal = literalEnds[slot];
    }
    words[1 + 4 * slots] = literals.length - literal;
    this.#bytes.view.set(new Uint8Array(words.buffer), offset);
    this.#bytes.view.set(literals, literalsAt);
    this.#bytes.length = (end + 3) & ~3;
    return { shape, columns, offset, literals: literalsAt };
  }

  close(): void {
    this.#bytes.close();
  }
}

/** The number of a field's value among the noted ones. */
export function valueNumber(field: number, term: boolean): number {
  return 2 * field + (term ? 0 : 1);
}

const TERM_KINDS: ReadonlySet<number> = new Set([
  SlotKind.term,
  SlotKind.terms,
  SlotKind.address,
  SlotKind.jsonText,
  SlotKind.jsonTexts,
]);

function isTerm(kind: number): boolean {
  return TERM_KINDS.has(kind);
}

function columnOf(columns: readonly SlotField[]): number {
  if (columns.length === 0) return 0;
  if (columns.length > 1) return SEVERAL;
  const [{ ordinal, type }] = columns;
  return 1 + valueNumber(ordinal, type === "keyword" || type === "ip" || type === "wildcard");
}

/** How the only column of a kept slot would print a list, where the kernel can tell. */
function listKind(columns: readonly SlotField[]): number {
  if (columns.length !== 1) return 0;
  const [{ type }] = columns;
  if (type === "keyword") return SlotKind.terms;
  return isWholeType(type) || type === "date" ? SlotKind.longs : 0;
}
