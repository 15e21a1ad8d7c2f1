import { isDate } from "./dates.js";
import { isFieldName } from "./field-name.js";

/** A record: a JSON object as it was parsed, or a table's row by its header. */
export type RecordValue = { [field: string]: unknown };

/** More distinct fields than this are not a table but a document; Elasticsearch's own limit is 1000. */
const MAX_FIELDS = 500;
const MAX_DEPTH = 8;

type Shape = "integer" | "double" | "boolean" | "date" | "string" | "object";

/** Field paths of a data set and the mapping that holds all its values, or nothing when it is too wide for one. */
export interface FieldPlan {
  fields: string[];
  properties: Record<string, unknown>;
}

/**
 * Looks at every value, so that no record is refused later because the first one looked like something else. A field
 * with objects and plain values is stored without being searched.
 */
export function planFields(records: readonly RecordValue[]): FieldPlan | undefined {
  const shapes = new Map<string, Set<Shape>>();
  for (const record of records) {
    if (!collect(record, "", 0, shapes) || shapes.size > MAX_FIELDS) return undefined;
  }
  const properties: Properties = Object.create(null);
  const closed: string[] = [];
  for (const [path, found] of [...shapes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (closed.some((prefix) => path.startsWith(prefix))) continue;
    if (found.has("object") && found.size > 1) closed.push(`${path}.`);
    place(properties, path.split("."), typeFor(found));
  }
  return { fields: [...shapes.keys()].filter((path) => !shapes.get(path)!.has("object")).sort(), properties };
}

/** Adds the shapes of a record's values; false when a name in it is none that a field can have. */
function collect(value: RecordValue, prefix: string, depth: number, shapes: Map<string, Set<Shape>>): boolean {
  for (const [name, inner] of Object.entries(value)) {
    if (!isFieldName(name)) return false;
    const path = prefix + name;
    // A dot in a name is an object to Elasticsearch.
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      add(shapes, prefix + name.slice(0, dot), "object");
    }
    for (const item of Array.isArray(inner) ? inner.flat(4) : [inner]) {
      const shape = shapeOf(item);
      if (!shape) continue;
      add(shapes, path, shape);
      if (shape !== "object") continue;
      if (depth >= MAX_DEPTH) shapes.get(path)!.add("string");
      else if (!collect(item as RecordValue, `${path}.`, depth + 1, shapes)) return false;
    }
  }
  return true;
}

function add(shapes: Map<string, Set<Shape>>, path: string, shape: Shape): void {
  const known = shapes.get(path);
  if (known) known.add(shape);
  else shapes.set(path, new Set([shape]));
}

function shapeOf(value: unknown): Shape | undefined {
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "double";
    case "boolean":
      return "boolean";
    case "string":
      return isDate(value) ? "date" : "string";
    case "object":
      return value === null ? undefined : "object";
    default:
      return undefined;
  }
}

const TEXT = { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } };

function typeFor(shapes: ReadonlySet<Shape>): Record<string, unknown> {
  if (shapes.has("object"))
    return shapes.size > 1 ? { type: "object", enabled: false } : { properties: Object.create(null) };
  if (shapes.size === 1) {
    if (shapes.has("integer")) return { type: "long" };
    if (shapes.has("double")) return { type: "double" };
    if (shapes.has("boolean")) return { type: "boolean" };
    if (shapes.has("date")) return { type: "date" };
  }
  return [...shapes].every((shape) => shape === "integer" || shape === "double") ? { type: "double" } : TEXT;
}

/**
 * Objects by field name have no prototype: a field may be called `hasOwnProperty` or `constructor`, and is there only
 * when it was put there.
 */
type Properties = Record<string, unknown>;

function place(properties: Properties, path: string[], type: Record<string, unknown>): void {
  let at = properties;
  for (const name of path.slice(0, -1)) {
    at[name] ??= { properties: Object.create(null) };
    at = (at[name] as { properties: Properties }).properties;
  }
  const name = path.at(-1)!;
  at[name] ??= type;
}

/** The mapping for records that were refused with the planned one: every value is kept as the text it is. */
export function lenientProperties(properties: Properties): Properties {
  const lenient: Properties = Object.create(null);
  for (const [name, field] of Object.entries(properties)) {
    const { properties: inner, enabled } = field as { properties?: Properties; enabled?: boolean };
    if (inner) lenient[name] = { properties: lenientProperties(inner) };
    else lenient[name] = enabled === false ? field : { type: "keyword", ignore_above: 8191 };
  }
  return lenient;
}
