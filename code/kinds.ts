import type { DeclarationKind, FileClass } from "./documents.js";

/** Every kind of declaration, those that name something first. */
export const DECLARATION_KINDS = [
  "function",
  "method",
  "constructor",
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "module",
  "namespace",
  "constant",
  "variable",
  "field",
  "property",
  "type",
  "macro",
  "test",
  "route",
  "section",
  "window",
] as const satisfies readonly DeclarationKind[];

/** Kinds that hold text of no declaration: a heading's section, a run of lines. */
export const TEXT_KINDS = ["section", "window"] as const satisfies readonly DeclarationKind[];

/** Kinds that people look for by name, ranked above fields and variables. */
export const LEADING_KINDS = [
  "function",
  "method",
  "constructor",
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "macro",
  "route",
] as const satisfies readonly DeclarationKind[];

/** Every class of file. */
export const FILE_CLASSES = [
  "source",
  "test",
  "vendored",
  "generated",
  "build",
  "config",
  "docs",
  "data",
] as const satisfies readonly FileClass[];

/** Classes whose definitions are rarely the ones meant. */
export const SECONDARY_CLASSES = ["test", "vendored", "generated", "build"] as const satisfies readonly FileClass[];

// Adding a kind or class to documents.ts without a row here does not compile.
type Missing =
  | Exclude<DeclarationKind, (typeof DECLARATION_KINDS)[number]>
  | Exclude<FileClass, (typeof FILE_CLASSES)[number]>;
const _complete: Missing extends never ? true : never = true;
void _complete;
