import type { SymbolDeclaration } from "../model.js";
import type { Use, UseScope } from "../use.js";
import {
  around,
  atTop,
  bindingsOf,
  type Exact,
  inContainer,
  inFile,
  nearestFree,
  only,
  ownMembers,
  surelyIn,
  typesOf,
} from "./exact.js";

/**
 * Rust: a bare name is the item of the module around it, or what `use` binds it to; `self.f` and `Self::f` are members of
 * the type that the `impl` around it is for, `Type::f` those of a type of the file or an imported one, `module::f` that of
 * a module's file. Out of an inner module a name of the outer one is exact where `use super::*` brings it in.
 */
export function rustMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  const { receiver } = use;
  const own = inFile(use, possible);
  if (receiver.kind === "self") return only(ownMembers(use, scope, own), "member of the type around it");
  if (receiver.kind === "none") return bareMeaning(use, scope, possible);
  if (receiver.kind !== "name") return undefined;
  const last = receiver.name.split(".").at(-1)!;
  if (scope.mayBind(last)) return undefined;
  const [binding, ...others] = bindingsOf(scope, receiver.name);
  if (others.length > 0) return undefined;
  if (!binding) return receiver.name === last ? ofTypeAround(use, scope, own, last) : undefined;
  const there = possible.filter((one) => binding.isIn(one) === "exact");
  if (binding.name === "") return only(atTop(there), "in a named module");
  return only(inContainer(there, binding.name), "member of an imported type");
}

/** The member of the nearest type of a name: an inner module may have its own. */
function ofTypeAround(use: Use, scope: UseScope, own: readonly SymbolDeclaration[], type: string): Exact | undefined {
  const types = typesOf(scope);
  for (const container of around(use)) {
    const name = container === "" ? type : `${container}.${type}`;
    const found = inContainer(own, name);
    if (found.length > 0 || types.has(name)) return only(found, "member of a type of the file");
  }
  return undefined;
}

function bareMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  if (scope.mayBind(use.name)) return undefined;
  const [binding, ...others] = bindingsOf(scope, use.name);
  if (others.length > 0) return undefined;
  if (binding) return only(atTop(surelyIn(binding, possible)), "imported by name");
  const found = only(nearestFree(use, inFile(use, possible)), "the only one in scope in the file");
  const stars = scope.imports.filter(({ name }) => name === "*");
  const outer = found && isInOuterModule(use, scope, found.declaration);
  if (stars.some(({ alias }) => alias !== "super::*")) return undefined;
  return outer && stars.length === 0 ? undefined : found;
}

/** Whether a module of the file stands between a use and what its name would mean. */
function isInOuterModule(use: Use, scope: UseScope, declared: SymbolDeclaration): boolean {
  const modules = new Set(scope.containers.filter(({ kind }) => kind === "module").map((one) => one.qualifiedName));
  const inner = around(use).find((name) => modules.has(name));
  return inner !== undefined && !declared.qualifiedName.startsWith(`${inner}.`);
}
