/**
 * Sort keys of one index: from a key as asked for to what each leaf compares. Missing values are replaced here: `_last` and
 * `_first` stay "no value" for terms, numbers become the extremes that Elasticsearch shows.
 */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { columnValue, exactBounds, formatValue } from "../mapping/values.js";
import type { ReaderContext } from "../query/exec/context.js";
import type { SortKey, SortValue } from "../search.js";
import type { Comparable, KeyOrder } from "./sort-value.js";

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
/** Booleans sort as the numbers 0 and 1, and show themselves so. */
const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;

/** One key, resolved in one index. */
export interface ResolvedKey {
  readonly key: SortKey;
  readonly order: KeyOrder;
  readonly source:
    | { kind: "score" }
    | { kind: "doc" }
    /** `field` undefined: the index lacks it, every document counts as missing. */
    | { kind: "field"; field: Field | undefined; mode: NonNullable<SortKey["mode"]> };
  /** What documents without a value count as. */
  readonly missing: Comparable;
}

/** Resolves the keys of a request. Throws `query_unsupported` for fields without columns, `fielddata_disabled` for texts. */
export function resolveKeys(context: ReaderContext, keys: readonly SortKey[]): ResolvedKey[] {
  return keys.map((key) => resolveKey(context, key));
}

function resolveKey(context: ReaderContext, key: SortKey): ResolvedKey {
  const descending = key.order === "desc";
  const order: KeyOrder = { descending, missingFirst: key.missing === "_first" };
  if (key.field === "_score") return { key, order, source: { kind: "score" }, missing: null };
  if (key.field === "_doc" || key.field === "_shard_doc") return { key, order, source: { kind: "doc" }, missing: null };
  const field = context.reader.fields.get(key.field);
  const mode = key.mode ?? (descending ? "max" : "min");
  if (field !== undefined) checkSortable(field);
  else if (key.unmappedType === undefined && context.reader.leaves.length > 0) {
    throw new EngineError("query_unsupported", `No mapping found for [${key.field}] in order to sort on`, {
      field: key.field,
      index: context.reader.index,
    });
  }
  return { key, order, source: { kind: "field", field, mode }, missing: missingValue(context, key, field, order) };
}

/** Throws when a field's values are not kept in a column that may be sorted by. */
export function checkSortable(field: Field): void {
  if (field.type === "text") throw fielddataDisabled(field);
  if (field.column !== null && field.mapping.docValues !== false) return;
  throw new EngineError(
    "query_unsupported",
    `Can't load fielddata on [${field.path}] because fielddata is unsupported on fields of type [${field.type}]. Use doc values instead.`,
    { field: field.path, type: field.type },
  );
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
  const isBoolean = (field?.type ?? key.unmappedType) === "boolean";
  const kind = field?.column ?? kindOfType(key.unmappedType);
  if (key.missing !== "_first" && key.missing !== "_last") {
    if (field === undefined) return typeof key.missing === "number" ? key.missing : Buffer.from(key.missing);
    if (isBoolean) return booleanNumber(key.missing);
    const bounds = exactBounds(field, key.missing, context.environment.clock);
    return bounds.kind === "term" ? bounds.from : bounds.low;
  }
  const greatest = (key.missing === "_last") !== order.descending;
  if (isBoolean) return greatest ? INT_MAX : INT_MIN;
  if (kind === "long") return greatest ? LONG_MAX : LONG_MIN;
  if (kind === "double") return greatest ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  return null;
}

function booleanNumber(value: string | number | boolean | bigint): number {
  if (value === true || value === "true") return 1;
  return value === false || value === "false" ? 0 : Number(value);
}

function kindOfType(type: string | undefined): Field["column"] {
  if (type === undefined || type === "keyword" || type === "ip" || type === "boolean") return "ordinals";
  return type === "double" || type === "float" || type === "half_float" ? "double" : "long";
}

/** A key's value as a hit shows it. */
export function sortValue(resolved: ResolvedKey, value: Comparable): SortValue {
  const { source, key } = resolved;
  if (value === null) return null;
  if (source.kind !== "field" || source.field === undefined) {
    return value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value;
  }
  const isExtreme = value === LONG_MAX || value === LONG_MIN;
  if (key.format !== undefined && !isExtreme) return formatValue(source.field, value, key.format);
  return columnValue(source.field, value);
}

/** A value of `searchAfter` in comparable form. */
export function afterValue(context: ReaderContext, resolved: ResolvedKey, value: SortValue): Comparable {
  if (value === null) return resolved.source.kind === "field" ? resolved.missing : null;
  if (resolved.source.kind !== "field") return Number(value);
  const { field } = resolved.source;
  if (typeof value === "bigint" && (value === LONG_MAX || value === LONG_MIN)) return value;
  if ((field?.type ?? resolved.key.unmappedType) === "boolean") return booleanNumber(value);
  if (field === undefined) return typeof value === "string" ? Buffer.from(value) : Number(value);
  if (field.column === "double" && !Number.isFinite(Number(value))) return Number(value);
  const known = field.type === "date" && typeof value === "number" ? BigInt(value) : undefined;
  if (known !== undefined) return known;
  const bounds = exactBounds(field, value, context.environment.clock);
  return bounds.kind === "term" ? bounds.from : bounds.low;
}
