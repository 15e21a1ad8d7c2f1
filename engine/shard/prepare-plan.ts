import type { Analyzer, AnalyzerRegistry } from "../analysis/index.js";
import { type DateFormat, DEFAULT_DATE_FORMAT, dateFormat } from "../mapping/date-format.js";
import { type Field, type FieldTable, IGNORED_FIELD } from "../mapping/field-table.js";
import type { Dynamic, FieldMapping, ObjectMapping } from "../mapping/mapping.js";
import { nullText } from "../mapping/null-value.js";
import { isDateType } from "../mapping/values.js";

/**
 * A field table compiled for preparing: per object a small hash table over the bytes of its keys, per field everything
 * that its values need. Made once per table; nodes also carry marks of the document being prepared, so that nothing is
 * allocated per document.
 */
export interface ObjectNode {
  readonly kind: "object";
  /** Empty for the root. */
  readonly path: string;
  readonly dynamic: Dynamic;
  readonly enabled: boolean;
  /** Its objects are counted: a document may have so many. */
  readonly nested: boolean;
  /** Open addressing, power of two. */
  slots: (KeyEntry | undefined)[];
  readonly entries: KeyEntry[];
  /** The key that came first last time; documents tend to repeat their order. */
  first: KeyEntry | undefined;
}

/** A field, or one of its multi-fields. */
export interface FieldNode {
  readonly kind: "field";
  readonly field: Field;
  readonly mapping: FieldMapping;
  /** UTF-16 units beyond which a keyword is not indexed. */
  readonly ignoreAbove: number;
  readonly coerce: boolean;
  readonly format: DateFormat | null;
  /** Bare integers are epoch milliseconds: no other format of the field could read them. */
  readonly plainMillis: boolean;
  readonly normalize: ((text: string) => string) | null;
  readonly analyzer: Analyzer | null;
  readonly gap: number;
  /** The one value that all documents have; null: the first says which; undefined: any. */
  readonly constant: string | null | undefined;
  /** Text of `null_value`, null where there is none. */
  readonly nullValue: Uint8Array | null;
  /** Where it lies in the arena for the current document, meaningful when `nullDocument` is its number. */
  nullAt: number;
  nullDocument: number;
  /** Multi-fields, then targets of `copy_to`: they get every value too. */
  readonly others: FieldNode[];
  /** Targets of `copy_to` that no field has yet. */
  readonly missingCopies: string[];
  /** The mapping's timestamp field: its values are counted. */
  counted: boolean;
  /** Texts of the current document: first and last place in the list of texts, meaningful when `textDocument` is its number. */
  textDocument: number;
  firstText: number;
  lastText: number;
}

/** What a key leads to. */
export type Node = ObjectNode | FieldNode;

/** One key of an object. */
export interface KeyEntry {
  /** Bytes of the key, then its closing quote. */
  readonly key: Uint8Array;
  readonly hash: number;
  readonly node: Node;
  /** The key stands in JSON as it is: it may be expected without reading it first. */
  readonly plain: boolean;
  /** The key that followed last time. */
  next: KeyEntry | undefined;
  /** Number of the object in which it was seen last, to find duplicates. */
  seen: number;
}

/** A compiled table. */
export interface Plan {
  readonly table: FieldTable;
  readonly root: ObjectNode;
  readonly fields: ReadonlyMap<string, FieldNode>;
  /** Fields of which every document has the same value, and its bytes. */
  readonly constants: readonly { readonly ordinal: number; readonly bytes: Uint8Array }[];
  /** Room that the texts of all null values take. */
  readonly nullBytes: number;
  /** Ordinal of the field of ignored fields; -1: the table has none yet. */
  readonly ignored: number;
  /** Path of the field that must have one value; null: there is none. */
  readonly timestamp: string | null;
}

const QUOTE = 0x22;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON escapes
const NEEDS_ESCAPE = /["\\\x00-\x1f]/;
/** Keyword terms longer than this are refused by Lucene anyway. */
const NO_LIMIT = 0x7fffffff;

/** Hash of key bytes; `start` to `end` of a longer array. */
export function hashKey(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + bytes[i]) | 0;
  return hash ^ (hash >>> 15);
}

/** Compiles a table. Throws analysis_unknown when a field names an analyzer that is not there. */
export function compilePlan(table: FieldTable, analyzers: AnalyzerRegistry): Plan {
  const fields = new Map<string, FieldNode>();
  let nullBytes = 0;
  const makeFieldNode = (path: string, mapping: FieldMapping): FieldNode => {
    const node = fieldNode(fieldOf(table, path, mapping), analyzers);
    fields.set(path, node);
    if (node.nullValue !== null) nullBytes += node.nullValue.length;
    for (const [name, multi] of Object.entries(mapping.fields ?? {})) {
      node.others.push(makeFieldNode(`${path}.${name}`, multi));
    }
    return node;
  };
  const fill = (node: ObjectNode, properties: ObjectMapping["properties"]): ObjectNode => {
    for (const [name, entry] of Object.entries(properties)) {
      const path = node.path === "" ? name : `${node.path}.${name}`;
      const child =
        entry.type === "object" ? fill(objectNode(path, entry, node), entry.properties) : makeFieldNode(path, entry);
      addKey(node, name, child);
    }
    return node;
  };
  const { mapping } = table;
  const root = fill(objectNode("", { type: "object", dynamic: mapping.dynamic, properties: {} }), mapping.properties);
  linkCopies(fields);
  const ignored = table.fields.get(IGNORED_FIELD)?.ordinal ?? -1;
  const timestamp = mapping.timestampField ?? null;
  const counted = timestamp === null ? undefined : fields.get(timestamp);
  if (counted !== undefined) counted.counted = true;
  return { table, root, fields, constants: constantsOf(fields), nullBytes, ignored, timestamp };
}

