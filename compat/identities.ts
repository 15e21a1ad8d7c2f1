/**
 * Who the node says it is. An identity is chosen per request (see `identityOf`) and covers behaviour, not names alone:
 * version numbers here and in `_nodes`, names of error types, and the routes of points in time.
 */
export type IdentityName = "es8" | "es9" | "os2";

export interface Identity {
  readonly name: IdentityName;
  readonly version: string;
  /** Names of error types that differ between the products; a name that is not here is the same everywhere. */
  readonly errorTypes: Readonly<Record<string, string>>;
  readonly luceneVersion: string;
  readonly minimumWireVersion: string;
  readonly minimumIndexVersion: string;
  readonly tagline: string;
  readonly distribution?: "opensearch";
  /** Answers carry `_type`, as a client of Elasticsearch 7 expects them (`compatible-with=7`). */
  readonly typed?: true;
}

const ELASTIC_TAGLINE = "You Know, for Search";

/** Elasticsearch wraps what its JSON parser throws. */
const ELASTIC_ERROR_TYPES = { json_parse_exception: "x_content_parse_exception" };

/** OpenSearch kept the name that Elasticsearch had before 8.8. */
const OPENSEARCH_ERROR_TYPES = { document_parsing_exception: "mapper_parsing_exception" };

export const IDENTITIES: Readonly<Record<IdentityName, Identity>> = {
  es8: {
    name: "es8",
    version: "8.19.2",
    errorTypes: ELASTIC_ERROR_TYPES,
    luceneVersion: "9.12.1",
    minimumWireVersion: "7.17.0",
    minimumIndexVersion: "7.0.0",
    tagline: ELASTIC_TAGLINE,
  },
  es9: {
    name: "es9",
    version: "9.1.2",
    errorTypes: ELASTIC_ERROR_TYPES,
    luceneVersion: "10.2.2",
    minimumWireVersion: "8.19.0",
    minimumIndexVersion: "8.0.0",
    tagline: ELASTIC_TAGLINE,
  },
  os2: {
    name: "os2",
    version: "2.19.2",
    errorTypes: OPENSEARCH_ERROR_TYPES,
    luceneVersion: "9.12.1",
    minimumWireVersion: "7.10.0",
    minimumIndexVersion: "7.0.0",
    tagline: "The OpenSearch Project: https://opensearch.org/",
    distribution: "opensearch",
  },
};

/** Elasticsearch 8 answers clients of version 7 in their form. */
const ES8_FOR_7: Identity = { ...IDENTITIES.es8, typed: true };

/** Request header that says it outright; for tests and for tools whose client cannot be told by its headers. */
export const IDENTITY_HEADER = "x-pinakes-identity";

const COMPATIBLE_WITH = /compatible-with=(\d+)/;

export interface IdentityHeaders {
  readonly [IDENTITY_HEADER]?: string | string[];
  readonly accept?: string;
  readonly "content-type"?: string;
  readonly "user-agent"?: string;
}

/** Header that names it, else the media type's version, else an OpenSearch user agent, else the node's default. */
export function identityOf(headers: IdentityHeaders, fallback: IdentityName): Identity {
  const named = headers[IDENTITY_HEADER];
  if (typeof named === "string" && Object.hasOwn(IDENTITIES, named)) return IDENTITIES[named as IdentityName];
  const version = COMPATIBLE_WITH.exec(headers.accept ?? "") ?? COMPATIBLE_WITH.exec(headers["content-type"] ?? "");
  if (version !== null) return version[1] === "9" ? IDENTITIES.es9 : version[1] === "7" ? ES8_FOR_7 : IDENTITIES.es8;
  if (headers["user-agent"]?.startsWith("opensearch")) return IDENTITIES.os2;
  return IDENTITIES[fallback];
}

/** Versions of the media types that are answered. */
export const COMPATIBLE_VERSIONS: readonly string[] = ["7", "8", "9"];

/** The members that say where a document is: `"_index":"i"`, and its type where a client expects one. */
export function placeText(index: string, { typed }: Identity): string {
  return `"_index":${JSON.stringify(index)}${typed === true ? ',"_type":"_doc"' : ""}`;
}
