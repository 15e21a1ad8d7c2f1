/**
 * Asking: queries as plain data, made ready per index (compile/), run over segments (exec/), and what hits show (fetch/, explain/,
 * highlight/). Knows nothing of writing, of indices' files or of Elasticsearch's JSON. Used by the engine alone.
 * Start reading at search-exec.ts, then compile/compile.ts and exec/collect-hits.ts.
 */
export type { SearchEnvironment, SearchReader } from "./exec/context.js";
export { FilterCache } from "./exec/filter-cache.js";
export { routingShards, shardOfRouting } from "./exec/virtual-shard.js";
export type { Query } from "./query.js";
export { countSteps, executeCount, executeSearch, searchSteps } from "./search-exec.js";
