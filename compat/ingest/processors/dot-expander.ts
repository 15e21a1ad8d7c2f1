/** `dot_expander`: `{"a.b": 1}` becomes `{"a": {"b": 1}}`. */
import { illegalArgument } from "../../errors.js";
import { member, setMember } from "../../json/value.js";
import type { IngestDocument } from "../document/ingest-document.js";
import { parsePath } from "../document/path.js";
import { isValueObject, type ValueObject } from "../document/values.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function dotExpander(options: Options): Run {
  const field = options.string("field");
  if (!field.includes(".") && field !== "*")
    throw options.error("field", "field does not contain a dot and is not a wildcard");
  if (field.startsWith(".") || field.endsWith(".") || field.includes("..")) {
    throw options.error("field", "Field can't start or end with a dot, or hold two dots one after the other");
  }
  const path = options.optionalString("path");
  const override = options.boolean("override", false);
  return (document) => {
    const holder = holderOf(document, path);
    const names = field === "*" ? Object.keys(holder).filter((name) => name.includes(".")) : [field];
    for (const name of names)
      expand(document, { holder, name, full: path === undefined ? name : `${path}.${name}`, override });
  };
}

function holderOf(document: IngestDocument, path: string | undefined): ValueObject {
  if (path === undefined) return document.source;
  const holder = document.lookUp(parsePath(path));
  return isValueObject(holder) ? holder : {};
}

interface Expansion {
  readonly holder: ValueObject;
  /** With dots, as it stands in the holder. */
  readonly name: string;
  readonly full: string;
  readonly override: boolean;
}

function expand(document: IngestDocument, { holder, name, full, override }: Expansion): void {
  const value = member(holder, name);
  if (value === undefined) return;
  const path = parsePath(full);
  if (document.has(path)) {
    delete holder[name];
    if (override) document.set(path, value);
    else document.append(path, Array.isArray(value) ? value : [value], "kept");
    return;
  }
  const parents = name.split(".").slice(0, -1);
  let at: ValueObject = holder;
  for (const [depth, parent] of parents.entries()) {
    const child = member(at, parent);
    if (child === undefined) break;
    if (!isValueObject(child)) {
      const shown = parents.slice(0, depth + 1).join(".");
      // The spelling is Elasticsearch's.
      throw illegalArgument(`cannot expend [${full}], because [${shown}] is not an object field, but a value field`);
    }
    at = child;
  }
  delete holder[name];
  document.set(path, value);
  if (!document.has(path)) setMember(holder, name, value);
}
