/**
 * Objects of any keys in one field (`flat_object`, `flattened`). Every leaf is two terms of the field's dictionary:
 *
 *   00 value         for questions to the field itself
 *   path 00 value    for questions to `field.path`
 *
 * Paths are dotted and hold no zero byte, so the terms of one path stand together, ordered by value.
 */
import type { Field } from "./field-table.js";

/** The field that a path means: one of the table, or a path into an object that is kept flat. */
export function fieldAt(fields: ReadonlyMap<string, Field>, path: string): Field | undefined {
  const exact = fields.get(path);
  if (exact !== undefined) return exact;
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const around = fields.get(path.slice(0, dot));
    if (around?.type === "flat_object") return { ...around, path, key: path.slice(dot + 1) };
  }
  return undefined;
}

/** The term of a value. */
export function flatTerm({ key }: Field, value: string): Uint8Array {
  return Buffer.from(`${key ?? ""}\0${value}`, "utf8");
}

/** What bounds all terms of the field, or of the path in it. */
export function flatBounds({ key }: Field): { from: Uint8Array; to: Uint8Array } {
  return { from: Buffer.from(`${key ?? ""}\0`, "utf8"), to: Buffer.from(`${key ?? ""}\u0001`, "utf8") };
}
