import type { Clock } from "../clock.js";
import { EngineError } from "../errors.js";
import type { Range, Scalar } from "../query/query.js";
import { type DateFormat, DEFAULT_DATE_FORMAT, dateFormat } from "./date-format.js";
import { resolveDateMath } from "./date-math.js";
import { NANOS_PER_MILLI, nanosBelow, printNanos } from "./date-nanos.js";
import type { Field } from "./field-table.js";
import { flatBounds, flatTerm } from "./flat-object.js";
import { invalidIp, parseCidr, parseIp, printIp } from "./ip.js";
import type { FieldType } from "./mapping.js";
import { formatDecimal, printDouble } from "./number-format.js";
import {
  isFractionType,
  isWholeType,
  type NumberType,
  nextDown,
  nextUp,
  notANumber,
  parseFraction,
  roundFraction,
  roundScaled,
  WHOLE_RANGE,
  type WholeType,
  wholeParts,
} from "./numbers.js";
import { type TimeZone, timeZone, UTC } from "./time-zone.js";

export { printDouble } from "./number-format.js";

/**
 * From a value as the user wrote it to the form in which a field is indexed, and back. Values that the type cannot hold
 * throw invalid_value.
 */

/** Indexed terms of booleans. */
export const TRUE_TERM: Uint8Array = new Uint8Array([0x54]);
/** See TRUE_TERM. */
export const FALSE_TERM: Uint8Array = new Uint8Array([0x46]);

/**
 * What a range selects. `long` and `double`: both ends included, empty when low > high. `term`: terms in
 * [from, to) in unsigned byte order, `to` null: to the end; so `seek(from)` and `seek(to)` bound the ordinals.
 */
export type Bounds =
  | { kind: "long"; low: bigint; high: bigint }
  | { kind: "double"; low: number; high: number }
  | { kind: "term"; from: Uint8Array; to: Uint8Array | null };

const LONG_MIN = WHOLE_RANGE.long.low;
const LONG_MAX = WHOLE_RANGE.long.high;
const EMPTY_BYTES = new Uint8Array(0);

/** Values of a keyword's normalizer; the identity where the field has none. */
export type Normalize = (text: string) => string;

/** Exact indexed term of a value in a text, keyword, boolean or ip field (one address; networks: see exactBounds). */
export function termBytes(field: Field, value: Scalar, normalize?: Normalize): Uint8Array {
  if (field.type === "boolean") return booleanTerm(value);
  if (field.type === "ip") return ipTerm(String(value));
  if (field.type === "flat_object") return flatTerm(field, String(value));
  const text = String(value);
  return Buffer.from(normalize === undefined ? text : normalize(text), "utf8");
}

function booleanTerm(value: Scalar): Uint8Array {
  const text = String(value);
  if (text === "true") return TRUE_TERM;
  if (text === "false") return FALSE_TERM;
  throw new EngineError("invalid_value", `Can't parse boolean value [${text}], expected [true] or [false]`, {
    value: text,
  });
}

function ipTerm(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === null) throw invalidIp(text);
  return bytes;
}

/**
 * The number a value stands for in a numeric or date field: bigint for `long` columns (dates: epoch milliseconds),
 * number for `double` columns; null when it is a number that no document can hold (out of range, or a fraction in a
 * whole field).
 */
export function numericValue(field: Field, value: Scalar, clock: Clock): bigint | number | null {
  if (field.type === "date") return BigInt(dateMillis(field, value, { rounding: "down", clock }));
  if (field.type === "date_nanos") return dateNanos(field, value, { rounding: "down", clock });
  if (field.type === "boolean") return booleanTerm(value) === TRUE_TERM ? 1n : 0n;
  if (!isWholeType(field.type) && !isFractionType(field.type)) {
    throw new EngineError("invalid_value", `Field [${field.path}] holds no numbers`);
  }
  const text = numberText(value, field.type);
  if (isFractionType(field.type)) return roundScaled(roundFraction(fractionOf(text), field.type), field.mapping.scale);
  const parts = wholeParts(text, field.type);
  if (parts === null) throw notANumber(text, field.type);
  const range = WHOLE_RANGE[field.type];
  const fits = !parts.fraction && !parts.huge && parts.whole >= range.low && parts.whole <= range.high;
  return fits ? parts.whole : null;
}

