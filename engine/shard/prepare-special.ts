/** Values that are more than a number or a word: points, ranges, objects kept flat, bytes, dates of nanoseconds. */
import type { Clock } from "../clock.js";
import { EngineError } from "../errors.js";
import { NANOS_PER_MILLI, nanosBelow } from "../mapping/date-nanos.js";
import { encodePoint, readPoint } from "../mapping/geo-point.js";
import { encodeNetwork, encodeRange, isRangeType, rangeTerm } from "../mapping/range-fields.js";
import { UTC } from "../mapping/time-zone.js";
import type { RangeValues } from "../mapping/values.js";
import { MAX_TERM_BYTES } from "../memtable/prepared.js";
import { type RecordOutput, writeBigLong, writeExists, writeTermBytes } from "./prepare-output.js";
import type { FieldNode } from "./prepare-plan.js";
import { type ScalarValue, ValueKind, valueText } from "./scalar-value.js";

/** Whether objects are values of the field. */
export function takesObjects({ field: { type } }: FieldNode): boolean {
  return type === "geo_point" || type === "flat_object" || isRangeType(type);
}

function isKept({ field }: FieldNode): boolean {
  return field.inverted || field.column !== null;
}

function writeTerm(output: RecordOutput, node: FieldNode, bytes: Uint8Array): void {
  if (isKept(node)) writeTermBytes(output, node.field.ordinal, bytes);
}

/** Writes the records of a scalar. Throws invalid_value when it does not fit the type. */
export function writeSpecial(output: RecordOutput, node: FieldNode, value: ScalarValue): void {
  const { type, path } = node.field;
  const text = valueText(output, value);
  switch (type) {
    case "date_nanos":
      writeNanos(output, node, text);
      return;
    case "binary":
      writeBinary(output, node, value, text);
      return;
    case "geo_point":
      if (value.kind !== ValueKind.string) throw parseError("geo_point expected");
      writePoint(output, node, text);
      return;
    case "ip_range":
      if (value.kind !== ValueKind.string) throw rangeExpected(path, text);
      writeTerm(output, node, rangeTerm(encodeNetwork(text)));
      return;
    case "flat_object":
      throw parseError(`[flat_object] field [${path}] expects an object, but found a value`);
    case "alias":
      throw new EngineError("invalid_value", `Cannot write to a field alias [${path}].`);
    default:
      throw rangeExpected(path, text);
  }
}

/** The error of a value that is parsed otherwise: in Elasticsearch a `parsing_exception` of its own. */
function parseError(message: string): EngineError {
  return new EngineError("invalid_value", message, { exception: "parsing_exception" });
}

function rangeExpected(path: string, text: string): EngineError {
  return new EngineError("invalid_value", `error parsing field [${path}], expected an object but got ${text}`);
}

function writeNanos(output: RecordOutput, node: FieldNode, text: string): void {
  const millis = BigInt(node.format!.parse(text, "down", UTC));
  const nanos = millis * NANOS_PER_MILLI + nanosBelow(text, millis, "down");
  if (nanos < 0n || BigInt.asIntN(64, nanos) !== nanos) {
    const reason = nanos < 0n ? "before the epoch in 1970" : "after 2262-04-11T23:47:16.854775807";
    throw new EngineError("invalid_value", `date[${text}] is ${reason} and cannot be stored in nanosecond resolution`);
  }
  if (node.field.column !== null) writeBigLong(output, node.field.ordinal, nanos);
}

const BASE64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/;

function writeBinary(output: RecordOutput, node: FieldNode, value: ScalarValue, text: string): void {
  if (value.kind !== ValueKind.string || !BASE64.test(text.replace(/[\r\n]/g, ""))) {
    throw new EngineError("invalid_value", "Illegal base64 value");
  }
  // Bytes are not kept in columns: a document has them or has them not.
  const kept = node.mapping.docValues === true || node.mapping.kept?.store === true;
  if (kept && !node.field.nested) writeExists(output, node.field.ordinal);
}

