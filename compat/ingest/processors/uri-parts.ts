/** `uri_parts`: a URI taken apart. */
import { illegalArgument } from "../../errors.js";
import { textAt } from "../document/ingest-document.js";
import type { ValueObject } from "../document/values.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function uriParts(options: Options): Run {
  const field = options.plainPath("field");
  const target = options.pathOr("target_field", "url");
  const remove = options.boolean("remove_if_successful", false);
  const keep = options.boolean("keep_original", true);
  const ignoreMissing = options.boolean("ignore_missing", false);
  return (document) => {
    if (ignoreMissing && (document.lookUp(field) ?? null) === null) return;
    const text = textAt(document, field);
    const parts = partsOf(text);
    if (keep) parts.original = text;
    const path = target(document);
    if (remove && path.text !== field.text) document.remove(field);
    document.set(path, parts);
  };
}

/** RFC 3986, appendix B. */
const URI = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:(.*)@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/s;

function partsOf(text: string): ValueObject {
  const match = URI.exec(text);
  const authority = match?.[2] === undefined ? null : AUTHORITY.exec(match[2]);
  if (match === null || (match[2] !== undefined && authority === null) || /[\s<>"{}|\\^`]/.test(text)) {
    throw illegalArgument(`unable to parse URI [${text}]`);
  }
  const parts: ValueObject = {};
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined) parts[name] = value;
  };
  const path = decoded(match[3]);
  put("domain", authority?.[2] === "" ? undefined : authority?.[2]);
  put("fragment", match[5] === undefined ? undefined : decoded(match[5]));
  put("path", path);
  put("extension", extensionOf(path));
  put("port", authority?.[3] === undefined || authority[3] === "" ? undefined : Number(authority[3]));
  put("query", match[4] === undefined ? undefined : decoded(match[4]));
  put("scheme", match[1]);
  const user = authority?.[1];
  if (user !== undefined) {
    const whole = decoded(user);
    const colon = whole.indexOf(":");
    put("user_info", whole);
    put("username", colon < 0 ? undefined : whole.slice(0, colon));
    put("password", colon < 0 ? undefined : whole.slice(colon + 1));
  }
  return parts;
}

function extensionOf(path: string): string | undefined {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const dot = file.lastIndexOf(".");
  return dot < 0 ? undefined : file.slice(dot + 1);
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
}
