/**
 * `fields`: values of fields by name or pattern, read from `_source` and brought into the form that the mapping gives them:
 * always lists, dates in the field's format, multi-fields and aliases under their own names.
 */
import {
  EngineError,
  type FieldMapping,
  type Index,
  type ObjectMapping,
  readGeoPoint,
  reformatDate,
} from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { illegalArgument, parsingError } from "../errors.js";
import { wildcard } from "../indices/wildcard.js";
import { parseText } from "../json/body.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { valuesAt } from "../json/values-at.js";
import { type ReadStored, storedValue } from "./stored-fields.js";

/** A name or pattern that is wanted. */
export interface WantedField {
  readonly field: string;
  readonly format: string | undefined;
  /** Whether what the mapping lacks is shown as well, as it stands. */
  readonly unmapped: boolean;
}

const SHAPE = shape("fields", "object", { field: "string", format: "string", include_unmapped: "boolean" });

/** Reads the list under `fields`. Throws ApiError 400. */
export function readFieldsOption(given: readonly Json[] | undefined): WantedField[] {
  return (given ?? []).map((one) => {
    if (!isObject(one)) return { field: String(one), format: undefined, unmapped: false };
    const { field, format, include_unmapped } = readShape(one, SHAPE);
    if (field === undefined) throw parsingError("[fields] requires [field]", "fields");
    return { field, format, unmapped: include_unmapped ?? false };
  });
}

interface Chosen {
  readonly path: string;
  /** Where its values are: a multi-field has those of the field around it. */
  readonly source: readonly string[];
  readonly field: FieldMapping;
  readonly format: string | undefined;
  /** The nested object that it lies in. */
  readonly nested: string | undefined;
}

/** A reader of the wanted fields of an index's documents; undefined: nothing is wanted. */
export function fetchedFields(index: Index, wanted: readonly WantedField[]): ReadStored | undefined {
  if (wanted.length === 0) return undefined;
  if (index.definition.mapping.sourceEnabled === false) {
    throw illegalArgument(
      `Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [${index.name}]`,
    );
  }
  const all = index.fields();
  const chosen = chooseFields(all, wanted);
  const unmapped = wanted.filter((one) => one.unmapped).map(({ field }) => wildcard(field));
  return (source) => {
    const document = parseText(Buffer.from(source.buffer, source.byteOffset, source.length).toString());
    const found: Record<string, unknown[]> = {};
    for (const one of chosen)
      if (one.nested === undefined) put(found, one.path, shownValues(document, one.source, one));
    for (const path of new Set(chosen.map(({ nested }) => nested))) {
      if (path !== undefined) put(found, path, nestedValues(document, path, chosen));
    }
    if (unmapped.length > 0) addUnmapped(found, document, { all, unmapped });
    return found;
  };
}

function put(found: Record<string, unknown[]>, path: string, values: unknown[]): void {
  if (values.length > 0) found[path] = values;
}

type Fields = ReadonlyMap<string, FieldMapping | ObjectMapping>;

function chooseFields(all: Fields, wanted: readonly WantedField[]): Chosen[] {
  const chosen = new Map<string, Chosen>();
  for (const { field: pattern, format } of wanted) {
    const matches = wildcard(pattern);
    for (const [path, field] of all) {
      if (field.type === "object" || !matches(path)) continue;
      if (format !== undefined && !pattern.includes("*")) checkFormat(path, field);
      // A pattern's format is for dates alone.
      const own = pattern.includes("*") && !isDate(field) ? undefined : format;
      chosen.set(path, { path, source: sourcePath(all, path), field, format: own, nested: nestedAround(all, path) });
    }
  }
  return [...chosen.values()];
}

/** Only dates are printed in a form that is asked for. */
function checkFormat(path: string, field: FieldMapping): void {
  if (isDate(field) || field.type === "geo_point") return;
  throw illegalArgument(`Field [${path}] of type [${field.type}] doesn't support formats.`);
}

function isDate({ type }: FieldMapping): boolean {
  return type === "date" || type === "date_nanos";
}

function sourcePath(all: Fields, path: string): string[] {
  const names = path.split(".");
  const around = all.get(names.slice(0, -1).join("."));
  return around !== undefined && around.type !== "object" ? names.slice(0, -1) : names;
}

/** The outermost nested object around a path. */
function nestedAround(all: Fields, path: string): string | undefined {
  const names = path.split(".");
  for (let count = 1; count < names.length; count++) {
    const around = all.get(names.slice(0, count).join("."));
    if (around?.type === "object" && around.nested === true) return names.slice(0, count).join(".");
  }
  return undefined;
}

/** Each nested object by itself, its fields named from there. */
function nestedValues(document: Json, path: string, chosen: readonly Chosen[]): unknown[] {
  const depth = path.split(".").length;
  return valuesAt(document, path.split(".")).flatMap((object) => {
    const found: Record<string, unknown[]> = {};
    for (const one of chosen) {
      if (one.nested !== path) continue;
      put(found, one.path.split(".").slice(depth).join("."), shownValues(object, one.source.slice(depth), one));
    }
    return Object.keys(found).length === 0 ? [] : [found];
  });
}

function shownValues(document: Json, names: readonly string[], { field, format }: Chosen): unknown[] {
  if (field.type === "geo_point") return geoValues(document, names);
  const values = valuesAt(document, names);
  if (field.type === "dense_vector" || field.type === "flat_object" || field.type.endsWith("_range")) return values;
  return values.flatMap((value) => {
    if (!isDate(field)) return typeof value === "object" ? [] : storedValue(value, field);
    return dateValue(String(value), field, format);
  });
}

/** What the field could not hold is not there, as in the index. */
function dateValue(text: string, field: FieldMapping, format: string | undefined): string[] {
  try {
    return [reformatDate(field, text, format)];
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}

function geoValues(document: Json, names: readonly string[]): unknown[] {
  const at = (value: Json, rest: readonly string[]): Json[] => {
    if (rest.length === 0) return [value];
    if (Array.isArray(value)) return value.flatMap((one) => at(one, rest));
    return isObject(value) && value[rest[0]] !== undefined ? at(value[rest[0]], rest.slice(1)) : [];
  };
  return at(document, names).flatMap((value) => {
    const list = Array.isArray(value) && typeof value[0] !== "number" ? value : [value];
    return list.filter((one) => one !== null).flatMap(geoPoint);
  });
}

function geoPoint(value: Json): unknown[] {
  try {
    const { lat, lon } = readGeoPoint(value);
    return [{ coordinates: [lon, lat], type: "Point" }];
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}

/** Leaves that no field of the mapping stands for. */
function addUnmapped(
  found: Record<string, unknown[]>,
  document: Json,
  { all, unmapped }: { all: Fields; unmapped: readonly ((path: string) => boolean)[] },
): void {
  const visit = (value: Json, path: string): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one, path);
      return;
    }
    if (isObject(value)) {
      for (const [key, inner] of Object.entries(value as JsonObject))
        visit(inner, path === "" ? key : `${path}.${key}`);
      return;
    }
    const known = all.get(path);
    if (value === null || (known !== undefined && known.type !== "object")) return;
    if (!unmapped.some((matches) => matches(path))) return;
    found[path] = [...(found[path] ?? []), value];
  };
  visit(document, "");
}
