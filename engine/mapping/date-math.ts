import { EngineError } from "../errors.js";
import { civilFromDays, daysFromCivil, isoDayOfWeek, MILLIS_PER_DAY, monthLength } from "./calendar.js";
import { type DateFormat, DEFAULT_DATE_FORMAT, dateFormat } from "./date-format.js";
import { type TimeZone, timeZone } from "./time-zone.js";

/** Units of calendar arithmetic; hours and below are fixed lengths of time. */
export type CalendarUnit = "second" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year";

const LETTERS: Readonly<Record<string, CalendarUnit>> = {
  y: "year",
  M: "month",
  w: "week",
  d: "day",
  h: "hour",
  H: "hour",
  m: "minute",
  s: "second",
};
const FIXED: Readonly<Partial<Record<CalendarUnit, number>>> = { second: 1000, minute: 60_000, hour: 3_600_000 };
const MONTHS: Readonly<Partial<Record<CalendarUnit, number>>> = { month: 1, quarter: 3, year: 12 };

/** What date math is reckoned by. */
export interface DateMathContext {
  format: DateFormat;
  zone: TimeZone;
  /** Epoch milliseconds that `now` stands for. */
  now: number;
  /** `up` for `lte` and `gt`: the last millisecond of what was named. */
  rounding: "down" | "up";
}

/**
 * Epoch milliseconds of a date with optional date math: `now-1d/d`, `2020-01-01||+1M/d`, `2020-01`.
 * Semantics of Elasticsearch's JavaDateMathParser. Throws invalid_value.
 */
export function resolveDateMath(text: string, context: DateMathContext): number {
  const { format, zone, rounding } = context;
  if (text.startsWith("now")) return applyMath(text.slice(3), context.now, context);
  const bars = text.indexOf("||");
  if (bars < 0) return format.parse(text, rounding, zone);
  return applyMath(text.slice(bars + 2), format.parse(text.slice(0, bars), "down", zone), context);
}

/**
 * A moment of date math as text: `now/d` printed by a pattern, in a time zone by its id. Throws invalid_value.
 */
export function printDateMath(
  math: string,
  { pattern, zone, now }: { pattern: string; zone: string; now: number },
): string {
  const where = timeZone(zone);
  const context = { format: dateFormat(DEFAULT_DATE_FORMAT), zone: where, now, rounding: "down" } as const;
  return dateFormat(pattern).print(resolveDateMath(math, context), where);
}

function applyMath(math: string, base: number, { zone, rounding }: DateMathContext): number {
  let millis = base;
  let at = 0;
  while (at < math.length) {
    const match = /^([+\-/])(\d*)([a-zA-Z]?)/.exec(math.slice(at));
    if (match === null) throw mathError(`operator not supported for date math [${math}]`, math);
    const [whole, operator, digits, letter] = match;
    const unit = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
    if (letter === "") throw mathError(`truncated date math [${math}]`, math);
    if (unit === undefined) throw mathError(`unit [${letter}] not supported for date math [${math}]`, math);
    const count = digits === "" ? 1 : Number(digits);
    if (operator === "/") {
      if (count !== 1) throw mathError(`rounding \`/\` can only be used on single unit types [${math}]`, math);
      const floor = roundDown(millis, unit, zone);
      millis = rounding === "up" ? addUnits(floor, 1, unit, zone) - 1 : floor;
    } else {
      millis = addUnits(millis, operator === "+" ? count : -count, unit, zone);
    }
    at += whole.length;
  }
  return millis;
}

function mathError(message: string, math: string): EngineError {
  return new EngineError("invalid_value", message, { value: math });
}

/** Start of the calendar unit that a moment lies in, on the zone's wall clock; weeks begin on Monday. */
export function roundDown(millis: number, unit: CalendarUnit, zone: TimeZone): number {
  const local = millis + zone.offsetAt(millis);
  const fixed = FIXED[unit];
  // Within an hour the offset is kept: the second 01:30 of a clock change rounds to the second 01:00.
  if (fixed !== undefined) return millis - (((local % fixed) + fixed) % fixed);
  const days = Math.floor(local / MILLIS_PER_DAY);
  return zone.toUtc(startDay(days, unit) * MILLIS_PER_DAY);
}

function startDay(days: number, unit: CalendarUnit): number {
  if (unit === "day") return days;
  if (unit === "week") return days - isoDayOfWeek(days) + 1;
  const { year, month } = civilFromDays(days);
  const step = MONTHS[unit] ?? 1;
  return daysFromCivil(year, month - ((month - 1) % step), 1);
}

/** Moves a moment by calendar units on the zone's wall clock; a day that the month lacks becomes its last. */
export function addUnits(millis: number, count: number, unit: CalendarUnit, zone: TimeZone): number {
  const fixed = FIXED[unit];
  if (fixed !== undefined) return millis + count * fixed;
  const local = millis + zone.offsetAt(millis);
  const days = Math.floor(local / MILLIS_PER_DAY);
  const time = local - days * MILLIS_PER_DAY;
  return zone.toUtc(moveDays(days, count, unit) * MILLIS_PER_DAY + time);
}

function moveDays(days: number, count: number, unit: CalendarUnit): number {
  if (unit === "day") return days + count;
  if (unit === "week") return days + 7 * count;
  const { year, month, day } = civilFromDays(days);
  const months = year * 12 + month - 1 + count * (MONTHS[unit] ?? 1);
  const newYear = Math.floor(months / 12);
  const newMonth = months - newYear * 12 + 1;
  return daysFromCivil(newYear, newMonth, Math.min(day, monthLength(newYear, newMonth)));
}
