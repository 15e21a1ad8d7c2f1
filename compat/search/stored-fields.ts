/**
 * `stored_fields`: values of fields whose mapping says `store: true`. They are read from `_source`, which is always kept,
 * and brought into the form that the field's type gives them.
 */
import type { FieldMapping, Index } from "../../engine/index.js";
import { wildcard } from "../indices/wildcard.js";
import { parseText } from "../json/body.js";
import { double, printJson } from "../json/print.js";
import type { Json } from "../json/value.js";
import { valuesAt } from "../json/values-at.js";

/** Reads the stored fields of one document. */
export type ReadStored = (source: Uint8Array) => Record<string, unknown[]>;

/** A reader of the stored fields of an index that names and patterns mean; undefined: there are none. */
export function storedFields(index: Index, names: readonly string[]): ReadStored | undefined {
  const tests = names.map(wildcard);
  const wanted: [path: string, field: FieldMapping][] = [];
  for (const [path, field] of index.fields()) {
    if (field.type !== "object" && field.kept?.store === true && tests.some((matches) => matches(path))) {
      wanted.push([path, field]);
    }
  }
  if (wanted.length === 0) return undefined;
  return (source) => {
    const document = parseText(Buffer.from(source.buffer, source.byteOffset, source.length).toString());
    const found: Record<string, unknown[]> = {};
    for (const [path, field] of wanted) {
      const values = valuesAt(document, path.split(".")).flatMap((value) => storedValue(value, field));
      if (values.length > 0) found[path] = values;
    }
    return found;
  };
}

const WHOLE: ReadonlySet<string> = new Set(["long", "integer", "short", "byte", "unsigned_long"]);
const FRACTIONS: ReadonlySet<string> = new Set(["double", "float", "half_float"]);

/** A value as its field keeps it; what the field left out of the index is not there. */
export function storedValue(value: Json, { type, ignoreAbove }: FieldMapping): unknown[] {
  if (WHOLE.has(type)) return wholeNumber(value);
  if (FRACTIONS.has(type)) return Number.isFinite(Number(value)) ? [double(Number(value))] : [];
  if (type === "boolean") return [String(value) === "true"];
  const text = typeof value === "object" ? printJson(value) : String(value);
  return ignoreAbove !== undefined && text.length > ignoreAbove ? [] : [text];
}

/** Fractions are cut, however large the number. */
function wholeNumber(value: Json): unknown[] {
  if (typeof value === "bigint") return [value];
  const digits = /^\s*[-+]?\d+/.exec(String(value))?.[0];
  if (typeof value === "number") return [Math.trunc(value)];
  if (digits === undefined) return [];
  const number = BigInt(digits.trim().replace(/^\+/, ""));
  return [Number.isSafeInteger(Number(number)) ? Number(number) : number];
}
