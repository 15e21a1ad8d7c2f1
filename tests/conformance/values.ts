/**
 * Values of a suite and of answers. Numbers keep what a body needs: `1.0` is written as `1.0` (dynamic mapping makes a
 * double of it), whole numbers beyond 2^53 are exact.
 */

/** A number whose text says more than its value. */
export class Decimal {
  constructor(readonly text: string) {}
}

export type Value = null | boolean | number | bigint | string | Decimal | Value[] | ValueMap;
/** Keys in the order they were written. */
export type ValueMap = Map<string, Value>;

export function isMap(value: unknown): value is ValueMap {
  return value instanceof Map;
}

/** JSON text of a value; strings are replaced by what `replace` makes of them. */
export function printValue(value: Value): string {
  if (value instanceof Decimal) return value.text;
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(printValue).join(",")}]`;
  if (!isMap(value)) return JSON.stringify(value);
  return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${printValue(member)}`).join(",")}}`;
}

/** What a value is in the text of a path or a query string. */
export function printScalar(value: Value): string {
  if (Array.isArray(value)) return value.map(printScalar).join(",");
  if (value instanceof Decimal) return value.text;
  return value === null ? "" : isMap(value) ? printValue(value) : String(value);
}

/** Numbers by value, exactly; everything else by kind and content. A missing value (undefined) equals nothing. */
export function equalValues(expected: Value, actual: Value | undefined): boolean {
  if (actual === undefined) return false;
  if (isNumber(expected) && isNumber(actual)) return compareNumbers(expected, actual) === 0;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value, at) => equalValues(value, actual[at]))
    );
  }
  if (isMap(expected)) {
    return (
      isMap(actual) &&
      actual.size === expected.size &&
      [...expected].every(([key, value]) => equalValues(value, actual.get(key)))
    );
  }
  return expected === actual;
}

export function isNumber(value: Value | undefined): value is number | bigint | Decimal {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Decimal;
}

/** Below, equal or above 0. A whole number and a double are compared without rounding the whole number. */
export function compareNumbers(left: number | bigint | Decimal, right: number | bigint | Decimal): number {
  const [a, b] = [plain(left), plain(right)];
  if (a === b) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

function plain(value: number | bigint | Decimal): number | bigint {
  return value instanceof Decimal ? Number(value.text) : value;
}

/** As Java prints a parsed JSON object: what `catch: /.../` is tried on. */
export function javaText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(", ")}]`;
  if (isMap(value)) return `{${[...value].map(([key, member]) => `${key}=${javaText(member)}`).join(", ")}}`;
  return value === null ? "null" : printScalar(value);
}
