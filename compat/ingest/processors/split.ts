/** `split`: a text as a list. */
import { GroupPattern } from "../../../engine/index.js";
import { textAt } from "../document/ingest-document.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";
import { splitBy } from "../split.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function split(options: Options): Run {
  const name = options.string("field");
  const field = pathTemplate(name);
  const separator = new GroupPattern(options.string("separator"), { dialect: "java", caseInsensitive: false });
  const limit = options.boolean("preserve_trailing", false) ? -1 : 0;
  const target = options.pathOr("target_field", name);
  const ignoreMissing = options.boolean("ignore_missing", false);
  return (document) => {
    const path = field(document);
    if (ignoreMissing && (document.lookUp(path) ?? null) === null) return;
    document.set(target(document), splitBy(textAt(document, path), separator, { limit, bytes: document.limit }));
  };
}
