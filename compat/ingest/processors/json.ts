/** `json`: a text of JSON as what it says. */
import { illegalArgument } from "../../errors.js";
import { JsonSyntaxError } from "../../json/parse.js";
import { member, setMember } from "../../json/value.js";
import { copyValue, isValueObject, parseValue, textOf, type Value, type ValueObject } from "../document/values.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function json(options: Options): Run {
  const name = options.string("field");
  const field = pathTemplate(name);
  const targetName = options.optionalString("target_field");
  const target = pathTemplate(targetName ?? name);
  const toRoot = options.boolean("add_to_root", false);
  if (toRoot && targetName !== undefined) {
    throw options.error("target_field", "Cannot set a target field while also setting `add_to_root` to true");
  }
  const conflicts = options.oneOf("add_to_root_conflict_strategy", ["replace", "merge"], "replace");
  if (options.boolean("allow_duplicate_keys", false)) {
    throw options.error("allow_duplicate_keys", "[true] is not supported by Pinakes");
  }
  if (!options.boolean("strict_json_parsing", true)) {
    throw options.error("strict_json_parsing", "[false] is not supported by Pinakes");
  }
  return (document) => {
    const parsed = parse(document.get(field(document)));
    if (!toRoot) return document.set(target(document), parsed);
    document.grow([parsed], 1);
    if (!isValueObject(parsed)) throw illegalArgument("cannot add non-map fields to root of document");
    else if (conflicts === "merge") merge(document.source, parsed);
    else for (const [key, value] of Object.entries(parsed)) setMember(document.source, key, value);
  };
}

function parse(value: Value): Value {
  if (value === null || value === "") return null;
  try {
    return parseValue(typeof value === "string" ? value : textOf(value));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, message } = error;
    throw illegalArgument(`[${line}:${column}] ${message}`);
  }
}

function merge(into: ValueObject, from: ValueObject): void {
  for (const [key, value] of Object.entries(from)) {
    const current = member(into, key);
    if (isValueObject(current) && isValueObject(value)) merge(current, value);
    else setMember(into, key, copyValue(value));
  }
}