function writePoint(output: RecordOutput, node: FieldNode, value: unknown): void {
  const point = encodePoint(readPoint(value));
  if (node.field.column !== null) writeBigLong(output, node.field.ordinal, point);
}

/** Writes the records of an object, or of a list that is one value; `json` is its text. Throws invalid_value. */
export function writeStructured(output: RecordOutput, node: FieldNode, json: string): void {
  const { type } = node.field;
  if (type === "geo_point") writePoints(output, node, JSON.parse(json));
  else if (type === "flat_object") writeFlat(output, node, withTexts(json), "");
  else writeRange(output, node, withTexts(json));
}

function writePoints(output: RecordOutput, node: FieldNode, value: unknown): void {
  const isList = Array.isArray(value) && typeof value[0] !== "number";
  for (const one of isList ? (value as unknown[]) : [value]) if (one !== null) writePoint(output, node, one);
}

/** Strings and numbers; the latter, too, are taken as they are written. */
const LEAVES = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;

/** The value of JSON text, numbers as the text that they are written with. */
function withTexts(json: string): unknown {
  return JSON.parse(json.replace(LEAVES, (leaf) => (leaf.startsWith('"') ? leaf : `"${leaf}"`)));
}

const SEPARATOR = "\0";

/**
 * Each leaf is two terms: its value behind nothing (asked for by the field's own name), and behind the path to it, which
 * a zero byte ends (mapping/flat-object.ts).
 */
function writeFlat(output: RecordOutput, node: FieldNode, value: unknown, path: string): void {
  if (Array.isArray(value)) {
    for (const one of value) writeFlat(output, node, one, path);
    return;
  }
  if (value === null) return;
  if (typeof value === "object") {
    for (const [key, inner] of Object.entries(value))
      writeFlat(output, node, inner, path === "" ? key : `${path}.${key}`);
    return;
  }
  if (path.includes(SEPARATOR)) throw parseError(`a key of [${node.field.path}] holds a zero byte`);
  for (const key of ["", path]) {
    const term = Buffer.from(`${key}${SEPARATOR}${String(value)}`, "utf8");
    if (term.length > MAX_TERM_BYTES) {
      const message = `Flat object field [${node.field.path}] contains one immense term of ${term.length} bytes, the max length is ${MAX_TERM_BYTES}`;
      throw new EngineError("invalid_value", message, { field: node.field.path, length: term.length });
    }
    writeTerm(output, node, term);
  }
}

/** What a document says depends on no clock; ends that name `now` are refused. */
const NO_CLOCK: Clock = { random: () => 0, now: () => 0 };

function writeRange(output: RecordOutput, node: FieldNode, value: unknown): void {
  const { path } = node.field;
  const given = value as Record<string, unknown>;
  const range: RangeValues = {};
  const inclusive = { from: "true", to: "true" };
  for (const [key, end] of Object.entries(given)) {
    if (key === "include_lower") inclusive.from = String(end);
    else if (key === "include_upper") inclusive.to = String(end);
    else if (!["gte", "gt", "lte", "lt", "from", "to"].includes(key) || (typeof end === "object" && end !== null))
      throw new EngineError("invalid_value", `error parsing field [${path}], with unknown parameter [${key}]`);
  }
  const end = (key: string) => (given[key] === undefined || given[key] === null ? undefined : String(given[key]));
  const from = end("from");
  const to = end("to");
  range.gte = end("gte") ?? (inclusive.from === "true" ? from : undefined);
  range.gt = end("gt") ?? (inclusive.from === "true" ? undefined : from);
  range.lte = end("lte") ?? (inclusive.to === "true" ? to : undefined);
  range.lt = end("lt") ?? (inclusive.to === "true" ? undefined : to);
  if ([range.gte, range.gt, range.lte, range.lt].some((one) => String(one).startsWith("now"))) {
    throw new EngineError("invalid_value", "[now] cannot be an end of a document's range");
  }
  writeTerm(output, node, rangeTerm(encodeRange(node.field, range, NO_CLOCK)));
}
