/** `remove`: takes fields away, or all but some. */
import { isValueObject, type ValueObject } from "../document/values.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function remove(options: Options): Run {
  const keep = options.optional("keep");
  const ignoreMissing = options.boolean("ignore_missing", false);
  if (keep !== undefined) {
    if (options.optional("field") !== undefined) throw options.error("keep", "both [field] and [keep] are given");
    return keeping((Array.isArray(keep) ? keep : [keep]).map(String));
  }
  const fields = options.oneOrMore("field").map(pathTemplate);
  return (document) => {
    for (const field of fields) {
      const path = field(document);
      if (!ignoreMissing || document.has(path)) document.remove(path);
    }
  };
}

function keeping(names: readonly string[]): Run {
  const templates = names.map(pathTemplate);
  return (document) => {
    const kept = templates.map((template) => template(document).text);
    prune(document.source, "", kept);
  };
}

function prune(object: ValueObject, prefix: string, kept: readonly string[]): void {
  for (const [name, value] of Object.entries(object)) {
    const path = `${prefix}${name}`;
    if (kept.some((one) => one === path || path.startsWith(`${one}.`))) continue;
    if (isValueObject(value) && kept.some((one) => one.startsWith(`${path}.`))) prune(value, `${path}.`, kept);
    else delete object[name];
  }
}
