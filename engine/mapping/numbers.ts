import { EngineError } from "../errors.js";
import type { FieldType } from "./mapping.js";
import { printDouble } from "./number-format.js";

/** Field types whose column holds whole numbers of limited range. */
export type WholeType = "long" | "integer" | "short" | "byte" | "unsigned_long";
/** Field types whose column holds fractions, rounded to the type. */
export type FractionType = "double" | "float" | "half_float";
/** All numeric types. */
export type NumberType = WholeType | FractionType;

/** Smallest and largest value of the whole types. */
export const WHOLE_RANGE: Readonly<Record<WholeType, { low: bigint; high: bigint; article: string }>> = {
  long: { low: -(2n ** 63n), high: 2n ** 63n - 1n, article: "a" },
  integer: { low: -(2n ** 31n), high: 2n ** 31n - 1n, article: "an" },
  short: { low: -32768n, high: 32767n, article: "a" },
  byte: { low: -128n, high: 127n, article: "a" },
  unsigned_long: { low: 0n, high: 2n ** 64n - 1n, article: "an" },
};

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/;
const JAVA_DECIMAL = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?$/;
const JAVA_HEX = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)[fFdD]?$/;
/** More digits before the point than any field holds: such an exponent is out of range without computing it. */
const MAX_EXPONENT = 400;
const float32 = new Float32Array(1);
const float32Bits = new Uint32Array(float32.buffer);

/** Whether a field holds whole numbers (dates apart). */
export function isWholeType(type: FieldType): type is WholeType {
  return Object.hasOwn(WHOLE_RANGE, type);
}

/** Whether whole numbers of a type may be beyond what a double holds. */
function isLongType(type: NumberType): boolean {
  return type === "long" || type === "unsigned_long";
}

/** Whether a field holds fractions. */
export function isFractionType(type: FieldType): type is FractionType {
  return type === "double" || type === "float" || type === "half_float";
}

/** A decimal literal cut at the point: exact whole part, and whether anything but zeros was cut. */
export interface DecimalParts {
  whole: bigint;
  fraction: boolean;
  /** Magnitude beyond 10^400: `whole` is then only a bound with the right sign. */
  huge: boolean;
}

/**
 * Reads a decimal literal exactly, as java.math.BigDecimal does: no white space, digits of any script; null when it is
 * none.
 */
export function parseDecimal(text: string): DecimalParts | null {
  const match = DECIMAL.exec(asciiDigits(text));
  if (match === null || (match[2] === "" && (match[3] ?? "") === "")) return null;
  const exponent = Number(match[4] ?? 0);
  const fractionDigits = match[3] ?? "";
  const digits = match[2] + fractionDigits;
  const point = match[2].length + exponent;
  const isZero = /^0*$/.test(digits);
  const sign = match[1] === "-" ? -1n : 1n;
  if (isZero || point < -MAX_EXPONENT) return { whole: 0n, fraction: !isZero, huge: false };
  if (point > MAX_EXPONENT) return hugeParts(sign);
  const kept = point <= 0 ? "0" : digits.slice(0, point).padEnd(point, "0");
  const cut = point <= 0 ? digits : digits.slice(point);
  return { whole: sign * BigInt(kept), fraction: /[1-9]/.test(cut), huge: false };
}

function hugeParts(sign: bigint): DecimalParts {
  return { whole: sign * 10n ** 400n, fraction: false, huge: true };
}

/** Decimal digits of other scripts as ASCII. In the basic plane a script's ten digits stand together, zero first. */
function asciiDigits(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (char) => {
    if (!/\p{Nd}/u.test(char)) return char;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(char.charCodeAt(0) - value - 1))) value++;
    return String(value);
  });
}

/**
 * Reads a number as java.lang.Double.parseDouble does: white space around it, `NaN`, `Infinity`, hexadecimal, a type's
 * letter behind it; null when it is none.
 */
export function parseJavaDouble(text: string): number | null {
  const trimmed = javaTrim(text);
  if (/^[+-]?(?:NaN|Infinity)$/.test(trimmed)) return Number(trimmed);
  const decimal = JAVA_DECIMAL.exec(trimmed);
  if (decimal !== null) return Number(decimal[1]);
  const hex = JAVA_HEX.exec(trimmed);
  if (hex === null || hex[2] + hex[3] === "") return null;
  const magnitude = Number(BigInt(`0x${hex[2]}${hex[3]}`)) * 2 ** (Number(hex[4]) - 4 * hex[3].length);
  return hex[1] === "-" ? -magnitude : magnitude;
}

/** String.trim of Java: everything up to the space goes, other white space stays. */
function javaTrim(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= 0x20) from++;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--;
  return text.slice(from, to);
}

/** A text in a whole-number field, cut at the point: longs are read as decimals, all others as doubles. */
export function wholeParts(text: string, type: WholeType): DecimalParts | null {
  if (isLongType(type)) return parseDecimal(text);
  const value = parseJavaDouble(text);
  if (value === null || Number.isNaN(value)) return value === null ? null : { whole: 0n, fraction: false, huge: false };
  if (!Number.isFinite(value)) return hugeParts(value < 0 ? -1n : 1n);
  return { whole: BigInt(Math.trunc(value)), fraction: !Number.isInteger(value), huge: false };
}

/**
 * The value of a text in a whole-number field: exact beyond 2^53 for longs, fractions cut when `coerce` (else an
 * error). Throws invalid_value in the words of Elasticsearch's NumberFieldMapper.
 */
