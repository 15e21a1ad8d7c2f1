import { InternalError } from "../errors.js";
import type { FieldMapping, FieldType, Mapping, ObjectMapping } from "./mapping.js";
import { checkLimits, type MappingLimits, mergeMapping } from "./merge.js";

/**
 * One searchable field of an index under its full path (`user.name`, `title.keyword`). `ordinal` is its number in this
 * index for ever: segments and prepared documents name fields by it. Ordinals are handed out as fields appear and are
 * kept durable with the mapping.
 */
export interface Field {
  readonly ordinal: number;
  readonly path: string;
  readonly type: FieldType;
  readonly mapping: FieldMapping;
  /** Has a term dictionary and postings: text, keyword, boolean, ip and completion unless `index: false`. */
  readonly inverted: boolean;
  /** Positions are kept: text. */
  readonly positions: boolean;
  /** One length byte per document is kept: text unless `norms: false`. */
  readonly norms: boolean;
  /**
   * `ordinals` into the term dictionary (keyword, ip), or numbers (booleans: 0 and 1, each value kept, as Lucene's sorted
   * numerics do); null for text, wildcard and vectors. Numbers and dates keep their column for searching even with
   * `docValues: false`: only sorting and aggregations must then refuse.
   */
  readonly column: "ordinals" | "long" | "double" | null;
  /** Of a path into an object that is kept flat: the path from that object on. The rest is the object's field. */
  readonly key?: string;
  /** It lies in an object that is a thing of its own (`nested`): no query of the document finds its values. */
  readonly nested?: true;
  /** Its text is kept as it is, with an index of its grams (engine/trigrams/): wildcard. */
  readonly trigrams: boolean;
}

/** All fields of an index at one version of its mapping. Never changes: growing makes another table. */
export interface FieldTable {
  readonly mapping: Mapping;
  /** By full path, multi-fields included, objects not. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Paths of objects, the root not included. */
  readonly objects: ReadonlyMap<string, ObjectMapping>;
  /** Field of each ordinal. */
  readonly byOrdinal: readonly Field[];
}

/** What is kept durable: the mapping, and the path of each ordinal. Plain JSON. */
export interface StoredFieldTable {
  mapping: Mapping;
  paths: string[];
}

/**
 * The engine's own field: per document the paths of the fields of which a value was left out of the index. Not part of
 * the mapping; it is there once a document needed it.
 */
export const IGNORED_FIELD = "_ignored";

/** The fields of the mapping: those that a pattern can mean. */
export function mappedFields(fields: ReadonlyMap<string, Field>): Field[] {
  // An alias stands for a field of another path.
  return [...fields].filter(([path, field]) => path === field.path && path !== IGNORED_FIELD).map(([, field]) => field);
}

/** Where a field's values are in `_source`: a multi-field has those of the field around it. */
export function sourcePathOf(fields: ReadonlyMap<string, Field>, path: string): string {
  const dot = path.lastIndexOf(".");
  const around = dot < 0 ? undefined : fields.get(path.slice(0, dot));
  return around?.mapping.fields?.[path.slice(dot + 1)] === undefined ? path : around.path;
}

/** A table that has IGNORED_FIELD too; the given one when it has. */
export function withIgnoredField(table: FieldTable): FieldTable {
  return table.fields.has(IGNORED_FIELD) ? table : createFieldTable(table.mapping, [...pathsOf(table), IGNORED_FIELD]);
}

const tables = new WeakMap<ReadonlyMap<string, Field>, FieldTable>();

/** The table that has these fields. */
export function tableOf(fields: ReadonlyMap<string, Field>): FieldTable {
  const table = tables.get(fields);
  if (table === undefined) throw new InternalError("fields that belong to no table");
  return table;
}

