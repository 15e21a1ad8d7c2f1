/** What the operators of conditions mean. */
import {
  doubleValue,
  isValueObject,
  javaType,
  numberOf,
  sameValue,
  textOf,
  type Value,
  WholeDouble,
} from "../document/values.js";
import { ConditionError } from "./condition-error.js";

/** Numbers are equal whatever their type. */
export function equal(one: Value, other: Value): boolean {
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a !== undefined && b !== undefined && (typeof one !== "bigint" || typeof other !== "bigint")) return a === b;
  return sameValue(one, other);
}

/** Less than zero, zero, or more: of two numbers. Throws ConditionError for anything else. */
export function compare(one: Value, other: Value, sign: string): number {
  if (typeof one === "bigint" && typeof other === "bigint") return one < other ? -1 : one > other ? 1 : 0;
  return numeric(one, other, sign) - numeric(other, one, sign);
}

function numeric(value: Value, other: Value, sign: string): number {
  const number = numberOf(value);
  if (number !== undefined) return number;
  if (value === null) throw new ConditionError("null_pointer_exception", `cannot apply [${sign}] to null`);
  const types = `[${javaType(value)}] and [${javaType(other)}]`;
  throw new ConditionError("class_cast_exception", `Cannot apply [${sign}] operation to types ${types}.`);
}

/** The condition of `!`, `&&`, `||`, `?:` and of the whole. */
export function truth(value: Value): boolean {
  if (typeof value === "boolean") return value;
  if (value === null) throw new ConditionError("null_pointer_exception", "cannot cast null to boolean");
  throw new ConditionError("class_cast_exception", `Cannot cast ${javaType(value)} to boolean`);
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

/** `+ - * / %` of numbers, `+` of a text and anything. Integers give integers. */
export function arithmetic(one: Value, other: Value, sign: string): Value {
  if (sign === "+" && (typeof one === "string" || typeof other === "string")) return textOf(one) + textOf(other);
  const [a, b] = [numeric(one, other, sign), numeric(other, one, sign)];
  const integers = isInteger(one) && isInteger(other);
  if (integers && b === 0 && (sign === "/" || sign === "%"))
    throw new ConditionError("arithmetic_exception", "/ by zero");
  const result = ARITHMETIC[sign](a, b);
  if (!integers) return doubleValue(result);
  if (Number.isSafeInteger(result) || sign === "/") return Math.trunc(result);
  throw new ConditionError("arithmetic_exception", `[${sign}] goes beyond 2^53, which is not supported by Pinakes`);
}

function isInteger(value: Value): boolean {
  return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
}

const isDouble = (value: Value) =>
  value instanceof WholeDouble || (typeof value === "number" && !Number.isInteger(value));

/** Java's types by the names that Painless knows. */
export const TYPES: Readonly<Record<string, (value: Value) => boolean>> = {
  ArrayList: Array.isArray,
  Boolean: (value) => typeof value === "boolean",
  Collection: Array.isArray,
  Double: isDouble,
  HashMap: isValueObject,
  Integer: (value) => javaType(value) === "java.lang.Integer",
  List: Array.isArray,
  Long: (value) => javaType(value) === "java.lang.Long",
  Map: isValueObject,
  Number: (value) => numberOf(value) !== undefined,
  Object: (value) => value !== null,
  String: (value) => typeof value === "string",
};
