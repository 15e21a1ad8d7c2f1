/**
 * The small HTTP client that autoindex, mcp and the CLI speak the Elasticsearch wire with. Imports nothing of ours.
 * Start reading at client.ts.
 */
export type { BulkFailure, BulkOutcome } from "./bulk.js";
export { Client, type ClientOptions } from "./client.js";
export type { Reply } from "./connection.js";
export { ConnectionError, WireError } from "./errors.js";