/** The table of a mapping; `paths` gives the ordinals already handed out, further fields are numbered after them. */
export function createFieldTable(mapping: Mapping, paths: readonly string[] = []): FieldTable {
  const ordinals = new Map<string, number>(paths.map((path, ordinal) => [path, ordinal]));
  const fields = new Map<string, Field>();
  const objects = new Map<string, ObjectMapping>();
  const byOrdinal: Field[] = [];
  const aliases: [path: string, target: string][] = [];
  const addField = (path: string, field: FieldMapping, nested: boolean) => {
    if (field.type === "alias") {
      aliases.push([path, field.path ?? ""]);
      return;
    }
    const ordinal = ordinals.get(path) ?? ordinals.size;
    ordinals.set(path, ordinal);
    const made = nested ? unsearchable(makeField(path, ordinal, field)) : makeField(path, ordinal, field);
    fields.set(path, made);
    byOrdinal[ordinal] = made;
    for (const [name, multi] of Object.entries(field.fields ?? {})) addField(`${path}.${name}`, multi, nested);
  };
  const addObject = (prefix: string, properties: Mapping["properties"], nested: boolean) => {
    for (const [name, entry] of Object.entries(properties)) {
      const path = prefix + name;
      if (entry.type !== "object") addField(path, entry, nested);
      else {
        objects.set(path, entry);
        addObject(`${path}.`, entry.properties, nested || entry.nested === true);
      }
    }
  };
  addObject("", mapping.properties, false);
  if (ordinals.has(IGNORED_FIELD) && !fields.has(IGNORED_FIELD)) addField(IGNORED_FIELD, { type: "keyword" }, false);
  for (const [path, target] of aliases) {
    const meant = fields.get(target);
    if (meant !== undefined) fields.set(path, meant);
  }
  const table = { mapping, fields, objects, byOrdinal };
  tables.set(fields, table);
  return table;
}

/**
 * A table with the change merged in; the given one when nothing changes. Throws mapping_conflict, mapping_invalid,
 * field_limit; fields keep their ordinals.
 */
export function growFieldTable(table: FieldTable, change: Partial<Mapping>, limits: MappingLimits): FieldTable {
  const merged = mergeMapping(table.mapping, change);
  if (merged === table.mapping) return table;
  checkLimits(merged, table.mapping, limits);
  return createFieldTable(merged, pathsOf(table));
}

/** What to keep durable of a table. */
export function storeFieldTable(table: FieldTable): StoredFieldTable {
  return { mapping: table.mapping, paths: pathsOf(table) };
}

/** The table as it was stored. */
export function loadFieldTable(stored: StoredFieldTable): FieldTable {
  return createFieldTable(stored.mapping, stored.paths);
}

function pathsOf(table: FieldTable): string[] {
  return table.byOrdinal.map((field) => field.path);
}

function makeField(path: string, ordinal: number, mapping: FieldMapping): Field {
  const { type } = mapping;
  const indexed = mapping.index !== false;
  const text = type === "text";
  return {
    ordinal,
    path,
    type,
    mapping,
    inverted: indexed && (text || isTermType(type)),
    positions: text && indexed,
    norms: text && indexed && mapping.norms !== false && mapping.scoring !== "constant",
    column: columnOf(mapping),
    trigrams: type === "wildcard",
  };
}

/**
 * A field of an object that is a thing of its own (`nested`): its values are checked and kept in `_source`, no query of the
 * document finds them.
 */
function unsearchable(field: Field): Field {
  return { ...field, nested: true, inverted: false, positions: false, norms: false, column: null, trigrams: false };
}

const TERM_TYPES: ReadonlySet<FieldType> = new Set(["keyword", "ip", "boolean", "completion", "flat_object"]);

function isTermType(type: FieldType): boolean {
  return TERM_TYPES.has(type) || type.endsWith("_range");
}

const WITHOUT_COLUMN: ReadonlySet<FieldType> = new Set([
  "text",
  "wildcard",
  "dense_vector",
  "binary",
  "alias",
  "completion",
]);

function columnOf(mapping: FieldMapping): Field["column"] {
  const { type } = mapping;
  if (WITHOUT_COLUMN.has(type)) return null;
  const docValues = mapping.docValues !== false;
  if (isTermType(type)) return docValues ? (type === "boolean" ? "long" : "ordinals") : null;
  if (!docValues && mapping.index === false) return null;
  return type === "double" || type === "float" || type === "half_float" ? "double" : "long";
}
