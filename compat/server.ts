/** The HTTP server: fastify below, the endpoint table above. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { EngineFace } from "../engine/index.js";
import { Throttles } from "./by-query/throttles.js";
import { applyClusterSettings } from "./cluster/settings.js";
import { joinRows } from "./endpoints/index.js";
import { type Router, router } from "./endpoints/router.js";
import type { Row } from "./endpoints/row.js";
import { errorBody } from "./errors.js";
import { Closing } from "./http/closing.js";
import { CONNECTION_LIMITS, type ConnectionLimits } from "./http/connection-limits.js";
import { type Cors, corsHeaders } from "./http/cors.js";
import { type Dispatch, type Door, dispatch } from "./http/dispatch.js";
import { isLoopback } from "./http/guards.js";
import { bodyReader } from "./http/read-body.js";
import { SlowRequests } from "./http/slow-requests.js";
import { answerSocket, fastifyError } from "./http/transport-errors.js";
import { IDENTITIES, type Identity, type IdentityName, identityOf } from "./identities.js";
import { answerWaiters } from "./indices/answer-waiters.js";
import { Pipelines } from "./ingest/index.js";
import { type Node, nodeIdentity } from "./node.js";
import { CpuMeter } from "./process/cpu-load.js";
import { CollectionCounter } from "./process/heap-stats.js";
import { HttpCounter } from "./process/http-counter.js";
import { RequestCounts } from "./process/request-counts.js";
import { openReaders } from "./search/open-readers.js";
import { TaskResults } from "./tasks/results.js";

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
  /** Pages of other origins that are let in (default: none). */
  readonly cors?: Cors;
  /** How long clients may take (default CONNECTION_LIMITS). */
  readonly connections?: Partial<ConnectionLimits>;
  /** Shown as the node's attributes. */
  readonly nodeAttributes?: Readonly<Record<string, string>>;
  /** Largest request body in bytes, before and after decompression (default: what the budget allows, at most 100 MB). */
  readonly maxContentBytes?: number;
  /** Hosts that `_reindex` may read from, `host:port` with `*` for any text (default: none). */
  readonly reindexHosts?: readonly string[];
  /** Lets a request in or throws; absent, everybody who reaches the port is let in. */
  readonly door?: Door;
  /** Told about failures that are ours. */
  readonly warn?: (message: string) => void;
}

export interface RunningServer {
  /** `127.0.0.1:9200` */
  readonly address: string;
  /**
   * Stops listening, lets requests under way finish for some seconds (those that wait for a refresh get one), gives up
   * readers left open. The engine stays open.
   */
  close(): Promise<void>;
}

const NO_VALUES = Object.freeze({});

function checkHost(host: string): void {
  if (isLoopback(host)) return;
  throw new Error(`refusing to listen on ${host}: only loopback addresses (127.0.0.1, ::1, localhost) are allowed`);
}

