import type { Field } from "../mapping/field-table.js";
import { formatValue } from "../mapping/values.js";

/** How values are printed beside the number: dates and booleans always, numbers when a format was given; null: not. */
export function numberPrinter(
  field: Field | undefined,
  format: string | undefined,
): ((value: number) => string) | null {
  if (field === undefined) return null;
  if (field.type === "date") return (value) => formatValue(field, Math.trunc(value), format);
  if (field.type === "boolean") return (value) => (value === 0 ? "false" : "true");
  return format === undefined ? null : (value) => formatValue(field, value, format);
}
