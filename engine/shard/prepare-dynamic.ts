import { EngineError } from "../errors.js";
import { dateFormat } from "../mapping/date-format.js";
import {
  type DynamicTemplate,
  FIELD_TYPES,
  type FieldMapping,
  type FieldType,
  type Mapping,
  type ObjectMapping,
} from "../mapping/mapping.js";
import { depthLimit, type MappingLimits } from "../mapping/merge.js";
import { matchesAny } from "../mapping/patterns.js";
import { UTC } from "../mapping/time-zone.js";
import { stringText } from "./json-strings.js";
import {
  checkDepth,
  type JsonWalk,
  nextElement,
  nextKey,
  openArray,
  openObject,
  readColon,
  readLiteral,
  readNumber,
  readString,
  valueStart,
} from "./json-walk.js";

/**
 * Dynamic mapping: what fields a document needs that the mapping lacks. Slow and by strings: it runs once per new field.
 */
type Properties = Record<string, FieldMapping | ObjectMapping>;
/** What a JSON value says about the field to make: the names that `match_mapping_type` knows. */
export type DynamicType = "string" | "long" | "double" | "boolean" | "date" | "object";

/** Fields a document would add. */
export interface Additions {
  readonly mapping: Mapping;
  readonly limits: MappingLimits;
  readonly properties: Properties;
  /** Makes the error of a field that no template names; undefined: such fields are added. */
  refuse: ((name: string) => Error) | undefined;
  /** The field of ignored fields is needed, and is not there. */
  ignored: boolean;
  count: number;
}

const DYNAMIC_DATE_FORMATS = ["strict_date_optional_time", "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"];
const IGNORE_ABOVE = 256;

const KNOWN_TYPES: ReadonlySet<string> = new Set(FIELD_TYPES);

/** Types that templates without a `type` give (and that `{dynamic_type}` stands for). */
const DEFAULT_TYPE: Readonly<Record<DynamicType, string>> = {
  string: "text",
  long: "long",
  double: "float",
  boolean: "boolean",
  date: "date",
  object: "object",
};

/** Nothing added yet. */
export function createAdditions(mapping: Mapping, limits: MappingLimits): Additions {
  return { mapping, limits, properties: emptyProperties(), refuse: undefined, ignored: false, count: 0 };
}

/** Without a prototype, so that any name can be a key. */
function emptyProperties(): Properties {
  return Object.create(null) as Properties;
}

/** Reads the value that is next, moving behind it, and adds the fields it needs under `path`. */
export function discoverValue(additions: Additions, walk: JsonWalk, path: readonly string[], depth: number): void {
  switch (valueStart(walk)) {
    case 0x7b:
      discoverObject(additions, walk, path, depth + 1);
      return;
    case 0x5b:
      checkDepth(walk, depth + 1);
      for (let more = openArray(walk); more; more = nextElement(walk)) discoverValue(additions, walk, path, depth + 1);
      return;
    case 0x22:
      readString(walk);
      discoverString(additions, path, stringText(walk.bytes, walk.stringStart, walk.stringEnd, walk.stringFlags));
      return;
    case 0x74:
    case 0x66:
    case 0x6e:
      if (readLiteral(walk) !== "null") addScalar(additions, path, "boolean");
      return;
    default:
      readNumber(walk);
      addScalar(additions, path, isWhole(walk) ? "long" : "double");
  }
}

function isWhole(walk: JsonWalk): boolean {
  for (let i = walk.numberStart; i < walk.numberEnd; i++) {
    if (walk.bytes[i] === 0x2e || (walk.bytes[i] | 0x20) === 0x65) return false;
  }
  return true;
}

/** Splits a key at its dots. Throws document_malformed where a part is empty. */
export function splitKey(key: string): string[] {
  if (key.trim() === "") throw badName("field name cannot be an empty string", key);
  const parts = key.split(".");
  if (parts.some((part) => part.trim() === "")) {
    throw badName(`object field starting or ending with a [.] makes object resolution ambiguous: [${key}]`, key);
  }
  return parts;
}

function badName(message: string, key: string): EngineError {
  return new EngineError("document_malformed", `failed to parse: ${message}`, { field: key });
}

function discoverObject(additions: Additions, walk: JsonWalk, path: readonly string[], depth: number): void {
  checkDepth(walk, depth);
  addObject(additions, path);
  for (let more = openObject(walk); more; more = nextKey(walk)) {
    readString(walk);
    const names = splitKey(stringText(walk.bytes, walk.stringStart, walk.stringEnd, walk.stringFlags));
    readColon(walk);
    discoverValue(additions, walk, [...path, ...names], depth);
  }
}

/** The type of a string: text, unless it is a date or, where wanted, a number. */
export function discoverString(additions: Additions, path: readonly string[], text: string): void {
  const { mapping } = additions;
  const numeric = text.trim() !== "" && Number.isFinite(Number(text));
  if (numeric && mapping.numericDetection === true) {
    addScalar(additions, path, /^[+-]?\d+$/.test(text) ? "long" : "double");
    return;
  }
  if (!numeric && mapping.dateDetection !== false) {
    const formats = mapping.dynamicDateFormats ?? DYNAMIC_DATE_FORMATS;
    const format = formats.find((one) => dateFormat(one).tryParse(text, "down", UTC) !== null);
    if (format !== undefined) {
      addScalar(additions, path, "date", format);
      return;
    }
  }
  addScalar(additions, path, "string");
}

