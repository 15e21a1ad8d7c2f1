/** The keys of a terms aggregation as whole numbers: ordinals of terms over all segments, or ids of numbers. */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { columnValue, exactBounds, formatValue, type RawValue } from "../mapping/values.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import type { Column } from "../segment/types.js";
import type { Bucket, KeyType, TermsAggregation } from "./aggregation.js";
import type { Batch } from "./aggregator.js";
import { type BatchValues, narrowReader, numberReader, ordinalReader } from "./column-values.js";
import { NumberTable } from "./number-table.js";
import { type OrdinalSpace, ordinalSpace } from "./ordinal-space.js";
import { isNumeric, missingNumber, type ValueSource } from "./value-source.js";

/** Reads the keys of a batch; the result is only valid until the next call. */
export type ReadKeys = (batch: Batch) => BatchValues<Uint32Array>;

/** The keys of one terms aggregation. */
export interface TermKeys {
  readonly type: KeyType;
  /** Number of keys so far; ordinals are all known from the start. */
  readonly size: number;
  reader(leaf: LeafContext): ReadKeys;
  /** Place of a key among all keys, ascending. */
  rank(key: number): number;
  show(key: number): Pick<Bucket, "key" | "keyAsString">;
  /** Whether `include` and `exclude` let a key through. */
  accepts(key: number): boolean;
}

/** The keys of a terms aggregation over a field. */
export function termKeys(
  contexts: readonly ReaderContext[],
  source: ValueSource,
  aggregation: TermsAggregation,
): TermKeys {
  const { field } = source;
  if (field !== undefined && !isNumeric(field)) return ordinalKeys(contexts, source, field, aggregation);
  if (field?.type === "boolean") return numberKeys(contexts, source, aggregation, "boolean");
  if (field === undefined) return numberKeys(contexts, source, aggregation, "unmapped");
  const type = field.type === "date" ? "date" : field.column === "double" ? "double" : "long";
  return numberKeys(contexts, source, aggregation, type);
}

