/**
 * What the extractor has to know of a language beyond its grammar.
 *
 * Captures of a query: `@<kind>` of `DeclarationKind` with a `@name` inside is a declaration, the earlier pattern wins
 * where two give the same range; `@scope` with a `@name` only lends its name to what lies in it (Rust's `impl`);
 * `@route` has beside its `@name` what says its method, `@verb`, and the path it goes on from, `@base`;
 * `@reaches` marks a declaration that reaches to the next one so marked beside it, or to the end of what they stand in
 * (`namespace A;`); `@owner` names a container that does not enclose the declaration (Go's receiver); `@doc` is a docstring inside a body;
 * `@prefix` is an attribute or decorator that stands before its declaration, `@suffix` a body that stands beside it;
 * `@ref.call`, `@ref.import`, `@ref.inherit`, `@ref.instantiate` are references, and `@ref.imported` an import too: a
 * name taken out of a module; `@ref.none` is none whatever other patterns say, and of several at one place a call gives
 * way; `@embed` is text in another language; any other name only
 * serves a predicate. Where a field repeats (`var a, b int`) the pattern leaves its name out: the matcher stops after the
 * first child with it.
 */
export interface LanguageRules {
  query: string;
  /** Node types that belong to the declaration they enclose: a decorated definition, an export. */
  wrappers: readonly string[];
  /** Node types that belong to it when it is all they hold: `const (...)`, `let a = ...`. */
  soleWrappers: readonly string[];
  /** What a name may begin with that is no part of it: Ruby's `:name`, Rust's `r#match`. */
  nameMark: RegExp;
  /** By the type of a declaration's node, how it is named where its name says too little: `~$`, `$` for the name. */
  spelling: Readonly<Record<string, string>>;
  /** Names of constructors; a method named so is one. `NAMED_AS_CLASS`: it bears its class's name. */
  constructors: readonly string[];
  /** Marks that begin a line comment, longest first. */
  lineComments: readonly string[];
  /** What opens and closes a comment of several lines. */
  blockComments: readonly [open: string, close: string] | false;
  /** Where there is no `new`: a call of a capitalised name is taken for an instantiation, and marked as a guess. */
  capitalCalls: "call" | "instantiate";
  /** Whether names in capitals are constants by convention. */
  capitalNames: "constant" | "variable";
  /**
   * Whether a preprocessor may hide what is declared: see extract/c-macros.ts; C# has its conditionals alone.
   * `line ends`: its grammar needs line feeds where the language does not (Kotlin).
   */
  macros: "none" | "conditionals" | "preprocessor" | "line ends";
  /** Whether neighbours of one kind and name are one declaration: the clauses of a function by patterns. */
  clauses: "separate" | "merge";
  /** A container with more members than this keeps none of them: it is a list. */
  maxMembers: number;
}

/** In a row's `constructors`: a method is one when it is named as the class that holds it. */
export const NAMED_AS_CLASS = "(class)";

/** Rules of a C-like language; a row states only what differs. */
export function rules(query: string, differences: Partial<LanguageRules> = {}): LanguageRules {
  return {
    query,
    wrappers: [],
    soleWrappers: [],
    nameMark: /(?!)/,
    spelling: {},
    constructors: [],
    lineComments: ["///", "//!", "//"],
    blockComments: ["/*", "*/"],
    capitalCalls: "call",
    capitalNames: "variable",
    macros: "none",
    clauses: "separate",
    maxMembers: Number.MAX_SAFE_INTEGER,
    ...differences,
  };
}