export function parseWhole(text: string, type: WholeType, coerce: boolean): bigint {
  const parts = wholeParts(text, type);
  if (parts === null) throw notANumber(text, type);
  const { low, high, article } = WHOLE_RANGE[type];
  // Integers and shorts are compared before they are cut, longs and bytes after.
  const atEnd = parts.fraction && (type === "integer" || type === "short");
  const inside = atEnd ? parts.whole > low && parts.whole < high : parts.whole >= low && parts.whole <= high;
  if (parts.huge || !inside) {
    throw new EngineError("invalid_value", `Value [${text}] is out of range for ${article} ${type}`, { value: text });
  }
  if (parts.fraction && !coerce) {
    throw new EngineError("invalid_value", `Value [${text}] has a decimal part`, { value: text });
  }
  return parts.whole;
}

/** How Java calls the type in which a value is read. */
export const JAVA_TYPE: Readonly<Record<NumberType, string>> = {
  long: "Long",
  integer: "Integer",
  short: "Short",
  byte: "Integer",
  unsigned_long: "Long",
  double: "Double",
  float: "Float",
  half_float: "Float",
};

/**
 * The value of a JSON number in a whole-number field: literals without point and exponent exactly, others by way of a
 * double. Throws invalid_value in the words of Jackson and Elasticsearch's AbstractXContentParser.
 */
export function parseWholeNumber(text: string, type: WholeType, coerce: boolean): bigint {
  const read = isLongType(type) ? (type as "long" | "unsigned_long") : "integer";
  const whole = jsonWhole(text, WHOLE_RANGE[read]);
  if (whole === null) {
    const { low, high } = WHOLE_RANGE[read];
    throw outOfJsonRange(text, `${isLongType(type) ? "long" : "int"} (${low} - ${high})`);
  }
  const { low, high } = WHOLE_RANGE[type];
  if (whole < low || whole > high) {
    if (type === "short") throw outOfJsonRange(text, "Java short");
    throw new EngineError("invalid_value", `Value [${whole}] is out of range for a ${type}`, { value: text });
  }
  if (!coerce && !Number.isInteger(Number(text))) {
    const message = `${printDouble(Number(text))} cannot be converted to ${JAVA_TYPE[type]} without data loss`;
    throw new EngineError("invalid_value", message, { value: text });
  }
  return whole;
}

/** A JSON number cut at the point; null when it lies outside the range. */
function jsonWhole(text: string, { low, high }: { low: bigint; high: bigint }): bigint | null {
  if (text.length <= MAX_EXPONENT && /^-?\d+$/.test(text)) {
    const whole = BigInt(text);
    return whole >= low && whole <= high ? whole : null;
  }
  const value = Number(text);
  if (!(value >= Number(low) && value <= Number(high))) return null;
  const whole = BigInt(Math.trunc(value));
  // The largest long is no double: the one above it stands for it.
  return whole > high ? high : whole;
}

function outOfJsonRange(text: string, range: string): EngineError {
  return new EngineError("invalid_value", `Numeric value (${text}) out of range of ${range}`, {
    value: text,
    exception: "x_content_parse_exception",
  });
}

/** The value of a text in a fraction field, rounded to the type. Throws invalid_value. */
export function parseFraction(text: string, type: FractionType): number {
  const value = parseJavaDouble(text);
  if (value === null) throw notANumber(text, type);
  return checkedFraction(value, type);
}

/** Rounds to the type and refuses what becomes infinite or is not a number. */
export function checkedFraction(value: number, type: FractionType): number {
  const rounded = roundFraction(value, type);
  if (Number.isFinite(rounded)) return rounded;
  const read = type === "double" || Number.isFinite(Math.fround(value)) ? value : Math.fround(value);
  throw new EngineError("invalid_value", `[${type}] supports only finite values, but got [${printDouble(read)}]`, {
    value: String(value),
  });
}

/** The error of a text that is no number, in Java's words. */
export function notANumber(text: string, type: NumberType): EngineError {
  const shown = isLongType(type) ? text : javaTrim(text);
  const message = shown === "" ? "empty String" : `For input string: "${shown}"`;
  const exception = isLongType(type) ? "illegal_argument_exception" : "number_format_exception";
  return new EngineError("invalid_value", message, { value: text, exception });
}

/** Rounds a number to what the type can hold. */
export function roundFraction(value: number, type: FractionType): number {
  if (type === "double") return value;
  return type === "float" ? Math.fround(value) : roundHalf(value);
}

/** Rounds to the nearest multiple of a part, halves upwards as Java's Math.round does. */
export function roundScaled(value: number, scale: number | undefined): number {
  return scale === undefined ? value : Math.round(value * scale) / scale;
}

/** Rounds to IEEE 754 binary16, ties to even, by way of binary32 as Lucene's HalfFloatPoint does. */
export function roundHalf(value: number): number {
  float32[0] = value;
  const single = float32[0];
  const magnitude = Math.abs(single);
  if (!(magnitude < 65_520)) return Number.isNaN(single) ? single : Math.sign(single) * Number.POSITIVE_INFINITY;
  const exponent = Math.max(((float32Bits[0] >>> 23) & 0xff) - 127, -14);
  const quantum = 2 ** (exponent - 10);
  const scaled = magnitude / quantum;
  let whole = Math.floor(scaled);
  const rest = scaled - whole;
  if (rest > 0.5 || (rest === 0.5 && whole % 2 === 1)) whole++;
  const rounded = whole * quantum;
  return single < 0 || Object.is(single, -0) ? -rounded : rounded;
}

const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);

/** The smallest double greater than a finite one (Java's Math.nextUp). */
export function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  if (!Number.isFinite(value)) return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value;
  double[0] = value;
  doubleBits[0] += value > 0 ? 1n : -1n;
  return double[0];
}

/** The greatest double less than a finite one. */
export function nextDown(value: number): number {
  return -nextUp(-value);
}
