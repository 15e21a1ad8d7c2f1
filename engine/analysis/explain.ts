/** What each part of an analyzer makes of texts: `_analyze` with `explain`. */
import type { AnalysisExplanation, AnalyzedToken, AnalyzeRequest } from "../engine-types.js";
import type { FieldMapping } from "../mapping/mapping.js";
import { type AnalyzeContext, analyzerOf, partOf, show } from "./analyze.js";
import { applyFilter, correctOffsets, endPosition, filterCharacters } from "./analyzer.js";
import { type Parameters, readNumber, readStrings } from "./parameters.js";
import type { CharFilter, TokenFilter, Tokenizer, Tokens } from "./token.js";

/** Also knows which analyzers of the index are made of named parts. */
export interface ExplainContext extends AnalyzeContext {
  customOf(name: string): Parameters | undefined;
}

type Given = string | Record<string, unknown>;

interface Named<T> {
  readonly name: string;
  readonly part: T;
}

/** A chain whose parts are known by name. */
interface NamedChain {
  readonly charFilters: readonly Named<CharFilter>[];
  readonly tokenizer: Named<Tokenizer>;
  readonly filters: readonly Named<TokenFilter>[];
  readonly positionIncrementGap: number;
}

/** The tokens after each part; of an analyzer that is not made of parts, only its own. Throws as `analyzeRequest`. */
export function explainRequest(request: AnalyzeRequest, context: ExplainContext): AnalysisExplanation {
  const custom = customParts(request, context);
  if (custom !== undefined) return explainChain(request.text, chainOf(custom, context));
  const analyzer = analyzerOf(request, context);
  const gathered = gather(analyzer.positionIncrementGap);
  for (const text of request.text) gathered.add(analyzer.tokens(text), text);
  return { analyzer: { name: nameOf(request, context) ?? analyzer.name, tokens: gathered.tokens } };
}

/** What parts are asked for: on the spot, by an analyzer of the index, or by the field's. */
function customParts(request: AnalyzeRequest, context: ExplainContext): Parameters | undefined {
  const { analyzer, normalizer, tokenizer, filter, charFilter } = request;
  if (analyzer === undefined && normalizer === undefined) {
    if (tokenizer !== undefined || filter !== undefined || charFilter !== undefined) {
      return { tokenizer: tokenizer ?? "keyword", filter: filter ?? [], char_filter: charFilter ?? [] };
    }
  }
  const name = nameOf(request, context);
  return name === undefined ? undefined : context.customOf(name);
}

function nameOf({ analyzer, field }: AnalyzeRequest, { fieldOf }: ExplainContext): string | undefined {
  if (analyzer !== undefined) return analyzer;
  const mapping: FieldMapping | undefined = field === undefined ? undefined : fieldOf?.(field);
  return mapping?.type === "text" ? (mapping.analyzer ?? "default") : undefined;
}

function chainOf(parts: Parameters, { kinds }: ExplainContext): NamedChain {
  const list = (key: string): readonly Given[] =>
    Array.isArray(parts[key]) ? (parts[key] as Given[]) : readStrings(parts, key, []);
  const tokenizer = parts.tokenizer as Given;
  return {
    charFilters: list("char_filter").map((given) => ({ name: partName(given), part: partOf(kinds.charFilter, given) })),
    tokenizer: { name: partName(tokenizer), part: partOf(kinds.tokenizer, tokenizer) },
    filters: list("filter").map((given) => ({ name: partName(given), part: partOf(kinds.filter, given) })),
    positionIncrementGap: readNumber(parts, "position_increment_gap", 100),
  };
}

/** Parts made on the spot are called after their type, as in Elasticsearch. */
function partName(given: Given): string {
  return typeof given === "string" ? given : `__anonymous__${String(given.type)}`;
}

function explainChain(texts: readonly string[], chain: NamedChain): AnalysisExplanation {
  const stages = chain.charFilters.map(({ name }) => ({ name, texts: [] as string[] }));
  const tokenizer = gather(chain.positionIncrementGap);
  const filters = chain.filters.map(() => gather(chain.positionIncrementGap));
  for (const text of texts) {
    const { filtered, steps } = filterCharacters(
      chain.charFilters.map(({ part }) => part),
      text,
    );
    for (const [at, stage] of stages.entries()) stage.texts.push(steps[at].text);
    let tokens = correctOffsets(chain.tokenizer.part(filtered), steps);
    tokenizer.add(tokens, text);
    for (const [at, { part }] of chain.filters.entries()) {
      tokens = applyFilter(part, tokens);
      filters[at].add(tokens, text);
    }
  }
  return {
    charFilters: stages,
    tokenizer: { name: chain.tokenizer.name, tokens: tokenizer.tokens },
    filters: chain.filters.map(({ name }, at) => ({ name, tokens: filters[at].tokens })),
  };
}

/** Tokens of texts that follow each other as the values of an array do. */
function gather(gap: number): { readonly tokens: AnalyzedToken[]; add(tokens: Tokens, text: string): void } {
  const shown: AnalyzedToken[] = [];
  let firstPosition = 0;
  let firstOffset = 0;
  return {
    tokens: shown,
    add(tokens, text) {
      for (const token of tokens) shown.push(show(token, firstPosition, firstOffset));
      firstPosition += endPosition(tokens) + gap;
      firstOffset += text.length + 1;
    },
  };
}
