/** The field that an aggregation reads, in each of the indices. */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { dateMillis, exactBounds } from "../mapping/values.js";
import type { ReaderContext } from "../query/exec/context.js";
import type { Scalar } from "../query/query.js";
import { checkSortable } from "../sort/index.js";

/** A field by name in several indices. */
export interface ValueSource {
  /** The field as the first index has it; undefined: no index has it. */
  readonly field: Field | undefined;
  of(context: ReaderContext): Field | undefined;
}

/** Finds a field. Throws `fielddata_disabled` for texts, `query_unsupported` where the indices disagree on the kind of value. */
export function valueSource(contexts: readonly ReaderContext[], path: string): ValueSource {
  const fields = contexts.map((context) => context.reader.fields.get(path));
  const found = fields.filter((field) => field !== undefined);
  for (const field of found) checkSortable(field);
  const [first] = found;
  const other = found.find((field) => kindOf(field) !== kindOf(first));
  if (other !== undefined) {
    throw new EngineError(
      "query_unsupported",
      `Field [${path}] is of type [${first.type}] in one index and [${other.type}] in another: they cannot be aggregated together`,
      { field: path },
    );
  }
  return { field: first, of: (context) => fields[context.number] };
}

function kindOf(field: Field): string {
  if (field.type === "ip" || field.type === "boolean" || field.type === "date") return field.type;
  return field.column === "ordinals" ? "term" : "number";
}

/** Whether a field's values count as numbers. */
export function isNumeric(field: Field): boolean {
  return field.column !== "ordinals" || field.type === "boolean";
}

/** The number that stands in for missing values; dates are read in `zone`. */
export function missingNumber(
  contexts: readonly ReaderContext[],
  field: Field | undefined,
  missing: Scalar | undefined,
  zone?: string,
): number | null {
  if (missing === undefined || contexts.length === 0) return null;
  if (field === undefined) return Number(missing);
  if (field.type === "boolean") return String(missing) === "true" || Number(missing) === 1 ? 1 : 0;
  const { clock } = contexts[0].environment;
  if (field.type === "date") return dateMillis(field, missing, { rounding: "down", clock, timeZone: zone });
  const bounds = exactBounds(field, missing, clock);
  return bounds.kind === "term" ? null : Number(bounds.low);
}

/** Throws when a field's values are no numbers. */
export function requireNumeric(field: Field | undefined, aggregation: string): void {
  if (field === undefined || isNumeric(field)) return;
  throw new EngineError(
    "query_unsupported",
    `Field [${field.path}] of type [${field.type}] is not supported for aggregation [${aggregation}]`,
    { field: field.path, type: field.type },
  );
}
