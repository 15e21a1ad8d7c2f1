/** The server answered with an error: status, Elasticsearch's error type, its reason. */
export class WireError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    reason: string,
    readonly body: string,
  ) {
    super(reason);
    this.name = "WireError";
  }
}

/** No answer came: the connection was refused, broke, or took too long. The message names the address and what to do. */
export class ConnectionError extends Error {
  constructor(
    readonly url: string,
    readonly code: string,
    reason: string,
  ) {
    super(`${reason} at ${url}${advice(code)}`);
    this.name = "ConnectionError";
  }
}

const NOBODY_THERE = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function advice(code: string): string {
  if (NOBODY_THERE.has(code)) {
    return ": start a node with `pinakes up FOLDER`, or name another one with --url or PINAKES_URL";
  }
  if (code === "ETIMEDOUT") return ": the node is there but busy; try again, or allow more time";
  return ": is the node still running? `pinakes up FOLDER` starts one";
}

/** What an error body says; every field is read with care because proxies answer with anything. */
interface ErrorBody {
  error?: { type?: unknown; reason?: unknown; root_cause?: { type?: unknown; reason?: unknown }[] } | string;
  message?: unknown;
}

/** Longest piece of a body that is not Elasticsearch's JSON to repeat in a message, in characters. */
const BODY_SHOWN = 300;

/** Reads an answer of status 400 or above: Elasticsearch's object, the old string form, or any other text. */
export function wireError(status: number, body: string): WireError {
  const parsed = parseBody(body);
  const error = parsed?.error;
  if (typeof error === "string") return new WireError(status, "exception", error, body);
  const cause = error?.root_cause?.[0];
  const type = text(error?.type) ?? text(cause?.type);
  const said = text(error?.reason) ?? text(cause?.reason) ?? text(parsed?.message);
  // "all shards failed" says nothing; why the first of them did, does.
  const isWrapped = error?.type === "search_phase_execution_exception" && text(cause?.reason) !== undefined;
  const reason = isWrapped ? `${said}: ${text(cause?.reason)}` : said;
  if (type !== undefined || reason !== undefined) {
    return new WireError(status, type ?? "exception", reason ?? type ?? "", body);
  }
  const shown = body.trim().slice(0, BODY_SHOWN);
  return new WireError(
    status,
    "exception",
    shown === "" ? `the server answered ${status}` : `${status}: ${shown}`,
    body,
  );
}

function parseBody(body: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
