/** Printing values as Elasticsearch prints them: doubles with a fraction, floats with their shortest digits. */

/** A Java double: whole numbers keep `.0`; what JSON cannot say is the string Jackson writes. */
export function printDouble(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? `${value}.0` : `${value}`;
  return Number.isFinite(value) ? `${value}` : `"${value}"`;
}

/** A Java float: the shortest digits that give the same 32-bit value (`0.2876821`, not the double's 17 digits). */
export function printFloat(value: number): string {
  if (Number.isInteger(value)) return printDouble(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return `${short}`;
  }
  return Number.isFinite(value) ? `${Number(value.toPrecision(9))}` : `"${value}"`;
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
