import { EngineError } from "../errors.js";
import { foldToAscii } from "./ascii-folding.js";
import { expandReplacement } from "./char-filters.js";
import { lowerCase, upperCase } from "./lower-case.js";
import { type Parameters, readBoolean, readNumber, readPattern, readStrings } from "./parameters.js";
import { porterStem } from "./porter-stem.js";
import { ENGLISH_STOP_WORDS } from "./stop-words.js";
import type { Token, TokenFilter, Tokens } from "./token.js";
import { codePointBounds } from "./tokenizers.js";
import { flattenGraph, wordDelimiter } from "./word-delimiter.js";

/** A filter that changes each term by itself. */
function eachTerm(change: (term: string) => string): TokenFilter {
  return (tokens) => {
    for (const token of tokens) token.term = change(token.term);
    return tokens;
  };
}

/** Drops tokens; the others keep their positions. */
function keepIf(test: (token: Token) => boolean): TokenFilter {
  return (tokens) => withTrailing(tokens.filter(test), tokens);
}

/** Says how many positions the tokens dropped from the end leave behind. */
function withTrailing(kept: Tokens, tokens: readonly Token[]): Tokens {
  const dropped = (tokens.at(-1)?.position ?? -1) - (kept.at(-1)?.position ?? -1);
  if (dropped > 0) kept.trailing = dropped;
  return kept;
}

/** The words a `stopwords` parameter means: a list, or `_english_` or `_none_`. */
export function stopWordsOf(parameters: Parameters, whenAbsent: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const word of readStrings(parameters, "stopwords", whenAbsent)) {
    if (word === "_english_") for (const english of ENGLISH_STOP_WORDS) words.add(english);
    else if (/^_[a-z]+_$/.test(word) && word !== "_none_") {
      throw new EngineError("analysis_unknown", `Unknown stop word list [${word}]: give the words themselves`, {
        word,
      });
    } else if (word !== "_none_") words.add(word);
  }
  return words;
}

/** Drops stop words. */
export function stopFilter(words: ReadonlySet<string>, ignoreCase = false): TokenFilter {
  if (!ignoreCase) return keepIf((token) => !words.has(token.term));
  const lowered = new Set([...words].map(lowerCase));
  return keepIf((token) => !lowered.has(lowerCase(token.term)));
}

