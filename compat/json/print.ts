/** Printing values as Elasticsearch prints them: doubles with a fraction, floats with their shortest digits. */

/** A Java double as JSON: `1.0`, `-0.0`, `1.0E21`; what JSON cannot say is the string Jackson writes. */
export function printDouble(value: number): string {
  return Number.isFinite(value) ? javaText(value, value.toExponential()) : `"${value}"`;
}

/** A Java float: the shortest digits that give the same 32-bit value (`0.2876821`, not the double's 17 digits). */
export function printFloat(value: number): string {
  // All hits of a page often have the same score.
  if (value !== lastFloat || value === 0) {
    lastText = floatText(value);
    lastFloat = value;
  }
  return lastText;
}

let lastFloat = Number.NaN;
let lastText = "";

function floatText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return javaText(value, short.toExponential());
  }
  return javaText(value, Number(value.toPrecision(9)).toExponential());
}

/** Magnitudes that Java writes without an exponent. */
const PLAIN_FROM = 1e-3;
const PLAIN_BELOW = 1e7;

/**
 * Java's `Double.toString` and `Float.toString`: at least one digit after the point, an exponent outside of
 * [1e-3, 1e7). `shortest` holds the digits as `toExponential` gives them, `value` the sign of a zero.
 */
function javaText(value: number, shortest: string): string {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa, exponent] = shortest.split("e");
  const size = Math.abs(value);
  if (size < PLAIN_FROM || size >= PLAIN_BELOW) {
    return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
  }
  const plain = `${Number(shortest)}`;
  return plain.includes(".") ? plain : `${plain}.0`;
}

/** JSON of any plain value; bigint as its digits, undefined members left out. */
export function printJson(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (value === undefined) return "null";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(printJson).join(",")}]`;
  if (value instanceof Exact) return value.text;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${printJson(member)}`).join(",")}}`;
}

/** JSON text to be printed as it is inside of `printJson`. */
export class Exact {
  constructor(readonly text: string) {}
}

/** A double inside of `printJson`. */
export function double(value: number): Exact {
  return new Exact(printDouble(value));
}
