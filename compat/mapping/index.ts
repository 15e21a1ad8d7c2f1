/** Mappings: Elasticsearch's JSON and the engine's, both ways. Start reading at parameters.ts. */
export { defaultsOf } from "./defaults.js";
export { KNOWN_TYPES, MAPPING_PARAMETERS } from "./parameters.js";
export { printField, printMapping } from "./print.js";
export { MAPPING_SHAPE, readMapping } from "./read-mapping.js";