/** Adds a field of a scalar type, as a template says or by Elasticsearch's defaults. */
export function addScalar(additions: Additions, path: readonly string[], type: DynamicType, format?: string): void {
  const made = fromTemplate(additions.mapping, path, type) ?? usual(additions, path, defaultField(type));
  // The default format of dates is not spelled out.
  const named = made.type === "date" && format !== undefined && format !== DYNAMIC_DATE_FORMATS[0];
  add(additions, path, named ? { format, ...made } : made);
}

/** What a field is made without a template, where that is allowed. */
function usual<T extends FieldMapping | ObjectMapping>(additions: Additions, path: readonly string[], made: T): T {
  if (additions.refuse !== undefined) throw additions.refuse(path[path.length - 1]);
  return made;
}

function defaultField(type: DynamicType): FieldMapping {
  if (type === "string") return { type: "text", fields: { keyword: { type: "keyword", ignoreAbove: IGNORE_ABOVE } } };
  return { type: DEFAULT_TYPE[type] as FieldType };
}

function addObject(additions: Additions, path: readonly string[]): void {
  const template = fromTemplate(additions.mapping, path, "object");
  add(additions, path, template ?? usual(additions, path, { type: "object", properties: emptyProperties() }));
}

/** Whether an object of the mapping is a nested one. */
function isNested(mapping: Mapping, path: readonly string[]): boolean {
  let entry: FieldMapping | ObjectMapping | undefined;
  let { properties } = mapping;
  for (const name of path) {
    entry = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (entry?.type !== "object") return false;
    properties = entry.properties;
  }
  return entry?.type === "object" && entry.nested === true;
}

/** Adds an entry where none is yet, with the objects above it. */
function add(additions: Additions, path: readonly string[], entry: FieldMapping | ObjectMapping): void {
  const { limits } = additions;
  let { properties } = additions;
  for (let i = 0; i < path.length - 1; i++) {
    if (i + 2 > limits.depth) throw depthLimit(limits.depth, path.slice(0, i + 1).join("."));
    if (!Object.hasOwn(properties, path[i])) {
      const nested = isNested(additions.mapping, path.slice(0, i + 1));
      properties[path[i]] = { type: "object", ...(nested && { nested }), properties: emptyProperties() };
      additions.count++;
    }
    const parent = properties[path[i]];
    // A value where this document also has an object: the second pass refuses it in its place.
    if (parent.type !== "object") return;
    properties = parent.properties;
  }
  const name = path[path.length - 1];
  if (Object.hasOwn(properties, name)) return;
  properties[name] = entry;
  additions.count++;
}

function fromTemplate(
  mapping: Mapping,
  path: readonly string[],
  type: DynamicType,
): FieldMapping | ObjectMapping | undefined {
  const template = (mapping.dynamicTemplates ?? []).find((one) => templateMatches(one, path, type));
  if (template === undefined) return undefined;
  const name = path[path.length - 1];
  const dynamicType = DEFAULT_TYPE[type];
  const made = fillTemplate(template.mapping, name, dynamicType) as Record<string, unknown>;
  const chosen = String(made.type ?? dynamicType);
  if (chosen === "object") return { properties: emptyProperties(), ...made, type: "object" } as ObjectMapping;
  if (!KNOWN_TYPES.has(chosen)) {
    const where = `in the dynamic template [${template.name}]`;
    throw new EngineError("mapping_invalid", `No handler for type [${chosen}] declared on field [${name}] ${where}`, {
      template: template.name,
    });
  }
  return { ...made, type: chosen as FieldType } as FieldMapping;
}

function templateMatches(template: DynamicTemplate, path: readonly string[], type: DynamicType): boolean {
  const name = path[path.length - 1];
  const full = path.join(".");
  const matches = (patterns: readonly string[], text: string) =>
    template.matchPattern === "regex"
      ? patterns.some((pattern) => new RegExp(`^(?:${pattern})$`, "u").test(text))
      : matchesAny(patterns, text);
  if (template.match !== undefined && !matches(template.match, name)) return false;
  if (template.unmatch !== undefined && matches(template.unmatch, name)) return false;
  if (template.pathMatch !== undefined && !matchesAny(template.pathMatch, full)) return false;
  if (template.pathUnmatch !== undefined && matchesAny(template.pathUnmatch, full)) return false;
  const types = template.matchMappingType;
  return types === undefined || types.includes("*") || types.includes(type);
}

/** A template's mapping with its placeholders filled; keys may be written in Elasticsearch's or in the engine's way. */
function fillTemplate(value: unknown, name: string, dynamicType: string): unknown {
  if (typeof value === "string") return value.replaceAll("{name}", name).replaceAll("{dynamic_type}", dynamicType);
  if (Array.isArray(value)) return value.map((one) => fillTemplate(one, name, dynamicType));
  if (typeof value !== "object" || value === null) return value;
  const filled: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const isName = key === "fields" || key === "properties";
    const made = fillTemplate(inner, name, dynamicType);
    filled[key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] = isName
      ? fillNames(inner, name, dynamicType)
      : made;
  }
  return filled;
}

/** Names of fields stay as they are. */
function fillNames(value: unknown, name: string, dynamicType: string): unknown {
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).map(([key, inner]) => [
      key,
      fillTemplate(inner, name, dynamicType),
    ]),
  );
}
