/** Processors that change a text, or each text of a list. */
import { illegalArgument } from "../../errors.js";
import { javaType, type Value } from "../document/values.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";

/** Reads `field`, `target_field` and `ignore_missing`; makes a processor of what is done to one text. */
export function textProcessor(options: Options, change: (text: string) => Value): Run {
  const name = options.string("field");
  const field = pathTemplate(name);
  const target = options.pathOr("target_field", name);
  const ignoreMissing = options.boolean("ignore_missing", false);
  return (document) => {
    const path = field(document);
    const value = ignoreMissing ? (document.lookUp(path) ?? null) : document.get(path);
    if (value === null && ignoreMissing) return;
    document.set(target(document), changed(value, path.text, change));
  };
}

function changed(value: Value, field: string, change: (text: string) => Value): Value {
  if (typeof value === "string") return change(value);
  if (value === null) throw illegalArgument(`field [${field}] is null, cannot process it.`);
  if (!Array.isArray(value)) {
    throw illegalArgument(`field [${field}] of type [${javaType(value)}] cannot be cast to [java.lang.String]`);
  }
  return value.map((one) => {
    if (typeof one === "string") return change(one);
    const reason = `value [${String(one)}] of type [${javaType(one)}] in list field [${field}] cannot be cast to [java.lang.String]`;
    throw illegalArgument(reason);
  });
}
