/**
 * Web pages of other origins, when the node's settings let them in (`http.cors.*`). What is checked and answered is what
 * Elasticsearch's CorsHandler does: a foreign origin is refused, a preflight says what may be sent.
 */
import type { IncomingHttpHeaders } from "node:http";
import { illegalArgument } from "../errors.js";

/** `http.cors.*` of a node that lets pages in. */
export interface Cors {
  readonly allows: (origin: string) => boolean;
  /** Every origin is let in: the answer may say so. */
  readonly anyOrigin: boolean;
  readonly methods: string;
  readonly headers: string;
  readonly exposed: string;
  readonly credentials: boolean;
  /** Seconds that a browser may remember a preflight. */
  readonly maxAge: number;
}

/** The settings with Elasticsearch's defaults. */
export const CORS_DEFAULTS = {
  "http.cors.enabled": "false",
  "http.cors.allow-origin": "",
  "http.cors.allow-methods": "OPTIONS,HEAD,GET,POST,PUT,DELETE",
  "http.cors.allow-headers":
    "X-Requested-With,Content-Type,Content-Length,Authorization,Accept,User-Agent,X-Elastic-Client-Meta,X-Elastic-Product-Origin,X-Opaque-Id",
  "http.cors.expose-headers": "X-elastic-product",
  "http.cors.allow-credentials": "false",
  "http.cors.max-age": "1728000",
} as const;

export type CorsSetting = keyof typeof CORS_DEFAULTS;

/** What the settings mean; undefined: pages are not let in. Throws ApiError 400 naming the setting. */
export function readCors(given: Readonly<Partial<Record<CorsSetting, string>>>): Cors | undefined {
  const settings = { ...CORS_DEFAULTS, ...given };
  if (!readFlag(settings, "http.cors.enabled")) return undefined;
  const origins = settings["http.cors.allow-origin"];
  const maxAge = Number(settings["http.cors.max-age"]);
  if (!Number.isInteger(maxAge)) throw wrong("http.cors.max-age", settings["http.cors.max-age"]);
  return {
    allows: originTest(origins),
    anyOrigin: origins === "*",
    methods: settings["http.cors.allow-methods"],
    headers: settings["http.cors.allow-headers"],
    exposed: settings["http.cors.expose-headers"],
    credentials: readFlag(settings, "http.cors.allow-credentials"),
    maxAge,
  };
}

function readFlag(settings: Readonly<Record<CorsSetting, string>>, name: CorsSetting): boolean {
  const value = settings[name];
  if (value !== "true" && value !== "false") throw wrong(name, value);
  return value === "true";
}

function wrong(name: string, value: string): Error {
  return illegalArgument(`Failed to parse value [${value}] for setting [${name}]`);
}

/** `*`, a list of origins, or a regular expression between slashes. */
function originTest(origins: string): (origin: string) => boolean {
  if (origins === "*") return () => true;
  if (origins.length > 2 && origins.startsWith("/") && origins.endsWith("/")) {
    const pattern = patternOf(origins.slice(1, -1));
    return (origin) => pattern.test(origin);
  }
  const list = origins.split(",").map((one) => one.trim());
  return (origin) => list.includes(origin);
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(`^(?:${text})$`);
  } catch (error) {
    throw illegalArgument(`Bad regex in [http.cors.allow-origin]: [/${text}/]: ${(error as Error).message}`);
  }
}

/** Headers of every answer to a page that is let in; none for other requests. */
export function corsHeaders(cors: Cors | undefined, { origin }: IncomingHttpHeaders): Record<string, string> {
  if (cors === undefined || origin === undefined || !cors.allows(origin)) return {};
  const any = cors.anyOrigin && !cors.credentials;
  return {
    "access-control-allow-origin": any ? "*" : origin,
    ...(any ? {} : { vary: "Origin" }),
    ...(cors.credentials ? { "access-control-allow-credentials": "true" } : {}),
    ...(cors.exposed === "" ? {} : { "access-control-expose-headers": cors.exposed }),
  };
}

/** What a preflight is told beside that; none for an OPTIONS request that is no preflight. */
export function preflightHeaders(cors: Cors | undefined, headers: IncomingHttpHeaders): Record<string, string> {
  const preflight = headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
  if (cors === undefined || !preflight) return {};
  return {
    "access-control-allow-methods": cors.methods,
    "access-control-allow-headers": cors.headers,
    "access-control-max-age": String(cors.maxAge),
  };
}
