import { isObject, type Json, member } from "./value.js";

/** All values that a path leads to, lists taken apart; keys may be dotted. */
export function valuesAt(value: Json, names: readonly string[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, names));
  if (names.length === 0) return value === null ? [] : [value];
  if (!isObject(value)) return [];
  const found: Json[] = [];
  for (let count = 1; count <= names.length; count++) {
    const inner = member(value, names.slice(0, count).join("."));
    if (inner !== undefined) found.push(...valuesAt(inner, names.slice(count)));
  }
  return found;
}
