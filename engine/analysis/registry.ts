import type { AnalyzedToken, AnalyzeRequest } from "../engine-types.js";
import { EngineError } from "../errors.js";
import type { AnalysisSettings, FieldMapping } from "../mapping/mapping.js";
import {
  type Analyzer,
  type Chain,
  chainAnalyzer,
  codeAnalyzer,
  type Normalizer,
  runChain,
  standardAnalyzer,
} from "./analyzer.js";
import { CHAR_FILTER_PARAMETERS, CHAR_FILTERS } from "./char-filters.js";
import {
  lowercaseFilter,
  NORMALIZER_FILTERS,
  porterFilter,
  possessiveFilter,
  stopFilter,
  stopWordsOf,
  TOKEN_FILTER_PARAMETERS,
  TOKEN_FILTERS,
} from "./filters.js";
import { type Parameters, readNumber, readStrings } from "./parameters.js";
import { ENGLISH_STOP_WORDS } from "./stop-words.js";
import type { CharFilter, Token, TokenFilter, Tokenizer } from "./token.js";
import { TOKENIZER_PARAMETERS, TOKENIZERS, wantsLowercase } from "./tokenizers.js";

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
  /** What `_analyze` shows; `fieldAnalyzer` resolves the request's `field`. */
  analyze(request: AnalyzeRequest, fieldAnalyzer?: (field: string) => Analyzer): AnalyzedToken[];
}

/** The settings of an index without analysis of its own. */
export const NO_ANALYSIS: AnalysisSettings = {
  analyzer: {},
  tokenizer: {},
  filter: {},
  charFilter: {},
  normalizer: {},
};

type AnalyzerType = (name: string, parameters: Parameters, parts: Parts) => Analyzer;

