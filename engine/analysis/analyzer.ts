import { codeTokens } from "./code-analyzer.js";
import { standardTokens } from "./standard-tokenizer.js";
import type { CharFilter, FilteredText, TokenFilter, Tokenizer, Tokens } from "./token.js";

/** Turns texts into tokens. */
export interface Analyzer {
  readonly name: string;
  /**
   * How the write path may run it on bytes: by the kernel `tokenizeStandard` where the text is ASCII, by `analyzeCode`, or
   * by way of strings.
   */
  readonly path: "standard" | "code" | "strings";
  /** Positions between the values of an array, unless the field says. */
  readonly positionIncrementGap: number;
  tokens(text: string): Tokens;
}

/** Changes a keyword's value as a whole. */
export interface Normalizer {
  readonly name: string;
  normalize(text: string): string;
}

/** What an analyzer is made of. */
export interface Chain {
  charFilters: readonly CharFilter[];
  tokenizer: Tokenizer;
  filters: readonly TokenFilter[];
}

/** Runs a text through a chain. */
export function runChain(chain: Chain, text: string): Tokens {
  const { filtered, steps } = filterCharacters(chain.charFilters, text);
  // Corrected before filters run: they may cut terms but never move through the text.
  let tokens = correctOffsets(chain.tokenizer(filtered), steps);
  for (const filter of chain.filters) tokens = applyFilter(filter, tokens);
  return tokens;
}

/** The text after all of the filters, and after each. */
export function filterCharacters(
  filters: readonly CharFilter[],
  text: string,
): { filtered: string; steps: readonly FilteredText[] } {
  const steps: FilteredText[] = [];
  let filtered = text;
  for (const filter of filters) {
    const made = filter(filtered);
    steps.push(made);
    filtered = made.text;
  }
  return { filtered, steps };
}

/** Moves offsets in filtered text to where they are in the original. */
export function correctOffsets(tokens: Tokens, steps: readonly FilteredText[]): Tokens {
  for (const step of [...steps].reverse()) {
    for (const token of tokens) {
      token.start = step.correct(token.start);
      token.end = step.correct(token.end);
    }
  }
  return tokens;
}

/** One filter's work; positions that were dropped at the end are kept count of. */
export function applyFilter(filter: TokenFilter, tokens: Tokens): Tokens {
  const made = filter(tokens);
  if (made !== tokens && tokens.trailing !== undefined) made.trailing = (made.trailing ?? 0) + tokens.trailing;
  return made;
}

/** How many positions a value's tokens take, those of dropped ones included: the next value's count from there. */
export function endPosition(tokens: Tokens): number {
  return (tokens.at(-1)?.position ?? -1) + 1 + (tokens.trailing ?? 0);
}

/** An analyzer of a chain. */
export function chainAnalyzer(name: string, chain: Chain, positionIncrementGap = 100): Analyzer {
  return { name, path: "strings", positionIncrementGap, tokens: (text) => runChain(chain, text) };
}

/** Elasticsearch's default for texts. */
export function standardAnalyzer(name: string, filters: readonly TokenFilter[]): Analyzer {
  const chain: Chain = { charFilters: [], tokenizer: (text) => standardTokens(text), filters };
  return { name, path: "standard", positionIncrementGap: 100, tokens: (text) => runChain(chain, text) };
}

/** The analyzer of code. */
export const codeAnalyzer: Analyzer = {
  name: "pinakes_code",
  path: "code",
  positionIncrementGap: 100,
  tokens: codeTokens,
};

/** A token as queries want it: the exact indexed bytes. Offsets are UTF-16 units of the text. */
export interface QueryToken {
  term: Uint8Array;
  position: number;
  startOffset: number;
  endOffset: number;
}

/** Analyses a query's text; several tokens at one position are alternatives. */
export function analyzeQuery(analyzer: Analyzer, text: string): QueryToken[] {
  return analyzer.tokens(text).map((token) => ({
    term: Buffer.from(token.term, "utf8"),
    position: token.position,
    startOffset: token.start,
    endOffset: token.end,
  }));
}
