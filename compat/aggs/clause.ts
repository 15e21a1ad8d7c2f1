/** What the files of this folder share: how one aggregation of the request is read. */
import type { AggregationKind, Query } from "../../engine/index.js";
import { readValue, shape, type ValueKind } from "../body/shape.js";
import { illegalArgument, parsingError } from "../errors.js";
import { isObject, type Json } from "../json/value.js";
import { ordinaryField } from "../metadata-fields.js";

/** Reads the value under a kind's name. Throws ApiError 400. */
export type ReadAggregation = (body: Json, readQuery: (json: Json) => Query, name: string) => AggregationKind;

/** Keys of filters without a name begin with it; they are not printed. */
export const ANONYMOUS = "\u0000";

export type BucketOrder = { by: string; direction: "asc" | "desc" }[];

/** A shape of aggregation options. */
export function aggregationShape<const K extends Readonly<Record<string, ValueKind>>>(
  kind: string,
  keys: K,
  refused: readonly string[] = [],
) {
  return shape(kind, "aggregation", keys, refused);
}

/** The `field` that every aggregation over values needs here, scripts not being built. */
export function fieldOf(options: { field?: string }, kind: string): string {
  if (options.field === undefined)
    throw illegalArgument(
      `Required one of fields [field, script], but none were specified. (aggregation [${kind}]; Pinakes has no scripts)`,
    );
  return ordinaryField(options.field, kind);
}

/** `{"_count": "asc"}`, or a list of such. */
export function readOrder(given: Json): BucketOrder {
  const list = Array.isArray(given) ? given : [given];
  return list.map((entry) => {
    const pairs = isObject(entry) ? Object.entries(entry) : [];
    if (pairs.length !== 1) throw parsingError("Must specify one order clause with a single key in [order]", "order");
    const [by, direction] = pairs[0];
    if (direction !== "asc" && direction !== "desc") {
      throw parsingError(`Unknown order direction [${String(direction)}]`, "order");
    }
    return { by: by === "_term" || by === "_time" ? "_key" : by, direction };
  });
}

/** A whole number that is not negative. */
export function countOf(value: number | undefined, otherwise: number, what: string): number {
  if (value !== undefined && value < 0) throw illegalArgument(`[${what}] must not be negative: [${value}]`);
  return value ?? otherwise;
}

/** A bound written as a plain value. */
export function scalarOf(
  value: Json | undefined,
  kind: string,
  key: string,
): string | number | bigint | boolean | undefined {
  return value === undefined || value === null ? undefined : (readValue(value, "scalar", `[${kind}]`, key) as string);
}