/** Resolves the names of an index's tokenizers and filters. */
interface Parts {
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

/** Refuses parameters that would be ignored. */
function checkParameters(what: string, name: string, parameters: Parameters, known: readonly string[]): void {
  for (const key of Object.keys(parameters)) {
    if (key === "type" || key === "version" || known.includes(key)) continue;
    throw new EngineError(
      "invalid_value",
      `${what} [${name}] has an unknown parameter [${key}]; known: ${known.join(", ") || "none"}`,
      { name, key },
    );
  }
}

function unknown(message: string, name: string): EngineError {
  return new EngineError("analysis_unknown", message, { name });
}

/** Types that Elasticsearch also knows under other names. */
const ALIASES: Readonly<Record<string, string>> = { nGram: "ngram", edgeNGram: "edge_ngram", htmlStrip: "html_strip" };

/** One kind of part: where its own definitions and its built-in types are. */
interface PartKind<T> {
  /** As Elasticsearch's messages name it. */
  what: string;
  own: Readonly<Record<string, Parameters>>;
  types: Readonly<Record<string, (parameters: Parameters) => T>>;
  parameters: Readonly<Record<string, readonly string[]>>;
}

function makePart<T>(kind: PartKind<T>, name: string, definition: Parameters): T {
  const written = String(definition.type ?? name);
  const type = ALIASES[written] ?? written;
  if (!Object.hasOwn(kind.types, type)) throw unknown(`Unknown ${kind.what} type [${written}] for [${name}]`, name);
  checkParameters(kind.what, name, definition, kind.parameters[type]);
  return kind.types[type](definition);
}

/** A part by name: the index's own, or a built-in one with its defaults. */
function findPart<T>(kind: PartKind<T>, name: string, missing: (name: string) => string): T {
  if (Object.hasOwn(kind.own, name)) return makePart(kind, name, kind.own[name]);
  const type = ALIASES[name] ?? name;
  if (Object.hasOwn(kind.types, type)) return kind.types[type]({});
  throw unknown(missing(name), name);
}

function kindsOf(settings: AnalysisSettings) {
  const tokenizer: PartKind<Tokenizer> = {
    what: "tokenizer",
    own: settings.tokenizer,
    types: TOKENIZERS,
    parameters: TOKENIZER_PARAMETERS,
  };
  const filter: PartKind<TokenFilter> = {
    what: "filter",
    own: settings.filter,
    types: TOKEN_FILTERS,
    parameters: TOKEN_FILTER_PARAMETERS,
  };
  const charFilter: PartKind<CharFilter> = {
    what: "char_filter",
    own: settings.charFilter,
    types: CHAR_FILTERS,
    parameters: CHAR_FILTER_PARAMETERS,
  };
  return { tokenizer, filter, charFilter };
}

/**
 * The registry of an index. Its own analyzers are made at once, so that a wrong definition fails here: throws
 * analysis_unknown for unknown names and types, invalid_value for wrong parameters.
 */
export function createAnalyzerRegistry(settings: AnalysisSettings = NO_ANALYSIS): AnalyzerRegistry {
  const kinds = kindsOf(settings);
  const analyzers = new Map<string, Analyzer>();
  const normalizers = new Map<string, Normalizer>();
  const missingIn = (owner: string, what: string) => (name: string) =>
    `analyzer [${owner}] failed to find ${what} under name [${name}]`;
  for (const kind of Object.values(kinds) as PartKind<unknown>[]) {
    for (const [name, definition] of Object.entries(kind.own)) makePart(kind, name, definition);
  }
  for (const [name, definition] of Object.entries(settings.analyzer)) {
    const parts: Parts = {
      tokenizer: (part) => findPart(kinds.tokenizer, part, missingIn(name, "tokenizer")),
      filter: (part) => findPart(kinds.filter, part, missingIn(name, "filter")),
      charFilter: (part) => findPart(kinds.charFilter, part, missingIn(name, "char_filter")),
    };
    analyzers.set(name, makeAnalyzer(name, definition, parts));
  }
  for (const [name, definition] of Object.entries({ lowercase: { filter: ["lowercase"] }, ...settings.normalizer })) {
    normalizers.set(name, makeNormalizer(name, definition, kinds));
  }
  const analyzer = (name: string): Analyzer => {
    const found = analyzers.get(name) ?? builtIn(name);
    if (found !== undefined) return found;
    throw unknown(`failed to find global analyzer [${name}]`, name);
  };
  const normalizer = (name: string): Normalizer => {
    const found = normalizers.get(name);
    if (found !== undefined) return found;
    throw unknown(`failed to find normalizer under [${name}]`, name);
  };
  const first = (...names: (string | undefined)[]) =>
    names.find(
      (name): name is string =>
        name !== undefined &&
        (analyzers.has(name) || builtIn(name) !== undefined || (name !== "default" && name !== "default_search")),
    );
  const indexAnalyzer = (field: FieldMapping) => analyzer(first(field.analyzer, "default", "standard")!);
  return {
    analyzer,
    normalizer,
    indexAnalyzer,
    searchAnalyzer: (field) =>
      analyzer(first(field.searchAnalyzer, field.analyzer, "default_search", "default", "standard")!),
    fieldNormalizer: (field) => (field.normalizer === undefined ? null : normalizer(field.normalizer)),
    analyze: (request, fieldAnalyzer) =>
      analyzeRequest(request, { analyzer, normalizer, kinds, indexAnalyzer, fieldAnalyzer }),
  };
}

const builtIns = new Map<string, Analyzer>();

function builtIn(name: string): Analyzer | undefined {
  if (name === "custom" || !Object.hasOwn(ANALYZERS, name)) return undefined;
  const made = builtIns.get(name) ?? ANALYZERS[name].make(name, {}, NO_PARTS);
  builtIns.set(name, made);
  return made;
}

const NO_PARTS: Parts = {
  tokenizer: (name) => {
    throw unknown(`failed to find global tokenizer under [${name}]`, name);
  },
  filter: (name) => {
    throw unknown(`failed to find global filter under [${name}]`, name);
  },
  charFilter: (name) => {
    throw unknown(`failed to find global char_filter under [${name}]`, name);
  },
};

function makeAnalyzer(name: string, definition: Parameters, parts: Parts): Analyzer {
  const type = String(definition.type ?? "custom");
  if (!Object.hasOwn(ANALYZERS, type)) throw unknown(`Unknown analyzer type [${type}] for [${name}]`, name);
  checkParameters("analyzer", name, definition, ANALYZERS[type].parameters);
  return ANALYZERS[type].make(name, definition, parts);
}

function makeNormalizer(name: string, definition: Parameters, kinds: ReturnType<typeof kindsOf>): Normalizer {
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
  const chain: Chain = { charFilters, tokenizer: TOKENIZERS.keyword({}), filters };
  return { name, normalize: (text) => runChain(chain, text)[0]?.term ?? "" };
}

interface AnalyzeContext {
  analyzer(name: string): Analyzer;
  normalizer(name: string): Normalizer;
  kinds: ReturnType<typeof kindsOf>;
  indexAnalyzer(field: FieldMapping): Analyzer;
  fieldAnalyzer?: (field: string) => Analyzer;
}

function analyzeRequest(request: AnalyzeRequest, context: AnalyzeContext): AnalyzedToken[] {
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
    TOKENIZERS.keyword({})(text).map((token) => ({ ...token, term: normalizer.normalize(text) }));
  return chainAnalyzer(normalizer.name, chainOf(tokenizer, []), 0);
}

/** A chain made on the spot; without a tokenizer the text stays whole. */
function adHocAnalyzer(request: AnalyzeRequest, { kinds }: AnalyzeContext): Analyzer {
  const part = <T>(kind: PartKind<T>, given: string | Record<string, unknown>): T =>
    typeof given === "string"
      ? findPart(kind, given, (name) => `failed to find global ${kind.what} under [${name}]`)
      : makePart(kind, "_anonymous_", given);
  const chain: Chain = {
    charFilters: (request.charFilter ?? []).map((given) => part(kinds.charFilter, given)),
    tokenizer: part(kinds.tokenizer, request.tokenizer ?? "keyword"),
    filters: (request.filter ?? []).map((given) => part(kinds.filter, given)),
  };
  return chainAnalyzer("_custom_", chain, 0);
}
