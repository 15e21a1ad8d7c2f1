/** A JSON value as requests carry it. Whole numbers that a double cannot hold are bigint, so that no digit is lost. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

/**
 * Sets a member whose name a user chose. A plain assignment to `__proto__` changes the object's prototype and loses the
 * member.
 */
export function setMember<T>(object: Record<string, T>, name: string, value: T): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A member whose name a user chose; undefined for names that every object inherits, such as `constructor`. */
export function member<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** True for objects, false for arrays and null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The name Elasticsearch's parser gives the token a value begins with; its error texts carry it. */
export function tokenName(value: Json): string {
  if (value === null) return "VALUE_NULL";
  if (Array.isArray(value)) return "START_ARRAY";
  if (typeof value === "object") return "START_OBJECT";
  if (typeof value === "boolean") return "VALUE_BOOLEAN";
  return typeof value === "string" ? "VALUE_STRING" : "VALUE_NUMBER";
}
