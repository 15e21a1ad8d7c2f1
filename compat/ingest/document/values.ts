/**
 * Values of a document while pipelines work on it. Integers and doubles are kept apart, as in Java: `1.0` must not become
 * `1`, for a field that is not mapped yet would get another type.
 */

import { parseJson } from "../../json/parse.js";
import { printDouble } from "../../json/print.js";
import { isObject, type Json, setMember } from "../../json/value.js";

/** A double that is a whole number. Other doubles are plain numbers, and plain whole numbers are integers. */
export class WholeDouble {
  constructor(readonly value: number) {}
}

/** Anything that a field may hold. */
export type Value = null | boolean | number | bigint | string | WholeDouble | Value[] | ValueObject;

/** An object of a document. */
export interface ValueObject {
  [key: string]: Value;
}

/** A double, whatever its value. */
export function doubleValue(value: number): number | WholeDouble {
  return Number.isInteger(value) ? new WholeDouble(value) : value;
}

/** A float, printed with the shortest digits that give the same 32 bits, as Java has it. */
export function floatValue(value: number): number | WholeDouble {
  const single = Math.fround(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return doubleValue(short);
  }
  return doubleValue(single);
}

/** True for objects; false for lists, null and doubles. */
export function isValueObject(value: unknown): value is ValueObject {
  return isObject(value) && !(value instanceof WholeDouble);
}

/** Parses a document's text. Throws JsonSyntaxError. */
export function parseValue(text: string): Value {
  return parseJson(text, (value) => new WholeDouble(value) as never) as Value;
}

/** What a value of a request's body is in a document. */
export function documentValue(json: Json): Value {
  return json as Value;
}

/** A copy that shares nothing that can change. */
export function copyValue(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyValue);
  if (!isValueObject(value)) return value;
  const copy: ValueObject = {};
  for (const [key, member] of Object.entries(value)) setMember(copy, key, copyValue(member));
  return copy;
}

/** JSON. */
export function printValue(value: Value): string {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return JSON.stringify(value);
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : printDouble(value);
  if (typeof value === "bigint") return String(value);
  if (value instanceof WholeDouble) return printDouble(value.value);
  if (Array.isArray(value)) return `[${value.map(printValue).join(",")}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${printValue(member)}`);
  return `{${members.join(",")}}`;
}

/** Java's `toString`: what a value reads in texts. */
export function textOf(value: Value): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map(textOf).join(", ")}]`;
  if (!isValueObject(value)) return printValue(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}=${textOf(member)}`)
    .join(", ")}}`;
}

const MAX_INT = 2 ** 31 - 1;
const MAX_LONG = 2n ** 63n - 1n;

/** The class that Elasticsearch names in errors about a value. */
export function javaType(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "string") return "java.lang.String";
  if (typeof value === "boolean") return "java.lang.Boolean";
  if (typeof value === "bigint")
    return value > MAX_LONG || value < -MAX_LONG - 1n ? "java.math.BigInteger" : "java.lang.Long";
  if (value instanceof WholeDouble || (typeof value === "number" && !Number.isInteger(value)))
    return "java.lang.Double";
  if (typeof value === "number")
    return value > MAX_INT || value < -MAX_INT - 1 ? "java.lang.Long" : "java.lang.Integer";
  return Array.isArray(value) ? "java.util.ArrayList" : "java.util.HashMap";
}

/** A number's value, undefined for what is none. Digits beyond a double's are lost. */
export function numberOf(value: Value | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return value instanceof WholeDouble ? value.value : undefined;
}

/** Whether two values are the same, as Java's `equals` has it: integers and doubles differ. */
export function sameValue(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") {
    return isInteger(one) && isInteger(other) && BigInt(one) === BigInt(other);
  }
  return printValue(one) === printValue(other);
}

function isInteger(value: Value): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
}
