/** `convert`: a value as another type. */
import { parseIp } from "../../../engine/index.js";
import { illegalArgument } from "../../errors.js";
import { doubleValue, floatValue, numberOf, textOf, type Value } from "../document/values.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";

type Convert = (value: Value, text: string) => Value | undefined;

const INT_BITS = 32;
const LONG_BITS = 64;
const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFdD]?$/;

/** `12`, `-0x1F`; undefined for other texts and for what does not fit. */
function integer(text: string, bits: number): Value | undefined {
  const match = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|(\d+))$/.exec(text);
  if (match === null) return undefined;
  const size = match[2] === undefined ? BigInt(match[3]) : BigInt(`0x${match[2]}`);
  const value = match[1] === "-" ? -size : size;
  if (BigInt.asIntN(bits, value) !== value) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function double(given: string): number | undefined {
  const text = given.trim();
  if (text === "NaN" || /^[-+]?Infinity$/.test(text)) return Number(text);
  return DECIMAL.test(text) ? Number(text.replace(/[fFdD]$/, "")) : undefined;
}

function float(text: string): Value | undefined {
  const value = double(text);
  return value === undefined ? undefined : floatValue(value);
}

/** What a value converts to by itself, whatever type it has. */
function automatic(value: Value, text: string): Value {
  if (typeof value !== "string") return value;
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  const whole = integer(text, LONG_BITS);
  if (whole !== undefined) return whole;
  return float(text) ?? value;
}

const TYPES: Readonly<Record<string, Convert>> = {
  auto: automatic,
  boolean: (_, text) => ({ true: true, false: false })[text.toLowerCase()],
  double: (_, text) => {
    const value = double(text);
    return value === undefined ? undefined : doubleValue(value);
  },
  float: (_, text) => float(text),
  integer: (_, text) => integer(text, INT_BITS),
  ip: (_, text) => (parseIp(text) === null ? undefined : text),
  long: (_, text) => integer(text, LONG_BITS),
  string: (_, text) => text,
};

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function convert(options: Options): Run {
  const name = options.string("field");
  const field = pathTemplate(name);
  const type = options.string("type");
  const target = options.pathOr("target_field", name);
  const ignoreMissing = options.boolean("ignore_missing", false);
  if (!Object.hasOwn(TYPES, type)) throw options.error("type", `type [${type}] not supported, cannot convert field.`);
  const one = (value: Value) => converted(value, type);
  return (document) => {
    const path = field(document);
    const value = ignoreMissing ? (document.lookUp(path) ?? null) : document.get(path);
    if (value === null) {
      if (ignoreMissing) return;
      throw illegalArgument(`Field [${path.text}] is null, cannot be converted to type [${type}]`);
    }
    document.set(target(document), Array.isArray(value) ? value.map(one) : one(value));
  };
}

function converted(value: Value, type: string): Value {
  const text = textOf(value);
  const result = TYPES[type](value, text);
  if (result !== undefined) return result;
  if (type === "boolean") throw illegalArgument(`[${text}] is not a boolean value, cannot convert to boolean`);
  if (type === "ip") throw illegalArgument(`'${text}' is not an IP string literal.`);
  const cause = {
    type: "number_format_exception",
    reason: numberOf(value) === undefined ? `For input string: "${text}"` : text,
  };
  throw illegalArgument(`unable to convert [${text}] to ${type}`, cause);
}
