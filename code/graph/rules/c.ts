import type { SymbolDeclaration } from "../model.js";
import type { Use, UseScope } from "../use.js";
import { atTop, type Exact, inFile, only } from "./exact.js";

/**
 * C: functions have one namespace, so a bare name is the one declared in the file, or in a header beside it that the file
 * includes. A prototype and its definition in one file are one symbol; a definition in another file than the prototype's
 * is a guess.
 */
export function cMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  if (use.receiver.kind !== "none" || scope.mayBind(use.name)) return undefined;
  const own = atTop(inFile(use, possible));
  if (own.length > 0) return only(own, "the only one in the file", "one symbol");
  const included = atTop(possible).filter((one) => scope.imports.some(({ isIn }) => isIn(one) === "exact"));
  return only(included, "in an included header", "one symbol");
}
