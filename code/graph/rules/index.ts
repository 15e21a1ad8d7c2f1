/**
 * When a meaning is exact: the rules of each language, as far as they can be followed from declarations, imports and the
 * line of a use. Languages without rules here have heuristic meanings only; so does C++, whose overloads and argument
 * dependent lookup need types, and Ruby, whose methods are found at run time.
 *
 * In all of them a name that the surrounding declaration may bind itself, or that is declared more than once where it is
 * looked up (overloads), has no exact meaning. A member found by `this` or `self` is that of the type around the use;
 * what subtypes put in its place is not followed.
 */
import { type Family, familyOf } from "../families.js";
import type { SymbolDeclaration } from "../model.js";
import type { Use, UseScope } from "../use.js";
import { cMeaning } from "./c.js";
import { ecmascriptMeaning } from "./ecmascript.js";
import { atTop, type Exact, only, surelyIn } from "./exact.js";
import { goMeaning } from "./go.js";
import { javaMeaning } from "./java.js";
import { pythonMeaning } from "./python.js";
import { rustMeaning } from "./rust.js";

export type { Exact } from "./exact.js";

type Rule = (use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]) => Exact | undefined;

const RULES: Readonly<Record<Family, Rule>> = {
  ecmascript: ecmascriptMeaning,
  python: pythonMeaning,
  go: goMeaning,
  java: (use, scope, possible) => (use.language === "java" ? javaMeaning(use, scope, possible) : undefined),
  rust: rustMeaning,
  c: (use, scope, possible) => (use.language === "c" ? cMeaning(use, scope, possible) : undefined),
  ruby: () => undefined,
  other: () => undefined,
};

/** The only declaration that a use can mean; undefined where several may be meant or none is known. */
export function exactMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  if (use.kind === "import") return importMeaning(use, scope, possible);
  return RULES[familyOf(use.language)](use, scope, possible);
}

/** What an import takes out of a module that is there. */
function importMeaning(use: Use, scope: UseScope, possible: readonly SymbolDeclaration[]): Exact | undefined {
  const bindings = scope.imports.filter(({ name, alias }) => name === use.name || alias === use.name);
  const found = bindings.flatMap((binding) => surelyIn(binding, possible));
  return only(atTop(found), "imported here", "one symbol");
}