/** All that equals a value: for dates everything the value names (`2020-01-01` is a day), for networks its addresses. */
export function exactBounds(field: Field, value: Scalar, clock: Clock, normalize?: Normalize): Bounds {
  if (isDateType(field.type)) return rangeBounds(field, { gte: value, lte: value }, clock);
  if (field.type === "boolean") return booleanBounds(field, { gte: value, lte: value });
  if (field.column === "long" || field.column === "double" || isWholeType(field.type) || isFractionType(field.type)) {
    const number = numericValue(field, value, clock);
    if (number === null) return { kind: "long", low: 1n, high: 0n };
    return typeof number === "bigint"
      ? { kind: "long", low: number, high: number }
      : { kind: "double", low: number, high: number };
  }
  if (field.type === "ip" && String(value).includes("/")) {
    const { first, last } = parseCidr(String(value));
    return { kind: "term", from: first, to: after(last) };
  }
  const bytes = termBytes(field, value, normalize);
  return { kind: "term", from: bytes, to: after(bytes) };
}

/** The bounds of a range query, without what tells queries apart. */
export type RangeValues = Pick<Range, "gte" | "gt" | "lte" | "lt" | "format" | "timeZone">;

/** What a range over a field selects; `normalize`: the keyword's normalizer. Throws invalid_value. */
export function rangeBounds(field: Field, range: RangeValues, clock: Clock, normalize?: Normalize): Bounds {
  if (isDateType(field.type)) return dateBounds(field, range, clock);
  if (field.type === "geo_point" || field.type === "binary") throw notSearchable(field);
  if (field.type === "boolean") return booleanBounds(field, range);
  if (isFractionType(field.type)) return fractionBounds(field, range);
  if (isWholeType(field.type)) return wholeBounds(field.type, range);
  if (field.type === "dense_vector") {
    throw new EngineError(
      "invalid_value",
      `Field [${field.path}] of type [dense_vector] does not support range queries`,
    );
  }
  return termBounds(field, range, normalize);
}

/** Whether a field holds moments, of whichever resolution. */
export function isDateType(type: FieldType): boolean {
  return type === "date" || type === "date_nanos";
}

/** Points and bytes are no values that are equal to, or lie between, others. */
function notSearchable({ path, type }: Field): EngineError {
  const message =
    type === "binary"
      ? "Binary fields do not support searching"
      : `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${path}]`;
  return new EngineError("query_unsupported", message, { field: path, type });
}

