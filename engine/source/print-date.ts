/**
 * Dates as documents usually write them, always in UTC. Part of the segment's format, see print-number.ts.
 *
 * A style is the sum of one of each:
 *
 *   time     0 none (`2024-02-29`), 1 to the second (`2024-02-29T10:20:30`), 2 to the millisecond (`...30.123`)
 *   middle   0 `T`, 4 a space
 *   zone     0 none, 8 `Z`, 16 `+00:00`
 */
import { civilFromDays, MILLIS_PER_DAY } from "../mapping/calendar.js";
import type { ByteOutput } from "./byte-output.js";
import { printPadded } from "./print-number.js";

const TIME_MASK = 3;
const SPACE = 4;
const ZULU = 8;
const OFFSET = 16;
/** Styles are below this. */
export const DATE_STYLES = 32;

const DASH = 0x2d;
const COLON = 0x3a;
const DOT = 0x2e;
const T = 0x54;
const Z = 0x5a;
const BLANK = 0x20;
const DATE_BYTES = 10;
const TIME_BYTES = 19;
const MILLIS_BYTES = 23;

/** Prints epoch milliseconds; nothing at all where the year has not four digits. */
export function printDate(millis: number, style: number, output: ByteOutput): void {
  const days = Math.floor(millis / MILLIS_PER_DAY);
  const { year, month, day } = civilFromDays(days);
  if (!(year >= 0 && year <= 9999)) return;
  printPadded(year, 4, output);
  output.byte(DASH);
  printPadded(month, 2, output);
  output.byte(DASH);
  printPadded(day, 2, output);
  if ((style & TIME_MASK) === 0) return;
  output.byte(style & SPACE ? BLANK : T);
  printTime(millis - days * MILLIS_PER_DAY, (style & TIME_MASK) === 2, output);
  if (style & ZULU) output.byte(Z);
  else if (style & OFFSET) output.ascii("+00:00");
}

function printTime(millis: number, withMillis: boolean, output: ByteOutput): void {
  const seconds = Math.floor(millis / 1000);
  printPadded(Math.floor(seconds / 3600), 2, output);
  output.byte(COLON);
  printPadded(Math.floor(seconds / 60) % 60, 2, output);
  output.byte(COLON);
  printPadded(seconds % 60, 2, output);
  if (!withMillis) return;
  output.byte(DOT);
  printPadded(millis - seconds * 1000, 3, output);
}

/** The style in which text[from, to) may be written; -1: none. Only printing tells whether it is. */
export function dateStyleOf(text: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length === DATE_BYTES) return 0;
  if (length < TIME_BYTES) return -1;
  const middle = text[from + DATE_BYTES] === BLANK ? SPACE : 0;
  const withMillis = length >= MILLIS_BYTES && text[from + TIME_BYTES] === DOT;
  const rest = length - (withMillis ? MILLIS_BYTES : TIME_BYTES);
  const time = withMillis ? 2 : 1;
  if (rest === 0) return time + middle;
  if (rest === 1) return time + middle + ZULU;
  return rest === 6 ? time + middle + OFFSET : -1;
}
