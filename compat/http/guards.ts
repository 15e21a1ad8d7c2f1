/**
 * No web page reaches the node through a browser: `Host` must name this machine (a page that rebinds its own name to
 * 127.0.0.1 still sends its own name), and `Origin`, which browsers add to what a page asks for, must be the node itself,
 * or one that the node's settings let in.
 */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../errors.js";
import type { Cors } from "./cors.js";

const LOOPBACK_NAME = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:127(?:\.\d{1,3}){3}\])$/i;

/** True for addresses and names that stay on this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAME.test(host) || LOOPBACK_NAME.test(`[${host}]`);
}

/** Throws ApiError 403 unless the request is addressed to this machine and comes from no foreign page. */
export function checkOrigin(headers: IncomingHttpHeaders, cors: Cors | undefined): void {
  const host = headers.host ?? "";
  if (!isLoopback(host.replace(/:\d+$/, ""))) {
    throw forbidden(`Host [${host}] is not this machine: use localhost, 127.0.0.1 or [::1]`);
  }
  const origin = headers.origin;
  if (origin === undefined || origin === `http://${host}` || origin === `https://${host}`) return;
  if (cors?.allows(origin) === true) return;
  throw forbidden(`requests from the web page [${origin}] are refused: it is not of this node`);
}

function forbidden(reason: string): ApiError {
  return new ApiError(403, "security_exception", reason);
}
