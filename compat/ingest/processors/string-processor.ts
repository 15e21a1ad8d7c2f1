/** Processors that change a text, or each text of a list. */
import { illegalArgument } from "../../errors.js";
import { javaType, type Value } from "../document/values.js";
import { checkLength } from "../limits.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";

/** Changes one text. `limit`: bytes that a document may come to. */
type Change = (text: string, limit: number) => Value;

/** Reads `field`, `target_field` and `ignore_missing`; makes a processor of what is done to one text. */
export function textProcessor(options: Options, change: Change): Run {
  const name = options.string("field");
  const field = pathTemplate(name);
  const target = options.pathOr("target_field", name);
  const ignoreMissing = options.boolean("ignore_missing", false);
  return (document) => {
    const path = field(document);
    const value = ignoreMissing ? (document.lookUp(path) ?? null) : document.get(path);
    if (value === null && ignoreMissing) return;
    document.set(target(document), changed(value, path.text, limited(change, document.limit)));
  };
}

/** A list of texts may not come to more than the document either. */
function limited(change: Change, limit: number): (text: string) => Value {
  let bytes = 0;
  return (text) => {
    const made = change(text, limit);
    if (typeof made === "string") bytes += made.length;
    checkLength(bytes, limit);
    return made;
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