function ordinalKeys(
  contexts: readonly ReaderContext[],
  source: ValueSource,
  field: Field,
  aggregation: TermsAggregation,
): TermKeys {
  const space = ordinalSpace(contexts, source.of);
  const missing = aggregation.missing === undefined ? null : missingKey(contexts, field, space, aggregation);
  const bytesOf = (key: number) => (missing !== null && key === space.size ? missing.bytes : space.term(key));
  const text = (key: number) => String(columnValue(field, bytesOf(key)));
  const filter = textFilter(aggregation);
  const known = new Map<number, boolean>();
  return {
    type: field.type === "ip" ? "ip" : "string",
    size: space.size + (missing !== null && missing.key === space.size ? 1 : 0),
    reader: (leaf) => ordinalKeyReader(leaf, source.of(leaf.context), space, missing?.key ?? null),
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
  const column = field === undefined ? null : leaf.segment.column(field);
  const read = ordinalReader(column?.kind === "ordinals" ? column : null);
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

function numberKeys(
  contexts: readonly ReaderContext[],
  source: ValueSource,
  aggregation: TermsAggregation,
  type: KeyType,
): TermKeys {
  const { field } = source;
  const table = new NumberTable();
  const missing = missingNumber(contexts, field, aggregation.missing);
  const filter = numberFilter(aggregation);
  const exact = field !== undefined && type === "long" && hasUnsafe(contexts, source) ? new ExactKeys() : null;
  const raw = (key: number): RawValue => (exact === null ? table.key(key) : exact.values[key]);
  return {
    type,
    get size() {
      return exact === null ? table.size : exact.values.length;
    },
    reader: (leaf) => {
      const own = source.of(leaf.context);
      if (exact !== null) return exact.reader(leaf, own);
      const narrow = missing === null && own !== undefined ? narrowKeyReader(leaf.segment.column(own), table) : null;
      return narrow ?? numberKeyReader(numberReader(leaf, own, missing), table);
    },
    rank: (key) => Number(raw(key)),
    show: (key) => showNumber(field, type, raw(key), aggregation.format),
    accepts: (key) => filter === null || filter(Number(raw(key))),
  };
}

function hasUnsafe(contexts: readonly ReaderContext[], source: ValueSource): boolean {
  return contexts.some((context) => {
    const field = source.of(context);
    if (field === undefined) return false;
    return context.leaves.some((leaf) => {
      const column = leaf.segment.column(field);
      return column?.kind === "long" && !column.safe;
    });
  });
}

/** A document's equal values count once. */
function numberKeyReader(read: ReturnType<typeof numberReader>, table: NumberTable): ReadKeys {
  let keys = new Uint32Array(0);
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
function narrowKeyReader(column: Column | null, table: NumberTable): ReadKeys | null {
  const narrow = narrowReader(column);
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

/** Whole numbers beyond 2^53, which doubles would run together. */
class ExactKeys {
  readonly values: bigint[] = [];
  readonly #ids = new Map<bigint, number>();

  reader(leaf: LeafContext, field: Field | undefined): ReadKeys {
    const column = field === undefined ? null : leaf.segment.column(field);
    if (column?.kind !== "long") return () => ({ values: new Uint32Array(0), index: new Uint32Array(0), count: 0 });
    return (batch) => {
      const keys: number[] = [];
      const index: number[] = [];
      for (let i = 0; i < batch.count; i++) {
        const doc = batch.docs === null ? batch.first + i : batch.docs[i];
        const { bits } = column.presence;
        if (bits !== null && ((bits[doc >>> 5] >>> (doc & 31)) & 1) === 0) continue;
        const from = column.offsets === null ? doc : column.offsets[doc];
        const to = column.offsets === null ? doc + 1 : column.offsets[doc + 1];
        const own = new Set<number>();
        for (let row = from; row < to; row++) own.add(this.#id(column.base + BigInt(column.raw[row]) * column.step));
        for (const key of own) {
          keys.push(key);
          index.push(i);
        }
      }
      return { values: Uint32Array.from(keys), index: Uint32Array.from(index), count: keys.length };
    };
  }

  #id(value: bigint): number {
    let id = this.#ids.get(value);
    if (id === undefined) {
      id = this.values.push(value) - 1;
      this.#ids.set(value, id);
    }
    return id;
  }
}

function showNumber(
  field: Field | undefined,
  type: KeyType,
  raw: RawValue,
  format: string | undefined,
): Pick<Bucket, "key" | "keyAsString"> {
  const key = raw instanceof Uint8Array ? 0 : typeof raw === "bigint" ? narrowed(raw) : raw;
  if (type === "boolean") return { key, keyAsString: key === 0 ? "false" : "true" };
  if (field !== undefined && (type === "date" || format !== undefined)) {
    return { key, keyAsString: formatValue(field, raw, format) };
  }
  return { key };
}

function narrowed(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

type Pattern = TermsAggregation["include"];

function textFilter(aggregation: TermsAggregation): ((text: string) => boolean) | null {
  const include = textTest(aggregation.include);
  const exclude = textTest(aggregation.exclude);
  if (include === null && exclude === null) return null;
  return (text) => (include === null || include(text)) && (exclude === null || !exclude(text));
}

function textTest(pattern: Pattern): ((text: string) => boolean) | null {
  if (pattern === undefined) return null;
  if (Array.isArray(pattern)) {
    const values = new Set(pattern);
    return (text) => values.has(text);
  }
  const regex = compilePattern(pattern.pattern);
  return (text) => regex.test(text);
}

function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`, "su");
  } catch (cause) {
    throw new EngineError(
      "invalid_value",
      `include/exclude pattern [${pattern}] is no regular expression`,
      { pattern },
      { cause },
    );
  }
}

function numberFilter(aggregation: TermsAggregation): ((value: number) => boolean) | null {
  const include = numberSet(aggregation.include);
  const exclude = numberSet(aggregation.exclude);
  if (include === null && exclude === null) return null;
  return (value) => (include === null || include.has(value)) && (exclude === null || !exclude.has(value));
}

function numberSet(pattern: Pattern): Set<number> | null {
  if (pattern === undefined) return null;
  if (Array.isArray(pattern)) {
    return new Set(pattern.map((text) => (text === "true" ? 1 : text === "false" ? 0 : Number(text))));
  }
  throw new EngineError(
    "invalid_value",
    "Aggregation [terms] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of values for include/exclude clauses.",
  );
}
