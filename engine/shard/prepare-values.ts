import { UNSIGNED_BIAS } from "../columns/unsigned.js";
import { EngineError } from "../errors.js";
import { invalidIp, parseIp, parseIpv4Bytes } from "../mapping/ip.js";
import { parseIsoBytes } from "../mapping/iso-date.js";
import {
  checkedFraction,
  type FractionType,
  JAVA_TYPE,
  type NumberType,
  parseFraction,
  parseWhole,
  parseWholeNumber,
  roundScaled,
  type WholeType,
} from "../mapping/numbers.js";
import { UTC } from "../mapping/time-zone.js";
import { FALSE_TERM, printDouble, TRUE_TERM } from "../mapping/values.js";
import { MAX_TERM_BYTES } from "../memtable/prepared.js";
import { writeCompletion } from "./prepare-completion.js";
import {
  type RecordOutput,
  writeBigLong,
  writeDouble,
  writeLong,
  writeTermAt,
  writeTermBytes,
  writeTextAt,
} from "./prepare-output.js";
import type { FieldNode } from "./prepare-plan.js";
import { writeSpecial } from "./prepare-special.js";
import { type ScalarValue, ValueKind, valueText } from "./scalar-value.js";

export { type ScalarValue, ValueKind, valueText } from "./scalar-value.js";

/** 10^0 to 10^22: the powers that a double holds exactly, so that dividing by them rounds once (Clinger 1990). */
const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

const LOW: Readonly<Record<WholeType, number>> = {
  long: -(2 ** 53),
  integer: -(2 ** 31),
  short: -32768,
  byte: -128,
  unsigned_long: 0,
};
const HIGH: Readonly<Record<WholeType, number>> = {
  long: 2 ** 53,
  integer: 2 ** 31 - 1,
  short: 32767,
  byte: 127,
  unsigned_long: 2 ** 53,
};

/** A value as Elasticsearch shows it in errors: numbers with point or exponent as Java prints them. */
export function previewText(output: RecordOutput, value: ScalarValue): string {
  const text = valueText(output, value);
  return value.kind === ValueKind.number && /[.eE]/.test(text) ? printDouble(Number(text)) : text;
}

/**
 * Writes the records of one value for a field that is neither text nor a vector; false when the value is longer than
 * the field's `ignore_above`. Throws invalid_value when it does not fit the type.
 */
export function writeValue(output: RecordOutput, node: FieldNode, value: ScalarValue): boolean {
  switch (node.field.type) {
    case "keyword":
      return writeKeyword(output, node, value);
    case "wildcard":
      return writeText(output, node, value);
    case "completion":
      writeInput(output, node, value);
      return true;
    case "long":
    case "integer":
    case "short":
    case "byte":
    case "unsigned_long":
      writeWhole(output, node, node.field.type, value);
      return true;
    case "double":
    case "float":
    case "half_float":
      writeFraction(output, node, node.field.type, value);
      return true;
    case "date":
      writeDate(output, node, value);
      return true;
    case "boolean":
      writeBoolean(output, node, value);
      return true;
    case "ip":
      writeIp(output, node, value);
      return true;
    default:
      writeSpecial(output, node, value);
      return true;
  }
}

/** One input of a completion field. */
function writeInput(output: RecordOutput, node: FieldNode, value: ScalarValue): void {
  if (value.kind !== ValueKind.string) {
    throw new EngineError("invalid_value", "expected text or object, but got a number or a boolean", {
      field: node.field.path,
    });
  }
  writeCompletion(output, node, valueText(output, value));
}

function isStored(node: FieldNode): boolean {
  return node.field.inverted || node.field.column !== null;
}

function writeText(output: RecordOutput, node: FieldNode, value: ScalarValue): boolean {
  if (isTooLong(output, node, value)) return false;
  writeTextAt(output, node.field.ordinal, value.start, value.length);
  return true;
}

function isTooLong(output: RecordOutput, node: FieldNode, value: ScalarValue): boolean {
  return value.length > node.ignoreAbove && utf16Length(output, value) > node.ignoreAbove;
}

function writeKeyword(output: RecordOutput, node: FieldNode, value: ScalarValue): boolean {
  if (isTooLong(output, node, value)) return false;
  if (isStored(node)) writeTerm(output, node, value);
  return true;
}

function writeTerm(output: RecordOutput, node: FieldNode, value: ScalarValue): void {
  if (node.normalize !== null) {
    const bytes = Buffer.from(node.normalize(valueText(output, value)), "utf8");
    checkTermLength(node, bytes.length);
    writeTermBytes(output, node.field.ordinal, bytes);
    return;
  }
  checkTermLength(node, value.length);
  writeTermAt(output, node.field.ordinal, value.start, value.length);
}

/** UTF-16 units of a value's text: one per code point, two beyond the basic plane. */
function utf16Length(output: RecordOutput, value: ScalarValue): number {
  const { u8 } = output.arena;
  let units = 0;
  for (let i = value.start; i < value.start + value.length; i++) {
    if ((u8[i] & 0xc0) !== 0x80) units += u8[i] >= 0xf0 ? 2 : 1;
  }
  return units;
}

