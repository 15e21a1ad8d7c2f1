/** Dates of documents in another format, without a column: as `_source` has them. */
import { DEFAULT_DATE_FORMAT, dateFormat } from "./date-format.js";
import { NANOS_PER_MILLI, nanosBelow, printNanos } from "./date-nanos.js";
import type { FieldMapping } from "./mapping.js";
import { UTC } from "./time-zone.js";

/** A date as a field of this mapping would print it, by `format` if one is given. Throws invalid_value. */
export function reformatDate(mapping: FieldMapping, text: string, format?: string): string {
  const own = dateFormat(mapping.format ?? DEFAULT_DATE_FORMAT);
  const wanted = format === undefined ? own : dateFormat(format);
  const millis = own.parse(text, "down", UTC);
  if (mapping.type !== "date_nanos") return wanted.print(millis, UTC);
  const whole = BigInt(millis);
  return printNanos(wanted, whole * NANOS_PER_MILLI + nanosBelow(text, whole, "down"), UTC);
}
