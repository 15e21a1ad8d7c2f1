import { EngineError } from "../errors.js";
import { DEFAULT_DATE_FORMAT, dateFormat } from "./date-format.js";
import type { FieldMapping, Mapping, ObjectMapping } from "./mapping.js";
import { checkNullValue } from "./null-value.js";

/** Limits of a mapping; the defaults are Elasticsearch's. */
export interface MappingLimits {
  /** Fields, objects and multi-fields together (`index.mapping.total_fields.limit`). */
  totalFields: number;
  /** Levels of objects (`index.mapping.depth.limit`). */
  depth: number;
  /** Objects of nested fields that a document may have (`index.mapping.nested_objects.limit`). */
  nestedObjects: number;
}

/** Elasticsearch's defaults. */
export const DEFAULT_LIMITS: MappingLimits = { totalFields: 1000, depth: 20, nestedObjects: 10_000 };

type Entry = FieldMapping | ObjectMapping;
type Properties = Record<string, Entry>;

/** Largest number of dimensions of a vector, as Elasticsearch 8.11 and later allow. */
const MAX_DIMS = 4096;

/** Parameters of a field that an update may not change, by the name Elasticsearch's message gives them. */
const FIXED_PARAMETERS: readonly [keyof FieldMapping, string, string | boolean | number | undefined][] = [
  ["index", "index", true],
  ["docValues", "doc_values", true],
  ["analyzer", "analyzer", "default"],
  ["normalizer", "normalizer", undefined],
  ["norms", "norms", undefined],
  ["nullValue", "null_value", undefined],
  ["format", "format", DEFAULT_DATE_FORMAT],
  ["positionIncrementGap", "position_increment_gap", 100],
  ["similarity", "similarity", undefined],
  ["dims", "dims", undefined],
  ["constant", "value", undefined],
  ["scoring", "scoring", "bm25"],
  ["scale", "scaling_factor", undefined],
];

/**
 * The mapping with a change merged in; the same object when nothing changes. Throws mapping_conflict where the change
 * contradicts what is there, mapping_invalid where it makes no sense by itself.
 */
export function mergeMapping(mapping: Mapping, change: Partial<Mapping>): Mapping {
  const properties = mergeProperties(mapping.properties, change.properties ?? {}, "");
  checkSourceEnabled(mapping.sourceEnabled ?? true, change.sourceEnabled);
  const merged: Mapping = { ...mapping, ...withoutUndefined(change), properties };
  return sameJson(merged, mapping) ? mapping : merged;
}

function checkSourceEnabled(from: boolean, to: boolean | undefined): void {
  if (to !== undefined && to !== from) throw fixedParameter("_source", "enabled", from, to);
}

