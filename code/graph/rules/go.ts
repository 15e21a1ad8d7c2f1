import { folderOf, type SymbolDeclaration } from "../model.js";
import type { Use, UseScope } from "../use.js";
import { around, atTop, bindingsOf, type Exact, hasStar, inContainer, only } from "./exact.js";

/**
 * Go: a bare name is the package's, and a package is the files of one folder; `pkg.F` is that of an imported package whose
 * module is known by its `go.mod`; a method called on its own receiver is that type's. What build constraints give twice
 * has no exact meaning, and neither have methods of other values: their types are not known.
 */
export function goMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  const { receiver } = use;
  const here = possible.filter(({ repo, path }) => repo === use.repo && folderOf(path) === folderOf(use.path));
  const inPackage = use.class === "test" ? here : here.filter((one) => one.class !== "test");
  if (receiver.kind === "none") {
    if (scope.mayBind(use.name) || hasStar(scope)) return undefined;
    return only(atTop(inPackage), "the only one in the package");
  }
  if (receiver.kind === "self") {
    const type = around(use).find((name) => name !== "" && name !== use.enclosing);
    return type === undefined ? undefined : only(inContainer(inPackage, type), "member of the type around it");
  }
  if (receiver.kind !== "name" || scope.mayBind(receiver.name)) return undefined;
  const [binding, ...others] = bindingsOf(scope, receiver.name);
  if (!binding || others.length > 0) return undefined;
  const there = possible.filter((one) => one.class !== "test" && binding.isIn(one) === "exact");
  return only(atTop(there), "in an imported package");
}
