/** Analyzers that a mapping names must be there before the mapping is kept: a document would find out too late. */
import { EngineError, type FieldMapping, type Index, type Mapping, type ObjectMapping } from "../../engine/index.js";
import { ApiError } from "../errors.js";

/** Throws ApiError 400 `mapper_parsing_exception` naming the first analyzer or normalizer that the index does not have. */
export function checkAnalyzers(index: Index, properties: Mapping["properties"]): void {
  for (const [name, field] of fieldsOf(properties)) {
    for (const analyzer of [field.analyzer, field.searchAnalyzer]) {
      if (analyzer !== undefined)
        check(index, { analyzer }, `analyzer [${analyzer}] has not been configured in mappings (field [${name}])`);
    }
    const { normalizer } = field;
    if (normalizer !== undefined)
      check(index, { normalizer }, `normalizer [${normalizer}] not found for field [${name}]`);
  }
}

/** Throws ApiError 400 for an analyzer or normalizer of the index's settings that cannot be built. */
export function checkDeclared(index: Index): void {
  const { analyzer, normalizer } = index.definition.analysis;
  for (const name of Object.keys(analyzer)) index.analyze({ text: [""], analyzer: name });
  for (const name of Object.keys(normalizer)) index.analyze({ text: [""], normalizer: name });
}

function check(index: Index, named: { analyzer: string } | { normalizer: string }, reason: string): void {
  try {
    index.analyze({ text: [""], ...named });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "analysis_unknown") throw error;
    throw new ApiError(400, "mapper_parsing_exception", `Failed to parse mapping: ${reason}`, {
      causedBy: { type: "illegal_argument_exception", reason: error.message },
    });
  }
}

function* fieldsOf(properties: Record<string, FieldMapping | ObjectMapping>): Generator<[string, FieldMapping]> {
  for (const [name, entry] of Object.entries(properties)) {
    if (entry.type === "object") {
      yield* fieldsOf(entry.properties);
      continue;
    }
    yield [name, entry];
    if (entry.fields !== undefined) yield* fieldsOf(entry.fields);
  }
}
