import type { DatasetField } from "../../../code/index.js";
import { BOUNDS, counted } from "../bounds.js";
import type { RecordValue } from "../record.js";
import { SchemaCollector } from "./collect.js";
import { typeField } from "./field-type.js";
import type { FieldProfile } from "./profile.js";

/** Fields of a data set that can be searched, and the mapping that holds all its values. */
export interface FieldPlan {
  fields: DatasetField[];
  properties: Record<string, unknown>;
  /** Fields that are kept without being searched, with the reason. */
  notes: string[];
}

/** Fields of one data set whose sketches are kept. */
const MAX_SKETCHES = 12;

/** The plan for all records, or why they cannot be one data set. */
export function planFields(records: Iterable<RecordValue>): FieldPlan | { whyNot: string } {
  const collector = new SchemaCollector();
  for (const record of records) {
    if (!collector.add(record)) {
      const isWide = collector.refusal === "too_many_fields";
      return {
        whyNot: isWide ? `it has more than ${BOUNDS.fields} fields` : "it has a field name that no index takes",
      };
    }
  }
  return planProfiles(collector.profiles(), collector.records);
}

/** A field with objects here and plain values there is stored without being searched. */
function planProfiles(profiles: [string, FieldProfile][], records: number): FieldPlan {
  const properties: Properties = Object.create(null);
  const fields: DatasetField[] = [];
  const closed: string[] = [];
  const reasons: string[] = [];
  for (const [path, profile] of profiles) {
    if (closed.some((prefix) => path.startsWith(prefix))) continue;
    const { objects, count, isClosed } = profile;
    if (isClosed || (objects > 0 && count > 0)) {
      closed.push(`${path}.`);
      reasons.push(`${path} is kept but not searchable: ${whyClosed(profile)}`);
      place(properties, path.split("."), { type: "object", enabled: false });
    } else if (objects > 0) place(properties, path.split("."), { properties: Object.create(null) });
    else if (count > 0) {
      const { field, mapping } = typeField(path, profile, records);
      fields.push(field);
      place(properties, path.split("."), mapping);
    }
  }
  return { fields: fewSketches(fields), properties, notes: firstOf(reasons) };
}

/** Fields told of one by one. */
const MOST_TOLD = 5;

function firstOf(reasons: readonly string[]): string[] {
  const more = reasons.length - MOST_TOLD;
  return more > 0 ? [...reasons.slice(0, MOST_TOLD), `${counted(more, "more field")} likewise`] : [...reasons];
}

/** `its values are objects (3), texts (2)`. */
function whyClosed({ objects, count, texts, numbers, booleans }: FieldProfile): string {
  if (count === 0) return `objects in it are more than ${BOUNDS.depth} deep`;
  const kinds: [kind: string, values: number][] = [
    ["objects", objects],
    ["texts", texts?.count ?? 0],
    ["numbers", numbers?.count ?? 0],
    ["true or false", booleans],
  ];
  const met = kinds.filter(([, values]) => values > 0).map(([kind, values]) => `${kind} (${values})`);
  return `its values are ${met.join(", ")}`;
}

/** The fields with the most different values are the likeliest keys. */
function fewSketches(fields: DatasetField[]): DatasetField[] {
  const sketched = fields.filter(({ sketch }) => sketch !== undefined).sort((a, b) => b.distinct - a.distinct);
  const dropped = new Set(sketched.slice(MAX_SKETCHES));
  return fields.map((field) => {
    if (!dropped.has(field)) return field;
    const { sketch: _, ...rest } = field;
    return rest;
  });
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