/** Starts answering. Throws for an address that is not this machine's own. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  checkHost(options.host);
  const limit = options.maxContentBytes ?? options.engine.resources.budget.httpBody;
  const identity = options.identity ?? "es8";
  const handle: Handle = (request, reply) => dispatch(to, request, reply);
  applyClusterSettings(options.engine);
  const rows = joinRows(options.nativeRows ?? []);
  const routes = router(rows);
  const parser = bodyReader({ engine: options.engine, limit, mayRefuse: holdsDocuments(routes) });
  const connections = { ...CONNECTION_LIMITS, ...options.connections };
  const server = makeServer(limit, { identity: IDENTITIES[identity], handle, parser, connections });
  const node = await makeNode(options, rows, () => addressOf(server));
  const closing = new Closing();
  const to: Dispatch = {
    node,
    closing,
    router: routes,
    defaultIdentity: identity,
    door: options.door,
    cors: options.cors,
    warn: options.warn ?? (() => undefined),
  };
  server.setErrorHandler((error, request, reply) => {
    const found = fastifyError(error, limit);
    const asked = identityOf(request.headers, to.defaultIdentity);
    reply.header("x-elastic-product", "Elasticsearch").header("content-type", "application/json");
    reply.headers(corsHeaders(to.cors, request.headers));
    const opaqueId = request.headers["x-opaque-id"];
    if (opaqueId !== undefined) reply.header("x-opaque-id", opaqueId);
    // What is left of a refused body is not read: the connection cannot be used again.
    if (found.status === 413 || !request.raw.complete) reply.header("connection", "close");
    else reply.removeHeader("connection");
    reply.code(found.status).send(JSON.stringify(errorBody(found, asked)));
  });
  node.connections.watch(server.server);
  closing.watch(server.server);
  server.addHook("onRequest", (request, reply, done) => {
    closing.asked(request.raw, reply.raw);
    done();
  });
  server.all("/*", handle);
  // Methods that fastify knows no routes for: the table says which ones there are.
  server.setNotFoundHandler(handle);
  await server.listen({ host: options.host, port: options.port });
  return {
    address: addressOf(server),
    close: async () => {
      closing.begin();
      const waitersAnswered = answerWaiters(options.engine);
      await Promise.all([server.close(), node.tasks.close()]).finally(waitersAnswered);
      closing.ended();
      await node.tasks.close(); // of requests that were under way
      node.openReaders.close();
      node.slowRequests.close();
      node.collections.close();
    },
  };
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Whether a request reads or writes documents; managing and watching the node goes on when memory is short. */
function holdsDocuments(routes: Router): (request: FastifyRequest) => boolean {
  return (request) => {
    const path = (request.raw.url ?? "/").split("?", 1)[0];
    const privilege = routes.privilege(request.method, path);
    return privilege === undefined || privilege === "read" || privilege === "write";
  };
}

interface ServerParts {
  readonly identity: Identity;
  readonly handle: Handle;
  readonly parser: ReturnType<typeof bodyReader>;
  readonly connections: ConnectionLimits;
}

function makeServer(limit: number, { identity, handle, parser, connections }: ServerParts): FastifyInstance {
  const server = Fastify({
    // A path that cannot be decoded: the router says so in its own words.
    frameworkErrors: (_error, request, reply) => handle(request, reply),
    clientErrorHandler: (error, socket) => answerSocket(error, socket, identity),
    // Without a host the guard refuses, with a body.
    http: {
      requireHostHeader: false,
      connectionsCheckingInterval: connections.checkMs,
      headersTimeout: connections.headersMs,
    },
    requestTimeout: connections.requestMs,
    bodyLimit: limit,
    keepAliveTimeout: connections.keepAliveMs,
    maxRequestsPerSocket: connections.requests,
    forceCloseConnections: "idle",
    // Ours is in Elasticsearch's shape, see http/closing.ts.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // No route has a schema of fastify's: its own compilers of them, 120 files, are not read.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { querystringParser: () => NO_VALUES, maxParamLength: 65_536 },
  });
  server.server.maxConnections = connections.open;
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", parser);
  // Elasticsearch clients send bodies with GET.
  server.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
  return server;
}

function noSchemas(): never {
  throw new Error("routes have no schemas: bodies are read by compat/body");
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
    attributes: options.nodeAttributes ?? {},
    startedAt: now(),
    now,
    openReaders: openReaders(now),
    pipelines: new Pipelines(options.engine, now),
    slowRequests: new SlowRequests(),
    tasks: new TaskResults(options.engine, options.warn ?? (() => undefined)),
    throttles: new Throttles(),
    reindexHosts: options.reindexHosts ?? [],
    cpu: new CpuMeter(),
    collections: new CollectionCounter(),
    connections: new HttpCounter(),
    requests: new RequestCounts(),
    endpoints: rows.map(({ name, method, path, status, missing }) => ({ name, method, path, status, missing })),
    address,
    maxContentBytes: options.maxContentBytes ?? options.engine.resources.budget.httpBody,
  };
}

function addressOf(server: FastifyInstance): string {
  const address = server.server.address();
  if (address === null || typeof address === "string") return "not listening";
  return address.family === "IPv6" ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`;
}