function dateBounds(field: Field, range: RangeValues, clock: Clock): Bounds {
  const read =
    field.type === "date_nanos" ? dateNanos : (...of: Parameters<typeof dateMillis>) => BigInt(dateMillis(...of));
  const at = (value: Scalar, rounding: "down" | "up") =>
    read(field, value, { rounding, clock, format: range.format, timeZone: range.timeZone });
  let low = LONG_MIN;
  let high = LONG_MAX;
  if (range.gte !== undefined) low = at(range.gte, "down");
  if (range.gt !== undefined) low = max(low, at(range.gt, "up") + 1n);
  if (range.lte !== undefined) high = at(range.lte, "up");
  if (range.lt !== undefined) high = min(high, at(range.lt, "down") - 1n);
  return { kind: "long", low, high };
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** How a query's date is read. */
export interface DateReading {
  rounding: "down" | "up";
  clock: Clock;
  /** The field's format unless said. */
  format?: string;
  /** For texts without a zone, and for rounding; UTC unless said. */
  timeZone?: string;
}

/** Epoch milliseconds of a query's date, date math included. Throws invalid_value. */
export function dateMillis(field: Field, value: Scalar, reading: DateReading): number {
  return resolveDateMath(String(value), {
    format: formatOf(field, reading.format),
    zone: zoneOf(reading.timeZone),
    now: reading.clock.now(),
    rounding: reading.rounding,
  });
}

/** Nanoseconds since 1970 of a query's date. Throws invalid_value. */
function dateNanos(field: Field, value: Scalar, reading: DateReading): bigint {
  const millis = BigInt(dateMillis(field, value, reading));
  return millis * NANOS_PER_MILLI + nanosBelow(value, millis, reading.rounding);
}

function formatOf(field: Field, format: string | undefined): DateFormat {
  return dateFormat(format ?? field.mapping.format ?? DEFAULT_DATE_FORMAT);
}

function zoneOf(id: string | undefined): TimeZone {
  return id === undefined ? UTC : timeZone(id);
}

function numberText(value: Scalar, type: NumberType): string {
  if (typeof value === "boolean") throw notANumber(String(value), type);
  return String(value);
}

/** A finite or infinite number; only text that is no number at all throws. */
function fractionOf(text: string): number {
  if (/^[+-]?Infinity$/.test(text)) return Number(text);
  return parseFraction(text, "double");
}

function fractionBounds(field: Field, range: RangeValues): Bounds {
  // Bounds of half floats are compared at full precision: 0.1 lies above the half float nearest to it.
  const type = field.type === "double" ? "double" : "float";
  const at = (value: Scalar) => roundFraction(fractionOf(numberText(value, type)), type);
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  if (range.gte !== undefined) low = at(range.gte);
  if (range.gt !== undefined) low = Math.max(low, nextUp(at(range.gt)));
  if (range.lte !== undefined) high = at(range.lte);
  if (range.lt !== undefined) high = Math.min(high, nextDown(at(range.lt)));
  return { kind: "double", low, high };
}

function wholeBounds(type: WholeType, range: RangeValues): Bounds {
  let low = LONG_MIN;
  let high = type === "unsigned_long" ? WHOLE_RANGE.unsigned_long.high : LONG_MAX;
  if (range.gte !== undefined) low = floorOf(range.gte, type).up;
  if (range.gt !== undefined) low = max(low, floorOf(range.gt, type).down + 1n);
  if (range.lte !== undefined) high = floorOf(range.lte, type).down;
  if (range.lt !== undefined) high = min(high, floorOf(range.lt, type).up - 1n);
  return { kind: "long", low, high };
}

/** Nearest whole numbers not above and not below a decimal; unbounded, so that out of range matches all or nothing. */
function floorOf(value: Scalar, type: WholeType): { down: bigint; up: bigint } {
  const text = numberText(value, type);
  const parts = wholeParts(text, type);
  if (parts === null) throw notANumber(text, type);
  const negative = text.trim().startsWith("-");
  if (!parts.fraction) return { down: parts.whole, up: parts.whole };
  return negative ? { down: parts.whole - 1n, up: parts.whole } : { down: parts.whole, up: parts.whole + 1n };
}

/** The least byte string greater than this one. */
function after(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  return longer;
}

function termBounds(field: Field, range: RangeValues, normalize?: Normalize): Bounds {
  const at = (value: Scalar) => termBytes(field, value, normalize);
  let from: Uint8Array = EMPTY_BYTES;
  let to: Uint8Array | null = null;
  if (field.type === "flat_object") ({ from, to } = flatBounds(field));
  if (range.gte !== undefined) from = at(range.gte);
  if (range.gt !== undefined) from = later(from, after(at(range.gt)));
  if (range.lte !== undefined) to = after(at(range.lte));
  if (range.lt !== undefined) to = earlier(to, at(range.lt));
  return { kind: "term", from, to };
}

/** Terms where the field has them; else the numbers 0 and 1 of its column. */
function booleanBounds(field: Field, range: RangeValues): Bounds {
  if (field.inverted) return termBounds(field, range);
  const at = (value: Scalar) => (booleanTerm(value) === TRUE_TERM ? 1n : 0n);
  let low = 0n;
  let high = 1n;
  if (range.gte !== undefined) low = at(range.gte);
  if (range.gt !== undefined) low = max(low, at(range.gt) + 1n);
  if (range.lte !== undefined) high = at(range.lte);
  if (range.lt !== undefined) high = min(high, at(range.lt) - 1n);
  return { kind: "long", low, high };
}

function later(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Buffer.compare(a, b) >= 0 ? a : b;
}

function earlier(a: Uint8Array | null, b: Uint8Array): Uint8Array {
  return a !== null && Buffer.compare(a, b) <= 0 ? a : b;
}

/** A column's raw value: a term, a whole number (dates: epoch milliseconds) or a fraction. */
export type RawValue = Uint8Array | bigint | number;

/** A column's value as it stands in a hit: dates as milliseconds, booleans as such, longs beyond 2^53 as bigint. */
export function columnValue(field: Field, raw: RawValue): string | number | bigint | boolean {
  if (raw instanceof Uint8Array) {
    return field.type === "ip" ? printIp(raw) : Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("utf8");
  }
  if (field.type === "boolean") return Number(raw) !== 0;
  if (typeof raw === "bigint" && raw >= -9007199254740991n && raw <= 9007199254740991n) return Number(raw);
  return raw;
}

/**
 * A value printed for people (`key_as_string`, formatted sort values, docvalue_fields): dates by `format` (else the field's)
 * in `timeZone`, numbers by a DecimalFormat pattern when one is given.
 */
export function formatValue(field: Field, raw: RawValue, format?: string, zone?: string): string {
  if (field.type === "date_nanos" && !(raw instanceof Uint8Array)) {
    return printNanos(formatOf(field, format), BigInt(raw), zoneOf(zone));
  }
  if (field.type === "date" && !(raw instanceof Uint8Array)) {
    return formatOf(field, format).print(Number(raw), zoneOf(zone));
  }
  const value = columnValue(field, raw);
  if (typeof value !== "number" && typeof value !== "bigint") return String(value);
  return format === undefined ? printNumber(field, value) : formatDecimal(value, format);
}

/** Doubles as Java prints them (`1.0`, `1.0E10`), whole numbers as they are. */
function printNumber(field: Field, value: number | bigint): string {
  return isFractionType(field.type) ? printDouble(Number(value)) : String(value);
}