function constantsOf(fields: ReadonlyMap<string, FieldNode>): Plan["constants"] {
  return [...fields.values()].flatMap(({ constant, field }) =>
    typeof constant === "string" && !field.nested
      ? [{ ordinal: field.ordinal, bytes: Buffer.from(constant, "utf8") }]
      : [],
  );
}

/** The field of a mapping; an alias is a field that takes no values. */
function fieldOf({ fields }: FieldTable, path: string, mapping: FieldMapping): Field {
  if (mapping.type !== "alias") return fields.get(path)!;
  const nowhere = { inverted: false, positions: false, norms: false, column: null, trigrams: false };
  return { ordinal: -1, path, type: "alias", mapping, ...nowhere };
}

function objectNode(path: string, mapping: ObjectMapping, parent?: ObjectNode): ObjectNode {
  return {
    kind: "object",
    path,
    dynamic: mapping.dynamic ?? parent?.dynamic ?? "true",
    enabled: mapping.enabled !== false,
    nested: mapping.nested === true,
    slots: new Array(4).fill(undefined),
    entries: [],
    first: undefined,
  };
}

function fieldNode(field: Field, analyzers: AnalyzerRegistry): FieldNode {
  const { mapping } = field;
  const analyzer = analyzerOf(field, analyzers);
  const normalizer = analyzers.fieldNormalizer(mapping);
  const format = isDateType(field.type) ? dateFormat(mapping.format ?? DEFAULT_DATE_FORMAT) : null;
  return {
    kind: "field",
    field,
    mapping,
    ignoreAbove: mapping.ignoreAbove ?? NO_LIMIT,
    coerce: mapping.coerce !== false,
    format,
    plainMillis: format !== null && (format.pattern === DEFAULT_DATE_FORMAT || format.pattern === "epoch_millis"),
    normalize: normalizer === null ? null : (text) => normalizer.normalize(text),
    analyzer,
    gap: mapping.positionIncrementGap ?? analyzer?.positionIncrementGap ?? 100,
    constant: mapping.constant,
    nullValue: nullBytes(mapping),
    nullAt: 0,
    nullDocument: -1,
    others: [],
    missingCopies: [],
    counted: false,
    textDocument: -1,
    firstText: -1,
    lastText: -1,
  };
}

function analyzerOf({ type, mapping }: Field, analyzers: AnalyzerRegistry): Analyzer | null {
  if (type === "text") return analyzers.indexAnalyzer(mapping);
  return type === "completion" ? analyzers.analyzer(mapping.analyzer ?? "simple") : null;
}

function nullBytes(mapping: FieldMapping): Uint8Array | null {
  const text = nullText(mapping);
  return text === undefined ? null : Buffer.from(text, "utf8");
}

function linkCopies(fields: ReadonlyMap<string, FieldNode>): void {
  const copies = new Map<FieldNode, FieldNode[]>();
  for (const node of fields.values()) {
    for (const path of node.mapping.copyTo ?? []) {
      const target = fields.get(path);
      if (target === undefined) node.missingCopies.push(path);
      // A copy feeds the target's own multi-fields, but is not copied on.
      else copies.set(node, [...(copies.get(node) ?? []), target, ...target.others]);
    }
  }
  for (const [node, targets] of copies) node.others.push(...targets);
}

/** Adds a key to an object: a child's name, or a dotted path that leads past children. */
export function addKey(node: ObjectNode, name: string, child: Node): KeyEntry {
  const key = Buffer.from(`${name}"`, "utf8");
  const hash = hashKey(key, 0, key.length - 1);
  const entry: KeyEntry = { key, hash, node: child, plain: !NEEDS_ESCAPE.test(name), next: undefined, seen: -1 };
  node.entries.push(entry);
  if (node.entries.length * 2 > node.slots.length) {
    node.slots = new Array(node.slots.length * 2).fill(undefined);
    for (const each of node.entries) insert(node.slots, each);
  } else insert(node.slots, entry);
  return entry;
}

function insert(slots: (KeyEntry | undefined)[], entry: KeyEntry): void {
  let slot = entry.hash & (slots.length - 1);
  while (slots[slot] !== undefined) slot = (slot + 1) & (slots.length - 1);
  slots[slot] = entry;
}

/** The entry whose key lies at [start, end) of `bytes`; undefined: there is none. */
export function findKey(node: ObjectNode, bytes: Uint8Array, start: number, end: number): KeyEntry | undefined {
  const hash = hashKey(bytes, start, end);
  const { slots } = node;
  for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
    const entry = slots[slot];
    if (entry === undefined) return undefined;
    if (entry.hash === hash && entry.key.length === end - start + 1 && startsWithKey(entry, bytes, start)) return entry;
  }
}

/** Whether an entry's key with its closing quote stands at `at`. */
export function isKeyAt(entry: KeyEntry, bytes: Uint8Array, at: number): boolean {
  return bytes[at + entry.key.length - 1] === QUOTE && startsWithKey(entry, bytes, at);
}

function startsWithKey({ key }: KeyEntry, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < key.length - 1; i++) if (bytes[at + i] !== key[i]) return false;
  return true;
}
