import type { DeclarationKind, FileClass, ReferenceKind } from "../documents.js";

/** Where something stands: a file as the index read it. */
export interface FileVersion {
  repo: string;
  path: string;
  language: string;
  class: FileClass;
  /** Git blob id of what the index read. */
  blob: string;
}

/** A declaration, as far as the graph of symbols needs it; lines are 1-based and inclusive. */
export interface SymbolDeclaration extends FileVersion {
  kind: DeclarationKind;
  name: string;
  qualifiedName: string;
  signature: string;
  startLine: number;
  endLine: number;
  /** Where it begins in the text, in UTF-8 bytes. */
  startByte: number;
  span: string;
  locator: string;
  /** Names that it inherits or implements. */
  supers: readonly string[];
}

/** A name used by a declaration, with all places where it is written. */
export interface SymbolReference extends FileVersion {
  kind: ReferenceKind;
  name: string;
  /** Qualified name of the declaration around it, empty at top level. */
  enclosing: string;
  /** Of each place, ascending; 1-based lines and UTF-8 bytes. */
  lines: readonly number[];
  startBytes: readonly number[];
}

/**
 * `exact`: by the rules of the language (see resolve.ts), only this declaration can be meant; `heuristic`: the name fits,
 * and so may others.
 */
export type Certainty = "exact" | "heuristic";

/** A declaration that a use of its name may mean. */
export interface Meaning {
  declaration: SymbolDeclaration;
  certainty: Certainty;
  /** Why it is ranked where it is: `same file`, `imported`, ... */
  why: string;
}

/** Kinds that other declarations inherit from or are instances of. */
export const TYPE_KINDS: ReadonlySet<DeclarationKind> = new Set<DeclarationKind>([
  ...(["class", "struct", "interface", "trait", "enum", "type", "module"] as const),
]);

/** Kinds that belong to a type, so that a bare name does not mean them. */
const MEMBER_KINDS: ReadonlySet<DeclarationKind> = new Set<DeclarationKind>([
  ...(["method", "constructor", "field", "property"] as const),
]);

/** Whether a declaration is a member of a type. */
export function isMember({ kind }: SymbolDeclaration): boolean {
  return MEMBER_KINDS.has(kind);
}

/** The container of a qualified name: `Server.start` gives `Server`, a bare name nothing. */
export function containerOf({ qualifiedName, name }: Pick<SymbolDeclaration, "qualifiedName" | "name">): string {
  return qualifiedName === name ? "" : qualifiedName.slice(0, -name.length - 1);
}

/** The folder of a path, empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
