/**
 * What coding agents use: the tools `search`, `read`, `symbol` and `map` over the Model Context Protocol, packed within
 * a token budget, with every file checked before it is shown. An Elasticsearch client: it speaks to the node over the
 * wire. Start reading at tools.ts, then search-tool.ts; locate.ts is how a locator survives edits,
 * symbol-graph.ts what calls what.
 */

export { ChangedHits, type LineSearch, type LocatedHit, locateHit } from "./ask-again.js";
export { type Dataset, loadCorrelations, loadDatasets, loadFolders } from "./catalog.js";
export { type CurrentFile, currentFile } from "./current-file.js";
export { type DatasetHint, datasetHints, FEW_HITS, hintLines } from "./dataset-hints.js";
export { correlationLine, fieldText } from "./dataset-section.js";
export { type HitLine, type HitLinesRequest, matchingHitLines, nameLine } from "./hit-lines.js";
export { locate, type Wanted } from "./locate.js";
export { type Located, locatorOf, type Place, stateNote } from "./located.js";
export { madeLines } from "./made-text.js";
export { SECTIONS } from "./map-sections.js";
export { type MapArguments, mapSections, type NextMap, runMap } from "./map-tool.js";
export { type Lacking, lackingFolders, lackingNotes } from "./missing-documents.js";
export { type MissingPath, nearPaths, nearPathsNote } from "./near-paths.js";
export { explainNoHits } from "./no-hits.js";
export { explainNoOutline } from "./no-outline.js";
export type { McpOptions, RunningHttpMcp, RunningMcp } from "./options.js";
export { FRAME_TOKENS, MAX_TOKENS, MIN_TOKENS, Page } from "./page.js";
export { type ReadArguments, ReadError, runRead } from "./read-tool.js";
export { runRequest } from "./run-request.js";
export { runSearch, type SearchArguments } from "./search-tool.js";
export { type OpenTools, openTools, startHttpMcp, startMcp } from "./start.js";
export { type CallEdge, type Calls, findCallees, findCallers, MOST_DEPTH } from "./symbol-calls.js";
export { type Definitions, findDefinitions, findFile, nearNames } from "./symbol-definitions.js";
export { dependentsOf, importsOfFile, outlineOf } from "./symbol-files.js";
export { openSymbolGraph, SymbolError, type SymbolGraph, symbolKey } from "./symbol-graph.js";
export { certaintyNote, fileJson, symbolJson } from "./symbol-json.js";
export { findReferences, type ReferenceLine, type References } from "./symbol-references.js";
export { runSymbol, type SymbolArguments } from "./symbol-tool.js";
export { findImplementations, type Heir } from "./symbol-types.js";
export { warnOfUnknown } from "./unknown-values.js";
export { Workspace, type WorkspaceOptions } from "./workspace.js";
