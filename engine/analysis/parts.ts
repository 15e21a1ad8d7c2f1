import { EngineError } from "../errors.js";
import type { AnalysisSettings } from "../mapping/mapping.js";
import { CHAR_FILTER_PARAMETERS, CHAR_FILTERS } from "./char-filters.js";
import { TOKEN_FILTER_PARAMETERS, TOKEN_FILTERS } from "./filters.js";
import type { Parameters } from "./parameters.js";
import type { CharFilter, TokenFilter, Tokenizer } from "./token.js";
import { TOKENIZER_PARAMETERS, TOKENIZERS } from "./tokenizers.js";

/** The parts of analyzers by name: an index's own definitions, then the built-in types with their defaults. */

/** Refuses parameters that would be ignored. */
export function checkParameters(what: string, name: string, parameters: Parameters, known: readonly string[]): void {
  for (const key of Object.keys(parameters)) {
    if (key === "type" || key === "version" || known.includes(key)) continue;
    throw new EngineError(
      "invalid_value",
      `${what} [${name}] has an unknown parameter [${key}]; known: ${known.join(", ") || "none"}`,
      { name, key },
    );
  }
}

/** The error of a name that means nothing. */
export function unknownName(message: string, name: string): EngineError {
  return new EngineError("analysis_unknown", message, { name });
}

/** Name of a part that a request defines on the spot. */
export const ANONYMOUS = "_anonymous_";

/** Types that Elasticsearch also knows under other names. */
const ALIASES: Readonly<Record<string, string>> = { nGram: "ngram", edgeNGram: "edge_ngram", htmlStrip: "html_strip" };

/** Built-in filters whose defaults differ from those of the same type with a definition. */
const FILTER_DEFAULTS: Readonly<Record<string, Parameters>> = { edge_ngram: { max_gram: 1 } };

/** One kind of part: where its own definitions and its built-in types are. */
export interface PartKind<T> {
  /** As Elasticsearch's messages name it. */
  what: string;
  own: Readonly<Record<string, Parameters>>;
  types: Readonly<Record<string, (parameters: Parameters) => T>>;
  parameters: Readonly<Record<string, readonly string[]>>;
}

/** The part that a definition describes. Throws analysis_unknown, invalid_value. */
export function makePart<T>(kind: PartKind<T>, name: string, definition: Parameters): T {
  const written = String(definition.type ?? name);
  const type = ALIASES[written] ?? written;
  if (!Object.hasOwn(kind.types, type)) throw unknownType(kind.what, written, name);
  checkParameters(kind.what, name, definition, kind.parameters[type]);
  return kind.types[type](definition);
}

/** A part by name: the index's own, or a built-in one with its defaults. */
export function findPart<T>(kind: PartKind<T>, name: string, missing: (name: string) => string): T {
  if (Object.hasOwn(kind.own, name)) return makePart(kind, name, kind.own[name]);
  const type = ALIASES[name] ?? name;
  if (Object.hasOwn(kind.types, type))
    return kind.types[type](kind.what === "filter" ? (FILTER_DEFAULTS[type] ?? {}) : {});
  throw unknownName(missing(name), name);
}

/** The three kinds of parts of an index. */
export interface Kinds {
  tokenizer: PartKind<Tokenizer>;
  filter: PartKind<TokenFilter>;
  charFilter: PartKind<CharFilter>;
}

/** Kinds with an index's own definitions. */
export function kindsOf(settings: AnalysisSettings): Kinds {
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

function unknownType(what: string, type: string, name: string): EngineError {
  if (name === ANONYMOUS) return unknownName(`failed to find global ${what} under [${type}]`, type);
  return unknownName(`Unknown ${what} type [${type}] for [${name}]`, name);
}
