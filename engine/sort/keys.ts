/**
 * Sort keys of one index: from a key as asked for to what each leaf compares. Missing values are replaced here: `_last` and
 * `_first` stay "no value" for terms, numbers become the extremes that Elasticsearch shows.
 */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { isFractionType, isWholeType, parseDecimal } from "../mapping/numbers.js";
import { columnValue, exactBounds, formatValue } from "../mapping/values.js";
import type { ReaderContext } from "../query/exec/context.js";
import { withFielddata } from "../query/exec/uninverted.js";
import type { SortKey, SortValue } from "../search.js";
import { assumedField } from "./assumed-field.js";
import { shortestFloat } from "./shortest-float.js";
import type { Comparable, KeyOrder } from "./sort-value.js";

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
const UNSIGNED_MAX = 2n ** 64n - 1n;
/** Extremes of everything narrower than a long; booleans sort as the numbers 0 and 1. */
const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;

/** Sequence numbers below each reader's share of `_shard_doc`. */
export const SHARD_DOC_SPAN = 2 ** 40;

/** One key, resolved in one index. */
export interface ResolvedKey {
  readonly key: SortKey;
  readonly order: KeyOrder;
  readonly source:
    | { kind: "score" }
    | { kind: "doc" }
    /**
     * `field` undefined: the index lacks it, every document counts as missing. `assumed`: the field, or what `unmappedType`
     * makes of it; undefined when neither is known.
     */
    | { kind: "field"; field: Field | undefined; assumed: Field | undefined; mode: NonNullable<SortKey["mode"]> };
  /** What documents without a value count as. */
  readonly missing: Comparable;
}

/** Resolves the keys of a request. Throws `query_unsupported` for fields without columns, `fielddata_disabled` for texts. */
export function resolveKeys(context: ReaderContext, keys: readonly SortKey[]): ResolvedKey[] {
  return keys.map((key) => resolveKey(context, key));
}

/** Throws query_unsupported for a key whose values are unsigned in one index and are not in another. */
export function checkComparable(keys: readonly (readonly ResolvedKey[])[]): void {
  for (const at of keys[0]?.keys() ?? []) {
    const types = new Set(keys.flatMap(({ [at]: { source } }) => typesOf(source)));
    if (types.size > 1 && types.has("unsigned_long")) {
      const message =
        "Can't do sort across indices, as a field has [unsigned_long] type in one index, and different type in another index!";
      throw new EngineError("query_unsupported", message, { field: keys[0][at].key.field });
    }
  }
}

function typesOf(source: ResolvedKey["source"]): string[] {
  return source.kind === "field" && source.field !== undefined ? [source.field.type] : [];
}

function resolveKey(context: ReaderContext, key: SortKey): ResolvedKey {
  const descending = key.order === "desc";
  const order: KeyOrder = { descending, missingFirst: key.missing === "_first" };
  if (key.field === "_score") return { key, order, source: { kind: "score" }, missing: null };
  if (key.field === "_doc" || key.field === "_shard_doc") return { key, order, source: { kind: "doc" }, missing: null };
  const named = context.reader.fields.get(key.field);
  const field = named && withFielddata(named);
  const mode = key.mode ?? (descending ? "max" : "min");
  if (field !== undefined) {
    checkSortable(field);
    checkMode(field, key.mode);
  } else if (key.unmappedType === undefined && context.reader.leaves.length > 0) {
    throw new EngineError("query_unsupported", `No mapping found for [${key.field}] in order to sort on`, {
      field: key.field,
      index: context.reader.index,
    });
  }
  const assumed = field ?? (key.unmappedType === undefined ? undefined : assumedField(key.field, key.unmappedType));
  return {
    key,
    order,
    source: { kind: "field", field, assumed, mode },
    missing: missingValue(context, key, assumed, order),
  };
}

/** Throws when a field's values are not kept in a column that may be sorted by. */
export function checkSortable(field: Field): void {
  if (field.type === "text") throw fielddataDisabled(field);
  if (UNSORTED.has(field.type)) throw unsorted(field);
  if (field.column !== null && field.mapping.docValues !== false) return;
  throw new EngineError(
    "query_unsupported",
    `Can't load fielddata on [${field.path}] because fielddata is unsupported on fields of type [${field.type}]. Use doc values instead.`,
    { field: field.path, type: field.type },
  );
}

/** Types whose column is no list of values to be ordered or counted. */
const UNSORTED: ReadonlySet<string> = new Set([
  "geo_point",
  "integer_range",
  "long_range",
  "float_range",
  "double_range",
  "date_range",
  "ip_range",
  "flat_object",
]);

function unsorted({ path, type }: Field): EngineError {
  const message = `Can't load fielddata on [${path}] because fielddata is unsupported on fields of type [${type}]. Use doc values instead.`;
  return new EngineError("query_unsupported", message, { field: path, type });
}

/** Throws for a mode that computes with values which are no numbers. */
function checkMode(field: Field, mode: SortKey["mode"]): void {
  if (mode === undefined || mode === "min" || mode === "max" || field.column !== "ordinals") return;
  throw new EngineError("query_unsupported", "we only support AVG, MEDIAN and SUM on number based fields", {
    field: field.path,
    mode,
  });
}

