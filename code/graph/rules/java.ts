import { containerOf, folderOf, isMember, type SymbolDeclaration } from "../model.js";
import type { Use, UseScope } from "../use.js";
import {
  around,
  atTop,
  bindingsOf,
  type Exact,
  hasStar,
  inContainer,
  inFile,
  nearestFree,
  only,
  surelyIn,
  typesOf,
} from "./exact.js";

/**
 * Java: a type is the one declared in the file, imported by name, or of the same package (folder); a method called bare or
 * by `this` is that of the class around it, by `Class.f` that of the class, where it is declared once and nothing is
 * inherited that could hold an overload.
 */
export function javaMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  if (use.kind === "instantiate" || use.kind === "inherit" || use.kind === "type")
    return typeMeaning(use, scope, possible);
  const { receiver } = use;
  const own = inFile(use, possible);
  if (receiver.kind === "none" || receiver.kind === "self") {
    if (inherits(use, scope) || isInUnnamedClass(use, scope, own)) return undefined;
    const member = only(membersAround(use, scope, own), "member of the type around it");
    if (member || receiver.kind === "self") return member;
    const [binding, ...others] = bindingsOf(scope, use.name);
    if (!binding || others.length > 0) return undefined;
    return only(
      possible.filter((one) => binding.isIn(one) === "exact"),
      "imported by name",
    );
  }
  if (receiver.kind !== "name" || receiver.name.includes(".") || scope.mayBind(receiver.name)) return undefined;
  const [binding] = bindingsOf(scope, receiver.name);
  const home = binding
    ? possible.filter((one) => binding.isIn(one) === "exact")
    : [...own, ...samePackage(use, possible)];
  return only(inContainer(home, receiver.name), "member of a named type");
}

/**
 * Whether a use stands in a class without a name, which inherits what is not seen here: in one of its methods, or perhaps
 * in a method beside which such a class declares the name.
 */
function isInUnnamedClass(use: Use, scope: UseScope, own: readonly SymbolDeclaration[]): boolean {
  const types = typesOf(scope);
  if (use.enclosing === "" || types.has(use.enclosing)) return false;
  const [, container = ""] = around(use);
  return !types.has(container) || own.some((one) => isMember(one) && containerOf(one) === use.enclosing);
}

/** Members of the innermost type around a use that has any: a class sees what the classes around it have. */
function membersAround(use: Use, scope: UseScope, own: readonly SymbolDeclaration[]): SymbolDeclaration[] {
  const types = typesOf(scope);
  const found = around(use)
    .filter((container) => types.has(container))
    .map((container) => inContainer(own.filter(isMember), container));
  return found.find((members) => members.length > 0) ?? [];
}

function typeMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  if (use.receiver.kind !== "none") return undefined;
  const types = possible.filter(({ kind }) => kind !== "constructor");
  const own = only(nearestFree(use, inFile(use, types)), "the only one in scope in the file");
  if (own) return own;
  const [binding, ...others] = bindingsOf(scope, use.name);
  if (others.length > 0) return undefined;
  if (binding) return only(atTop(surelyIn(binding, types)), "imported by name");
  return hasStar(scope) ? undefined : only(atTop(samePackage(use, types)), "the only one in the package");
}

function samePackage(use: Use, possible: readonly SymbolDeclaration[]): SymbolDeclaration[] {
  return possible.filter(
    ({ repo, path }) => repo === use.repo && path !== use.path && folderOf(path) === folderOf(use.path),
  );
}

/** Whether a type around the use inherits anything. */
function inherits(use: Use, scope: UseScope): boolean {
  const names = new Set(around(use));
  return scope.containers.some(({ qualifiedName, supers }) => names.has(qualifiedName) && supers.length > 0);
}
