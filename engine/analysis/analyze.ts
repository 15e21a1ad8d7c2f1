import type { AnalyzedToken, AnalyzeRequest } from "../engine-types.js";
import { EngineError } from "../errors.js";
import type { FieldMapping } from "../mapping/mapping.js";
import { type Analyzer, type Chain, chainAnalyzer, endPosition, type Normalizer } from "./analyzer.js";
import { ANONYMOUS, findPart, type Kinds, makePart, type PartKind } from "./parts.js";
import type { Token, Tokenizer } from "./token.js";
import { keywordTokens } from "./tokenizers.js";

/** What a request may name. */
export interface AnalyzeContext {
  analyzer(name: string): Analyzer;
  normalizer(name: string): Normalizer;
  kinds: Kinds;
  indexAnalyzer(field: FieldMapping): Analyzer;
  /** The index's fields by path; absent where there is no index. */
  fieldOf?: (path: string) => FieldMapping | undefined;
}

/** The tokens that `_analyze` shows; the texts follow each other as the values of an array do. */
export function analyzeRequest(request: AnalyzeRequest, context: AnalyzeContext): AnalyzedToken[] {
  const analyzer = analyzerOf(request, context);
  const out: AnalyzedToken[] = [];
  let firstPosition = 0;
  let firstOffset = 0;
  for (const text of request.text) {
    const tokens = analyzer.tokens(text);
    for (const token of tokens) out.push(show(token, firstPosition, firstOffset));
    firstPosition += endPosition(tokens) + analyzer.positionIncrementGap;
    firstOffset += text.length + 1;
  }
  return out;
}

/** A token of a text that others come before. */
export function show(token: Token, firstPosition: number, firstOffset: number): AnalyzedToken {
  return {
    token: token.term,
    startOffset: firstOffset + token.start,
    endOffset: firstOffset + token.end,
    position: firstPosition + token.position,
    positionLength: token.positionLength,
    type: token.type,
  };
}

/** The analyzer that a request means. Throws analysis_unknown, invalid_value. */
export function analyzerOf(request: AnalyzeRequest, context: AnalyzeContext): Analyzer {
  if (request.analyzer !== undefined) {
    const found = context.analyzer(request.analyzer);
    return context.fieldOf === undefined ? withGap(found, 0) : found;
  }
  if (request.normalizer !== undefined) return normalizerAnalyzer(context.normalizer(request.normalizer));
  if (request.tokenizer !== undefined || request.filter !== undefined || request.charFilter !== undefined) {
    return adHocAnalyzer(request, context);
  }
  const field = request.field === undefined ? undefined : context.fieldOf?.(request.field);
  if (field !== undefined) return fieldAnalyzer(request.field as string, field, context);
  const found = context.indexAnalyzer({ type: "text" });
  return context.fieldOf === undefined ? withGap(found, 0) : found;
}

/** Analyzers of an index have a gap between texts, those of the node have none. */
function withGap(analyzer: Analyzer, positionIncrementGap: number): Analyzer {
  return { ...analyzer, positionIncrementGap };
}

/** What a field's values pass through when they are indexed. Throws invalid_value for what is neither text nor keyword. */
function fieldAnalyzer(path: string, field: FieldMapping, context: AnalyzeContext): Analyzer {
  if (field.type === "text") {
    const found = context.indexAnalyzer(field);
    return withGap(found, field.positionIncrementGap ?? found.positionIncrementGap);
  }
  if (field.type !== "keyword") {
    const message = `Can't process field [${path}], Analysis requests are only supported on tokenized fields`;
    throw new EngineError("invalid_value", message, { field: path });
  }
  if (field.normalizer !== undefined) return normalizerAnalyzer(context.normalizer(field.normalizer));
  return withGap(context.analyzer("keyword"), 0);
}

function normalizerAnalyzer(normalizer: Normalizer): Analyzer {
  const tokenizer: Tokenizer = (text) =>
    keywordTokens(text).map((token) => ({ ...token, term: normalizer.normalize(text) }));
  return chainAnalyzer(normalizer.name, { charFilters: [], tokenizer, filters: [] }, 0);
}

/** A chain made on the spot; without a tokenizer the text stays whole. */
function adHocAnalyzer(request: AnalyzeRequest, { kinds }: AnalyzeContext): Analyzer {
  const chain: Chain = {
    charFilters: (request.charFilter ?? []).map((given) => partOf(kinds.charFilter, given)),
    tokenizer: partOf(kinds.tokenizer, request.tokenizer ?? "keyword"),
    filters: (request.filter ?? []).map((given) => partOf(kinds.filter, given)),
  };
  return chainAnalyzer("_custom_", chain);
}

/** A part by name, or made on the spot. */
export function partOf<T>(kind: PartKind<T>, given: string | Record<string, unknown>): T {
  return typeof given === "string"
    ? findPart(kind, given, (name) => `failed to find global ${kind.what} under [${name}]`)
    : makePart(kind, ANONYMOUS, given);
}
