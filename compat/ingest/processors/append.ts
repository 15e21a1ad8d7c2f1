/** `append`: adds values to a list. */
import { compileValue } from "../document/template.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function append(options: Options): Run {
  const field = options.path("field");
  const given = options.required("value");
  const values = (Array.isArray(given) ? given : [given]).map(compileValue);
  const duplicates = options.boolean("allow_duplicates", true) ? "kept" : "left out";
  options.oneOf(
    "media_type",
    ["application/json", "text/plain", "application/x-www-form-urlencoded"],
    "application/json",
  );
  return (document) =>
    document.append(
      field(document),
      values.map((value) => value(document)),
      duplicates,
    );
}
