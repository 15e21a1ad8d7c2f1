/** One source of a composite aggregation: the keys of documents by one field, and how they are ordered and shown. */
import type { Field } from "../mapping/field-table.js";
import { exactBounds, formatValue, numericValue } from "../mapping/values.js";
import type { LeafContext } from "../query/exec/context.js";
import type { Scalar } from "../query/query.js";
import { type Comparable, compareKey, type KeyOrder } from "../sort/sort-value.js";
import type { Bucket, CompositeSource } from "./aggregation.js";
import { numberReader } from "./column-values.js";
import { NumberTable } from "./number-table.js";
import { dateRounding } from "./rounding.js";
import type { Surroundings } from "./surroundings.js";
import { type ReadKeys, termKeys } from "./term-keys.js";
import { missingNumber, readNumber, requireNumeric, type ValueSource, valueSource } from "./value-source.js";

/** The key of documents without a value, where they are counted. */
export const NO_KEY = 0xffffffff;

type Within = Pick<Surroundings, "contexts" | "charge" | "name">;
/** A key as it is shown. */
export type ShownKey = { value: Bucket["key"] | boolean | null; isDouble: boolean };

/** The keys of a source. */
export interface SourceKeys {
  readonly source: CompositeSource;
  reader(leaf: LeafContext): ReadKeys;
  compare(a: number, b: number): number;
  /** Order of a key and a value of `after`. */
  compareAfter(key: number, after: Comparable): number;
  show(key: number): ShownKey;
  /** A value of `after` in the order's terms. Throws `invalid_value`. */
  readAfter(value: Scalar | null): Comparable;
}

/** The keys of a source over all indices. */
export function sourceKeys(source: CompositeSource, within: Within): SourceKeys {
  const values = valueSource(within.contexts, source.field, "composite");
  const keys = source.kind === "terms" ? termSource(source, values, within) : roundedSource(source, values, within);
  const order: KeyOrder = {
    descending: source.order === "desc",
    missingFirst: source.missingOrder === "default" ? source.order === "asc" : source.missingOrder === "first",
  };
  const comparableOf = (key: number): Comparable => (key === NO_KEY ? null : keys.value(key));
  return {
    source,
    reader: keys.reader,
    compare: (a, b) => compareKey(order, comparableOf(a), comparableOf(b)),
    compareAfter: (key, after) => compareKey(order, comparableOf(key), after),
    show: (key) => (key === NO_KEY ? { value: null, isDouble: false } : keys.show(key)),
    readAfter: (value) => (value === null ? null : keys.read(value)),
  };
}

interface Keys {
  readonly reader: (leaf: LeafContext) => ReadKeys;
  readonly value: (key: number) => Comparable;
  readonly show: (key: number) => ShownKey;
  readonly read: (value: Scalar) => Comparable;
}

function termSource(source: CompositeSource & { kind: "terms" }, values: ValueSource, within: Within): Keys {
  const { field } = values;
  const asked = { kind: "terms", field: source.field, size: 0, minDocCount: 1, order: [] } as const;
  const keys = termKeys(values, { ...asked, order: [] }, within);
  const isTerm = keys.type === "string" || keys.type === "ip" || keys.type === "unmapped";
  const shown = (key: number) => keys.show(key).key;
  const { clock } = within.contexts[0].environment;
  const read = (value: Scalar): Comparable => {
    if (field === undefined) return Buffer.from(String(value));
    // The keys of booleans are numbers, their exact values are terms.
    if (field.type === "boolean") return typeof value === "number" ? value : Number(numericValue(field, value, clock));
    const bounds = exactBounds(field, value, clock);
    return bounds.kind === "term" ? bounds.from : bounds.low;
  };
  return {
    reader: (leaf) => keys.reader(leaf),
    value: (key) => (isTerm ? read(shown(key)) : (shown(key) as number | bigint)),
    show: (key) => showTerm(source, field, keys.show(key)),
    read,
  };
}

function showTerm(
  source: CompositeSource,
  field: Field | undefined,
  { key, keyAsString }: Pick<Bucket, "key" | "keyAsString">,
): ShownKey {
  if (field?.type === "boolean") return { value: keyAsString === "true", isDouble: false };
  if (source.format !== undefined && field !== undefined && typeof key !== "string") {
    return { value: formatValue(field, key, source.format), isDouble: false };
  }
  return { value: key, isDouble: field?.column === "double" };
}

function roundedSource(
  source: Exclude<CompositeSource, { kind: "terms" }>,
  values: ValueSource,
  { contexts, charge }: Within,
): Keys {
  requireNumeric(values.field, source.kind);
  const table = new NumberTable(charge);
  const round = roundingOf(source);
  const dates = values.field?.type === "date" ? values.field : undefined;
  const zone = source.kind === "date_histogram" ? source.timeZone : undefined;
  const shown = (start: number): ShownKey => {
    if (dates === undefined) return { value: start, isDouble: true };
    if (source.format === undefined) return { value: start, isDouble: false };
    return { value: formatValue(dates, start, source.format, zone), isDouble: false };
  };
  return {
    reader: (leaf) => rounded(numberReader(leaf, values.of(leaf.context), null), round, table),
    value: (key) => table.key(key),
    show: (key) => shown(table.key(key)),
    read: (value) => {
      if (dates === undefined || typeof value !== "string") return readNumber(value);
      return missingNumber(contexts, dates, value, { format: source.format, timeZone: zone });
    },
  };
}

function roundingOf(source: Exclude<CompositeSource, { kind: "terms" }>): (value: number) => number {
  if (source.kind === "histogram") return (value) => Math.floor(value / source.interval) * source.interval;
  const { interval, timeZone, offsetMillis, field } = source;
  const shape = { kind: "date_histogram", minDocCount: 1, keyed: false } as const;
  return dateRounding({ ...shape, field, interval, timeZone, offsetMillis }).round;
}

/** A document's values that fall into one interval are one key. */
function rounded(
  read: ReturnType<typeof numberReader>,
  round: (value: number) => number,
  table: NumberTable,
): ReadKeys {
  let keys = new Uint32Array(0);
  return (batch) => {
    const { values, index, count } = read(batch);
    if (keys.length < count) keys = new Uint32Array(count);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = index === null ? i : index[i];
      const key = table.id(round(values[i]));
      if (kept > 0 && index !== null && index[kept - 1] === doc && keys[kept - 1] === key) continue;
      keys[kept] = key;
      if (index !== null) index[kept] = doc;
      kept++;
    }
    return { values: keys, index, count: kept };
  };
}
