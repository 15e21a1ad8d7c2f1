/**
 * Encodings of moments, one row each: how a text is recognised, the Elasticsearch `format` that reads it, and the moment.
 * `Date.parse` is of no use here: it takes February 30 for March 1.
 */

/** A text read as a moment. */
export interface Moment {
  /** Elasticsearch's format for texts of this very spelling. */
  format: string;
  /** Milliseconds since 1970; texts without a zone are taken as UTC, as Elasticsearch does. */
  millis: number;
}

interface Encoding {
  name: string;
  pattern: RegExp;
  read(match: RegExpExecArray): Moment | undefined;
}

/** Longest text that can be a moment. */
const LONGEST = 40;
/** `java.time.ZoneOffset` ends at 18 hours. */
const LONGEST_OFFSET_MINUTES = 18 * 60;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(${MONTHS.join("|")})`;
const WEEKDAY = "(Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const ISO_FORMAT = "strict_date_optional_time";

/** Sorted by how often they are met: an ISO date is tried first. */
const ENCODINGS: readonly Encoding[] = [
  {
    name: "ISO 8601",
    pattern:
      /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?)?$/,
    read: ([, year, month, day, hour, minute, second, fraction, , sign, zoneHours, zoneMinutes]) =>
      moment(ISO_FORMAT, { year, month, day, hour, minute, second, fraction, sign, zoneHours, zoneMinutes }),
  },
  {
    name: "date, space, time",
    pattern:
      /^(\d{4})([-/])(\d{2})\2(\d{2}) (\d{2}):(\d{2})(?::(\d{2})(?:([.,])(\d{1,9}))?)?( ?)(?:(Z)|(?:([+-])(\d{2})(:?)(\d{2})))?$/,
    read: (match) => {
      const [, year, dash, month, day, hour, minute, second, mark, fraction, space, utc, sign, zoneHours, colon] =
        match;
      const zone = utc || colon === ":" ? "XXX" : sign ? "XX" : "";
      if (zone === "" && space !== "") return undefined;
      const time = `HH:mm${second ? ":ss" : ""}${mark ? mark + "S".repeat(fraction!.length) : ""}`;
      const format = `yyyy${dash}MM${dash}dd ${time}${space}${zone}`;
      return moment(format, {
        year,
        month,
        day,
        hour,
        minute,
        second,
        fraction,
        sign,
        zoneHours,
        zoneMinutes: match[15],
      });
    },
  },
  {
    name: "year first with slashes",
    pattern: /^(\d{4})\/(\d{2})\/(\d{2})$/,
    read: ([, year, month, day]) => moment("yyyy/MM/dd", { year, month, day }),
  },
  {
    name: "common log",
    pattern: new RegExp(`^(\\d{2})/${MONTH}/(\\d{4}):(\\d{2}):(\\d{2}):(\\d{2}) ([+-])(\\d{2})(\\d{2})$`),
    read: ([, day, name, year, hour, minute, second, sign, zoneHours, zoneMinutes]) =>
      moment("dd/MMM/yyyy:HH:mm:ss Z", {
        ...{ year, month: monthOf(name!), day, hour, minute, second, sign, zoneHours, zoneMinutes },
      }),
  },
  {
    name: "RFC 2822",
    pattern: new RegExp(
      `^(?:${WEEKDAY}, )?(\\d{1,2}) ${MONTH} (\\d{4}) (\\d{2}):(\\d{2})(:\\d{2})? (?:(GMT|UTC|Z)|([+-])(\\d{2})(\\d{2}))$`,
    ),
    read: ([, weekday, day, name, year, hour, minute, seconds, utc, sign, zoneHours, zoneMinutes]) =>
      moment(
        `${weekday ? "EEE, " : ""}${day!.length === 1 ? "d" : "dd"} MMM yyyy HH:mm${seconds ? ":ss" : ""} ${utc ? (utc === "Z" ? "X" : "z") : "Z"}`,
        { year, month: monthOf(name!), day, hour, minute, second: seconds?.slice(1), sign, zoneHours, zoneMinutes },
      ),
  },
  {
    name: "day first with dots",
    pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:(,?) (\d{2}):(\d{2})(?::(\d{2}))?)?$/,
    read: ([, day, month, year, comma, hour, minute, second]) =>
      moment(
        `${day!.length === 1 ? "d" : "dd"}.${month!.length === 1 ? "M" : "MM"}.yyyy${hour ? `${comma} HH:mm${second ? ":ss" : ""}` : ""}`,
        { year, month, day, hour, minute, second },
      ),
  },
  {
    name: "day, month's name, year",
    pattern: new RegExp(`^(\\d{2})([- ])${MONTH}\\2(\\d{4})(?: (\\d{2}):(\\d{2}):(\\d{2}))?$`),
    read: ([, day, dash, name, year, hour, minute, second]) =>
      moment(`dd${dash}MMM${dash}yyyy${hour ? " HH:mm:ss" : ""}`, {
        ...{ year, month: monthOf(name!), day, hour, minute, second },
      }),
  },
  {
    name: "ctime",
    pattern: new RegExp(`^${WEEKDAY} ${MONTH} (\\d{2}) (\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,9}))? (\\d{4})$`),
    read: ([, , name, day, hour, minute, second, fraction, year]) =>
      moment(`EEE MMM dd HH:mm:ss${fraction ? `.${"S".repeat(fraction.length)}` : ""} yyyy`, {
        ...{ year, month: monthOf(name!), day, hour, minute, second, fraction },
      }),
  },
];

/** Names of the encodings, for the documentation. */
export const DATE_ENCODINGS: readonly string[] = ENCODINGS.map(({ name }) => name);

/** Texts like `03/04/2024`, of which other values must tell whether the day or the month comes first. */
const SLASHED = /^(\d{2})\/(\d{2})\/(\d{4})(?: (\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Parts of a date whose order is open. */
export interface SlashedDate {
  first: number;
  second: number;
  /** What comes after the year in the format. */
  time: string;
}

/** A text with two numbers of which either can be the month. */
export function readSlashed(text: string): SlashedDate | undefined {
  const match = text.length <= LONGEST ? SLASHED.exec(text) : null;
  if (!match) return undefined;
  const [first, second] = [Number(match[1]), Number(match[2])];
  const isDate = first >= 1 && second >= 1 && first <= 31 && second <= 31 && Math.min(first, second) <= 12;
  const isClock =
    match[4] === undefined || (Number(match[4]) <= 23 && Number(match[5]) <= 59 && Number(match[6] ?? 0) <= 59);
  return isDate && isClock
    ? { first, second, time: match[4] === undefined ? "" : match[6] === undefined ? " HH:mm" : " HH:mm:ss" }
    : undefined;
}

/** The moment of a slashed date once it is known which part is the day. */
export function slashedMillis(text: string, order: "day first" | "month first"): number | undefined {
  const match = SLASHED.exec(text);
  if (!match) return undefined;
  const [, a, b, year, hour, minute, second] = match;
  const [day, month] = order === "day first" ? [a, b] : [b, a];
  return moment("", { year, month, day, hour, minute, second })?.millis;
}

/** Which encoding read a text last, by field: the next value is most likely written the same way. */
export class DateReader {
  #last = 0;

  /** The moment that a text names, nothing when it names none. */
  read(text: string): Moment | undefined {
    if (text.length > LONGEST || text.length < 8) return undefined;
    const last = this.#try(this.#last, text);
    if (last) return last;
    for (let at = 0; at < ENCODINGS.length; at++) {
      const found = at === this.#last ? undefined : this.#try(at, text);
      if (!found) continue;
      this.#last = at;
      return found;
    }
    return undefined;
  }

  #try(at: number, text: string): Moment | undefined {
    const { pattern, read } = ENCODINGS[at]!;
    const match = pattern.exec(text);
    return match ? read(match) : undefined;
  }
}

interface Parts {
  year: string | undefined;
  month: string | number | undefined;
  day: string | undefined;
  hour?: string | undefined;
  minute?: string | undefined;
  second?: string | undefined;
  fraction?: string | undefined;
  sign?: string | undefined;
  zoneHours?: string | undefined;
  zoneMinutes?: string | undefined;
}

/** A day that is in the calendar at a time that is on the clock. */
function moment(format: string, parts: Parts): Moment | undefined {
  const year = Number(parts.year);
  const month = Number(parts.month);
  const day = Number(parts.day);
  const [hour, minute, second] = [Number(parts.hour ?? 0), Number(parts.minute ?? 0), Number(parts.second ?? 0)];
  const zoneMinutes = Number(parts.zoneMinutes ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || zoneMinutes > 59) return undefined;
  const offset = Number(parts.zoneHours ?? 0) * 60 + zoneMinutes;
  if (offset > LONGEST_OFFSET_MINUTES) return undefined;
  const millis = Number((parts.fraction ?? "").slice(0, 3).padEnd(3, "0"));
  const local = utc(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000 + millis;
  return { format, millis: local - (parts.sign === "-" ? -offset : offset) * 60_000 };
}

function utc(year: number, month: number, day: number): number {
  if (year >= 100) return Date.UTC(year, month - 1, day);
  // `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name) + 1;
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Unit of whole numbers that count from 1970. */
export type EpochUnit = "epoch_second" | "epoch_millis";

