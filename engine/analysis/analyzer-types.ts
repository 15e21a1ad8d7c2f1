import { EngineError } from "../errors.js";
import { type Analyzer, type Chain, chainAnalyzer, codeAnalyzer, standardAnalyzer } from "./analyzer.js";
import { lowercaseFilter, porterFilter, possessiveFilter, stopFilter, stopWordsOf } from "./filters.js";
import { type Parameters, readNumber, readStrings } from "./parameters.js";
import { checkParameters, unknownName } from "./parts.js";
import { ENGLISH_STOP_WORDS } from "./stop-words.js";
import type { CharFilter, TokenFilter, Tokenizer } from "./token.js";
import { TOKENIZERS, wantsLowercase } from "./tokenizers.js";

/** Types of analyzers: the built-in ones, and `custom`, which is made of parts by name. */
type AnalyzerType = (name: string, parameters: Parameters, parts: Parts) => Analyzer;

/** Resolves the names of an index's tokenizers and filters. */
export interface Parts {
  tokenizer(name: string): Tokenizer;
  filter(name: string): TokenFilter;
  charFilter(name: string): CharFilter;
}

const STOP_PARAMETERS = ["stopwords"];

/** Analyzers by type, with the parameters each knows. */
const ANALYZERS: Readonly<Record<string, { parameters: readonly string[]; make: AnalyzerType }>> = {
  standard: { parameters: [...STOP_PARAMETERS, "max_token_length"], make: makeStandard },
  simple: { parameters: [], make: (name) => chainAnalyzer(name, chainOf(TOKENIZERS.lowercase({}), [])) },
  whitespace: { parameters: [], make: (name) => chainAnalyzer(name, chainOf(TOKENIZERS.whitespace({}), [])) },
  keyword: { parameters: [], make: (name) => chainAnalyzer(name, chainOf(TOKENIZERS.keyword({}), [])) },
  stop: {
    parameters: STOP_PARAMETERS,
    make: (name, parameters) =>
      chainAnalyzer(name, chainOf(TOKENIZERS.lowercase({}), [stopFilter(stopWordsOf(parameters, ENGLISH_STOP_WORDS))])),
  },
  english: { parameters: STOP_PARAMETERS, make: makeEnglish },
  pattern: { parameters: [...STOP_PARAMETERS, "pattern", "flags", "lowercase"], make: makePattern },
  pinakes_code: { parameters: [], make: () => codeAnalyzer },
  custom: {
    parameters: ["tokenizer", "filter", "char_filter", "position_increment_gap"],
    make: makeCustom,
  },
};

function chainOf(tokenizer: Tokenizer, filters: readonly TokenFilter[]): Chain {
  return { charFilters: [], tokenizer, filters };
}

function makeStandard(name: string, parameters: Parameters): Analyzer {
  const words = stopWordsOf(parameters, []);
  if (words.size === 0 && parameters.max_token_length === undefined) return standardAnalyzer(name, [lowercaseFilter]);
  return chainAnalyzer(name, chainOf(TOKENIZERS.standard(parameters), [lowercaseFilter, stopFilter(words)]));
}

function makeEnglish(name: string, parameters: Parameters): Analyzer {
  const stop = stopFilter(stopWordsOf(parameters, ENGLISH_STOP_WORDS));
  return chainAnalyzer(name, chainOf(TOKENIZERS.standard({}), [possessiveFilter, lowercaseFilter, stop, porterFilter]));
}

function makePattern(name: string, parameters: Parameters): Analyzer {
  const filters = wantsLowercase(parameters) ? [lowercaseFilter] : [];
  const stop = stopFilter(stopWordsOf(parameters, []));
  return chainAnalyzer(name, chainOf(TOKENIZERS.pattern(parameters), [...filters, stop]));
}

function makeCustom(name: string, parameters: Parameters, parts: Parts): Analyzer {
  if (typeof parameters.tokenizer !== "string") {
    throw new EngineError("invalid_value", `analyzer [${name}] must specify either an analyzer type, or a tokenizer`, {
      analyzer: name,
    });
  }
  const chain: Chain = {
    charFilters: readStrings(parameters, "char_filter", []).map(parts.charFilter),
    tokenizer: parts.tokenizer(parameters.tokenizer),
    filters: readStrings(parameters, "filter", []).map(parts.filter),
  };
  return chainAnalyzer(name, chain, readNumber(parameters, "position_increment_gap", 100));
}

const builtIns = new Map<string, Analyzer>();

/** A built-in analyzer with its defaults, made once; undefined: there is none of this name. */
export function builtIn(name: string): Analyzer | undefined {
  if (name === "custom" || !Object.hasOwn(ANALYZERS, name)) return undefined;
  const made = builtIns.get(name) ?? ANALYZERS[name].make(name, {}, NO_PARTS);
  builtIns.set(name, made);
  return made;
}

const NO_PARTS: Parts = {
  tokenizer: (name) => {
    throw unknownName(`failed to find global tokenizer under [${name}]`, name);
  },
  filter: (name) => {
    throw unknownName(`failed to find global filter under [${name}]`, name);
  },
  charFilter: (name) => {
    throw unknownName(`failed to find global char_filter under [${name}]`, name);
  },
};

/** The analyzer of a definition. Throws analysis_unknown, invalid_value. */
export function makeAnalyzer(name: string, definition: Parameters, parts: Parts): Analyzer {
  const type = String(definition.type ?? "custom");
  if (!Object.hasOwn(ANALYZERS, type)) throw unknownName(`Unknown analyzer type [${type}] for [${name}]`, name);
  checkParameters("analyzer", name, definition, ANALYZERS[type].parameters);
  return ANALYZERS[type].make(name, definition, parts);
}
