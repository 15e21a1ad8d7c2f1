/**
 * Which modules are not of a repository: standard libraries, and packages that its manifests name as dependencies. What is
 * only not found may be generated, or named by a setting that nobody reads here, and is not called foreign in languages
 * whose modules are found by settings.
 */
import { type Family, familyOf } from "./families.js";
import type { GoModule } from "./go-packages.js";
import { containerOf, folderOf, type SymbolDeclaration } from "./model.js";
import type { KnownPackages } from "./packages.js";

/** An import, and what is known of where it leads. */
export interface ForeignQuestion {
  language: string;
  module: string;
  /** The name that is taken out of it; empty for the module itself. */
  name: string;
  /** Whether the repository has a file that it may be. */
  isFound: boolean;
  /** What the manifests of the repository say. */
  packages: KnownPackages;
}

/** Where a module lies: `language` is a standard library, `elsewhere` a package that is not of the repository. */
export type ModuleHome = "language" | "elsewhere" | "here or unknown";

/** Where a module lies, by the rules of the language and what manifests say; Go is asked of goModuleHome. */
export function moduleHome(question: ForeignQuestion): ModuleHome {
  return HOMES[familyOf(question.language)](question);
}

/** Modules of Node.js that need no `node:` before them. */
const NODE_MODULES: ReadonlySet<string> = new Set(
  `assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http
  http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys
  timers tls trace_events tty url util v8 vm wasi worker_threads zlib assert/strict
  dns/promises fs/promises inspector/promises path/posix path/win32 readline/promises stream/consumers stream/promises stream/web
  timers/promises util/types`.split(/\s+/),
);
const RUST_CRATES: ReadonlySet<string> = new Set(["std", "core", "alloc", "proc_macro"]);

const HOMES: Readonly<Record<Family, (question: ForeignQuestion) => ModuleHome>> = {
  ecmascript: ({ module, packages }) => {
    if (/^\.\.?(\/|$)|^[@~#]\//.test(module)) return "here or unknown";
    if (module.startsWith("node:") || NODE_MODULES.has(module)) return "language";
    const name = /^(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;
    return packages.needed.has(name) && !packages.own.has(name) ? "elsewhere" : "here or unknown";
  },
  python: ({ module, isFound }) => (isFound || module.startsWith(".") ? "here or unknown" : "elsewhere"),
  go: () => "here or unknown",
  java: ({ module, isFound }) => {
    // The library's own sources have files of that path.
    if (isFound) return "here or unknown";
    return /^(?:javax?|jdk|sun|kotlin|scala|groovy)(?:\.|$)/.test(module) ? "language" : "elsewhere";
  },
  rust: ({ module, name, packages }) => {
    const first = module === "" ? name : module.split("::")[0]!;
    if (packages.own.has(first)) return "here or unknown";
    if (RUST_CRATES.has(first)) return "language";
    return packages.needed.has(first) ? "elsewhere" : "here or unknown";
  },
  c: () => "here or unknown",
  ruby: () => "here or unknown",
  other: () => "here or unknown",
};

/** Whether what is reached through an import of a file in `repo` cannot be this declaration. */
export function excludes(
  home: ModuleHome,
  { module, name, language }: Pick<ForeignQuestion, "module" | "name" | "language">,
  declared: SymbolDeclaration,
): boolean {
  if (home !== "elsewhere") return home === "language";
  if (familyOf(language) === "java") return !isInPackage({ module, name }, declared);
  const [first = "", second = ""] = module.split(/::|[./]/);
  const named = first.startsWith("@") ? second : first;
  const parts = [lastOf(declared.repo, "/"), ...declared.path.replace(/\.\w+$/, "").split("/")];
  return !parts.some((part) => part.replaceAll("-", "_") === named.replaceAll("-", "_"));
}

/** A type may lie in a file of another name: then its package, or the type that has the member, is told by its last name. */
function isInPackage({ module, name }: { module: string; name: string }, declared: SymbolDeclaration): boolean {
  const container = lastOf(containerOf(declared), ".");
  const around = container === "" ? lastOf(folderOf(declared.path), "/") : container;
  return container === name || (declared.name === name && around === lastOf(module, "."));
}

/** Whether a package of Go cannot be the folder that a declaration of the importer's repository, or of another, lies in. */
export function excludesGoPackage(
  path: string,
  declared: SymbolDeclaration,
  own: { repo: string; modules: readonly GoModule[] },
): boolean {
  const folder = folderOf(declared.path);
  const isOwn = declared.repo === own.repo;
  if (isOwn && own.modules.some(({ name }) => path === name || path.startsWith(`${name}/`))) return false;
  if (folder !== "" && (path === folder || path.endsWith(`/${folder}`) || folder.endsWith(`/${path}`))) {
    // Where modules are known, a folder that only ends alike is of another one, but for copies of it.
    return isOwn && own.modules.length > 0 && !folder.endsWith(path);
  }
  // Without a `go.mod`, what has a host in its name may be the repository itself.
  const mayBeRoot = !isOwn || own.modules.length === 0;
  return !(mayBeRoot && folder === "" && lastOf(path, "/") === lastOf(declared.repo, "/"));
}

function lastOf(text: string, between: string): string {
  return text.slice(text.lastIndexOf(between) + 1);
}
