import type { AnalysisExplanation, AnalyzedToken, AnalyzeRequest } from "../engine-types.js";
import { EngineError } from "../errors.js";
import type { AnalysisSettings, FieldMapping } from "../mapping/mapping.js";
import { analyzeRequest } from "./analyze.js";
import { type Analyzer, type Chain, type Normalizer, runChain } from "./analyzer.js";
import { builtIn, makeAnalyzer, type Parts } from "./analyzer-types.js";
import { explainRequest } from "./explain.js";
import { NORMALIZER_FILTERS, TOKEN_FILTERS } from "./filters.js";
import { type Parameters, readStrings } from "./parameters.js";
import { checkParameters, findPart, type Kinds, kindsOf, makePart, type PartKind, unknownName } from "./parts.js";
import { keywordTokens } from "./tokenizers.js";

/** All analyzers of an index: its own and the built-in ones. */
export interface AnalyzerRegistry {
  /** Throws analysis_unknown. */
  analyzer(name: string): Analyzer;
  /** Throws analysis_unknown. */
  normalizer(name: string): Normalizer;
  /** What a text field's values pass through when they are indexed; the index's `default` unless the field says. */
  indexAnalyzer(field: FieldMapping): Analyzer;
  /** What queries of a text field pass through; `default_search` of the index comes before its `default`. */
  searchAnalyzer(field: FieldMapping): Analyzer;
  /** A keyword field's normalizer, null where it has none. */
  fieldNormalizer(field: FieldMapping): Normalizer | null;
  /** What `_analyze` shows; `fieldOf` finds the index's fields by path, absent where there is no index. */
  analyze(request: AnalyzeRequest, fieldOf?: (path: string) => FieldMapping | undefined): AnalyzedToken[];
  /** The same part by part. */
  explain(request: AnalyzeRequest, fieldOf?: (path: string) => FieldMapping | undefined): AnalysisExplanation;
}

/** The settings of an index without analysis of its own. */
export const NO_ANALYSIS: AnalysisSettings = {
  analyzer: {},
  tokenizer: {},
  filter: {},
  charFilter: {},
  normalizer: {},
};

/**
 * The registry of an index. Its own analyzers are made at once, so that a wrong definition fails here: throws
 * analysis_unknown for unknown names and types, invalid_value for wrong parameters.
 */
export function createAnalyzerRegistry(settings: AnalysisSettings = NO_ANALYSIS): AnalyzerRegistry {
  const kinds = kindsOf(settings);
  for (const kind of Object.values(kinds) as PartKind<unknown>[]) {
    for (const [name, definition] of Object.entries(kind.own)) makePart(kind, name, definition);
  }
  const analyzers = ownAnalyzers(settings, kinds);
  const normalizers = ownNormalizers(settings, kinds);
  const find = (name: string) => analyzers.get(name) ?? builtIn(name === "default" ? "standard" : name);
  const analyzer = (name: string) => find(name) ?? fail(`failed to find global analyzer [${name}]`, name);
  const normalizer = (name: string) => normalizers.get(name) ?? fail(`failed to find normalizer under [${name}]`, name);
  const indexAnalyzer = (field: FieldMapping) => analyzer(field.analyzer ?? "default");
  const searchAnalyzer = (field: FieldMapping) => {
    if (field.searchAnalyzer !== undefined) return analyzer(field.searchAnalyzer);
    return field.analyzer === undefined ? (find("default_search") ?? analyzer("default")) : indexAnalyzer(field);
  };
  return {
    analyzer,
    normalizer,
    indexAnalyzer,
    searchAnalyzer,
    fieldNormalizer: (field) => (field.normalizer === undefined ? null : normalizer(field.normalizer)),
    analyze: (request, fieldOf) => analyzeRequest(request, { analyzer, normalizer, kinds, indexAnalyzer, fieldOf }),
    explain: (request, fieldOf) =>
      explainRequest(request, { analyzer, normalizer, kinds, indexAnalyzer, fieldOf, customOf: customOf(settings) }),
  };
}

/** Definitions of analyzers that are made of named parts. */
function customOf({ analyzer }: AnalysisSettings): (name: string) => Parameters | undefined {
  return (name) => {
    const definition: Parameters | undefined = Object.hasOwn(analyzer, name) ? analyzer[name] : undefined;
    return (definition?.type ?? "custom") === "custom" ? definition : undefined;
  };
}

function fail(message: string, name: string): never {
  throw unknownName(message, name);
}

function ownAnalyzers(settings: AnalysisSettings, kinds: Kinds): Map<string, Analyzer> {
  const made = new Map<string, Analyzer>();
  for (const [name, definition] of Object.entries(settings.analyzer)) {
    const missing = (what: string) => (part: string) =>
      `analyzer [${name}] failed to find ${what} under name [${part}]`;
    const parts: Parts = {
      tokenizer: (part) => findPart(kinds.tokenizer, part, missing("tokenizer")),
      filter: (part) => findPart(kinds.filter, part, missing("filter")),
      charFilter: (part) => findPart(kinds.charFilter, part, missing("char_filter")),
    };
    made.set(name, makeAnalyzer(name, definition, parts));
  }
  return made;
}

/** Normalizers by name; `lowercase` is built in. */
function ownNormalizers(settings: AnalysisSettings, kinds: Kinds): Map<string, Normalizer> {
  const definitions: Record<string, Parameters> = { lowercase: { filter: ["lowercase"] }, ...settings.normalizer };
  const made = Object.entries(definitions).map(
    ([name, definition]) => [name, makeNormalizer(name, definition, kinds)] as const,
  );
  return new Map(made);
}

function makeNormalizer(name: string, definition: Parameters, kinds: Kinds): Normalizer {
  checkParameters("normalizer", name, definition, ["filter", "char_filter"]);
  const missing = (what: string) => (part: string) =>
    `normalizer [${name}] failed to find ${what} under name [${part}]`;
  const filters = readStrings(definition, "filter", []).map((part) => {
    const type = String(kinds.filter.own[part]?.type ?? part);
    if (Object.hasOwn(TOKEN_FILTERS, type) && !NORMALIZER_FILTERS.has(type)) {
      throw new EngineError("invalid_value", `Custom normalizer [${name}] may not use filter [${part}]`, { name });
    }
    return findPart(kinds.filter, part, missing("filter"));
  });
  const charFilters = readStrings(definition, "char_filter", []).map((part) =>
    findPart(kinds.charFilter, part, missing("char_filter")),
  );
  const chain: Chain = { charFilters, tokenizer: keywordTokens, filters };
  return { name, normalize: (text) => runChain(chain, text)[0]?.term ?? "" };
}