function withoutUndefined<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function sameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function mergeProperties(current: Properties, change: Properties, prefix: string): Properties {
  const changed = Object.entries(change).map(([name, entry]) => undot(name, entry, { prefix, current }));
  if (changed.length === 0) return current;
  const merged = { ...current };
  for (const [name, entry] of changed) {
    const path = prefix + name;
    const existing = Object.hasOwn(current, name) ? current[name] : undefined;
    // defineProperty semantics: a field may be called __proto__.
    const value = existing === undefined ? checkEntry(entry, path) : mergeEntry(existing, entry, path);
    Object.defineProperty(merged, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return merged;
}

/** A name with dots means objects: `a.b` is `b` in the object `a`. */
function undot(
  name: string,
  entry: Entry,
  { prefix, current }: { prefix: string; current: Properties },
): [string, Entry] {
  const [first, ...rest] = name.split(".");
  checkName(first, prefix + name);
  if (rest.length === 0) return [name, entry];
  const properties = { [rest.join(".")]: entry };
  // Whether the object is nested is not said by such a name.
  const there = Object.hasOwn(current, first) ? current[first] : undefined;
  const nested = there?.type === "object" && there.nested === true;
  return [first, { type: "object", ...(nested && { nested }), properties }];
}

function checkName(name: string, path: string): void {
  if (name.trim() === "") throw invalid(`field name cannot be an empty string in [${path}]`, path);
}

function mergeEntry(existing: Entry, change: Entry, path: string): Entry {
  if (existing.type === "object" && change.type === "object") {
    const properties = mergeProperties(existing.properties, change.properties, `${path}.`);
    if (existing.nested !== change.nested) {
      const [from, to] = existing.nested ? ["nested", "non nested"] : ["non nested", "nested"];
      throw conflict(`cannot change object mapping [${path}] from ${from} to ${to}`, path);
    }
    if (change.enabled !== undefined && change.enabled !== (existing.enabled ?? true)) {
      throw conflict(`the [enabled] parameter can't be updated for the object mapping [${path}]`, path);
    }
    return { ...existing, ...withoutUndefined(change), properties };
  }
  if (existing.type === "object" || change.type === "object") {
    const [from, to] = existing.type === "object" ? ["object", "non object"] : ["non object", "object"];
    throw conflict(`can't merge a ${from} mapping [${path}] with ${article(to)} mapping`, path);
  }
  return mergeField(existing, change, path);
}

function article(words: string): string {
  return `${words.startsWith("o") ? "an" : "a"} ${words}`;
}

function mergeField(existing: FieldMapping, change: FieldMapping, path: string): FieldMapping {
  if (existing.type !== change.type) {
    throw conflict(`mapper [${path}] cannot be changed from type [${existing.type}] to [${change.type}]`, path);
  }
  checkEntry(change, path);
  for (const [key, name, whenAbsent] of FIXED_PARAMETERS) {
    // What the first document says is no change.
    if (key === "constant" && existing.constant === null) continue;
    if (key === "dims" && (existing.dims === undefined || change.dims === undefined)) continue;
    const from = existing[key] ?? whenAbsent;
    const to = change[key] ?? whenAbsent;
    if (from !== to) throw fixedParameter(path, name, from, to);
  }
  const fields = mergeProperties(existing.fields ?? {}, change.fields ?? {}, `${path}.`) as FieldMapping["fields"];
  const hasFields = existing.fields !== undefined || change.fields !== undefined;
  return { ...change, ...(change.dims === undefined && { dims: existing.dims }), ...(hasFields && { fields }) };
}

function fixedParameter(path: string, name: string, from: unknown, to: unknown): EngineError {
  const shown = (value: unknown) => (value === undefined ? "null" : String(value));
  const message = `Mapper for [${path}] conflicts with existing mapper:\n\tCannot update parameter [${name}] from [${shown(from)}] to [${shown(to)}]`;
  return conflict(message, path);
}

function conflict(message: string, path: string): EngineError {
  return new EngineError("mapping_conflict", message, { field: path });
}

function invalid(message: string, path: string): EngineError {
  return new EngineError("mapping_invalid", message, { field: path });
}

/** Checks an entry new to the mapping, everything below it included, and returns it with its dotted names resolved. */
function checkEntry(entry: Entry, path: string): Entry {
  if (entry.type === "object") {
    return { ...entry, properties: mergeProperties({}, entry.properties, `${path}.`) };
  }
  if (entry.format !== undefined) checkFormat(entry.format, path);
  if (entry.nullValue !== undefined) checkNullValue(entry, path);
  if (entry.type === "dense_vector") checkVector(entry, path);
  for (const [name, multi] of Object.entries(entry.fields ?? {})) {
    if (multi.copyTo !== undefined && multi.copyTo.length > 0) {
      throw invalid(`copy_to in multi fields is not allowed. Found the copy_to in field [${path}.${name}]`, path);
    }
    checkEntry(multi, `${path}.${name}`);
  }
  return entry;
}

function checkFormat(format: string, path: string): void {
  try {
    dateFormat(format);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `Failed to parse mapping: Error parsing [format] on field [${path}]: ${why}`;
    throw new EngineError("mapping_invalid", message, { field: path }, { cause });
  }
}

function checkVector(mapping: FieldMapping, path: string): void {
  const { dims } = mapping;
  if (dims === undefined) return;
  if (Number.isInteger(dims) && dims >= 1 && dims <= MAX_DIMS) return;
  const message = `The number of dimensions should be in the range [1, ${MAX_DIMS}] but was [${dims}]`;
  throw invalid(`Failed to parse mapping: ${message}`, path);
}

/** Throws field_limit when the mapping outgrows the limits; `before` is the mapping it grew from. */
export function checkLimits(mapping: Mapping, before: Mapping, limits: MappingLimits): void {
  const count = countFields(mapping.properties);
  if (count > limits.totalFields) {
    const added = count - countFields(before.properties);
    // A mapping that was over the limit already may change without growing.
    if (added > 0) throw fieldLimit(limits.totalFields, added);
  }
  checkDepth(mapping.properties, 1, "", limits.depth);
}

/** The error of a mapping with too many fields. */
export function fieldLimit(limit: number, added: number): EngineError {
  const message = `Limit of total fields [${limit}] has been exceeded while adding new fields [${added}]`;
  return new EngineError("field_limit", message, { limit, added });
}

/** Fields, multi-fields and objects of a mapping, as Elasticsearch counts them against its limit. */
export function countFields(properties: Properties): number {
  let count = 0;
  for (const entry of Object.values(properties)) {
    count += 1 + countFields(entry.type === "object" ? entry.properties : (entry.fields ?? {}));
  }
  return count;
}

function checkDepth(properties: Properties, depth: number, prefix: string, limit: number): void {
  for (const [name, entry] of Object.entries(properties)) {
    if (entry.type !== "object") continue;
    if (depth + 1 > limit) throw depthLimit(limit, prefix + name);
    checkDepth(entry.properties, depth + 1, `${prefix}${name}.`, limit);
  }
}

/** The error of objects nested too deep in a mapping. */
export function depthLimit(limit: number, path: string): EngineError {
  const message = `Limit of mapping depth [${limit}] has been exceeded due to object field [${path}]`;
  return new EngineError("field_limit", message, { limit, field: path });
}
