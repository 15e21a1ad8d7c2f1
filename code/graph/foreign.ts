/**
 * Uses that surely mean nothing of a repository: what is reached through a name that an import binds to a standard library
 * or to somebody else's package, or through a name that the language itself gives (`JSON.parse`, `System.out.println`).
 */
import { type Family, familyOf } from "./families.js";
import { containerOf, isMember, type SymbolDeclaration } from "./model.js";
import { moduleAlias } from "./receiver.js";
import type { ResolvedImport, Use, UseScope } from "./use.js";

/** Whether what stands before a name, or what an import binds the name to, excludes a declaration. */
export function isForeign(use: Use, scope: UseScope, declared: SymbolDeclaration): boolean {
  const { receiver } = use;
  if (receiver.kind === "none") return isImportedFromElsewhere(use, scope, declared);
  if (receiver.kind === "module") {
    return scope.imports.some((one) => one.alias === moduleAlias(receiver.module) && one.isForeignTo(declared));
  }
  if (receiver.kind !== "name") return false;
  const [first = ""] = receiver.name.split(".");
  if (scope.mayBind(first)) return false;
  const bindings = bindingsAround(receiver.name, scope);
  if (bindings.length === 0) return isOfLanguage(use, receiver.name, declared);
  // A package of Go has functions and values, and no methods.
  const isPackage = familyOf(use.language) === "go" && bindings.some(({ alias }) => alias === receiver.name);
  if (isPackage && isMember(declared)) return true;
  return bindings.every((one) => one.isForeignTo(declared));
}

/** A bare name that is imported from elsewhere may still be hidden by a declaration of the same file, if it is called so. */
function isImportedFromElsewhere(use: Use, { imports }: UseScope, declared: SymbolDeclaration): boolean {
  const own = imports.filter(
    ({ alias, name }) => name !== "*" && (alias === use.name || (use.kind === "import" && name === use.name)),
  );
  const isInFile = declared.repo === use.repo && declared.path === use.path;
  if (isInFile && own.some(({ alias }) => alias === declared.name)) return false;
  return own.length > 0 && own.every((one) => one.isForeignTo(declared));
}

/** Imports that bind the longest beginning of a dotted name. */
function bindingsAround(receiver: string, { imports }: UseScope): ResolvedImport[] {
  const fitting = imports.filter(
    ({ alias, name }) => name !== "*" && (receiver === alias || receiver.startsWith(`${alias}.`)),
  );
  const longest = Math.max(0, ...fitting.map(({ alias }) => alias.length));
  return fitting.filter(({ alias }) => alias.length === longest);
}

/** A type of the repository may bear such a name: then what lies in it may be meant. */
function isOfLanguage({ language }: Use, receiver: string, declared: SymbolDeclaration): boolean {
  const parts = receiver.split(".");
  return GIVEN[familyOf(language)].has(parts[0]!) && lastOf(containerOf(declared)) !== parts.at(-1);
}

function lastOf(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.lastIndexOf(".") + 1);
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Names with members that are there without an import. */
const GIVEN: Readonly<Record<Family, ReadonlySet<string>>> = {
  ecmascript:
    words(`Array ArrayBuffer Atomics BigInt Boolean Buffer DataView Date Error Function Intl JSON Map Math Number
    Object Promise Proxy Reflect RegExp Set String Symbol URL WeakMap WeakSet console crypto document globalThis
    localStorage navigator performance process sessionStorage window`),
  python: words("bool bytearray bytes complex dict float frozenset int list object set str tuple type"),
  go: words(""),
  java: words(`java javax Boolean Byte Character Class ClassLoader Double Enum Float Integer Iterable Long Math Number Object
    Process ProcessBuilder Record Runtime Short StackWalker StrictMath String StringBuffer StringBuilder System Thread
    ThreadLocal Throwable`),
  rust: words(`std core alloc Box Option Result String Vec bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128
    usize`),
  c: words("std"),
  ruby: words(`Array Comparable Dir Encoding File FileUtils Float Hash IO Integer JSON Kernel Marshal Math Object ObjectSpace
    Process Random Regexp Set Signal String Struct Symbol Thread Time YAML`),
  other: words(""),
};
