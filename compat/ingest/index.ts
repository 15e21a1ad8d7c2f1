/**
 * Ingest pipelines: documents are changed by processors before they are written. Start reading at run.ts (what a pipeline
 * is), then compile.ts and processors/table.ts; apply.ts is where writes come in, store.ts keeps pipelines.
 */
export { type Ingested, ingest, type NamedOperation, type PipelineNames, pipelinesFor } from "./apply.js";
export { GROK_PATTERNS } from "./grok/patterns.js";
export { BatchGrowth } from "./limits.js";
export { missingProperty } from "./options.js";
export { NOT_BUILT_PROCESSORS, PROCESSORS } from "./processors/table.js";
export { readDocuments, simulate } from "./simulate.js";
export { PIPELINE_PREFIX, Pipelines } from "./store.js";
