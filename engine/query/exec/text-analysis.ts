/** How an index turns text into terms, as queries and highlighting need it. */
import { type Analyzer, type AnalyzerRegistry, analyzeQuery, lowerCase } from "../../analysis/index.js";
import type { Field } from "../../mapping/field-table.js";

/** One analysed word. Offsets are UTF-16 units into the text; positions count from 0 and never descend. */
export interface TextToken {
  term: Uint8Array;
  position: number;
  start: number;
  end: number;
}

/** Turns texts into terms by an index's analyzers. */
export interface TextAnalysis {
  /** Terms of query text by the named analyzer, else by the field's search analyzer. Throws `analysis_unknown`. */
  queryTokens(field: Field, text: string, analyzer: string | undefined): TextToken[];
  /** Terms as the field's values are indexed; for highlighting. */
  indexTokens(field: Field, text: string): TextToken[];
  /** Exact values and patterns brought into the indexed form: a keyword's normalizer, the case folding of a text's analyzer. */
  normalize(field: Field, text: string): string;
}

/** The analysis of an index by its analyzers. */
export function textAnalysis(analyzers: AnalyzerRegistry): TextAnalysis {
  return {
    queryTokens: (field, text, name) =>
      tokens(name === undefined ? analyzers.searchAnalyzer(field.mapping) : analyzers.analyzer(name), text),
    indexTokens: (field, text) =>
      field.type === "text"
        ? tokens(analyzers.indexAnalyzer(field.mapping), text)
        : [{ term: keywordTerm(analyzers, field, text), position: 0, start: 0, end: text.length }],
    normalize: (field, text) => normalize(analyzers, field, text),
  };
}

function tokens(analyzer: Analyzer, text: string): TextToken[] {
  return analyzeQuery(analyzer, text).map((token) => ({
    term: token.term,
    position: token.position,
    start: token.startOffset,
    end: token.endOffset,
  }));
}

function keywordTerm(analyzers: AnalyzerRegistry, field: Field, text: string): Uint8Array {
  return Buffer.from(normalize(analyzers, field, text), "utf8");
}

function normalize(analyzers: AnalyzerRegistry, field: Field, text: string): string {
  if (field.type !== "text") return analyzers.fieldNormalizer(field.mapping)?.normalize(text) ?? text;
  // Patterns pass through what an analyzer does to letters, not through its cutting: asked by example.
  const [probe] = analyzers.searchAnalyzer(field.mapping).tokens("A1");
  return probe?.term.startsWith("a") ? lowerCase(text) : text;
}
