/** What `include` and `exclude` of a terms aggregation let through. */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { columnValue, dateMillis, termBytes } from "../mapping/values.js";
import type { ReaderContext } from "../query/exec/context.js";
import { regexp } from "../query/regexp/regexp.js";
import type { TermsAggregation } from "./aggregation.js";
import { readNumber, wholeNumber } from "./value-source.js";

type Pattern = TermsAggregation["include"];

/** Whether a key, by its text, is let through. Throws when asked of a pattern too complex to be matched. */
export type KeyFilter = (text: string) => boolean;

/** What a filter is made for. */
export interface FilteredField {
  readonly context: ReaderContext | undefined;
  /** undefined: no index has the field; its keys are texts. */
  readonly field: Field | undefined;
  readonly aggregation: TermsAggregation;
  /** Name of the aggregation, for what is refused. */
  readonly name: string;
}

/**
 * The filter of an aggregation; null: everything passes. Lists name values as the field's type reads them, patterns are regular
 * expressions over whole terms of texts. Throws `invalid_value`, `query_unsupported` for patterns over other types.
 */
export function keyFilter(filtered: FilteredField): KeyFilter | null {
  const include = patternTest(filtered, filtered.aggregation.include);
  const exclude = patternTest(filtered, filtered.aggregation.exclude);
  if (include === null && exclude === null) return null;
  return (text) => (include === null || include(text)) && (exclude === null || !exclude(text));
}

function patternTest(filtered: FilteredField, pattern: Pattern): KeyFilter | null {
  if (pattern === undefined) return null;
  if (Array.isArray(pattern)) {
    const values = new Set(pattern.map((text) => keyText(filtered, text)));
    return (text) => values.has(text);
  }
  const { field, name } = filtered;
  if (field !== undefined && field.type !== "keyword") throw noPattern(field, name);
  const compiled = regexp(pattern.pattern);
  return (text) => compiled.matches(text);
}

/** A listed value as the text of the key it means. */
function keyText({ field, context, aggregation }: FilteredField, text: string): string {
  if (field === undefined || context === undefined || field.type === "keyword") return text;
  const { clock } = context.environment;
  if (field.type === "boolean") return booleanKey(text);
  if (field.type === "date") {
    return String(dateMillis(field, text, { rounding: "down", clock, format: aggregation.format }));
  }
  if (field.type === "ip") return String(columnValue(field, termBytes(field, text)));
  return field.column === "long" ? String(wholeNumber(text)) : String(readNumber(text));
}

function booleanKey(text: string): string {
  if (text === "true") return "1";
  if (text === "false") return "0";
  throw new EngineError("invalid_value", `Cannot parse boolean [${text}], expected either [true] or [false]`, {
    value: text,
  });
}

function noPattern(field: Field, name: string): EngineError {
  const use =
    field.type === "ip"
      ? "Use an array of values for include/exclude clauses"
      : "Use an array of numeric values for include/exclude clauses used to filter numeric fields";
  return new EngineError(
    "query_unsupported",
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. ${use}`,
    { field: field.path },
  );
}
