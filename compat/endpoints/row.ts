/**
 * A row of the endpoint table: what is answered, with which parameters and body, by which function. A row promises that
 * every query parameter and body key Elasticsearch documents for the endpoint is honoured or refused by name.
 */
import { type BodyOf, readShape, type Shape } from "../body/shape.js";
import { illegalArgument, parsingError } from "../errors.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { IdentityName } from "../identities.js";
import { parseBody } from "../json/body.js";
import { isObject, type JsonObject, tokenName } from "../json/value.js";
import type { ParameterName } from "../parameters.js";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PATCH";

/** What somebody must be allowed to do for the endpoint; the program's door decides who may. */
export type Privilege = "monitor" | "read" | "write" | "manage";

/**
 * `none`: a body is refused. `bytes`: the handler reads the bytes itself. `json`: any JSON object, whose keys the handler
 * checks (settings). Otherwise a JSON object of that shape.
 */
export type BodySpec = Shape | "none" | "bytes" | "json";

/** How a body reaches the handler; an absent JSON body is the empty object. */
export type Given<B extends BodySpec> = B extends Shape
  ? BodyOf<B>
  : B extends "bytes"
    ? Buffer
    : B extends "json"
      ? JsonObject
      : undefined;

export type Handler<B extends BodySpec> = (request: ApiRequest, body: Given<B>) => Reply | Promise<Reply>;

export interface Row {
  /** The specification's name, such as `indices.refresh`. */
  readonly name: string;
  readonly method: Method;
  /** With `{placeholders}` for whole segments. */
  readonly path: string;
  readonly status: "full" | "partial" | "not built";
  /** What is missing; empty when the row is full. */
  readonly missing: string;
  readonly parameters: readonly ParameterName[];
  readonly body: BodySpec;
  readonly identities: "all" | readonly IdentityName[];
  readonly privilege: Privilege;
  /** Answers are tables: text unless JSON is asked for. */
  readonly table: boolean;
  readonly run: (request: ApiRequest) => Reply | Promise<Reply>;
}

export interface EndpointSpec<B extends BodySpec> {
  readonly status: "full" | "partial";
  readonly missing: string;
  readonly parameters: readonly ParameterName[];
  readonly body: B;
  readonly privilege: Privilege;
  readonly handler: Handler<B>;
  readonly identities?: readonly IdentityName[];
  readonly table?: boolean;
}

/**
 * The rows of one endpoint. `routes` reads `GET,POST /_search ; GET,POST /{index}/_search`, as the specification's list does.
 */
export function endpoint<B extends BodySpec>(name: string, routes: string, spec: EndpointSpec<B>): Row[] {
  const { handler, identities, table, ...rest } = spec;
  const run = (request: ApiRequest) => handler(request, readBody(request, spec.body));
  const common = { ...rest, name, identities: identities ?? ("all" as const), table: table ?? false, run };
  return parseRoutes(routes).map(({ method, path }) => ({ ...common, method, path }));
}

/** `GET,POST /a ; PUT /b` as pairs. */
export function parseRoutes(routes: string): { method: Method; path: string }[] {
  return routes.split(";").flatMap((route) => {
    const [methods, path] = route.trim().split(/\s+/);
    return methods.split(",").map((method) => ({ method: method as Method, path }));
  });
}

function readBody<B extends BodySpec>(request: ApiRequest, body: B): Given<B> {
  if (body === "bytes") return request.bytes as Given<B>;
  if (body === "none") {
    if (request.bytes.length > 0) {
      throw illegalArgument(`request [${request.method} ${request.path}] does not support having a body`);
    }
    return undefined as Given<B>;
  }
  const given = request.bytes.length === 0 ? {} : parseBody(request.bytes);
  if (body !== "json") return readShape(given, body) as Given<B>;
  if (!isObject(given)) throw parsingError(`expected START_OBJECT but found ${tokenName(given)}`);
  return given as Given<B>;
}
