import { EngineError } from "../errors.js";
import type { FieldType } from "./mapping.js";

/** Field types whose column holds whole numbers of limited range. */
export type WholeType = "long" | "integer" | "short" | "byte";
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
};

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/;
/** More digits before the point than any field holds: such an exponent is out of range without computing it. */
const MAX_EXPONENT = 400;
const float32 = new Float32Array(1);
const float32Bits = new Uint32Array(float32.buffer);

/** Whether a field holds whole numbers (dates apart). */
export function isWholeType(type: FieldType): type is WholeType {
  return type === "long" || type === "integer" || type === "short" || type === "byte";
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

/** Reads a decimal literal (JSON's, or a bare `.5` or `+1`) exactly; null when it is none. */
export function parseDecimal(text: string): DecimalParts | null {
  const match = DECIMAL.exec(text.trim());
  if (match === null || (match[2] === "" && (match[3] ?? "") === "")) return null;
  const exponent = Number(match[4] ?? 0);
  const fractionDigits = match[3] ?? "";
  const digits = match[2] + fractionDigits;
  const point = match[2].length + exponent;
  const isZero = /^0*$/.test(digits);
  const sign = match[1] === "-" ? -1n : 1n;
  if (isZero || point < -MAX_EXPONENT) return { whole: 0n, fraction: !isZero, huge: false };
  if (point > MAX_EXPONENT) return { whole: sign * 10n ** 400n, fraction: false, huge: true };
  const kept = point <= 0 ? "0" : digits.slice(0, point).padEnd(point, "0");
  const cut = point <= 0 ? digits : digits.slice(point);
  return { whole: sign * BigInt(kept), fraction: /[1-9]/.test(cut), huge: false };
}

/**
 * The value of a decimal literal in a whole-number field: exact beyond 2^53, fractions cut when `coerce` (else an
 * error). Throws invalid_value in the words of Elasticsearch's NumberFieldMapper.
 */
export function parseWhole(text: string, type: WholeType, coerce: boolean): bigint {
  const parts = parseDecimal(text);
  if (parts === null) throw notANumber(text);
  const range = WHOLE_RANGE[type];
  if (parts.huge || parts.whole < range.low || parts.whole > range.high) {
    throw new EngineError("invalid_value", `Value [${text}] is out of range for ${range.article} ${type}`, {
      value: text,
    });
  }
  if (parts.fraction && !coerce) {
    const name = type[0].toUpperCase() + type.slice(1);
    throw new EngineError("invalid_value", `${text} cannot be converted to ${name} without data loss`, { value: text });
  }
  return parts.whole;
}

/** The value of a decimal literal in a fraction field, rounded to the type. Throws invalid_value. */
export function parseFraction(text: string, type: FractionType): number {
  const trimmed = text.trim();
  const value = trimmed === "" || !isJavaDouble(trimmed) ? undefined : Number(trimmed);
  if (value === undefined) throw notANumber(text);
  return checkedFraction(value, text, type);
}

/** Rounds to the type and refuses what becomes infinite or is not a number. */
export function checkedFraction(value: number, text: string, type: FractionType): number {
  const rounded = roundFraction(value, type);
  if (!Number.isFinite(rounded)) {
    throw new EngineError("invalid_value", `[${type}] supports only finite values, but got [${text}]`, { value: text });
  }
  return rounded;
}

function isJavaDouble(text: string): boolean {
  return text === "NaN" || /^[+-]?Infinity$/.test(text) || (DECIMAL.test(text) && /\d/.test(text));
}

function notANumber(text: string): EngineError {
  const message = text === "" ? "empty String" : `For input string: "${text}"`;
  return new EngineError("invalid_value", message, { value: text });
}

/** Rounds a number to what the type can hold. */
export function roundFraction(value: number, type: FractionType): number {
  if (type === "double") return value;
  return type === "float" ? Math.fround(value) : roundHalf(value);
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
