import { civilFromDays, daysFromCivil, isoDayOfWeek, MILLIS_PER_DAY, monthLength } from "./calendar.js";
import type { TimeZone } from "./time-zone.js";

/** What a text said about a moment, before missing parts are filled in; undefined: not said. */
export interface DateFields {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  /** Hour of a twelve-hour clock, 1 to 12, with `half` 0 for AM. */
  clockHour?: number;
  half?: number;
  minute?: number;
  second?: number;
  /** Milliseconds of the second; finer parts are cut, as Elasticsearch's date type does. */
  milli?: number;
  dayOfYear?: number;
  weekYear?: number;
  week?: number;
  dayOfWeek?: number;
  zone?: TimeZone;
  /** Whole moments: epoch_millis and epoch_second. */
  epochMillis?: number;
  /** What rounding up adds to it: a second that was given without its fraction lasts 999 milliseconds longer. */
  epochRest?: number;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;

/**
 * Epoch milliseconds of the fields; null when they name no date (month 13, 30 February). Missing month and day are 1;
 * missing times are 0, or the last of their unit when rounding up (Elasticsearch's ROUND_UP_BASE_FIELDS).
 */
export function resolveFields(fields: DateFields, rounding: "down" | "up", zone: TimeZone): number | null {
  if (fields.epochMillis !== undefined) {
    // Elasticsearch reads even these on the zone's wall clock (JavaDateMathParser's withZoneSameLocal).
    return zone.toUtc(fields.epochMillis + (rounding === "up" ? (fields.epochRest ?? 0) : 0));
  }
  const days = resolveDays(fields);
  if (days === null) return null;
  const up = rounding === "up";
  const hour = resolveHour(fields) ?? (up ? 23 : 0);
  const minute = fields.minute ?? (up ? 59 : 0);
  const second = fields.second ?? (up ? 59 : 0);
  const milli = fields.milli ?? (up ? 999 : 0);
  // Strict resolving knows no 24:00.
  if (hour > 23 || minute > 59 || second > 59) return null;
  const local = days * MILLIS_PER_DAY + hour * HOUR + minute * MINUTE + second * 1000 + milli;
  return (fields.zone ?? zone).toUtc(local);
}

function resolveHour(fields: DateFields): number | undefined {
  if (fields.hour !== undefined) return fields.hour;
  if (fields.clockHour === undefined) return undefined;
  return (fields.clockHour % 12) + 12 * (fields.half ?? 0);
}

function resolveDays(fields: DateFields): number | null {
  if (fields.weekYear !== undefined && fields.month === undefined) return resolveWeekDate(fields);
  const year = fields.year ?? 1970;
  if (fields.dayOfYear !== undefined) {
    const days = daysFromCivil(year, 1, 1) + fields.dayOfYear - 1;
    return fields.dayOfYear >= 1 && civilFromDays(days).year === year ? days : null;
  }
  const month = fields.month ?? 1;
  const day = fields.day ?? 1;
  if (month < 1 || month > 12 || day < 1 || day > monthLength(year, month)) return null;
  return daysFromCivil(year, month, day);
}

function resolveWeekDate(fields: DateFields): number | null {
  const week = fields.week ?? 1;
  const dayOfWeek = fields.dayOfWeek ?? 1;
  if (week < 1 || week > 53 || dayOfWeek < 1 || dayOfWeek > 7) return null;
  return firstWeekMonday(fields.weekYear!) + (week - 1) * 7 + dayOfWeek - 1;
}

/** Day number of the Monday of ISO week 1: the week that holds 4 January. */
function firstWeekMonday(year: number): number {
  const fourth = daysFromCivil(year, 1, 4);
  return fourth - isoDayOfWeek(fourth) + 1;
}

/** All fields of a moment on a zone's wall clock, for printing. */
export type FullDateFields = Required<Omit<DateFields, "zone" | "epochMillis" | "epochRest">> & {
  offset: number;
  millis: number;
};

/** Takes a moment apart on a zone's wall clock. */
export function fieldsOf(millis: number, zone: TimeZone): FullDateFields {
  const offset = zone.offsetAt(millis);
  const local = millis + offset;
  const days = Math.floor(local / MILLIS_PER_DAY);
  const time = local - days * MILLIS_PER_DAY;
  const { year, month, day } = civilFromDays(days);
  const hour = Math.floor(time / HOUR);
  // The ISO year of a day is the calendar year of its week's Thursday.
  const weekYear = civilFromDays(days - isoDayOfWeek(days) + 4).year;
  return {
    year,
    month,
    day,
    hour,
    clockHour: hour % 12 === 0 ? 12 : hour % 12,
    half: hour < 12 ? 0 : 1,
    minute: Math.floor(time / MINUTE) % 60,
    second: Math.floor(time / 1000) % 60,
    milli: time % 1000,
    dayOfYear: days - daysFromCivil(year, 1, 1) + 1,
    weekYear,
    week: Math.floor((days - firstWeekMonday(weekYear)) / 7) + 1,
    dayOfWeek: isoDayOfWeek(days),
    offset,
    millis,
  };
}
