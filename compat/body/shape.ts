/**
 * Bodies described as data. A shape lists every key Elasticsearch documents for an object: those that are read, with the
 * kind of their value, and those that are refused by name. Whatever is in neither list is unknown and refused too, so
 * that nothing is accepted and ignored.
 *
 * Scalars are read as leniently as Elasticsearch reads them: "true" is a boolean, "10" is a number.
 */
import {
  type ApiError,
  contentError,
  illegalArgument,
  notSupported,
  parsingError,
  ApiError as Refusal,
} from "../errors.js";
import { isObject, type Json, type JsonObject, tokenName } from "../json/value.js";
import { didYouMean } from "../near-names.js";

/** What a key's value must be. `strings` is a list or a single string, `scalar` anything that is no container. */
export type ValueKind = "string" | "number" | "integer" | "boolean" | "object" | "list" | "strings" | "scalar" | "any";

interface Values {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  object: JsonObject;
  list: Json[];
  strings: string[];
  scalar: string | number | bigint | boolean;
  any: Json;
}

type Kinds = Readonly<Record<string, ValueKind>>;

export interface Shape<K extends Kinds = Kinds> {
  /** What the object is called in error texts. */
  readonly name: string;
  /** Which of Elasticsearch's texts an unknown key gets. */
  readonly style: keyof typeof UNKNOWN_KEY;
  readonly keys: K;
  /** Documented by Elasticsearch, not built here. */
  readonly refused: readonly string[];
}

/** The object a shape describes; every key may be absent. */
export type BodyOf<S extends Shape> = { -readonly [K in keyof S["keys"]]?: Values[S["keys"][K]] };

/** Makes a shape; the keys' kinds become the type of what is read. */
export function shape<const K extends Kinds>(
  name: string,
  style: Shape["style"],
  keys: K,
  refused: readonly string[] = [],
): Shape<K> {
  return { name, style, keys, refused };
}

const UNKNOWN_KEY = {
  query: (name: string, key: string) => parsingError(`[${name}] query does not support [${key}]`, key),
  section: (_name: string, key: string, value: Json) =>
    parsingError(`Unknown key for a ${tokenName(value)} in [${key}].`, key),
  object: unknownField,
  aggregation: unknownField,
} as const;

function unknownField(name: string, key: string): ApiError {
  return contentError(`[${name}] unknown field [${key}]`, key, { place: "name" });
}

/** Reads an object by its shape. Null values count as absent. Throws ApiError 400 naming the key. */
export function readShape<S extends Shape>(given: Json, shape: S): BodyOf<S> {
  if (!isObject(given)) throw noObject(shape, given);
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const kind = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;
    if (kind === undefined) throw unknownKey(shape, key, value);
    if (value === null) continue;
    read[key] = READERS[kind](value);
    if (read[key] === undefined) throw wrongValue(shape, key, value);
  }
  return read as BodyOf<S>;
}

function noObject({ name, style }: Shape, given: Json): ApiError {
  const found = tokenName(given);
  if (style === "query") return parsingError(`[${name}] malformed, expected START_OBJECT but found ${found}`);
  if (style === "section") return parsingError(`Expected [START_OBJECT] but found [${found}]`);
  return new Refusal(400, "x_content_parse_exception", `[${name}] Expected START_OBJECT but was: ${found}`);
}

function unknownKey(shape: Shape, key: string, value: Json): ApiError {
  if (shape.refused.includes(key)) return notSupported(`[${key}] in [${shape.name}]`);
  const error = UNKNOWN_KEY[shape.style](shape.name, key, value);
  const hint = shape.style === "section" || shape.style === "query" ? "" : didYouMean(key, Object.keys(shape.keys));
  return new Refusal(error.status, error.type, error.message + hint, error.extra);
}

/** Elasticsearch's texts for a value that is none of the key's kind. */
function wrongValue({ name, style, keys }: Shape, key: string, value: Json): ApiError {
  const kind = keys[key];
  const containers = typeof value === "object" || CONTAINERS.has(kind);
  if (style === "query") return wrongKind(value, kind, `[${name}]`, key);
  if (style === "section") {
    return containers ? UNKNOWN_KEY.section(name, key, value) : new Refusal(400, ...unreadable(value, kind));
  }
  if (containers) return contentError(`[${name}] ${key} doesn't support values of type: ${tokenName(value)}`, key);
  const [type, reason] = unreadable(value, kind);
  return contentError(`[${name}] failed to parse field [${key}]`, key, { causedBy: { type, reason } });
}

const CONTAINERS: ReadonlySet<ValueKind> = new Set(["object", "list", "strings"]);

function unreadable(value: Json, kind: ValueKind): [type: string, reason: string] {
  return kind === "boolean"
    ? ["illegal_argument_exception", `Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`]
    : ["number_format_exception", `For input string: "${String(value)}"`];
}

/** Reads one value as a kind. Throws ApiError 400 naming the key. */
export function readValue(value: Json, kind: ValueKind, where: string, key: string): unknown {
  const read = READERS[kind](value);
  if (read === undefined) throw wrongKind(value, kind, where, key);
  return read;
}

function wrongKind(value: Json, kind: ValueKind, where: string, key: string): ApiError {
  return parsingError(
    `${where} failed to parse field [${key}]: expected ${WANTED[kind]} but found ${tokenName(value)}`,
    key,
  );
}

const WANTED: Readonly<Record<ValueKind, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  list: "an array",
  strings: "a string or an array of strings",
  scalar: "a plain value",
  any: "a value",
};

const READERS: Readonly<Record<ValueKind, (value: Json) => unknown>> = {
  string: (value) => (isScalar(value) ? String(value) : undefined),
  number: readNumber,
  integer: (value) => {
    const number = readNumber(value);
    return number === undefined || !Number.isInteger(number) ? undefined : number;
  },
  boolean: readBoolean,
  object: (value) => (isObject(value) ? value : undefined),
  list: (value) => (Array.isArray(value) ? value : undefined),
  strings: readStrings,
  scalar: (value) => (isScalar(value) ? value : undefined),
  any: (value) => value,
};

function isScalar(value: Json): value is string | number | bigint | boolean {
  return value !== null && typeof value !== "object";
}

function readNumber(value: Json): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

function readBoolean(value: Json): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === "true") return true;
  return value === "false" ? false : undefined;
}

function readStrings(value: Json): string[] | undefined {
  if (isScalar(value)) return [String(value)];
  if (!Array.isArray(value) || !value.every(isScalar)) return undefined;
  return value.map(String);
}

/** Refuses a value outside of a fixed set, naming what is allowed. */
export function oneOf<T extends string>(value: string, allowed: readonly T[], what: string): T {
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw illegalArgument(`${what} must be one of [${allowed.join(", ")}] but was [${value}]`);
}
