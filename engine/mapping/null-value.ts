import { EngineError } from "../errors.js";
import { DEFAULT_DATE_FORMAT, dateFormat } from "./date-format.js";
import { invalidIp, parseIp } from "./ip.js";
import type { FieldMapping } from "./mapping.js";
import { isFractionType, isWholeType, notANumber, parseFraction, parseWhole } from "./numbers.js";
import { UTC } from "./time-zone.js";

/**
 * The text that stands for null in a field's documents, undefined where there is none: numbers as JSON writes them, others
 * as the mapping gives them. Throws invalid_value for a `null_value` that the field's type cannot hold; numbers are not
 * coerced here.
 */
export function nullText(mapping: FieldMapping): string | undefined {
  const { nullValue, type } = mapping;
  if (nullValue === undefined) return undefined;
  const text = String(nullValue);
  if (isWholeType(type) || isFractionType(type)) {
    if (text === "") throw notANumber(text, type);
    return String(isWholeType(type) ? parseWhole(text, type, false) : parseFraction(text, type));
  }
  if (type === "boolean" && text !== "true" && text !== "false") {
    const message = `Failed to parse value [${text}] as only [true] or [false] are allowed.`;
    throw new EngineError("invalid_value", message, { value: text });
  }
  if (type === "date" || type === "date_nanos")
    dateFormat(mapping.format ?? DEFAULT_DATE_FORMAT).parse(text, "down", UTC);
  if (type === "ip" && parseIp(text) === null) throw invalidIp(text);
  return text;
}

/** Throws mapping_invalid, in Elasticsearch's words, when the field's `null_value` is none of its type. */
export function checkNullValue(mapping: FieldMapping, path: string): void {
  try {
    nullText(mapping);
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    // Of dates and addresses the parameter is named, as DateFieldMapper and IpFieldMapper do from 8.0 on.
    const named = mapping.type === "date" || mapping.type === "date_nanos" || mapping.type === "ip";
    const where = named ? `Error parsing [null_value] on field [${path.split(".").pop()}]: ` : "";
    const message = `Failed to parse mapping: ${where}${cause.message}`;
    throw new EngineError("mapping_invalid", message, { field: path }, { cause });
  }
}
