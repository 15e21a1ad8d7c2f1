/**
 * The small HTTP client that autoindex, mcp and the CLI speak the Elasticsearch wire with. Imports nothing of ours.
 * Start reading at client.ts.
 */
export { type BulkFailure, type BulkOutcome, Client, type ClientOptions, type Reply, WireError } from "./client.js";
