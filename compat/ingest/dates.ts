/** Reading dates by the formats that processors name. */
import { dateFormat, type TimeZone, UTC } from "../../engine/index.js";
import { notSupported } from "../errors.js";

/** Where and when a text is read. */
export interface DatePlace {
  readonly zone: TimeZone;
  /** Milliseconds since 1970: what a date without a year belongs to. */
  readonly now: number;
}

/** Milliseconds since 1970 of a text; null when it is not of the format. */
export type DateReader = (text: string, place: DatePlace) => number | null;

/** Seconds since 1970 that TAI64N counts from, and the ten that TAI is ahead of it. */
const TAI_EPOCH = 2n ** 62n + 10n;

const SPECIAL: Readonly<Record<string, DateReader>> = {
  ISO8601: (text, { zone }) => dateFormat("iso8601").tryParse(text, "down", zone),
  UNIX: (text) => scaled(text, 1000),
  UNIX_MS: (text) => (/^[-+]?\d+$/.test(text) ? scaled(text, 1) : null),
  TAI64N: (text) => {
    const match = /^@?([0-9a-fA-F]{16})([0-9a-fA-F]{8})$/.exec(text);
    if (match === null) return null;
    const seconds = BigInt(`0x${match[1]}`) - TAI_EPOCH;
    return Number(seconds) * 1000 + Math.trunc(Number.parseInt(match[2], 16) / 1e6);
  },
};

function scaled(text: string, factor: number): number | null {
  if (!/^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) return null;
  const millis = Math.trunc(Number(text) * factor);
  return Number.isSafeInteger(millis) ? millis : null;
}

/** Letters that print words, which differ from language to language. */
const WORDS = /M{3}|L{3}|E|e{3}|a/;
/** Formats that are names, not patterns. */
const NAMED = /_|^(?:date|time|hour|iso8601)(?:$|\|\|)/;
const ENGLISH = /^(?:en(?:[-_].*)?|root|)$/i;

/** The reader of a format: `ISO8601`, `UNIX`, `UNIX_MS`, `TAI64N`, or a pattern. Throws ApiError 400. */
export function dateReader(format: string, locale: string): DateReader {
  if (Object.hasOwn(SPECIAL, format)) return SPECIAL[format];
  const letters = format.replace(/'[^']*'/g, "");
  if (!ENGLISH.test(locale) && WORDS.test(letters)) {
    throw notSupported(`locale [${locale}] for the words of the date format [${format}]`);
  }
  const compiled = dateFormat(format);
  // Moments since 1970 are the same wherever they are read.
  if (/^epoch_(?:millis|second)$/.test(format)) return (text) => compiled.tryParse(text, "down", UTC);
  if (/[yuY]/.test(letters) || NAMED.test(format)) return (text, { zone }) => compiled.tryParse(text, "down", zone);
  // Without a year it is this one: `MMM dd HH:mm:ss` of syslog.
  const dated = dateFormat(`uuuu ${format}`);
  return (text, { zone, now }) => dated.tryParse(`${yearAt(now, zone)} ${text}`, "down", zone);
}

function yearAt(now: number, zone: TimeZone): string {
  return new Date(now + zone.offsetAt(now)).getUTCFullYear().toString();
}
