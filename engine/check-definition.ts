/** Whether an index could be made of a definition: what the engine checks before it keeps one. */
import { checkMappingAnalysis, createAnalyzerRegistry } from "./analysis/index.js";
import type { IndexDefinition } from "./index-definition.js";
import { firstTable } from "./shard/index.js";

type NewDefinition = Pick<IndexDefinition, "mapping" | "analysis" | "totalFieldsLimit">;

/** Throws what `createIndex` would: analysis_unknown, mapping_invalid, field_limit. Keeps nothing. */
export function checkDefinition(definition: NewDefinition): void {
  checkAnalysis(definition);
  firstTable(definition.mapping, definition);
}

/** The part of it that is about analyzers. */
export function checkAnalysis({ mapping, analysis }: Pick<NewDefinition, "mapping" | "analysis">): void {
  checkMappingAnalysis(mapping.properties, createAnalyzerRegistry(analysis));
}
