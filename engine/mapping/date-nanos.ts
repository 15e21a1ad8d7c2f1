/** Dates of nanoseconds (`date_nanos`): kept as nanoseconds since 1970, read and printed by the formats of dates. */
import type { Scalar } from "../query/query.js";
import type { DateFormat } from "./date-format.js";
import type { TimeZone } from "./time-zone.js";

export const NANOS_PER_MILLI = 1_000_000n;

/**
 * What a text says below the millisecond, as nanoseconds; `millis` is the rest of it. Rounding up, a text that ends before
 * the second's fraction means the last nanosecond.
 */
export function nanosBelow(value: Scalar, millis: bigint, rounding: "up" | "down"): bigint {
  const text = String(value).split("||", 1)[0];
  const fraction = /[T\s]\d{2}:\d{2}:\d{2}[.,](\d{1,9})/.exec(text)?.[1];
  if (fraction !== undefined && text.length === String(value).length) return BigInt(fraction.padEnd(9, "0").slice(3));
  const epoch = epochBelow(String(value), millis, rounding);
  if (epoch !== undefined) return epoch;
  const isEnd = rounding === "up" && (millis % 1_000n) + (millis < 0n ? 1_000n : 0n) === 999n;
  return isEnd ? NANOS_PER_MILLI - 1n : 0n;
}

/** The same of a number of milliseconds or of seconds; a whole number of milliseconds is all of its millisecond. */
function epochBelow(text: string, millis: bigint, rounding: "up" | "down"): bigint | undefined {
  const [, whole, fraction] = /^(\d{1,18})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (BigInt(whole) !== millis) return fraction === undefined ? undefined : BigInt(fraction.padEnd(9, "0").slice(3));
  if (fraction === undefined) return rounding === "up" ? NANOS_PER_MILLI - 1n : 0n;
  return BigInt(fraction.padEnd(6, "0").slice(0, 6));
}

/** Milliseconds of kept nanoseconds, rounded down. */
export function millisOf(nanos: bigint): bigint {
  const millis = nanos / NANOS_PER_MILLI;
  return nanos < 0n && millis * NANOS_PER_MILLI !== nanos ? millis - 1n : millis;
}

/** A date as its format prints it, further digits of the second behind those that a format shows. */
export function printNanos(format: DateFormat, nanos: bigint, zone: TimeZone): string {
  const millis = millisOf(nanos);
  const text = format.print(Number(millis), zone);
  const below = String(nanos - millis * NANOS_PER_MILLI)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return below === "" ? text : text.replace(/(:\d{2}\.\d{3})(?=\D|$)/, `$1${below}`);
}
