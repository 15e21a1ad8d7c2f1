/**
 * What coding agents use: the tools `search`, `read` and `map` over the Model Context Protocol, packed within a token
 * budget, with every file checked before it is shown. An Elasticsearch client: it speaks to the node over the wire.
 * Start reading at server.ts, then search-tool.ts; locate.ts is how a locator survives edits.
 */

export { type HitLine, type HitLinesRequest, matchingHitLines, nameLine } from "./hit-lines.js";
export { locate, type Wanted } from "./locate.js";
export { type Located, locatorOf, type Place, stateNote } from "./located.js";
export { type MapArguments, runMap } from "./map-tool.js";
export { explainNoHits } from "./no-hits.js";
export type { McpOptions, RunningMcp } from "./options.js";
export { FRAME_TOKENS, MAX_TOKENS, MIN_TOKENS } from "./page.js";
export { type ReadArguments, ReadError, runRead } from "./read-tool.js";
export { runSearch, type SearchArguments } from "./search-tool.js";
export { startMcp } from "./start.js";
export { Workspace, type WorkspaceOptions } from "./workspace.js";
