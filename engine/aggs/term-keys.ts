/** The keys of a terms aggregation as whole numbers: ordinals of terms over all segments, or ids of numbers. */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { columnValue, exactBounds, formatValue, type RawValue } from "../mapping/values.js";
import type { Charge } from "../memory/index.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import { columnOf } from "../query/exec/uninverted.js";
import type { Column } from "../segment/types.js";
import type { Bucket, KeyType, TermsAggregation } from "./aggregation.js";
import type { Batch } from "./aggregator.js";
import { type BatchValues, narrowReader, numberReader, ordinalReader } from "./column-values.js";
import { ExactKeys, hasUnsafe } from "./exact-keys.js";
import { NumberTable } from "./number-table.js";
import { type OrdinalSpace, ordinalSpace } from "./ordinal-space.js";
import type { Surroundings } from "./surroundings.js";
import { type KeyFilter, keyFilter } from "./term-filters.js";
import { isNumeric, missingNumber, type ValueSource, wholeNumber } from "./value-source.js";
import { documentFrequencies } from "./whole-leaf.js";

/** Reads the keys of a batch; the result is only valid until the next call. */
export type ReadKeys = (batch: Batch) => BatchValues<Uint32Array>;

/** The keys of one terms aggregation. */
export interface TermKeys {
  readonly type: KeyType;
  /** Number of keys so far; ordinals are all known from the start. A method: an accessor of a literal would cost each object a shape of its own. */
  size(): number;
  reader(leaf: LeafContext): ReadKeys;
  /** Adds the number of a leaf's documents to each key's count, without reading them; false: it is not known. */
  countAll(leaf: LeafContext, counts: Uint32Array): boolean;
  /** Place of a key among all keys, ascending. */
  rank(key: number): number;
  show(key: number): Pick<Bucket, "key" | "keyAsString">;
  /** Whether `include` and `exclude` let a key through. */
  accepts(key: number): boolean;
}

/** The keys of a terms aggregation over a field. */
export function termKeys(
  source: ValueSource,
  aggregation: TermsAggregation,
  within: Pick<Surroundings, "contexts" | "name" | "charge">,
): TermKeys {
  const { contexts, name, charge } = within;
  const { field } = source;
  const filter = keyFilter({ context: contexts[0], field, aggregation, name });
  const of = { contexts, source, aggregation, filter, charge };
  if (field === undefined) return unmappedKeys(of);
  if (!isNumeric(field)) return ordinalKeys(of, field);
  if (field.type === "boolean") return numberKeys(of, field, "boolean");
  return numberKeys(of, field, numberKeyType(field));
}

function numberKeyType({ type, column }: Field): KeyType {
  if (type === "date") return "date";
  if (type === "unsigned_long") return "unsigned";
  return column === "double" ? "double" : "long";
}

/** What all kinds of keys are made from. */
interface KeySource {
  readonly contexts: readonly ReaderContext[];
  readonly source: ValueSource;
  readonly aggregation: TermsAggregation;
  readonly filter: KeyFilter | null;
  readonly charge: Charge;
}

/** No index has the field: its one key is the missing value, as text. */
function unmappedKeys({ aggregation, filter }: KeySource): TermKeys {
  const { missing } = aggregation;
  const key = String(missing);
  let zeros = new Uint32Array(0);
  return {
    type: missing === undefined ? "unmapped" : "string",
    size: () => (missing === undefined ? 0 : 1),
    reader: () => (batch) => {
      if (zeros.length < batch.count) zeros = new Uint32Array(batch.count);
      if (missing !== undefined) return { values: zeros, index: null, count: batch.count };
      return { values: zeros, index: zeros, count: 0 };
    },
    countAll: () => false,
    rank: () => 0,
    show: () => ({ key }),
    accepts: () => filter === null || filter(key),
  };
}

function ordinalKeys({ contexts, source, aggregation, filter }: KeySource, field: Field): TermKeys {
  if (aggregation.format !== undefined && field.type === "keyword") {
    const message = `Field [${field.path}] of type [${field.type}] does not support custom formats`;
    throw new EngineError("query_unsupported", message, { field: field.path });
  }
  const space = ordinalSpace(contexts, source.of);
  const missing = aggregation.missing === undefined ? null : missingKey(contexts, field, space, aggregation);
  const bytesOf = (key: number) => (missing !== null && key === space.size ? missing.bytes : space.term(key));
  const text = (key: number) => String(columnValue(field, bytesOf(key)));
  const known = new Map<number, boolean>();
  return {
    type: field.type === "ip" ? "ip" : "string",
    size: () => space.size + (missing !== null && missing.key === space.size ? 1 : 0),
    reader: (leaf) => ordinalKeyReader(leaf, source.of(leaf.context), space, missing?.key ?? null),
    countAll: (leaf, counts) => missing === null && countTerms(leaf, source.of(leaf.context), space, counts),
    rank: (key) => (missing !== null && key === space.size ? missing.rank : key),
    show: (key) => ({ key: text(key) }),
    accepts: (key) => {
      if (filter === null) return true;
      const accepted = known.get(key) ?? filter(text(key));
      known.set(key, accepted);
      return accepted;
    },
  };
}

function countTerms(leaf: LeafContext, field: Field | undefined, space: OrdinalSpace, counts: Uint32Array): boolean {
  const frequencies = field === undefined ? null : documentFrequencies(leaf, field);
  if (frequencies === null) return false;
  const toGlobal = space.toGlobal(leaf);
  for (let i = 0; i < frequencies.length; i++) counts[toGlobal === null ? i : toGlobal[i]] += frequencies[i];
  return true;
}

