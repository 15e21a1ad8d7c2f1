/** Content types: which bodies are read, and what an answer is labelled as. */
import { ApiError, illegalArgument } from "../errors.js";
import { COMPATIBLE_VERSIONS } from "../identities.js";

const READABLE: ReadonlySet<string> = new Set([
  "application/json",
  "application/x-ndjson",
  "application/vnd.elasticsearch+json",
  "application/vnd.elasticsearch+x-ndjson",
]);

/** Whether bodies of this media type are read. */
export function isReadable(contentType: string): boolean {
  return READABLE.has(contentType.split(";", 1)[0].trim().toLowerCase());
}

const VERSIONED = "application/vnd.elasticsearch+";

/** An error whose `error` member is a plain string, as Elasticsearch answers wrong content types and methods. */
export class PlainError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly withStatus = true,
  ) {
    super(message);
    this.name = "PlainError";
  }
}

/** Throws a 406 for a body whose type is not read. */
export function checkContentType(contentType: string | undefined, hasBody: boolean): void {
  if (!hasBody) return;
  if (contentType === undefined) throw new PlainError(406, "Content-Type header is missing");
  if (!isReadable(contentType)) throw new PlainError(406, `Content-Type header [${contentType}] is not supported`);
  checkCharset(contentType);
}

function checkCharset(contentType: string): void {
  const charset = /charset=("?)([^";]+)\1/i.exec(contentType)?.[2];
  if (charset !== undefined && charset.toLowerCase() !== "utf-8") {
    throw new PlainError(406, `Content-Type header [${contentType}] is not supported`);
  }
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

/** The `Content-Type` of a JSON answer: versioned when the client asked so. */
export function jsonType(accept: string): string {
  if (!accept.includes(VERSIONED)) return "application/json";
  return `${VERSIONED}json;compatible-with=${versionOf(accept) ?? "8"}`;
}

export const TEXT_TYPE = "text/plain; charset=UTF-8";

/** Which form an answer takes: `format` first, then `Accept`. Tables (`_cat`) are text unless JSON is asked for. */
export function answerFormat(format: string | undefined, accept: string, table: boolean): "json" | "text" {
  if (format === "json") return "json";
  if (format === "text" || format === "txt") return table ? "text" : "json";
  if (format !== undefined)
    throw illegalArgument(`format [${format}] is not supported by Pinakes: use json${table ? " or text" : ""}`);
  if (/yaml|cbor|smile/.test(accept))
    throw new PlainError(406, `Accept [${accept}] is not supported by Pinakes: ask for application/json`);
  if (!table) return "json";
  return /^application\/(json|vnd\.elasticsearch\+json)/.test(accept.trim()) ? "json" : "text";
}
