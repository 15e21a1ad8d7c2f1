/** What the files of this folder share: how a clause of the query DSL is read. */
import type { Query } from "../../engine/index.js";
import { type BodyOf, readShape, type Shape, shape, type ValueKind } from "../body/shape.js";
import { parsingError } from "../errors.js";
import { isObject, type Json, tokenName } from "../json/value.js";
import { ordinaryField } from "../metadata-fields.js";

/** Reads a whole query, for kinds that hold others. */
export type ReadQuery = (json: Json) => Query;

/** Reads the value under a kind's name. Throws ApiError 400. */
export type ReadClause = (body: Json, readQuery: ReadQuery) => Query;

/** Every query has these. */
const COMMON = { boost: "number", _name: "string" } as const;

/** A shape of query options, `boost` and `_name` included. */
export function querySkeleton<const K extends Readonly<Record<string, ValueKind>>>(
  kind: string,
  keys: K,
  refused: readonly string[] = [],
) {
  return shape(kind, "query", { ...keys, ...COMMON }, refused);
}

/** `boost` and `_name` as the engine has them. */
export function common(options: { boost?: number; _name?: string }): { boost: number; name?: string } {
  const boost = options.boost ?? 1;
  if (boost < 0)
    throw parsingError(`negative [boost] are not allowed in [boost], use a value between 0 and 1 to deboost`, "boost");
  return options._name === undefined ? { boost } : { boost, name: options._name };
}

/**
 * The form `{field: {options}}` or `{field: value}`, where a bare value stands for the option `short`. Exactly one field.
 */
export function readField<S extends Shape>(
  body: Json,
  shape: S,
  short: keyof S["keys"] & string,
): { field: string; options: BodyOf<S> } {
  const { name } = shape;
  if (!isObject(body)) throw parsingError(`[${name}] query malformed, no start_object after query name`);
  const entries = Object.entries(body);
  if (entries.length === 0) throw parsingError(`[${name}] query requires a field name`);
  if (entries.length > 1) {
    throw parsingError(
      `[${name}] query doesn't support multiple fields, found [${entries[0][0]}] and [${entries[1][0]}]`,
      entries[1][0],
    );
  }
  const [field, given] = entries[0];
  if (name !== "term" || (field !== "_id" && field !== "_index")) ordinaryField(field, name);
  if (Array.isArray(given)) throw parsingError(`[${name}] query does not support arrays in [${field}]`, field);
  if (given === null) throw parsingError(`[${name}] unexpected token [${tokenName(given)}] after [${field}]`, field);
  return { field, options: readShape(isObject(given) ? given : { [short]: given }, shape) };
}

/** An option that must be there. */
export function required<T>(value: T | undefined, kind: string, option: string): T {
  if (value === undefined) throw parsingError(`[${kind}] requires [${option}]`);
  return value;
}
