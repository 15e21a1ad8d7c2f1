/**
 * Elasticsearch on the wire: HTTP, the endpoint table, query and aggregation DSL in, responses out, identities.
 * What lives elsewhere: searching and storing (../engine, its face alone), processes, keys and TLS (../src).
 * Who may import this: src and tests. Start reading at endpoints/index.ts, the table of everything that is answered.
 */

export { type BodyOf, shape } from "./body/shape.js";
export { joinRows } from "./endpoints/index.js";
export { type EndpointSpec, endpoint, type Handler, type Privilege, type Row } from "./endpoints/row.js";
export { ApiError, illegalArgument, notSupported } from "./errors.js";
export { askMadeSearch, type MadeSearch, madeSearch } from "./handlers/made-search.js";
export type { Door } from "./http/dispatch.js";
export { type NodeSettings, readNodeSettings } from "./http/node-settings.js";
export { json, type Reply, rendered, text } from "./http/reply.js";
export type { ApiRequest } from "./http/request.js";
export type { IdentityName } from "./identities.js";
export { tokenName } from "./json/value.js";
export type { Node } from "./node.js";
export { type RunningServer, type ServerOptions, startServer } from "./server.js";
