import { EngineError } from "../errors.js";
import type { FieldMapping, ObjectMapping } from "../mapping/mapping.js";
import type { AnalyzerRegistry } from "./registry.js";

type Properties = Record<string, FieldMapping | ObjectMapping>;

/** Throws mapping_invalid, in Elasticsearch's words, when a field names an analyzer or normalizer that is not there. */
export function checkMappingAnalysis(properties: Properties, registry: AnalyzerRegistry, prefix = ""): void {
  for (const [name, entry] of Object.entries(properties)) {
    const path = prefix + name;
    if (entry.type === "object") checkMappingAnalysis(entry.properties, registry, `${path}.`);
    else {
      checkField(entry, registry, path);
      checkMappingAnalysis(entry.fields ?? {}, registry, `${path}.`);
    }
  }
}

function checkField(field: FieldMapping, registry: AnalyzerRegistry, path: string): void {
  const refuse = (what: string, name: string | undefined, find: () => unknown) => {
    if (name === undefined) return;
    try {
      find();
    } catch (cause) {
      const message = `Failed to parse mapping: ${what} [${name}] has not been configured in mappings`;
      throw new EngineError("mapping_invalid", message, { field: path, name }, { cause });
    }
  };
  refuse("analyzer", field.analyzer, () => registry.indexAnalyzer(field));
  refuse("analyzer", field.searchAnalyzer, () => registry.searchAnalyzer(field));
  refuse("normalizer", field.normalizer, () => registry.fieldNormalizer(field));
}