/** A possessive `'s` cut off (EnglishPossessiveFilter). */
export const possessiveFilter: TokenFilter = eachTerm((term) => term.replace(/['\u2019\uff07][sS]$/, ""));
/** Porter's stem of each term. */
export const porterFilter: TokenFilter = eachTerm(porterStem);
/** Each term in lower case. */
export const lowercaseFilter: TokenFilter = eachTerm(lowerCase);

function lengthFilter(parameters: Parameters): TokenFilter {
  const min = readNumber(parameters, "min", 0);
  const max = readNumber(parameters, "max", 2 ** 31 - 1);
  return keepIf(({ term }) => term.length >= min && term.length <= max);
}

function uniqueFilter(parameters: Parameters): TokenFilter {
  const samePosition = readBoolean(parameters, "only_on_same_position", false);
  return (tokens) => {
    const seen = new Set<string>();
    // A token that is dropped takes its positions with it (Elasticsearch's UniqueTokenFilter).
    let lost = 0;
    let before = -1;
    return tokens.filter((token) => {
      const key = samePosition ? `${token.position}:${token.term}` : token.term;
      const increment = token.position - before;
      before = token.position;
      token.position -= lost;
      if (!seen.has(key)) return seen.add(key);
      lost += increment;
      return false;
    });
  };
}

/** Grams of each token, at its position and with its offsets (Lucene's NGramTokenFilter). */
function gramFilter(parameters: Parameters, edge: boolean): TokenFilter {
  const min = readNumber(parameters, "min_gram", 1);
  const max = readNumber(parameters, "max_gram", 2);
  const preserve = readBoolean(parameters, "preserve_original", false);
  if (min < 1 || max < min) {
    throw new EngineError(
      "invalid_value",
      `min_gram must be at least 1 and at most max_gram, but got [${min}] and [${max}]`,
    );
  }
  const shape = { min, max, preserve, edge };
  return (tokens) =>
    withTrailing(
      tokens.flatMap((token) => gramsOf(token, shape)),
      tokens,
    );
}

function gramsOf(token: Token, shape: { min: number; max: number; preserve: boolean; edge: boolean }): Token[] {
  const bounds = codePointBounds(token.term);
  const length = bounds.length - 1;
  const grams: Token[] = [];
  for (let start = 0; start < (shape.edge ? Math.min(1, length) : length); start++) {
    for (let size = shape.min; size <= shape.max && start + size <= length; size++) {
      grams.push({ ...token, term: token.term.slice(bounds[start], bounds[start + size]) });
    }
  }
  if (shape.preserve && (length < shape.min || length > shape.max)) grams.push(token);
  return grams;
}

function truncateFilter(parameters: Parameters): TokenFilter {
  const length = readNumber(parameters, "length", 10);
  return eachTerm((term) => term.slice(0, length));
}

function patternReplaceFilter(parameters: Parameters): TokenFilter {
  const pattern = readPattern(parameters, "", readBoolean(parameters, "all", true) ? "g" : "");
  const replacement = String(parameters.replacement ?? "");
  return eachTerm((term) => term.replace(pattern, (...args) => expandReplacement(replacement, matchOf(args))));
}

/** The match that String.replace hands to its callback as loose arguments. */
function matchOf(args: unknown[]): RegExpMatchArray {
  const groups = typeof args[args.length - 1] === "object" ? (args.pop() as Record<string, string>) : undefined;
  return Object.assign(args.slice(0, -2) as string[], { groups }) as RegExpMatchArray;
}

function foldingFilter(parameters: Parameters): TokenFilter {
  if (!readBoolean(parameters, "preserve_original", false)) return eachTerm(foldToAscii);
  return (tokens) =>
    tokens.flatMap((token) => {
      const term = foldToAscii(token.term);
      return term === token.term ? [token] : [{ ...token, term }, token];
    });
}

function stemmerFilter(parameters: Parameters): TokenFilter {
  const language = String(parameters.language ?? parameters.name ?? "english").toLowerCase();
  if (language === "english" || language === "porter") return porterFilter;
  if (language === "possessive_english") return possessiveFilter;
  throw new EngineError("analysis_unknown", `stemmer [${language}] is not there: english and possessive_english are`, {
    language,
  });
}

/** Token filters by type; each reads its parameters. */
export const TOKEN_FILTERS: Readonly<Record<string, (parameters: Parameters) => TokenFilter>> = {
  lowercase: () => lowercaseFilter,
  uppercase: () => eachTerm(upperCase),
  asciifolding: foldingFilter,
  stop: (parameters) =>
    stopFilter(stopWordsOf(parameters, ENGLISH_STOP_WORDS), readBoolean(parameters, "ignore_case", false)),
  trim: () => eachTerm((term) => term.trim()),
  length: lengthFilter,
  truncate: truncateFilter,
  unique: uniqueFilter,
  reverse: () => eachTerm((term) => [...term].reverse().join("")),
  ngram: (parameters) => gramFilter(parameters, false),
  edge_ngram: (parameters) => gramFilter(parameters, true),
  pattern_replace: patternReplaceFilter,
  porter_stem: () => porterFilter,
  stemmer: stemmerFilter,
  word_delimiter: (parameters) => wordDelimiter(parameters, "flat"),
  word_delimiter_graph: (parameters) => wordDelimiter(parameters, "graph"),
  flatten_graph: () => flattenGraph,
};

const GRAM_PARAMETERS = ["min_gram", "max_gram", "preserve_original"];
const DELIMITER_PARAMETERS = [
  "generate_word_parts",
  "generate_number_parts",
  "catenate_words",
  "catenate_numbers",
  "catenate_all",
  "split_on_case_change",
  "split_on_numerics",
  "preserve_original",
  "stem_english_possessive",
  "protected_words",
  "adjust_offsets",
];

/** Parameters that each filter knows. */
export const TOKEN_FILTER_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  lowercase: [],
  uppercase: [],
  asciifolding: ["preserve_original"],
  stop: ["stopwords", "ignore_case", "remove_trailing"],
  trim: [],
  length: ["min", "max"],
  truncate: ["length"],
  unique: ["only_on_same_position"],
  reverse: [],
  ngram: GRAM_PARAMETERS,
  edge_ngram: GRAM_PARAMETERS,
  pattern_replace: ["pattern", "replacement", "all", "flags"],
  porter_stem: [],
  stemmer: ["language", "name"],
  word_delimiter: DELIMITER_PARAMETERS,
  word_delimiter_graph: DELIMITER_PARAMETERS,
  flatten_graph: [],
};

/** Filters that a normalizer may use: those that look at characters only. */
export const NORMALIZER_FILTERS: ReadonlySet<string> = new Set([
  "lowercase",
  "uppercase",
  "asciifolding",
  "trim",
  "pattern_replace",
]);
