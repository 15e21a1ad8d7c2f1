/** A record: a JSON object as it was parsed, or a table's row by its header. */
export type RecordValue = { [field: string]: unknown };

/** More distinct fields than this are not a table but a document; Elasticsearch's own limit is 1000. */
const MAX_FIELDS = 500;
const MAX_DEPTH = 8;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

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
    collect(record, "", 0, shapes);
    if (shapes.size > MAX_FIELDS) return undefined;
  }
  const properties: Record<string, unknown> = {};
  const closed: string[] = [];
  for (const [path, found] of [...shapes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (closed.some((prefix) => path.startsWith(prefix))) continue;
    if (found.has("object") && found.size > 1) closed.push(`${path}.`);
    place(properties, path.split("."), typeFor(found));
  }
  return { fields: [...shapes.keys()].filter((path) => !shapes.get(path)!.has("object")).sort(), properties };
}

function collect(value: RecordValue, prefix: string, depth: number, shapes: Map<string, Set<Shape>>): void {
  for (const [name, inner] of Object.entries(value)) {
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
      if (depth < MAX_DEPTH) collect(item as RecordValue, `${path}.`, depth + 1, shapes);
      else shapes.get(path)!.add("string");
    }
  }
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

/** Only what every date reader takes: a day that exists. */
function isDate(text: string): boolean {
  return text.length <= 40 && ISO_DATE.test(text) && !text.includes(" ") && !Number.isNaN(Date.parse(text));
}

const TEXT = { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } };

function typeFor(shapes: ReadonlySet<Shape>): Record<string, unknown> {
  if (shapes.has("object")) return shapes.size > 1 ? { type: "object", enabled: false } : { properties: {} };
  if (shapes.size === 1) {
    if (shapes.has("integer")) return { type: "long" };
    if (shapes.has("double")) return { type: "double" };
    if (shapes.has("boolean")) return { type: "boolean" };
    if (shapes.has("date")) return { type: "date" };
  }
  return [...shapes].every((shape) => shape === "integer" || shape === "double") ? { type: "double" } : TEXT;
}

function place(properties: Record<string, unknown>, path: string[], type: Record<string, unknown>): void {
  let at = properties;
  for (const name of path.slice(0, -1)) {
    at[name] ??= { properties: {} };
    at = (at[name] as { properties: Record<string, unknown> }).properties;
  }
  const name = path.at(-1)!;
  at[name] ??= type;
}
