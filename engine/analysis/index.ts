/**
 * From texts to tokens: analyzers, built in and made from settings, normalizers, and what `_analyze` shows. Knows
 * nothing of fields' storage. Start reading at analyzer.ts, then registry.ts; the write path's forms on bytes are the
 * kernel `tokenizeStandard` and code-analyzer.ts.
 */
export {
  type Analyzer,
  analyzeQuery,
  codeAnalyzer,
  endPosition,
  type Normalizer,
  type QueryToken,
} from "./analyzer.js";
export { stripHtml } from "./char-filters.js";
export { checkMappingAnalysis } from "./check-mapping.js";
export { analyzeCode, type TokenSink, WIDE_TEXT, writeTerm } from "./code-analyzer.js";
export { completionKey, completionOptions, completionTerm, readCompletionTerm } from "./completion.js";
export { lowerCase, upperCase } from "./lower-case.js";
export { type AnalyzerRegistry, createAnalyzerRegistry, NO_ANALYSIS } from "./registry.js";
export type { Token } from "./token.js";
