/** `source.remote` of a reindex: where to read from, and whether that is allowed. */
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { illegalArgument } from "../errors.js";
import type { Identity } from "../identities.js";
import { wildcard } from "../indices/names.js";
import { isObject, type JsonObject } from "../json/value.js";
import { parseDuration } from "../units.js";

const SHAPE = shape(
  "remote",
  "object",
  {
    host: "string",
    username: "string",
    password: "string",
    headers: "object",
    socket_timeout: "string",
    connect_timeout: "string",
  },
  ["api_key"],
);

/** Another cluster. */
export interface RemoteHost {
  /** Without a slash at its end. */
  readonly url: string;
  /** `host:port`, as lists of what is allowed name it. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long an answer may take. */
  readonly timeoutMs: number;
}

const HOST = /^(https?):\/\/([^/?#@:[\]]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})(\/[^?#]*)?$/;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Headers that say how a message is sent are not anybody's to choose. */
const RESERVED = /^(?:host|content-length|transfer-encoding|connection|content-type|accept|upgrade|te|trailer)$/i;

/** Reads `remote`. Throws ApiError 400. */
export function readRemote(given: JsonObject): RemoteHost {
  const body = readShape(given, SHAPE);
  if (body.host === undefined) throw illegalArgument("[host] must be specified to reindex from a remote cluster");
  const match = HOST.exec(body.host);
  if (match === null) {
    throw illegalArgument(`[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${body.host}]`);
  }
  if (body.password !== undefined && body.username === undefined) {
    throw illegalArgument("[password] needs a [username]");
  }
  return {
    url: body.host.replace(/\/+$/, ""),
    address: `${match[2]}:${match[3]}`,
    headers: headersOf(body),
    timeoutMs: timeout(body.connect_timeout, "connect_timeout") + timeout(body.socket_timeout, "socket_timeout"),
  };
}

function timeout(text: string | undefined, name: string): number {
  return text === undefined ? DEFAULT_TIMEOUT_MS : parseDuration(text, name);
}

function headersOf({ headers, username, password }: BodyOf<typeof SHAPE>): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (isObject(value) || Array.isArray(value)) throw illegalArgument(`[headers] must hold texts, [${name}] does not`);
    if (!/^[A-Za-z0-9!#$%&'*+.^_|~-]+$/.test(name) || RESERVED.test(name) || /[\r\n\0]/.test(String(value))) {
      throw illegalArgument(`header [${name}] is not supported by Pinakes`);
    }
    read[name.toLowerCase()] = String(value);
  }
  if (username === undefined) return read;
  const basic = Buffer.from(`${username}:${password ?? ""}`).toString("base64");
  return { ...read, authorization: `Basic ${basic}` };
}

/** Throws ApiError 400 for a host that the node's list does not name. */
export function checkAllowed({ address }: RemoteHost, allowed: readonly string[], identity: Identity): void {
  if (allowed.some((pattern) => wildcard(pattern)(address))) return;
  throw illegalArgument(
    identity.distribution === undefined
      ? `[${address}] not whitelisted in reindex.remote.whitelist`
      : `[${address}] not allowlisted in reindex.remote.allowlist`,
  );
}
