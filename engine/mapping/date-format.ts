import { EngineError } from "../errors.js";
import { type DateFields, fieldsOf, resolveFields } from "./date-fields.js";
import { compilePattern, type Element, parseElements, printElements } from "./date-pattern.js";
import { type TimeZone, UTC } from "./time-zone.js";

/** Format of date fields that say none. */
export const DEFAULT_DATE_FORMAT = "strict_date_optional_time||epoch_millis";

/** One or several formats joined by `||`: tried in order when reading, the first one prints. */
export interface DateFormat {
  readonly pattern: string;
  /** Reads ISO 8601 date-times first, so that the byte-level fast path may stand in for it. */
  readonly isoFirst: boolean;
  /** Accepts epoch milliseconds. */
  readonly epochMillis: boolean;
  /** Epoch milliseconds of a text, or null. Texts without a zone are in `zone`; missing parts are filled by `rounding`. */
  tryParse(text: string, rounding: "down" | "up", zone: TimeZone): number | null;
  /** As tryParse; throws invalid_value in Elasticsearch's words. */
  parse(text: string, rounding: "down" | "up", zone: TimeZone): number;
  print(millis: number, zone?: TimeZone): string;
}

const TIME = "HH:mm:ss";
const STRICT_OPTIONAL = "uuuu[-MM[-dd]]['T'[HH[:mm[:ss[.f][,f]]][t]]]";

/**
 * Built-in formats (Elasticsearch's DateFormatters) in the letters of date-pattern.ts: `strict_` ones as they stand here,
 * the plain names read one digit where two are usual.
 */
const NAMED: Readonly<Record<string, string>> = {
  date_optional_time: STRICT_OPTIONAL,
  date_optional_time_nanos: STRICT_OPTIONAL,
  date: "uuuu-MM-dd",
  year: "uuuu",
  year_month: "uuuu-MM",
  year_month_day: "uuuu-MM-dd",
  date_hour: "uuuu-MM-dd'T'HH",
  date_hour_minute: "uuuu-MM-dd'T'HH:mm",
  date_hour_minute_second: `uuuu-MM-dd'T'${TIME}`,
  date_hour_minute_second_fraction: `uuuu-MM-dd'T'${TIME}.f`,
  date_hour_minute_second_millis: `uuuu-MM-dd'T'${TIME}.f`,
  date_time: `uuuu-MM-dd'T'${TIME}.ft`,
  date_time_no_millis: `uuuu-MM-dd'T'${TIME}t`,
  hour: "HH",
  hour_minute: "HH:mm",
  hour_minute_second: TIME,
  hour_minute_second_fraction: `${TIME}.f`,
  hour_minute_second_millis: `${TIME}.f`,
  time: `${TIME}.ft`,
  time_no_millis: `${TIME}t`,
  t_time: `'T'${TIME}.ft`,
  t_time_no_millis: `'T'${TIME}t`,
  ordinal_date: "uuuu-DDD",
  ordinal_date_time: `uuuu-DDD'T'${TIME}.ft`,
  ordinal_date_time_no_millis: `uuuu-DDD'T'${TIME}t`,
  week_date: "YYYY-'W'ww-e",
  week_date_time: `YYYY-'W'ww-e'T'${TIME}.ft`,
  week_date_time_no_millis: `YYYY-'W'ww-e'T'${TIME}t`,
  weekyear: "YYYY",
  weekyear_week: "YYYY-'W'ww",
  weekyear_week_day: "YYYY-'W'ww-e",
};

const BASIC: Readonly<Record<string, string>> = {
  iso8601: STRICT_OPTIONAL,
  basic_date: "uuuuMMdd",
  basic_date_time: "uuuuMMdd'T'HHmmss.ft",
  basic_date_time_no_millis: "uuuuMMdd'T'HHmmsst",
  basic_ordinal_date: "uuuuDDD",
  basic_ordinal_date_time: "uuuuDDD'T'HHmmss.ft",
  basic_ordinal_date_time_no_millis: "uuuuDDD'T'HHmmsst",
  basic_time: "HHmmss.ft",
  basic_time_no_millis: "HHmmsst",
  basic_t_time: "'T'HHmmss.ft",
  basic_t_time_no_millis: "'T'HHmmsst",
  basic_week_date: "YYYY'W'wwe",
  basic_week_date_time: "YYYY'W'wwe'T'HHmmss.ft",
  basic_week_date_time_no_millis: "YYYY'W'wwe'T'HHmmsst",
};

/** One format without `||`. */
interface SingleFormat {
  parse(text: string): DateFields | null;
  print(millis: number, zone: TimeZone): string;
}

const EPOCH = /^(-?\d{1,19})(?:\.(\d{1,9}))?$/;

