/**
 * A document's bytes are cut into literals and slots (shape.ts). A slot's bytes are either kept with the document or
 * printed from its columns; how, says the slot's kind. Numbers of kinds are on disk, and what a kind prints is part of
 * the format: never change either, only add.
 *
 *   kind  kept with the document
 *   0     the inside of a string, as it stands in the document (escapes included)
 *   1     a number, literal, object or array, whole
 *   2     the inside of an array
 *         printed from the column of a field
 *   3     a term's bytes
 *   4     all terms of the document, each in quotes, commas between
 *   5     a whole number
 *   6     all whole numbers of the document, commas between
 *   7     a boolean
 *   8     a fraction, shortest form
 *   9     a fraction, whole ones with `.0`
 *   10    an address
 *   11    epoch seconds of a date
 *   12    all fractions of the document, shortest form, commas between
 *   13    a text, escaped as print-text.ts says
 *   14    all texts of the document, each in quotes, commas between
 *   32..  a date in style kind - 32 (print-date.ts)
 */
import { SlotKind } from "../kernels/follow-shape.js";
import type { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import { printLastAddress } from "./print-address.js";
import { printDate } from "./print-date.js";
import { printDouble, printLong, printPointedDouble } from "./print-number.js";

export { SlotKind };

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;

/** Whether a slot's bytes are kept with the document. */
export function isKept(kind: number): boolean {
  return kind <= SlotKind.items;
}

/** Whether a slot prints all values of a field, not its only one. */
export function isList(kind: number): boolean {
  return kind === SlotKind.terms || kind === SlotKind.longs || kind === SlotKind.doubles || kind === SlotKind.jsonTexts;
}

/** Appends what a slot of this kind and field prints. */
export function printSlot(kind: number, field: number, values: DocumentValues, output: ByteOutput): void {
  switch (kind) {
    case SlotKind.term:
      values.term(field, 0, output);
      break;
    case SlotKind.long:
      printLong(values.long(field, 0), output);
      break;
    case SlotKind.address:
      values.term(field, 0, output);
      printLastAddress(output);
      break;
    case SlotKind.boolean:
      output.ascii(values.long(field, 0) === 0 ? "false" : "true");
      break;
    case SlotKind.double:
      printDouble(values.double(field, 0), output);
      break;
    case SlotKind.pointedDouble:
      printPointedDouble(values.double(field, 0), output);
      break;
    case SlotKind.epochSeconds:
      printLong(Math.floor(Number(values.long(field, 0)) / 1000), output);
      break;
    case SlotKind.jsonText:
      values.text(field, 0, output);
      break;
    case SlotKind.terms:
    case SlotKind.longs:
    case SlotKind.doubles:
    case SlotKind.jsonTexts:
      printList(kind, field, values, output);
      break;
    default:
      printDate(Number(values.long(field, 0)), kind - SlotKind.date, output);
  }
}

const TEXTS: ReadonlySet<number> = new Set([
  SlotKind.text,
  SlotKind.items,
  SlotKind.term,
  SlotKind.address,
  SlotKind.jsonText,
]);

/** Appends what keeps a document JSON where a value is left out: of a string or a list nothing, of what is neither a digit. */
export function printNothing(kind: number, output: ByteOutput): void {
  if (!TEXTS.has(kind) && !isList(kind)) output.byte(ZERO);
}

function printList(kind: number, field: number, values: DocumentValues, output: ByteOutput): void {
  const count = values.count(field);
  for (let i = 0; i < count; i++) {
    if (i > 0) output.byte(COMMA);
    if (kind === SlotKind.longs) printLong(values.long(field, i), output);
    else if (kind === SlotKind.doubles) printDouble(values.double(field, i), output);
    else {
      output.byte(QUOTE);
      if (kind === SlotKind.jsonTexts) values.text(field, i, output);
      else values.term(field, i, output);
      output.byte(QUOTE);
    }
  }
}
