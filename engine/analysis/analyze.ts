import type { AnalyzedToken, AnalyzeRequest } from "../engine-types.js";
import type { FieldMapping } from "../mapping/mapping.js";
import { type Analyzer, type Chain, chainAnalyzer, type Normalizer } from "./analyzer.js";
import { builtIn } from "./analyzer-types.js";
import { ANONYMOUS, findPart, type Kinds, makePart, type PartKind } from "./parts.js";
import type { Token, Tokenizer } from "./token.js";
import { keywordTokens } from "./tokenizers.js";

/** What a request may name. */
export interface AnalyzeContext {
  analyzer(name: string): Analyzer;
  normalizer(name: string): Normalizer;
  kinds: Kinds;
  indexAnalyzer(field: FieldMapping): Analyzer;
  fieldAnalyzer?: (field: string) => Analyzer;
}

/** The tokens that `_analyze` shows; the texts follow each other as the values of an array do. */
export function analyzeRequest(request: AnalyzeRequest, context: AnalyzeContext): AnalyzedToken[] {
  const analyzer = analyzerOf(request, context);
  const out: AnalyzedToken[] = [];
  let firstPosition = 0;
  let firstOffset = 0;
  for (const text of request.text) {
    let last = firstPosition - 1;
    for (const token of analyzer.tokens(text)) {
      const shown = show(token, firstPosition, firstOffset);
      last = shown.position;
      out.push(shown);
    }
    firstPosition = last + 1 + analyzer.positionIncrementGap;
    firstOffset += text.length + 1;
  }
  return out;
}

function show(token: Token, firstPosition: number, firstOffset: number): AnalyzedToken {
  return {
    token: token.term,
    startOffset: firstOffset + token.start,
    endOffset: firstOffset + token.end,
    position: firstPosition + token.position,
    positionLength: token.positionLength,
    type: token.type,
  };
}

function analyzerOf(request: AnalyzeRequest, context: AnalyzeContext): Analyzer {
  if (request.analyzer !== undefined) {
    // Built-in analyzers of `_analyze` have no gap between texts; those of an index have.
    const found = context.analyzer(request.analyzer);
    return builtIn(request.analyzer) === found ? { ...found, positionIncrementGap: 0 } : found;
  }
  if (request.normalizer !== undefined) return normalizerAnalyzer(context.normalizer(request.normalizer));
  if (request.tokenizer !== undefined || request.filter !== undefined || request.charFilter !== undefined) {
    return adHocAnalyzer(request, context);
  }
  if (request.field !== undefined && context.fieldAnalyzer !== undefined) return context.fieldAnalyzer(request.field);
  return { ...context.indexAnalyzer({ type: "text" }), positionIncrementGap: 0 };
}

function normalizerAnalyzer(normalizer: Normalizer): Analyzer {
  const tokenizer: Tokenizer = (text) =>
    keywordTokens(text).map((token) => ({ ...token, term: normalizer.normalize(text) }));
  return chainAnalyzer(normalizer.name, { charFilters: [], tokenizer, filters: [] }, 0);
}

/** A chain made on the spot; without a tokenizer the text stays whole. */
function adHocAnalyzer(request: AnalyzeRequest, { kinds }: AnalyzeContext): Analyzer {
  const part = <T>(kind: PartKind<T>, given: string | Record<string, unknown>): T =>
    typeof given === "string"
      ? findPart(kind, given, (name) => `failed to find global ${kind.what} under [${name}]`)
      : makePart(kind, ANONYMOUS, given);
  const chain: Chain = {
    charFilters: (request.charFilter ?? []).map((given) => part(kinds.charFilter, given)),
    tokenizer: part(kinds.tokenizer, request.tokenizer ?? "keyword"),
    filters: (request.filter ?? []).map((given) => part(kinds.filter, given)),
  };
  return chainAnalyzer("_custom_", chain, 0);
}
