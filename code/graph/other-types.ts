/**
 * A name of a type before a name says whose member is meant: that type's, or one of what it inherits from. This holds in
 * all languages, also where nothing is exact, but only while nothing else may bear the type's name.
 */
import { canUse, familyOf } from "./families.js";
import { containerOf, type SymbolDeclaration } from "./model.js";
import type { ResolvedImport, Use, UseScope } from "./use.js";

/** Kinds whose members are reached through values of theirs, heirs of theirs, and their own name. */
const CLASSES: ReadonlySet<string> = new Set(["class", "struct", "enum"]);
/** Kinds whose members are reached by their name, and are other types' own. */
const ABSTRACT: ReadonlySet<string> = new Set(["interface", "trait"]);
const OBJECTS: ReadonlySet<string> = new Set(["this", "self", "cls", "super", "base"]);

/** Names by which types are declared, of which one stands before a used name; none where it is no type by its looks. */
export function typesBefore(
  { kind, receiver, language }: Pick<Use, "kind" | "receiver" | "language">,
  imports: readonly ResolvedImport[],
): string[] {
  if (kind === "import" || receiver.kind !== "name") return [];
  const parts = receiver.name.split(".");
  const [first = ""] = parts;
  // A struct of Go has fields that are called like the types put into it.
  if (parts.length > 1 && (familyOf(language) === "go" || OBJECTS.has(first))) return [];
  // What is written with its path is no name that an import gives.
  const binding = imports.filter(({ alias, name }) => alias === receiver.name && name !== "*");
  const bound = binding.map(({ name }) => name).filter((name) => name !== "" || parts.length === 1);
  const names = [...new Set(bound.length > 0 ? bound : [parts.at(-1)!])];
  return names.every((name) => name !== "default" && /^\p{Lu}/u.test(name)) ? names : [];
}

/** Whether a type that stands before a used name excludes a member of another one. */
export function isOfOtherType(use: Use, scope: UseScope, declared: SymbolDeclaration): boolean {
  const container = containerOf(declared);
  const types = container === "" ? [] : typesBefore(use, scope.imports);
  if (types.length === 0 || use.receiver.kind !== "name") return false;
  // Nothing that is bound in a function begins a path of Rust, and no field of its is called like a type.
  const [first = "", ...inner] = use.receiver.name.split(".");
  if ((use.language !== "rust" || inner.length === 0) && scope.mayBind(first)) return false;
  const owner = lastOf(container);
  const owners = typesNamed(owner, declared.repo, use.language, scope);
  if (owners === undefined || owners.some(({ kind }) => !CLASSES.has(kind))) return false;
  const path = new Set(container.split("."));
  return types.every((type) => !path.has(type) && !hasMembersOf(type, owner, { use, scope }));
}

/** Whether a type may have what another one declares; yes where that is not known. */
function hasMembersOf(type: string, owner: string, { use, scope }: { use: Use; scope: UseScope }): boolean {
  const named = typesNamed(type, use.repo, use.language, scope);
  // `Trait::f(value)` means what the value's type puts in its place, wherever it does.
  if (named === undefined || named.some(({ kind }) => ABSTRACT.has(kind))) return true;
  return inheritedBy(named, use, scope)?.has(owner) ?? true;
}

/** The types that a name means in a repository; undefined when there are none, or something else may be meant by it. */
function typesNamed(name: string, repo: string, language: string, scope: UseScope): SymbolDeclaration[] | undefined {
  const types: SymbolDeclaration[] = [];
  for (const one of scope.declaredAs(name)) {
    if (one.repo !== repo || !canUse(language, one.language)) continue;
    if (CLASSES.has(one.kind) || ABSTRACT.has(one.kind) || one.kind === "module") types.push(one);
    else if (one.kind === "type" || !isHarmless(one)) return undefined;
  }
  return types.length > 0 ? types : undefined;
}

/** Constructors are called like their type, and in Rust so are variants of enumerations, which have no members. */
function isHarmless(declared: SymbolDeclaration): boolean {
  return (
    declared.kind === "constructor" ||
    declared.language === "rust" ||
    ["test", "route", "section", "window"].includes(declared.kind) ||
    lastOf(containerOf(declared)) === declared.name
  );
}

/**
 * Names of what a type inherits from, and of what it may by its head: `class A extends Mixed(B)`, `: public ns::b<int>`.
 * Rust's types inherit nothing, and have other types in their heads.
 */
export function heritageOf({ name, supers, signature, language }: SymbolDeclaration): string[] {
  const words =
    language === "rust" ? [] : (signature.match(/\b\p{Lu}[\p{L}\p{N}_]*|(?<=::|\.)[\p{L}_][\p{L}\p{N}_]*/gu) ?? []);
  return [...new Set([...supers.map(lastOf), ...words])].filter((one) => one !== name);
}

/** Names of all that types inherit from; undefined where one of them is made by something else than a type. */
function inheritedBy(types: readonly SymbolDeclaration[], use: Use, scope: UseScope): Set<string> | undefined {
  const found = new Set<string>();
  const open = [...types];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of heritageOf(next)) {
      if (found.has(name)) continue;
      found.add(name);
      const above = typesNamed(name, use.repo, use.language, scope);
      const others = above === undefined ? scope.declaredAs(name) : [];
      if (others.some((one) => one.repo === use.repo && !isHarmless(one))) return undefined;
      open.push(...(above ?? []));
    }
  }
  return found;
}

/** The last part of a dotted name, or of one with `::`. */
export function lastOf(name: string): string {
  return /[^.:]*$/.exec(name)![0];
}