/** Moments further away than a double counts milliseconds are none. */
function wholeMoment(epochMillis: number, epochRest = 0): DateFields | null {
  return Number.isSafeInteger(epochMillis) ? { epochMillis, epochRest } : null;
}

const EPOCH_MILLIS: SingleFormat = {
  parse(text) {
    const match = EPOCH.exec(text);
    return match === null ? null : wholeMoment(Number(match[1]));
  },
  print: (millis) => String(millis),
};

const EPOCH_SECOND: SingleFormat = {
  parse(text) {
    const match = EPOCH.exec(text);
    if (match === null) return null;
    const fraction = Number((match[2] ?? "").slice(0, 3).padEnd(3, "0"));
    const epochMillis = Number(match[1]) * 1000 + (text[0] === "-" ? -fraction : fraction);
    return wholeMoment(epochMillis, match[2] === undefined ? 999 : 0);
  },
  print(millis) {
    const fraction = ((millis % 1000) + 1000) % 1000;
    const whole = (millis - fraction) / 1000;
    return fraction === 0 ? String(whole) : `${whole}.${String(fraction).padStart(3, "0").replace(/0+$/, "")}`;
  },
};

const formats = new Map<string, DateFormat>();

/** Compiles a format (`||` joins alternatives); compiled ones are kept. Throws invalid_value naming the bad part. */
export function dateFormat(pattern: string): DateFormat {
  const known = formats.get(pattern);
  if (known !== undefined) return known;
  const made = combine(pattern);
  formats.set(pattern, made);
  return made;
}

function combine(pattern: string): DateFormat {
  const names = pattern.split("||");
  const singles = names.map(single);
  const format: DateFormat = {
    pattern,
    isoFirst: /^(?:strict_)?date_optional_time(?:_nanos)?$/.test(names[0]) || names[0] === "iso8601",
    epochMillis: names.includes("epoch_millis"),
    tryParse(text, rounding, zone) {
      for (const one of singles) {
        const fields = one.parse(text);
        const millis = fields === null ? null : resolveFields(fields, rounding, zone);
        if (millis !== null) return millis;
      }
      return null;
    },
    parse(text, rounding, zone) {
      const millis = format.tryParse(text, rounding, zone);
      if (millis !== null) return millis;
      if (text === "") throw new EngineError("invalid_value", "cannot parse empty date", { value: text });
      const message = `failed to parse date field [${text}] with format [${pattern}]`;
      throw new EngineError(
        "invalid_value",
        message,
        { value: text, format: pattern },
        { cause: parserFault(singles) },
      );
    },
    print: (millis, zone = UTC) => singles[0].print(millis, zone),
  };
  return format;
}

/** What Elasticsearch adds as the deeper cause where several formats were tried. */
function parserFault(tried: readonly unknown[]): EngineError | undefined {
  if (tried.length < 2) return undefined;
  return new EngineError("invalid_value", "Failed to parse with all enclosed parsers", {
    exception: "date_time_parse_exception",
  });
}

function single(name: string): SingleFormat {
  if (name === "") throw new EngineError("invalid_value", "No date pattern provided", { format: name });
  if (name === "epoch_millis") return EPOCH_MILLIS;
  if (name === "epoch_second") return EPOCH_SECOND;
  const strict = name.startsWith("strict_") ? name.slice(7) : undefined;
  if (Object.hasOwn(BASIC, strict ?? name)) return fromElements(BASIC[strict ?? name], BASIC[strict ?? name]);
  if (strict !== undefined && Object.hasOwn(NAMED, strict)) return fromElements(NAMED[strict], NAMED[strict]);
  if (Object.hasOwn(NAMED, name)) return fromElements(NAMED[name], lenient(name, NAMED[name]));
  return patternFormat(name.startsWith("8") ? name.slice(1) : name);
}

/** The lenient form of a strict pattern: every number may be written with fewer digits, a year of a date with five. */
function lenient(name: string, pattern: string): string {
  const short = pattern.replace(/([uYMdHmsDw])\1+/g, "$1");
  return name.startsWith("year") ? short : short.replace("u", "q");
}

function fromElements(printed: string, read: string): SingleFormat {
  const parser = compilePattern(read, "internal");
  // `[.f][,f]` reads either mark; only the point is printed.
  const printer = compilePattern(printed.replace("[,f]", ""), "internal");
  return withElements(parser, printer);
}

function patternFormat(pattern: string): SingleFormat {
  const elements = compilePattern(pattern, "java");
  return withElements(elements, elements);
}

function withElements(parser: Element[], printer: Element[]): SingleFormat {
  return {
    parse(text) {
      const fields: DateFields = {};
      return parseElements(parser, text, 0, fields) === text.length ? fields : null;
    },
    print: (millis, zone) => printElements(printer, fieldsOf(millis, zone)),
  };
}
