import type { FieldType } from "../mapping/mapping.js";
import { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import type { SlotField } from "./field-paths.js";
import { dateStyleOf } from "./print-date.js";
import { isList, printSlot, SlotKind } from "./slots.js";

/** What stands at a path: the inside of a string, a number or literal or object, the inside of an array. */
export type Form = typeof SlotKind.text | typeof SlotKind.value | typeof SlotKind.items;

/** A part of a document: source[from, to). */
export interface Part {
  readonly form: Form;
  readonly source: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Finds a kind of slot that prints a part of a document from its columns. */
export class SlotFinder {
  /** What was found. */
  kind = 0;
  field = 0;
  readonly #printed = new ByteOutput();

  /** Whether one of these columns prints these bytes. */
  find(part: Part, columns: readonly SlotField[], values: DocumentValues): boolean {
    for (const { ordinal, type } of columns) {
      for (const candidate of kindsOf(type, part.form)) {
        const kind = candidate === SlotKind.date ? dateKind(part) : candidate;
        if (kind < 0 || !this.prints(kind, ordinal, values)) continue;
        if (!this.#equals(part)) continue;
        this.kind = kind;
        this.field = ordinal;
        return true;
      }
    }
    return false;
  }

  /** Whether the slot that begins at source[from] is what this kind prints: where it ends then, else -1. */
  endOf(kind: number, field: number, values: DocumentValues, source: Uint8Array, from: number): number {
    if (!this.prints(kind, field, values)) return -1;
    const { bytes, at } = this.#printed;
    return equalBytes(bytes, at, source, from) ? from + at : -1;
  }

  /** Prints; false where the document has not the values for it. */
  private prints(kind: number, field: number, values: DocumentValues): boolean {
    const count = values.count(field);
    if (isList(kind) ? count === 0 : count !== 1) return false;
    this.#printed.at = 0;
    printSlot(kind, field, values, this.#printed);
    return true;
  }

  #equals({ source, from, to }: Part): boolean {
    const { bytes, at } = this.#printed;
    return at === to - from && equalBytes(bytes, at, source, from);
  }
}

/** Whether the first `count` bytes are those at source[from]. */
function equalBytes(bytes: Uint8Array, count: number, source: Uint8Array, from: number): boolean {
  if (from + count > source.length) return false;
  if (count > 64) return Buffer.compare(bytes.subarray(0, count), source.subarray(from, from + count)) === 0;
  for (let i = 0; i < count; i++) if (bytes[i] !== source[from + i]) return false;
  return true;
}

function dateKind({ source, from, to }: Part): number {
  const style = dateStyleOf(source, from, to);
  return style < 0 ? -1 : SlotKind.date + style;
}

const NO_KINDS: readonly number[] = [];
const TERM = [SlotKind.term];
const TERMS = [SlotKind.terms];
const JSON_TEXT = [SlotKind.jsonText];
const JSON_TEXTS = [SlotKind.jsonTexts];
const ADDRESS = [SlotKind.address];
const LONG = [SlotKind.long];
const LONGS = [SlotKind.longs];
const BOOLEAN = [SlotKind.boolean];
const FRACTION = [SlotKind.double, SlotKind.pointedDouble];
const FRACTIONS = [SlotKind.doubles];
const DATE = [SlotKind.date, SlotKind.long, SlotKind.epochSeconds];
const MOMENT = [SlotKind.long, SlotKind.epochSeconds];

/** Kinds of slot that may print a value of a field of this type in this form; `date` stands for all its styles. */
function kindsOf(type: FieldType, form: Form): readonly number[] {
  const items = form === SlotKind.items;
  switch (type) {
    case "keyword":
      return items ? TERMS : TERM;
    case "wildcard":
      if (items) return JSON_TEXTS;
      return form === SlotKind.text ? JSON_TEXT : NO_KINDS;
    case "ip":
      return items ? NO_KINDS : ADDRESS;
    case "long":
    case "integer":
    case "short":
    case "byte":
      return items ? LONGS : LONG;
    case "double":
    case "float":
    case "half_float":
      return items ? FRACTIONS : FRACTION;
    case "boolean":
      return items ? NO_KINDS : BOOLEAN;
    case "date":
      if (items) return LONGS;
      return form === SlotKind.text ? DATE : MOMENT;
    default:
      return NO_KINDS;
  }
}
