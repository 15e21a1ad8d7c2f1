/**
 * Numbers as JSON writes them. Part of the segment's format (`_source` is put together from columns by these): what is
 * printed for a value must never change; another way of printing is another kind of slot (slots.ts).
 */
import type { ByteOutput } from "./byte-output.js";

const ZERO = 0x30;
const MINUS = 0x2d;
const DOT = 0x2e;
const MAX_INT32 = 0x7fffffff;

/** A whole number in decimal. */
export function printLong(value: number | bigint, output: ByteOutput): void {
  if (typeof value === "bigint" || value > MAX_INT32 || value < -MAX_INT32) {
    if (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER) printLarge(value, output);
    else output.ascii(String(value));
    return;
  }
  if (value < 0) output.byte(MINUS);
  printDigits(value < 0 ? -value : value, output);
}

/** Up to 2^53, in two parts: division of 32-bit numbers is cheap. */
function printLarge(value: number, output: ByteOutput): void {
  const magnitude = Math.abs(value);
  if (value < 0) output.byte(MINUS);
  const high = Math.floor(magnitude / 1e9);
  if (high > MAX_INT32) output.ascii(String(high));
  else printDigits(high, output);
  printPadded(magnitude - high * 1e9, 9, output);
}

/** A number from 0 to 2^31 - 1. */
function printDigits(value: number, output: ByteOutput): void {
  let digits = 1;
  for (let limit = 10; value >= limit && digits < 10; limit *= 10) digits++;
  printPadded(value, digits, output);
}

/** A number from 0 to 2^31 - 1 in at least so many digits as it has. */
export function printPadded(value: number, digits: number, output: ByteOutput): void {
  output.ensure(digits);
  const { bytes } = output;
  let rest = value | 0;
  for (let at = output.at + digits - 1; at >= output.at; at--) {
    const tenth = (rest / 10) | 0;
    bytes[at] = ZERO + rest - 10 * tenth;
    rest = tenth;
  }
  output.at += digits;
}

/** A fraction as ECMAScript's Number::toString writes it (the shortest digits that mean this double). */
export function printDouble(value: number, output: ByteOutput): void {
  if (Number.isInteger(value) && Math.abs(value) <= MAX_INT32) printLong(value, output);
  else output.ascii(String(value));
}

/** The same, whole numbers with `.0` as Java, Python and others write them. */
export function printPointedDouble(value: number, output: ByteOutput): void {
  printDouble(value, output);
  if (!Number.isInteger(value)) return;
  output.byte(DOT);
  output.byte(ZERO);
}
