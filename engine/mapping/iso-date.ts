import { daysFromCivil, MILLIS_PER_DAY, monthLength } from "./calendar.js";

/**
 * The common ISO 8601 forms straight from bytes: `YYYY-MM-DD`, then optionally `THH:mm`, `:ss`, `.` and one to nine
 * digits, then optionally `Z` or `+hh:mm`. What it does not know it leaves to date-format.ts, of which it is a shortcut.
 */
const DASH = 0x2d;
const COLON = 0x3a;

function twoDigits(bytes: Uint8Array, at: number): number {
  const high = bytes[at] - 48;
  const low = bytes[at + 1] - 48;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN;
}

/** Epoch milliseconds of bytes[start, end), read as UTC without a zone; NaN when it is not one of the common forms. */
export function parseIsoBytes(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 10 || length > 35 || bytes[start + 4] !== DASH || bytes[start + 7] !== DASH) return Number.NaN;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month))) return Number.NaN;
  const midnight = daysFromCivil(year, month, day) * MILLIS_PER_DAY;
  return length === 10 ? midnight : midnight + parseTime(bytes, start + 10, end);
}

function parseTime(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 6 || bytes[start] !== 0x54 || bytes[start + 3] !== COLON) return Number.NaN;
  const hour = twoDigits(bytes, start + 1);
  const minute = twoDigits(bytes, start + 4);
  let millis = hour * 3_600_000 + minute * 60_000;
  if (!(hour <= 23 && minute <= 59)) return Number.NaN;
  let at = start + 6;
  if (at < end && bytes[at] === COLON) {
    if (end - at < 3) return Number.NaN;
    const second = twoDigits(bytes, at + 1);
    if (!(second <= 59)) return Number.NaN;
    millis += second * 1000;
    at += 3;
    if (at < end && bytes[at] === 0x2e) {
      const digits = fractionEnd(bytes, at + 1, end);
      if (digits === at + 1) return Number.NaN;
      millis += fractionMillis(bytes, at + 1, digits);
      at = digits;
    }
  }
  return millis - zoneOffset(bytes, at, end);
}

function fractionEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && at - start < 9 && bytes[at] >= 48 && bytes[at] <= 57) at++;
  return at;
}

function fractionMillis(bytes: Uint8Array, start: number, end: number): number {
  let millis = 0;
  for (let i = 0; i < 3; i++) millis = millis * 10 + (start + i < end ? bytes[start + i] - 48 : 0);
  return millis;
}

function zoneOffset(bytes: Uint8Array, at: number, end: number): number {
  if (at === end || (at + 1 === end && bytes[at] === 0x5a)) return 0;
  if (end - at !== 6 || (bytes[at] !== 0x2b && bytes[at] !== DASH) || bytes[at + 3] !== COLON) return Number.NaN;
  const hours = twoDigits(bytes, at + 1);
  const minutes = twoDigits(bytes, at + 4);
  if (!(hours <= 18 && minutes <= 59)) return Number.NaN;
  return (bytes[at] === DASH ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000);
}
