/**
 * What the extractor has to know of a language beyond its grammar.
 *
 * Captures of a query: `@<kind>` of `DeclarationKind` with a `@name` inside is a declaration, the earlier pattern wins
 * where two give the same range; `@scope` with a `@name` only lends its name to what lies in it (Rust's `impl`);
 * `@owner` names a container that does not enclose the declaration (Go's receiver); `@doc` is a docstring inside a body;
 * `@prefix` is an attribute or decorator that stands before its declaration; `@ref.call`, `@ref.import`,
 * `@ref.inherit`, `@ref.instantiate` are references; any other name only serves a predicate. Where a field repeats
 * (`var a, b int`) the pattern leaves its name out: the matcher stops after the first child with it.
 */
export interface LanguageRules {
  query: string;
  /** Node types that belong to the declaration they enclose: a decorated definition, an export. */
  wrappers: readonly string[];
  /** Node types that belong to it when it is all they hold: `const (...)`, `let a = ...`. */
  soleWrappers: readonly string[];
  /** Names of constructors; a method named so is one. */
  constructors: readonly string[];
  /** Marks that begin a line comment, longest first. */
  lineComments: readonly string[];
  /** Whether comments between slash-star and star-slash exist. */
  blockComments: boolean;
  /** Where there is no `new`: a call of a capitalised name is taken for an instantiation, and marked as a guess. */
  capitalCalls: "call" | "instantiate";
  /** Whether names in capitals are constants by convention. */
  capitalNames: "constant" | "variable";
  /** Whether a preprocessor may hide what is declared: see extract/c-macros.ts. */
  macros: "none" | "preprocessor";
}

/** Rules of a C-like language; a row states only what differs. */
export function rules(query: string, differences: Partial<LanguageRules> = {}): LanguageRules {
  return {
    query,
    wrappers: [],
    soleWrappers: [],
    constructors: [],
    lineComments: ["///", "//!", "//"],
    blockComments: true,
    capitalCalls: "call",
    capitalNames: "variable",
    macros: "none",
    ...differences,
  };
}
