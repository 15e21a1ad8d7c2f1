/** Settings of templates: flattened, checked, laid over one another. */
import { readSettings } from "../indices/settings.js";
import { isObject, type Json, setMember } from "../json/value.js";
import type { FlatSettings } from "./template.js";

/** Reads settings under dotted names with `index.`. A null says nothing. Throws ApiError 400 for what no index may have. */
export function readTemplateSettings(given: Json): FlatSettings {
  readSettings(given);
  const flat: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(flatten(given))) {
    if (value !== null) setMember(flat, name, value);
  }
  return flat;
}

/** The same with nulls kept, for settings that lie over those of templates and may take them away. */
export function flatten(given: Json): Record<string, string | string[] | null> {
  const flat: Record<string, string | string[] | null> = {};
  visit(given, "", (path, value) => {
    const name = path.startsWith("index.") ? path : `index.${path}`;
    setMember(flat, name, value);
  });
  return flat;
}

function visit(value: Json, path: string, each: (path: string, value: string | string[] | null) => void): void {
  if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) visit(member, path === "" ? key : `${path}.${key}`, each);
  } else if (Array.isArray(value)) each(path, value.map(String));
  else each(path, value === null ? null : String(value));
}