/** The key that stands for missing values: a term's own, or one more than all ordinals, ranked where its bytes belong. */
function missingKey(
  contexts: readonly ReaderContext[],
  field: Field,
  space: OrdinalSpace,
  aggregation: TermsAggregation,
): { key: number; rank: number; bytes: Uint8Array } {
  const bounds = exactBounds(field, aggregation.missing as string, contexts[0].environment.clock);
  const bytes = bounds.kind === "term" ? bounds.from : Buffer.from(String(aggregation.missing));
  let low = 0;
  let high = space.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(space.term(middle), bytes) < 0) low = middle + 1;
    else high = middle;
  }
  const found = low < space.size && Buffer.compare(space.term(low), bytes) === 0;
  return found ? { key: low, rank: low, bytes } : { key: space.size, rank: low - 0.5, bytes };
}

function ordinalKeyReader(
  leaf: LeafContext,
  field: Field | undefined,
  space: OrdinalSpace,
  missing: number | null,
): ReadKeys {
  const column = field === undefined ? null : columnOf(leaf, field);
  const read = ordinalReader(leaf, column?.kind === "ordinals" ? column : null);
  const toGlobal = space.toGlobal(leaf);
  const global: ReadKeys = (batch) => {
    const found = read(batch);
    if (toGlobal !== null) for (let i = 0; i < found.count; i++) found.values[i] = toGlobal[found.values[i]];
    return found;
  };
  return missing === null ? global : withMissingKey(global, missing);
}

function withMissingKey(read: ReadKeys, missing: number): ReadKeys {
  return (batch) => {
    const found = read(batch);
    if (found.index === null) return found;
    const values: number[] = [];
    const index: number[] = [];
    let at = 0;
    for (let i = 0; i < batch.count; i++) {
      if (at >= found.count || found.index[at] !== i) {
        values.push(missing);
        index.push(i);
      }
      for (; at < found.count && found.index[at] === i; at++) {
        values.push(found.values[at]);
        index.push(i);
      }
    }
    return { values: Uint32Array.from(values), index: Uint32Array.from(index), count: values.length };
  };
}

function numberKeys(of: KeySource, field: Field, type: KeyType): TermKeys {
  const { contexts, source, aggregation, filter, charge } = of;
  if ((type === "long" || type === "unsigned") && hasUnsafe(contexts, source)) return exactKeys(of, field, type);
  const table = new NumberTable(charge);
  const missing = missingNumber(contexts, field, aggregation.missing, { format: aggregation.format });
  return {
    type,
    size: () => table.size,
    reader: (leaf) => {
      const own = source.of(leaf.context);
      const plain = missing === null && own?.type !== "date_nanos";
      const narrow = plain && own !== undefined ? narrowKeyReader(leaf, columnOf(leaf, own), table) : null;
      return narrow ?? numberKeyReader(leaf, numberReader(leaf, own, missing), table);
    },
    countAll: () => false,
    rank: (key) => table.key(key),
    show: (key) => showNumber(field, type, table.key(key), aggregation.format),
    accepts: (key) => filter === null || filter(String(table.key(key))),
  };
}

/** Longs beyond 2^53. */
function exactKeys({ source, aggregation, filter, charge }: KeySource, field: Field, type: KeyType): TermKeys {
  const keys = new ExactKeys(charge);
  const missing = aggregation.missing === undefined ? null : wholeNumber(aggregation.missing);
  return {
    type,
    size: () => keys.values.length,
    reader: (leaf) => keys.reader(leaf, source.of(leaf.context), missing),
    countAll: () => false,
    rank: (key) => keys.rank(key),
    show: (key) => showNumber(field, type, keys.values[key], aggregation.format),
    accepts: (key) => filter === null || filter(String(keys.values[key])),
  };
}

/** A document's equal values count once. */
function numberKeyReader(leaf: LeafContext, read: ReturnType<typeof numberReader>, table: NumberTable): ReadKeys {
  let keys = leaf.buffers.words();
  return (batch) => {
    const { values, index, count } = read(batch);
    if (keys.length < count) keys = new Uint32Array(count);
    let kept = 0;
    let lastDoc = -1;
    for (let i = 0; i < count; i++) {
      const doc = index === null ? i : index[i];
      if (doc === lastDoc && values[i] === values[i - 1]) continue;
      lastDoc = doc;
      keys[kept] = table.id(values[i]);
      if (index !== null) index[kept] = doc;
      kept++;
    }
    return { values: keys, index, count: kept };
  };
}

/** Raw values of few bits find their keys in a table. */
function narrowKeyReader(leaf: LeafContext, column: Column | null, table: NumberTable): ReadKeys | null {
  const narrow = narrowReader(leaf, column);
  if (narrow === null) return null;
  const ids = new Int32Array(narrow.width).fill(-1);
  return (batch) => {
    const found = narrow.read(batch);
    const { values, count } = found;
    for (let i = 0; i < count; i++) if (ids[values[i]] < 0) ids[values[i]] = table.id(narrow.value(values[i]));
    for (let i = 0; i < count; i++) values[i] = ids[values[i]];
    return found;
  };
}

function showNumber(
  field: Field,
  type: KeyType,
  raw: RawValue,
  format: string | undefined,
): Pick<Bucket, "key" | "keyAsString"> {
  const key = raw instanceof Uint8Array ? 0 : typeof raw === "bigint" ? narrowed(raw) : raw;
  if (type === "boolean") return { key, keyAsString: key === 0 ? "false" : "true" };
  if (type === "date" || format !== undefined) {
    return { key, keyAsString: formatValue(field, raw, format) };
  }
  return { key };
}

function narrowed(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
