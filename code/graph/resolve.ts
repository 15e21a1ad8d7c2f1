/**
 * What a name means where it is used. Without a compiler most uses can only be guessed, so every meaning says whether it
 * is exact: then the language leaves one declaration, by the rules in rules/, and it is the only answer. All others are
 * ranked: same file, same container, imported, same package, same repository, same language.
 */
import { canUse, familyOf } from "./families.js";
import { isForeign } from "./foreign.js";
import { containerOf, folderOf, isMember, type Meaning, type SymbolDeclaration, TYPE_KINDS } from "./model.js";
import { isOfOtherType } from "./other-types.js";
import { moduleAlias } from "./receiver.js";
import { exactMeaning } from "./rules/index.js";
import type { ResolvedImport, Use, UseScope } from "./use.js";

/** What a use may mean among declarations of its name, the likeliest first; one alone when that is exact. */
export function meaningsOf(use: Use, scope: UseScope, declared: readonly SymbolDeclaration[]): Meaning[] {
  const all = declared.filter((one) => isPossible(use, scope, one));
  // Another repository is meant only where the own one has nothing of the name.
  const own = all.filter(({ repo }) => repo === use.repo);
  const possible = own.length > 0 ? own : all;
  const exact = exactMeaning(use, scope, possible);
  if (exact) return [{ declaration: exact.declaration, certainty: "exact", why: exact.why }];
  return possible
    .map((declaration) => ({ declaration, ...rankOf(use, scope, declaration) }))
    .sort((a, b) => b.rank - a.rank || comparePlaces(a.declaration, b.declaration))
    .map(({ declaration, why }) => ({ declaration, certainty: "heuristic", why }));
}

/** By repository, path and place. */
export function comparePlaces(a: SymbolDeclaration, b: SymbolDeclaration): number {
  return compare(a.repo, b.repo) || compare(a.path, b.path) || a.startByte - b.startByte;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const DATA_KINDS: ReadonlySet<string> = new Set(["test", "route"]);

function isPossible(use: Use, scope: UseScope, declared: SymbolDeclaration): boolean {
  if (!canUse(use.language, declared.language) || DATA_KINDS.has(declared.kind)) return false;
  const isImported = scope.imports.some(({ alias, name }) => alias === use.name && name === declared.name);
  if (declared.name !== use.name && !isImported) return false;
  if (isForeign(use, scope, declared) || isOfOtherType(use, scope, declared)) return false;
  if (use.kind === "inherit") return TYPE_KINDS.has(declared.kind);
  if (use.kind === "instantiate") return !["method", "field", "property", "namespace"].includes(declared.kind);
  const family = familyOf(use.language);
  if (family === "other") return true;
  if (use.receiver.kind === "none") return isVisible(use, scope, declared);
  // What is reached through a value is a member; through a name it may be what a module or a namespace has as well.
  return isMember(declared) || isInNamedContainer(use, declared) || isInNamedModule(use, scope, declared);
}

/**
 * Whether a bare name can mean a declaration at all. In JavaScript, Python, Go and Rust it never means a member of a type,
 * nor what lies in a function that is not around the use, nor what another file declares and this one does not import.
 */
function isVisible(use: Use, scope: UseScope, declared: SymbolDeclaration): boolean {
  const family = familyOf(use.language);
  if (family !== "ecmascript" && family !== "python" && family !== "go" && family !== "rust") return true;
  if (isMember(declared)) return false;
  const isImported = scope.imports.some(
    ({ isIn, name }) => isIn(declared) !== undefined || (name === "*" && family === "rust"),
  );
  if (declared.repo === use.repo && declared.path === use.path) {
    const container = containerOf(declared);
    return family === "rust" || container === "" || `${use.enclosing}.`.startsWith(`${container}.`) || isImported;
  }
  if (family === "go")
    return isImported || (declared.repo === use.repo && folderOf(declared.path) === folderOf(use.path));
  if (family === "rust") return isImported || declared.kind === "macro";
  return isImported || (family === "ecmascript" && !scope.isModule && containerOf(declared) === "");
}

function isInNamedModule({ receiver }: Use, { imports }: UseScope, declared: SymbolDeclaration): boolean {
  if (receiver.kind !== "name" && receiver.kind !== "module") return false;
  const name = receiver.kind === "name" ? receiver.name : moduleAlias(receiver.module);
  return imports.some(({ alias, isIn }) => alias === name && isIn(declared) !== undefined);
}

/** What speaks for a meaning, and how much it counts. */
const EVIDENCE: readonly {
  why: string;
  weight: number;
  holds(use: Use, declared: SymbolDeclaration, scope: UseScope): boolean;
}[] = [
  { why: "same file", weight: 32, holds: (use, one) => one.repo === use.repo && one.path === use.path },
  { why: "same container", weight: 16, holds: isInSameContainer },
  {
    why: "imported",
    weight: 24,
    holds: (use, one, scope) => one.repo === use.repo && isImportedFrom(scope.imports, one),
  },
  { why: "declared type", weight: 40, holds: isOfDeclaredType },
  { why: "named container", weight: 12, holds: isInNamedContainer },
  {
    why: "same folder",
    weight: 6,
    holds: (use, one) => one.repo === use.repo && folderOf(one.path) === folderOf(use.path),
  },
  { why: "same repository", weight: 4, holds: (use, one) => one.repo === use.repo },
  { why: "same language", weight: 2, holds: (use, one) => one.language === use.language },
  { why: "same name", weight: 1, holds: (use, one) => one.class === "source" || one.class === use.class },
];

function rankOf(use: Use, scope: UseScope, declared: SymbolDeclaration): { rank: number; why: string } {
  const held = EVIDENCE.filter(({ holds }) => holds(use, declared, scope));
  return { rank: held.reduce((sum, { weight }) => sum + weight, 0), why: held[0]?.why ?? "same name" };
}

function isInSameContainer(use: Use, declared: SymbolDeclaration): boolean {
  const container = containerOf(declared);
  return container !== "" && use.receiver.kind !== "name" && `${use.enclosing}.`.startsWith(`${container}.`);
}

function isInNamedContainer(use: Use, declared: SymbolDeclaration): boolean {
  if (use.receiver.kind !== "name") return false;
  const last = use.receiver.name.split(".").at(-1)!.toLowerCase();
  return last !== "" && last === containerOf(declared).split(".").at(-1)!.toLowerCase();
}

function isOfDeclaredType({ receiver }: Use, declared: SymbolDeclaration, scope: UseScope): boolean {
  if (receiver.kind !== "name" || receiver.name.includes(".")) return false;
  return scope.typesOf(receiver.name).includes(containerOf(declared).split(".").at(-1)!);
}

function isImportedFrom(imports: readonly ResolvedImport[], declared: SymbolDeclaration): boolean {
  return imports.some(({ isIn }) => isIn(declared) !== undefined);
}
