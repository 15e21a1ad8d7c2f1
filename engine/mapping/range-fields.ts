/**
 * Fields whose values are ranges (`integer_range`, ..., `ip_range`). A range is indexed as one term: its low end, then its
 * high end, both included, each in as many bytes as make their order that of unsigned bytes. So equal ranges are one term,
 * and a query compares the distinct ranges of a segment.
 *
 *   element            bytes of an end   form
 *   whole, date        8                 big-endian, plus 2^63
 *   float, double      8                 big-endian bits of the double; negative ones inverted, others with bit 63 set
 *   ip                 16                the address
 *
 * Example: integer_range {gte: 1, lt: 3}: 8000000000000001 8000000000000002
 */
import type { Clock } from "../clock.js";
import { EngineError } from "../errors.js";
import type { Scalar } from "../query/query.js";
import type { Field } from "./field-table.js";
import { invalidIp, parseCidr, parseIp, printIp } from "./ip.js";
import type { FieldType } from "./mapping.js";
import { WHOLE_RANGE } from "./numbers.js";
import { type Bounds, formatValue, type RangeValues, rangeBounds } from "./values.js";

/** Types of range fields and the type of their ends. */
const ELEMENTS = {
  integer_range: "integer",
  long_range: "long",
  float_range: "float",
  double_range: "double",
  date_range: "date",
  ip_range: "ip",
} as const;

export type RangeType = keyof typeof ELEMENTS;

/** Whether a field's values are ranges. */
export function isRangeType(type: FieldType): type is RangeType {
  return Object.hasOwn(ELEMENTS, type);
}

/** Both ends of a range, included, as they are indexed. */
export interface EncodedRange {
  readonly low: Uint8Array;
  readonly high: Uint8Array;
}

const NUMBER_BYTES = 8;
const IP_BYTES = 16;
const LONG_BIAS = 2n ** 63n;

/** The ends of a range, of a document or a query. Throws invalid_value, also for one that ends before it begins. */
export function encodeRange(field: Field, range: RangeValues, clock: Clock): EncodedRange {
  const encoded = field.type === "ip_range" ? addresses(range) : numbers(elementOf(field), range, clock);
  if (Buffer.compare(encoded.low, encoded.high) <= 0) return encoded;
  const [low, high] = [encoded.low, encoded.high].map((end) => printEnd(field, end));
  throw new EngineError("invalid_value", `min value (${low}) is greater than max value (${high})`, {
    field: field.path,
  });
}

/** The field that holds an end. */
function elementOf(field: Field): Field {
  const type = ELEMENTS[field.type as RangeType];
  return { ...field, type, mapping: { ...field.mapping, type } };
}

function numbers(element: Field, range: RangeValues, clock: Clock): EncodedRange {
  const bounds = rangeBounds(element, range, clock);
  if (bounds.kind === "double") return { low: doubleEnd(bounds.low), high: doubleEnd(bounds.high) };
  const { low, high } = withinElement(element.type, bounds as Bounds & { kind: "long" });
  return { low: longEnd(low), high: longEnd(high) };
}

/** Ends that no number of the type can be are brought to those that can. */
function withinElement(type: FieldType, bounds: { low: bigint; high: bigint }): { low: bigint; high: bigint } {
  const { low: least, high: most } = WHOLE_RANGE[type === "integer" ? "integer" : "long"];
  const clamp = (value: bigint) => (value < least ? least : value > most ? most : value);
  // One that begins above all numbers, or ends below them, holds none: its ends stay in the wrong order.
  if (bounds.low > most || bounds.high < least) return { low: most, high: least };
  return { low: clamp(bounds.low), high: clamp(bounds.high) };
}

function longEnd(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(value + LONG_BIAS);
  return bytes;
}

function doubleEnd(value: number): Uint8Array {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeDoubleBE(value + 0);
  const bits = bytes.readBigUInt64BE();
  bytes.writeBigUInt64BE((bits & LONG_BIAS) === 0n ? bits | LONG_BIAS : BigInt.asUintN(64, ~bits));
  return bytes;
}

function addresses({ gte, gt, lte, lt }: RangeValues): EncodedRange {
  const low = gte !== undefined ? address(gte) : gt !== undefined ? moved(address(gt), 1) : new Uint8Array(IP_BYTES);
  const last = new Uint8Array(IP_BYTES).fill(0xff);
  const high = lte !== undefined ? address(lte) : lt !== undefined ? moved(address(lt), -1) : last;
  return { low, high };
}

function address(value: Scalar): Uint8Array {
  const bytes = parseIp(String(value));
  if (bytes === null) throw invalidIp(String(value));
  return Uint8Array.from(bytes);
}

/** The next address, or the one before; the ends stay where they are. */
function moved(bytes: Uint8Array, by: 1 | -1): Uint8Array {
  const value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`) + BigInt(by);
  if (value < 0n || value >= 2n ** 128n) return bytes;
  return Buffer.from(value.toString(16).padStart(2 * IP_BYTES, "0"), "hex");
}

/** The range of a network such as `10.0.0.0/8`. Throws invalid_value. */
export function encodeNetwork(text: string): EncodedRange {
  const { first, last } = parseCidr(text);
  return { low: Uint8Array.from(first), high: Uint8Array.from(last) };
}

/** The term of a range. */
export function rangeTerm({ low, high }: EncodedRange): Uint8Array {
  return Buffer.concat([low, high]);
}

/** The ends of a term. */
export function rangeOfTerm(term: Uint8Array): EncodedRange {
  const half = term.length / 2;
  return { low: term.subarray(0, half), high: term.subarray(half) };
}

/** A range as documents write it, for people: ends that are open are left out. */
export function printRange(field: Field, term: Uint8Array, format?: string): Record<string, string> {
  const { low, high } = rangeOfTerm(term);
  return { gte: printEnd(field, low, format), lte: printEnd(field, high, format) };
}

function printEnd(field: Field, end: Uint8Array, format?: string): string {
  if (field.type === "ip_range") return printIp(end);
  const bits = Buffer.from(end).readBigUInt64BE();
  const element = elementOf(field);
  if (element.type === "integer" || element.type === "long" || element.type === "date")
    return formatValue(element, bits - LONG_BIAS, format);
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE((bits & LONG_BIAS) === 0n ? BigInt.asUintN(64, ~bits) : bits ^ LONG_BIAS);
  return formatValue(element, bytes.readDoubleBE(), format);
}
