/** Content types: which bodies are read, and what an answer is labelled as. */
import { ApiError, illegalArgument } from "../errors.js";
import { COMPATIBLE_VERSIONS } from "../identities.js";
import type { ContentForm } from "./forms/convert.js";
import { PlainError } from "./plain-error.js";

/** Elasticsearch's own media types, which carry a version. */
const VERSIONED = "application/vnd.elasticsearch+";

const FORMS: ReadonlyMap<string, ContentForm> = new Map([
  ["cbor", "cbor"],
  ["json", "json"],
  ["smile", "smile"],
  ["x-ndjson", "json"],
  ["yaml", "yaml"],
]);

/** How a body of this content type is written down; undefined for types that are not read. */
export function contentForm(contentType: string): ContentForm | undefined {
  const type = contentType.split(";", 1)[0].trim().toLowerCase();
  const prefix = type.startsWith(VERSIONED) ? VERSIONED : "application/";
  return type.startsWith(prefix) ? FORMS.get(type.slice(prefix.length)) : undefined;
}

/** The form of a body. Throws a 406 for one whose type is not read. */
export function bodyForm(contentType: string | undefined, hasBody: boolean): ContentForm {
  if (!hasBody) return "json";
  if (contentType === undefined) throw new PlainError(406, "Content-Type header is missing");
  const form = contentForm(contentType);
  if (form === undefined) throw notSupportedType(contentType);
  const charset = /charset=("?)([^";]+)\1/i.exec(contentType)?.[2];
  if (charset !== undefined && charset.toLowerCase() !== "utf-8") throw notSupportedType(contentType);
  return form;
}

function notSupportedType(contentType: string): PlainError {
  return new PlainError(406, `Content-Type header [${contentType}] is not supported`);
}

/** Throws a 400 when a media type asks for a version that is not answered, or body and answer disagree. */
export function checkVersions(accept: string | undefined, contentType: string | undefined, hasBody: boolean): void {
  const wanted = versionOf(accept);
  const sent = hasBody ? versionOf(contentType) : undefined;
  for (const version of [wanted, sent]) {
    if (version !== undefined && !COMPATIBLE_VERSIONS.includes(version)) {
      throw new ApiError(
        400,
        "media_type_header_exception",
        `Invalid media-type value: compatible-with=${version} is not answered, use one of [${COMPATIBLE_VERSIONS.join(", ")}]`,
      );
    }
  }
  if (wanted === undefined || !hasBody || sent === wanted) return;
  throw new ApiError(
    400,
    "status_exception",
    `A compatible version is required on both Content-Type and Accept headers if either one has requested a compatible version and the compatible versions must match. Accept=${accept}, Content-Type=${contentType}`,
  );
}

function versionOf(header: string | undefined): string | undefined {
  return header === undefined || !header.includes("compatible-with")
    ? undefined
    : /compatible-with=(\d+)/.exec(header)?.[1];
}

/** The `Content-Type` of an answer: versioned when the client asked so. */
export function answerType(form: ContentForm, accept: string): string {
  if (!accept.includes(VERSIONED)) return `application/${form}`;
  return `${VERSIONED}${form};compatible-with=${versionOf(accept) ?? "8"}`;
}

export const TEXT_TYPE = "text/plain; charset=UTF-8";

const ACCEPTED = /application\/(?:vnd\.elasticsearch\+)?(json|yaml|cbor|smile)\b/;

/** Which form an answer takes: `format` first, then `Accept`. Tables (`_cat`) are text unless another form is asked for. */
export function answerFormat(format: string | undefined, accept: string, table: boolean): ContentForm | "text" {
  if (format === "text" || format === "txt") return table ? "text" : "json";
  if (format !== undefined) {
    const form = FORMS.get(format);
    if (form === undefined || format === "x-ndjson") {
      const known = `json, yaml, cbor, smile${table ? ", text" : ""}`;
      throw illegalArgument(`format [${format}] is not supported by Pinakes: use one of [${known}]`);
    }
    return form;
  }
  // The first that is named counts: clients name the one they like best first.
  const named = ACCEPTED.exec(accept);
  if (named === null) return table ? "text" : "json";
  const text = accept.indexOf("text/plain");
  return table && text !== -1 && text < named.index ? "text" : (named[1] as ContentForm);
}
