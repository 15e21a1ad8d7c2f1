import type { SymbolDeclaration } from "../model.js";
import { moduleAlias } from "../receiver.js";
import type { Use, UseScope } from "../use.js";
import {
  atTop,
  bindingsOf,
  type Exact,
  inContainer,
  inFile,
  nearestFree,
  only,
  ownMembers,
  surelyIn,
} from "./exact.js";

/**
 * JavaScript and TypeScript: a bare name is the nested or file-level declaration around it, or what is imported under it
 * from a file that is there; `this.f` is the member of the class around it; `ns.f` a member of a module imported whole;
 * `Class.f` the member of a class that is declared in the file or imported. Signatures of overloads are one symbol.
 */
export function ecmascriptMeaning(
  use: Use,
  scope: UseScope,
  possible: readonly SymbolDeclaration[],
): Exact | undefined {
  const { receiver } = use;
  const own = inFile(use, possible);
  if (receiver.kind === "self") return only(ownMembers(use, scope, own), "member of the type around it", "one symbol");
  if (receiver.kind === "none") {
    if (scope.mayBind(use.name)) return undefined;
    const [binding, ...others] = bindingsOf(scope, use.name);
    if (others.length > 0) return undefined;
    if (binding) return only(atTop(surelyIn(binding, possible)), "imported by name", "one symbol");
    return only(nearestFree(use, own), "the only one in scope in the file", "one symbol");
  }
  if (receiver.kind === "module") {
    const bound = bindingsOf(scope, moduleAlias(receiver.module)).flatMap((one) => surelyIn(one, possible));
    return only(atTop(bound), "in a module loaded here", "one symbol");
  }
  if (receiver.kind !== "name" || receiver.name.includes(".") || scope.mayBind(receiver.name)) return undefined;
  const [binding, ...others] = bindingsOf(scope, receiver.name);
  if (others.length > 0) return undefined;
  if (!binding) return only(inContainer(own, receiver.name), "member of a type of the file", "one symbol");
  const there = possible.filter((one) => binding.isIn(one) === "exact");
  if (binding.name === "") return only(atTop(there), "in a module imported whole", "one symbol");
  return only(inContainer(there, binding.name), "member of an imported type", "one symbol");
}
