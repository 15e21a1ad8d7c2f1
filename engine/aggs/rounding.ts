/**
 * Intervals of time: which one an instant lies in, and where the next begins. Days and longer units follow the calendar of a
 * time zone, daylight saving included; hours and shorter ones are cut at its transitions. Source: OpenSearch `Rounding`.
 */
import { addUnits, type CalendarUnit, roundDown } from "../mapping/date-math.js";
import { type TimeZone, timeZone, UTC } from "../mapping/time-zone.js";
import type { DateHistogramAggregation } from "./aggregation.js";

/** How values are cut into intervals. */
export interface Rounding {
  /** Start of the interval that an instant lies in. */
  round(millis: number): number;
  /** Start of the interval after the one that begins at `start`. */
  next(start: number): number;
  /** Where an extended bound lies: rounded first, then moved by the offset (Elasticsearch rounds bounds so). */
  bound(millis: number): number;
  /** Length of every interval, when all are equal and counted from `origin`; null otherwise. */
  readonly regular: { length: number; origin: number } | null;
}

/** The rounding that a date histogram asks for. */
export function dateRounding(aggregation: DateHistogramAggregation): Rounding {
  const zone = aggregation.timeZone === undefined ? UTC : timeZone(aggregation.timeZone);
  const { interval, offsetMillis } = aggregation;
  const plain =
    interval.kind === "fixed" ? fixedRounding(interval.millis, zone) : calendarRounding(interval.unit, zone);
  return offsetMillis === 0 ? plain : shifted(plain, offsetMillis);
}

function shifted(rounding: Rounding, offset: number): Rounding {
  const { regular } = rounding;
  return {
    round: (millis) => rounding.round(millis - offset) + offset,
    next: (start) => rounding.next(start - offset) + offset,
    bound: (millis) => rounding.round(millis) + offset,
    regular: regular === null ? null : { length: regular.length, origin: regular.origin + offset },
  };
}

const SHORT_UNITS: Partial<Record<CalendarUnit, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 };

function calendarRounding(unit: CalendarUnit, zone: TimeZone): Rounding {
  const short = SHORT_UNITS[unit];
  if (short !== undefined) return fixedRounding(short, zone);
  const offset = zone.fixedOffset;
  if (unit === "day" && offset !== undefined) return fixedRounding(86_400_000, zone);
  const round = (millis: number) => roundDown(millis, unit, zone);
  return { round, next: (start) => round(addUnits(start, 1, unit, zone)), bound: round, regular: null };
}

function fixedRounding(length: number, zone: TimeZone): Rounding {
  const offset = zone.fixedOffset;
  if (offset !== undefined) {
    const origin = -offset;
    const round = (millis: number) => Math.floor((millis - origin) / length) * length + origin;
    return { round, next: (start) => start + length, bound: round, regular: { length, origin } };
  }
  const round = (millis: number) => roundLocal(millis, length, zone);
  return { round, next: (start) => nextStart(start, length, round), bound: round, regular: null };
}

/**
 * Rounds the local time down. Where the clock was set back in between, the rounded time exists twice and the later one that is
 * not after the instant counts; where it was set forward over it, the interval begins at the transition.
 */
function roundLocal(millis: number, length: number, zone: TimeZone): number {
  const offset = zone.offsetAt(millis);
  const local = Math.floor((millis + offset) / length) * length;
  const here = local - offset;
  if (zone.offsetAt(here) === offset) return here;
  const first = zone.toUtc(local);
  return first <= millis && zone.offsetAt(first) + first === local ? first : here;
}

function nextStart(start: number, length: number, round: (millis: number) => number): number {
  const next = round(start + length);
  // Around a transition the step may fall short (an hour that occurs twice) or skip an interval.
  return next > start ? next : round(start + 2 * length);
}