/** What Elasticsearch says when a text field is sorted or aggregated by. */
export function fielddataDisabled(field: Field): EngineError {
  return new EngineError(
    "fielddata_disabled",
    "Text fields are not optimised for operations that require per-document field data like aggregations and sorting, " +
      `so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${field.path}] ` +
      "in order to load field data by uninverting the inverted index. Note that this can use significant memory.",
    { field: field.path },
  );
}

function missingValue(context: ReaderContext, key: SortKey, field: Field | undefined, order: KeyOrder): Comparable {
  if (key.missing !== "_first" && key.missing !== "_last") {
    if (field === undefined) return typeof key.missing === "number" ? key.missing : Buffer.from(key.missing);
    return withinType(field, readValue(context, field, key.missing));
  }
  const greatest = (key.missing === "_last") !== order.descending;
  if (field?.column === "double") return greatest ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  if (field === undefined || field.column !== "long") return null;
  if (field.type === "unsigned_long") return greatest ? UNSIGNED_MAX : 0n;
  if (field.type === "long" || field.type === "date" || field.type === "date_nanos") {
    return greatest ? LONG_MAX : LONG_MIN;
  }
  return greatest ? INT_MAX : INT_MIN;
}

/** Documents without a value count as one that they could have: fractions are cut, the type's ends are not passed. */
function withinType(field: Field, value: Comparable): Comparable {
  if (!isWholeType(field.type) || value === null || value instanceof Uint8Array) return value;
  const whole = typeof value === "bigint" ? value : BigInt(Math.trunc(value));
  const [low, high] = endsOf(field);
  return whole < low ? low : whole > high ? high : whole;
}

function endsOf({ type }: Field): [low: bigint, high: bigint] {
  if (type === "unsigned_long") return [0n, UNSIGNED_MAX];
  return type === "long" ? [LONG_MIN, LONG_MAX] : [BigInt(INT_MIN), BigInt(INT_MAX)];
}

/** A value from the request in comparable form. Throws `invalid_value`. */
function readValue(context: ReaderContext, field: Field, value: string | number | boolean | bigint): Comparable {
  if (field.type === "boolean") return booleanNumber(value);
  if (isWholeType(field.type)) return wholeNumber(field, value);
  if (isFractionType(field.type)) return fraction(field, value);
  const bounds = exactBounds(field, value, context.environment.clock);
  return bounds.kind === "term" ? bounds.from : bounds.low;
}

/** A number that no document can hold still has its place in the order. */
function wholeNumber(field: Field, value: string | number | boolean | bigint): number | bigint {
  const parts = typeof value === "boolean" ? null : parseDecimal(String(value));
  if (parts === null) throw notANumber(field, value);
  return parts.fraction ? Number(value) : parts.whole;
}

/** Floats sort as floats: a printed value that is handed back becomes the value it was printed from. */
function fraction(field: Field, value: string | number | boolean | bigint): number {
  const infinite = value === "Infinity" || value === "-Infinity";
  const known = infinite || (typeof value !== "boolean" && parseDecimal(String(value)) !== null);
  if (!known) throw notANumber(field, value);
  return isSingle(field) ? Math.fround(Number(value)) : Number(value);
}

/** Whether a field's values are 32-bit floats or less. */
export function isSingle(field: Field): boolean {
  return field.type === "float" || field.type === "half_float";
}

function notANumber(field: Field, value: string | number | boolean | bigint): EngineError {
  return new EngineError("invalid_value", `For input string: "${value}"`, { field: field.path, value: String(value) });
}

function booleanNumber(value: string | number | boolean | bigint): number {
  if (value === true || value === "true") return 1;
  return value === false || value === "false" ? 0 : Number(value);
}

/** A key's value as a hit shows it: floats by their fewest digits, and the infinities, which JSON lacks, by name. */
export function sortValue(resolved: ResolvedKey, value: Comparable): SortValue {
  const { source, key } = resolved;
  if (value === null) return null;
  if (source.kind !== "field") return value instanceof Uint8Array ? null : value;
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return String(value);
  const field = source.field ?? source.assumed;
  if (field === undefined) return value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value;
  if (key.format !== undefined && !isExtreme(field, value)) return formatValue(field, value, key.format);
  if (typeof value === "number" && isSingle(field)) return shortestFloat(value);
  return field.type === "boolean" ? Number(value) : columnValue(field, value);
}

function isExtreme(field: Field, value: Comparable): boolean {
  if (value === LONG_MAX || value === LONG_MIN) return true;
  if (field.type === "unsigned_long") return value === UNSIGNED_MAX;
  return field.type !== "long" && isWholeType(field.type) && (value === INT_MAX || value === INT_MIN);
}

/** A value of `searchAfter` in comparable form. Throws `invalid_value`. */
export function afterValue(context: ReaderContext, resolved: ResolvedKey, value: SortValue): Comparable {
  const { source } = resolved;
  if (value === null) return source.kind === "field" ? resolved.missing : null;
  if (source.kind !== "field") return Number(value);
  const field = source.field ?? source.assumed;
  if (field === undefined) return typeof value === "string" ? Buffer.from(value) : Number(value);
  const isDate = field.type === "date" || field.type === "date_nanos";
  if (isDate && (typeof value === "bigint" || Number.isInteger(value))) return BigInt(value as number | bigint);
  try {
    return readValue(context, field, value);
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    const message = `Failed to parse search_after value for field [${field.path}].`;
    throw new EngineError("invalid_value", message, { field: field.path }, { cause });
  }
}
