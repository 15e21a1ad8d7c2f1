/** `join`: the items of a list as one text. */
import { illegalArgument } from "../../errors.js";
import { listAt } from "../document/ingest-document.js";
import { textOf } from "../document/values.js";
import { checkLength } from "../limits.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function join(options: Options): Run {
  const name = options.string("field");
  const field = pathTemplate(name);
  const separator = options.string("separator");
  const target = options.pathOr("target_field", name);
  return (document) => {
    const path = field(document);
    if (document.get(path) === null) throw illegalArgument(`field [${path.text}] is null, cannot join.`);
    const items = listAt(document, path);
    if (items.includes(null)) throw illegalArgument(`field [${path.text}] has a null in its list, cannot join.`);
    const texts = items.map(textOf);
    const characters = texts.reduce((sum, text) => sum + text.length, separator.length * texts.length);
    checkLength(characters, document.limit);
    document.set(target(document), texts.join(separator));
  };
}
