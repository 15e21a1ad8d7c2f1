import { containerOf, isMember, type SymbolDeclaration } from "../model.js";
import type { ResolvedImport, Use, UseScope } from "../use.js";

/** A meaning that the language leaves no choice about, and which rule says so. */
export interface Exact {
  declaration: SymbolDeclaration;
  why: string;
}

/** Whether several declarations of one name in one file are one: signatures before a body, prototypes. */
export type Repeats = "one symbol" | "several";

/** The only declaration of a list, undefined when there are several or none. */
export function only(
  declared: readonly SymbolDeclaration[],
  why: string,
  repeats: Repeats = "several",
): Exact | undefined {
  const [first, ...others] = declared;
  if (first === undefined) return undefined;
  const isSame = (one: SymbolDeclaration) =>
    repeats === "one symbol" &&
    one.path === first.path &&
    one.qualifiedName === first.qualifiedName &&
    one.kind === first.kind;
  if (!others.every(isSame)) return undefined;
  // The one with the body is the last and the longest.
  const longest = [...declared].sort((a, b) => b.endLine - b.startLine - (a.endLine - a.startLine))[0]!;
  return { declaration: longest, why };
}

/** Declarations of the file of a use. */
export function inFile(use: Use, possible: readonly SymbolDeclaration[]): SymbolDeclaration[] {
  return possible.filter(({ repo, path }) => repo === use.repo && path === use.path);
}

/** Declarations outside of any container. */
export function atTop(possible: readonly SymbolDeclaration[]): SymbolDeclaration[] {
  return possible.filter((one) => containerOf(one) === "");
}

/** Declarations in a container of this name. */
export function inContainer(possible: readonly SymbolDeclaration[], container: string): SymbolDeclaration[] {
  return possible.filter((one) => containerOf(one) === container);
}

/** Containers around a use, the innermost first, the file itself last as the empty name. */
export function around(use: Use): string[] {
  const parts = use.enclosing === "" ? [] : use.enclosing.split(".");
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join(".")), ""];
}

/** The innermost declarations around a use that are no members: nested functions, then those of the file. */
export function nearestFree(use: Use, declared: readonly SymbolDeclaration[]): SymbolDeclaration[] {
  const free = declared.filter((one) => !isMember(one));
  for (const container of around(use)) {
    const found = inContainer(free, container);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Members of what is around a use: of the innermost container that has any, and of none beyond the type around it, which
 * inherits what it does not declare.
 */
export function ownMembers(use: Use, scope: UseScope, declared: readonly SymbolDeclaration[]): SymbolDeclaration[] {
  const members = declared.filter(isMember);
  const types = typesOf(scope);
  for (const container of around(use)) {
    const found = container === "" ? [] : inContainer(members, container);
    if (found.length > 0 || types.has(container)) return found;
  }
  return [];
}

/** Qualified names of the types and modules that a file declares. */
export function typesOf({ containers }: UseScope): Set<string> {
  return new Set(containers.map(({ qualifiedName }) => qualifiedName));
}

/** Imports that bind a name. */
export function bindingsOf(scope: UseScope, alias: string): ResolvedImport[] {
  return scope.imports.filter((one) => one.alias === alias && one.name !== "*");
}

/** Whether the file takes in all that some module has, under names that are not written. */
export function hasStar(scope: UseScope): boolean {
  return scope.imports.some(({ name }) => name === "*");
}

/** Declarations that an import surely leads to. */
export function surelyIn(binding: ResolvedImport, declared: readonly SymbolDeclaration[]): SymbolDeclaration[] {
  return declared.filter((one) => binding.isIn(one) === "exact" && (binding.name === "" || one.name === binding.name));
}