function checkTermLength(node: FieldNode, length: number): void {
  if (length <= MAX_TERM_BYTES) return;
  throw new EngineError(
    "invalid_value",
    `Document contains at least one immense term in field="${node.field.path}" (whose UTF8 encoding is longer than the max length ${MAX_TERM_BYTES}): its length is ${length}; set ignore_above to leave such values out`,
    { field: node.field.path, length },
  );
}

/** Text of a number that came as a string or a number; null: an empty string, which counts as no value. */
function numberText(output: RecordOutput, node: FieldNode, value: ScalarValue): string | null {
  if (value.kind === ValueKind.boolean) {
    const token = valueText(output, value).toUpperCase();
    throw new EngineError(
      "invalid_value",
      `Current token (VALUE_${token}) not numeric, can not use numeric value accessors`,
      { exception: "x_content_parse_exception" },
    );
  }
  const text = valueText(output, value);
  if (value.kind === ValueKind.string && !node.coerce) {
    const name = JAVA_TYPE[node.field.type as NumberType];
    throw new EngineError("invalid_value", `${name} value passed as String`, { value: text });
  }
  return text === "" ? null : text;
}

function writeWhole(output: RecordOutput, node: FieldNode, type: WholeType, value: ScalarValue): void {
  const stored = isStored(node);
  if (value.kind === ValueKind.number && value.exact && value.scale === 0) {
    const { mantissa } = value;
    if (mantissa >= LOW[type] && mantissa <= HIGH[type]) {
      if (!stored) return;
      if (type === "unsigned_long") writeBigLong(output, node.field.ordinal, BigInt(mantissa) - UNSIGNED_BIAS);
      else writeLong(output, node.field.ordinal, mantissa);
      return;
    }
  }
  const text = numberText(output, node, value);
  if (text === null) return;
  const parse = value.kind === ValueKind.number ? parseWholeNumber : parseWhole;
  const whole = parse(text, type, node.coerce);
  if (stored) writeBigLong(output, node.field.ordinal, type === "unsigned_long" ? whole - UNSIGNED_BIAS : whole);
}

function writeFraction(output: RecordOutput, node: FieldNode, type: FractionType, value: ScalarValue): void {
  const stored = isStored(node);
  if (value.kind === ValueKind.number && value.exact && value.scale <= 22) {
    const exact = value.mantissa / POWERS[value.scale];
    const rounded = type === "double" ? exact : type === "float" ? Math.fround(exact) : checkedFraction(exact, type);
    if (stored) writeDouble(output, node.field.ordinal, roundScaled(rounded, node.mapping.scale));
    return;
  }
  const text = numberText(output, node, value);
  if (text === null) return;
  const number = value.kind === ValueKind.number ? checkedFraction(Number(text), type) : parseFraction(text, type);
  if (stored) writeDouble(output, node.field.ordinal, roundScaled(number, node.mapping.scale));
}

function writeDate(output: RecordOutput, node: FieldNode, value: ScalarValue): void {
  const millis = dateMillis(output, node, value);
  if (isStored(node)) writeLong(output, node.field.ordinal, millis);
}

function dateMillis(output: RecordOutput, node: FieldNode, value: ScalarValue): number {
  const format = node.format!;
  if (value.kind === ValueKind.number) {
    // Up to four digits could be a year.
    const plain = node.plainMillis && value.exact && value.scale === 0 && value.length > 5;
    if (plain) return value.mantissa;
  } else if (format.isoFirst) {
    const millis = parseIsoBytes(output.arena.u8, value.start, value.start + value.length);
    if (!Number.isNaN(millis)) return millis;
  }
  return format.parse(valueText(output, value), "down", UTC);
}

function writeBoolean(output: RecordOutput, node: FieldNode, value: ScalarValue): void {
  // A literal was told from others when it was read.
  if (value.kind === ValueKind.boolean) writeTruth(output, node, value.length === TRUE_LENGTH);
  else writeBooleanText(output, node, value);
}

const TRUE_LENGTH = 4;

function writeBooleanText(output: RecordOutput, node: FieldNode, value: ScalarValue): void {
  const text = valueText(output, value);
  if (value.kind === ValueKind.number) {
    const token = /[.eE]/.test(text) ? "VALUE_NUMBER_FLOAT" : "VALUE_NUMBER_INT";
    throw new EngineError("invalid_value", `Current token (${token}) not of boolean type`, {
      value: text,
      exception: "x_content_parse_exception",
    });
  }
  if (text !== "true" && text !== "false" && text !== "") {
    const message = `Failed to parse value [${text}] as only [true] or [false] are allowed.`;
    throw new EngineError("invalid_value", message, { value: text });
  }
  writeTruth(output, node, text === "true");
}

function writeTruth(output: RecordOutput, { field }: FieldNode, isTrue: boolean): void {
  const { inverted, column, ordinal } = field;
  if (inverted) writeTermBytes(output, ordinal, isTrue ? TRUE_TERM : FALSE_TERM);
  if (column !== null) writeLong(output, ordinal, isTrue ? 1 : 0);
}

const address = new Uint8Array(16);

function writeIp(output: RecordOutput, node: FieldNode, value: ScalarValue): void {
  let bytes: Uint8Array | null = address;
  if (!parseIpv4Bytes(output.arena.u8, value.start, value.start + value.length, address)) {
    const text = valueText(output, value);
    bytes = parseIp(text);
    if (bytes === null) throw invalidIp(text);
  }
  if (isStored(node)) writeTermBytes(output, node.field.ordinal, bytes);
}
