import type { SymbolDeclaration } from "../model.js";
import type { Use, UseScope } from "../use.js";
import {
  atTop,
  bindingsOf,
  type Exact,
  hasStar,
  inContainer,
  inFile,
  nearestFree,
  only,
  ownMembers,
  surelyIn,
} from "./exact.js";

/**
 * Python: a bare name is the nested or module-level declaration around it, or what is imported under it from a module that
 * is there; `self.f` and `cls.f` are members of the class around it, `module.f` and `Class.f` those of what the name is
 * bound to. A file with `import *` has no exact bare names; a name defined twice has none either.
 */
export function pythonMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  const { receiver } = use;
  const own = inFile(use, possible);
  if (receiver.kind === "self") return only(ownMembers(use, scope, own), "member of the type around it");
  if (receiver.kind === "none") {
    if (scope.mayBind(use.name) || hasStar(scope)) return undefined;
    const [binding, ...others] = bindingsOf(scope, use.name);
    if (others.length > 0) return undefined;
    if (binding) return only(atTop(surelyIn(binding, possible)), "imported by name");
    return only(nearestFree(use, own), "the only one in scope in the file");
  }
  if (receiver.kind !== "name" || scope.mayBind(receiver.name.split(".")[0]!)) return undefined;
  const [binding, ...others] = bindingsOf(scope, receiver.name);
  if (others.length > 0) return undefined;
  if (!binding) return only(inContainer(own, receiver.name), "member of a type of the file");
  const there = possible.filter((one) => binding.isIn(one) === "exact");
  if (binding.name === "") return only(atTop(there), "in an imported module");
  return only(inContainer(there, binding.name), "member of an imported type");
}
