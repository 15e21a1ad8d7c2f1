/** `set`: a field gets a value, or that of another field. */
import type { IngestDocument } from "../document/ingest-document.js";
import { compileValue } from "../document/template.js";
import { copyValue, type Value } from "../document/values.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function set(options: Options): Run {
  const field = options.path("field");
  const value = madeValue(options);
  const override = options.boolean("override", true);
  const ignoreEmpty = options.boolean("ignore_empty_value", false);
  options.oneOf(
    "media_type",
    ["application/json", "text/plain", "application/x-www-form-urlencoded"],
    "application/json",
  );
  return (document) => {
    const path = field(document);
    if (!override && (document.lookUp(path) ?? null) !== null) return;
    const made = value(document);
    if (ignoreEmpty && (made === undefined || made === null || made === "")) return;
    document.set(path, made ?? null);
  };
}

function madeValue(options: Options): (document: IngestDocument) => Value | undefined {
  const copyFrom = options.optionalString("copy_from");
  const given = options.optional("value");
  if (copyFrom === undefined) {
    if (given === undefined) throw options.error("value", "required property is missing");
    return compileValue(given);
  }
  if (given !== undefined)
    throw options.error("copy_from", "cannot set both `copy_from` and `value` in the same processor");
  const from = pathTemplate(copyFrom);
  return (document) => {
    const path = from(document);
    return copyValue(document.get(path));
  };
}
