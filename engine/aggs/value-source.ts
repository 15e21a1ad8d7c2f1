/** The field that an aggregation reads, in each of the indices. */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { fieldAt } from "../mapping/flat-object.js";
import { parseDecimal } from "../mapping/numbers.js";
import { dateMillis } from "../mapping/values.js";
import type { ReaderContext } from "../query/exec/context.js";
import { withFielddata } from "../query/exec/uninverted.js";
import type { Scalar } from "../query/query.js";
import { assumedField, checkSortable } from "../sort/index.js";

/** A field by name in several indices. */
export interface ValueSource {
  /** The field as the first index has it; undefined: no index has it. */
  readonly field: Field | undefined;
  of(context: ReaderContext): Field | undefined;
}

/** Finds a field. Throws `fielddata_disabled` for texts, `query_unsupported` where the indices disagree on the kind of value. */
export function valueSource(contexts: readonly ReaderContext[], path: string, kind: string): ValueSource {
  const fields = contexts.map((context) => {
    const field = fieldAt(context.reader.fields, path);
    return field && withFielddata(field);
  });
  const found = fields.filter((field) => field !== undefined);
  for (const field of found) {
    if (field.type === "flat_object") throw notSupported(field, kind);
    checkSortable(field);
  }
  const [first] = found;
  const other = found.find((field) => kindOf(field) !== kindOf(first));
  if (other !== undefined) {
    throw new EngineError(
      "query_unsupported",
      `Field [${path}] is of type [${first.type}] in one index and [${other.type}] in another: they cannot be aggregated together`,
      { field: path },
    );
  }
  return { field: first === undefined ? undefined : shownField(first), of: (context) => fields[context.number] };
}

/** Moments are aggregated in milliseconds whatever their resolution, as in Elasticsearch: so they are read and printed. */
function shownField(field: Field): Field {
  return field.type === "date_nanos" ? { ...field, type: "date" } : field;
}

function kindOf(field: Field): string {
  if (field.type === "date_nanos") return "date";
  if (field.type === "ip" || field.type === "boolean" || field.type === "date") return field.type;
  return field.column === "ordinals" ? "term" : "number";
}

/** Whether a field's values count as numbers. */
export function isNumeric(field: Field): boolean {
  return field.column !== "ordinals";
}

/** The field as it would be were it a date: what a date aggregation of an unmapped field reads and prints by. */
export function asDate(field: Field | undefined, path: string): Field {
  return field ?? assumedField(path, "date");
}

/** How a missing value is read when the field holds dates. */
export interface MissingReading {
  readonly timeZone?: string;
  readonly format?: string;
}

/** The number that stands in for missing values. Throws `invalid_value` for what is no number, or no date. */
export function missingNumber(
  contexts: readonly ReaderContext[],
  field: Field | undefined,
  missing: Scalar | undefined,
  { timeZone, format }: MissingReading = {},
): number | null {
  if (missing === undefined || contexts.length === 0) return null;
  if (field?.type === "boolean") return String(missing) === "true" || Number(missing) === 1 ? 1 : 0;
  const { clock } = contexts[0].environment;
  if (field?.type === "date") return dateMillis(field, missing, { rounding: "down", clock, timeZone, format });
  if (field !== undefined && !isNumeric(field)) return null;
  return field?.column === "long" ? Number(wholeNumber(missing)) : readNumber(missing);
}

/** A value of a whole-number field as the request gives it: fractions are cut, longs exact. Throws `invalid_value`. */
export function wholeNumber(value: Scalar): bigint {
  const parts = typeof value === "boolean" ? null : parseDecimal(String(value));
  if (parts === null) throw notANumber(value);
  return parts.whole;
}

/** A number as the request gives it. Throws `invalid_value`. */
export function readNumber(value: Scalar): number {
  if (typeof value === "boolean" || parseDecimal(String(value)) === null) throw notANumber(value);
  return Number(value);
}

function notANumber(value: Scalar): EngineError {
  return new EngineError("invalid_value", `For input string: "${value}"`, { value: String(value) });
}

/** Throws when a field's values are no numbers. */
export function requireNumeric(field: Field | undefined, aggregation: string): void {
  if (field === undefined || isNumeric(field)) return;
  throw notSupported(field, aggregation);
}

function notSupported({ path, type }: Field, aggregation: string): EngineError {
  const message = `Field [${path}] of type [${type}] is not supported for aggregation [${aggregation}]`;
  return new EngineError("query_unsupported", message, { field: path, type });
}
