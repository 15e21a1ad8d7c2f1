/** `sort`: the items of a list in order. */
import { illegalArgument } from "../../errors.js";
import { listAt } from "../document/ingest-document.js";
import { numberOf, type Value } from "../document/values.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function sort(options: Options): Run {
  const name = options.string("field");
  const field = pathTemplate(name);
  const target = options.pathOr("target_field", name);
  const word = (options.optionalString("order") ?? "asc").toLowerCase();
  if (word !== "asc" && word !== "desc") {
    throw options.error("order", `Sort direction [${word}] not recognized. Valid values are: [asc, desc]`);
  }
  const sign = word === "asc" ? 1 : -1;
  return (document) => {
    const path = field(document);
    if (document.get(path) === null) throw illegalArgument(`field [${path.text}] is null, cannot sort.`);
    const items = [...listAt(document, path)];
    if (items.length > 1) items.sort((a, b) => sign * order(a, b));
    document.set(target(document), items);
  };
}

function order(a: Value, b: Value): number {
  const [one, other] = [numberOf(a), numberOf(b)];
  if (one !== undefined && other !== undefined) return one - other;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  throw illegalArgument("the items of a list that is sorted must all be numbers, all texts or all booleans");
}
