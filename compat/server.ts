/** The HTTP server: fastify below, the endpoint table above. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { EngineFace } from "../engine/index.js";
import { joinRows } from "./endpoints/index.js";
import { router } from "./endpoints/router.js";
import type { Row } from "./endpoints/row.js";
import { errorBody } from "./errors.js";
import { type Dispatch, type Door, dispatch } from "./http/dispatch.js";
import { isLoopback } from "./http/guards.js";
import { answerSocket, fastifyError } from "./http/transport-errors.js";
import { IDENTITIES, type Identity, type IdentityName } from "./identities.js";
import { type Node, nodeIdentity } from "./node.js";
import { openReaders } from "./search/open-readers.js";

export interface ServerOptions {
  readonly engine: EngineFace;
  /** A loopback address; any other is refused. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Further rows of the endpoint table, `/_pinakes/...` and the like. */
  readonly nativeRows?: readonly Row[];
  /** Who the node says it is to clients that give no hint (default es8). */
  readonly identity?: IdentityName;
  readonly clusterName?: string;
  readonly nodeName?: string;
  /** Largest request body in bytes, before and after decompression (default 100 MB). */
  readonly maxContentBytes?: number;
  /** Lets a request in or throws; absent, everybody who reaches the port is let in. */
  readonly door?: Door;
  /** Told about failures that are ours. */
  readonly warn?: (message: string) => void;
}

export interface RunningServer {
  /** `127.0.0.1:9200` */
  readonly address: string;
  /** Stops listening, lets requests under way finish, gives up readers left open. The engine stays open. */
  close(): Promise<void>;
}

const DEFAULT_MAX_CONTENT_BYTES = 100 * 1024 * 1024;
const KEEP_ALIVE_MS = 75_000;
const NO_VALUES = Object.freeze({});

/** Starts answering. Throws for an address that is not this machine's own. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  if (!isLoopback(options.host)) {
    throw new Error(
      `refusing to listen on ${options.host}: only loopback addresses (127.0.0.1, ::1, localhost) are allowed`,
    );
  }
  const limit = options.maxContentBytes ?? DEFAULT_MAX_CONTENT_BYTES;
  const identity = options.identity ?? "es8";
  const handle: Handle = (request, reply) => dispatch(to, request, reply);
  const server = makeServer(limit, IDENTITIES[identity], handle);
  const rows = joinRows(options.nativeRows ?? []);
  const node = await makeNode(options, rows, () => addressOf(server));
  const to: Dispatch = {
    node,
    router: router(rows),
    defaultIdentity: identity,
    door: options.door,
    warn: options.warn ?? (() => undefined),
  };
  server.setErrorHandler((error, request, reply) => {
    const found = fastifyError(error, limit);
    reply.header("x-elastic-product", "Elasticsearch").header("content-type", "application/json");
    // What is left of a refused body is not read: the connection cannot be used again.
    if (found.status === 413 || !request.raw.complete) reply.header("connection", "close");
    reply.code(found.status).send(JSON.stringify(errorBody(found, IDENTITIES[to.defaultIdentity])));
  });
  server.all("/*", handle);
  // Methods that fastify knows no routes for: the table says which ones there are.
  server.setNotFoundHandler(handle);
  await server.listen({ host: options.host, port: options.port });
  return {
    address: addressOf(server),
    close: async () => {
      await server.close();
      node.openReaders.close();
    },
  };
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function makeServer(limit: number, identity: Identity, handle: Handle): FastifyInstance {
  const server = Fastify({
    // A path that cannot be decoded: the router says so in its own words.
    frameworkErrors: (_error, request, reply) => handle(request, reply),
    clientErrorHandler: (error, socket) => answerSocket(error, socket, identity),
    // Without a host the guard refuses, with a body.
    http: { requireHostHeader: false },
    bodyLimit: limit,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: () => NO_VALUES, maxParamLength: 65_536 },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  // Elasticsearch clients send bodies with GET.
  server.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
  return server;
}

async function makeNode(options: ServerOptions, rows: readonly Row[], address: () => string): Promise<Node> {
  const identity = await nodeIdentity(options.engine);
  const now = Date.now;
  return {
    engine: options.engine,
    name: options.nodeName ?? "pinakes",
    id: identity.id,
    clusterName: options.clusterName ?? "pinakes",
    clusterUuid: identity.clusterUuid,
    startedAt: now(),
    now,
    openReaders: openReaders(now),
    endpoints: rows.map(({ name, method, path, status, missing }) => ({ name, method, path, status, missing })),
    address,
    maxContentBytes: options.maxContentBytes ?? DEFAULT_MAX_CONTENT_BYTES,
  };
}

function addressOf(server: FastifyInstance): string {
  const address = server.server.address();
  if (address === null || typeof address === "string") return "not listening";
  return address.family === "IPv6" ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`;
}