const TIME_NAME =
  /(^|[_.-])(time|ts|timestamp|date|datetime|epoch|created|updated|modified|expires?|since|until|when|at|start|end)([_.-]|$)|[a-z](At|Time|Timestamp|Date)$|(time|timestamp|date)$/i;
/** 1990 and 2100: what a field may hold whose name says that it is a time. */
const NAMED_RANGE = { from: 631_152_000, to: 4_102_444_800 };
/** Late 2001 (after which no ISBN is a number of milliseconds) and 2040: what tells a time without a name. */
const PLAIN_RANGE = { from: 1_000_000_000, to: 2_208_988_800 };
const PLAIN_SPAN_SECONDS = 20 * 366 * 86_400;
const PLAIN_DISTINCT = 20;

/** Facts about a field of whole numbers. */
export interface WholeNumbers {
  name: string;
  min: number;
  max: number;
  distinct: number;
  /** Never falling from record to record. */
  isSorted: boolean;
}

/**
 * Whether whole numbers are moments. By name: any in 1990 to 2100. Without it: milliseconds of 2001 to 2040 with at
 * least 20 different ones in at most 20 years; seconds only when they also never fall, since ids and telephone numbers
 * look the same.
 */
export function epochUnit({ name, min, max, distinct, isSorted }: WholeNumbers): EpochUnit | undefined {
  for (const [unit, scale] of [
    ["epoch_second", 1],
    ["epoch_millis", 1000],
  ] as const) {
    const [from, to] = [min / scale, max / scale];
    if (TIME_NAME.test(name) && from >= NAMED_RANGE.from && to <= NAMED_RANGE.to) return unit;
    const isPlain = from >= PLAIN_RANGE.from && to <= PLAIN_RANGE.to && to - from <= PLAIN_SPAN_SECONDS;
    if (isPlain && distinct >= PLAIN_DISTINCT && (unit === "epoch_millis" || isSorted)) return unit;
  }
  return undefined;
}
