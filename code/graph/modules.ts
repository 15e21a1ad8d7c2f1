/**
 * Which file a module name means, by the conventions of the language: candidates first, which of them exist is asked of
 * the index by whoever calls.
 */
import { type Family, familyOf } from "./families.js";
import { type Certainty, folderOf } from "./model.js";

/** Files that a module may be, the likeliest first. */
export interface ModuleCandidates {
  /** Paths that the language itself leads to: the first that exists is meant. */
  exact: string[];
  /** Ends of paths: any file that ends so may be meant. */
  endings: string[];
  /** How sure it is when just one file ends so: a full package path leads to no other. */
  ifUnique: Certainty;
}

/** Who imports. */
export interface Importer {
  path: string;
  language: string;
}

/** Candidates for a module as it is written in a file. */
export function moduleCandidates(module: string, importer: Importer): ModuleCandidates {
  return READERS[familyOf(importer.language)](module, folderOf(importer.path), importer.path);
}

/** A file that a module was found to be. */
export interface ModuleFile {
  path: string;
  certainty: Certainty;
}

/** The files of `paths` that a module may be; none when nothing fits. */
export function chooseModule(candidates: ModuleCandidates, paths: readonly string[]): ModuleFile[] {
  const known = new Set(paths);
  const exact = candidates.exact.find((path) => known.has(path));
  if (exact !== undefined) return [{ path: exact, certainty: "exact" }];
  for (const ending of candidates.endings) {
    const found = paths.filter((path) => path === ending || path.endsWith(`/${ending}`));
    const certainty = found.length === 1 ? candidates.ifUnique : "heuristic";
    if (found.length > 0) return found.map((path) => ({ path, certainty }));
  }
  return [];
}

type Reader = (module: string, folder: string, path: string) => ModuleCandidates;

const NONE: ModuleCandidates = { exact: [], endings: [], ifUnique: "heuristic" };

const READERS: Readonly<Record<Family, Reader>> = {
  ecmascript,
  python,
  // A package is a folder of files: see go-packages.ts.
  go: () => NONE,
  java: (module) => {
    const base = module.replaceAll(".", "/");
    return { ...NONE, endings: [`${base}.java`, `${base}.kt`], ifUnique: module.includes(".") ? "exact" : "heuristic" };
  },
  rust,
  c: (module, folder) => ({
    ...NONE,
    exact: present([joined(folder, module)]),
    endings: [module.replace(/^(\.\.?\/)+/, "")],
  }),
  ruby: (module, folder) => {
    const file = /\.rb$/.test(module) ? module : `${module}.rb`;
    return module.startsWith(".")
      ? { ...NONE, exact: present([joined(folder, file)]) }
      : { ...NONE, endings: [`lib/${file}`, file] };
  },
  other: () => NONE,
};

const EXTENSIONS = ["ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"];

/** `./a.js` may be written for `a.ts`; what does not begin with a dot is a package, or an alias of a folder here. */
function ecmascript(module: string, folder: string): ModuleCandidates {
  const variants = (base: string) => {
    const bare = base.replace(/\.([mc]?js|jsx)$/, "");
    const files = [base, bare].flatMap((stem) => [stem, ...EXTENSIONS.map((extension) => `${stem}.${extension}`)]);
    return [...new Set([...files, ...EXTENSIONS.map((extension) => `${base}/index.${extension}`)])];
  };
  if (/^\.\.?(\/|$)/.test(module)) {
    const base = joined(folder, module);
    return base === undefined ? NONE : { ...NONE, exact: variants(base === "" ? "index" : base) };
  }
  const inside = module.replace(/^(@\/|~\/|[@#~]?[\w.-]+\/)/, "");
  return inside === module || /^node:/.test(module) ? NONE : { ...NONE, endings: variants(inside) };
}

/** Dots lead up from the file's own package; another name is looked for from the importer's own packages outwards. */
function python(module: string, folder: string): ModuleCandidates {
  const dots = /^\.*/.exec(module)![0].length;
  const parts = module
    .slice(dots)
    .split(".")
    .filter((part) => part !== "");
  if (dots > 0) {
    const up = folder === "" ? [] : folder.split("/");
    if (dots - 1 > up.length) return NONE;
    return { ...NONE, exact: pythonFiles([...up.slice(0, up.length - dots + 1), ...parts]) };
  }
  const folders = folder.split("/");
  // An importer that lies below a folder of the package's name is in that package.
  const at = folders.lastIndexOf(parts[0] ?? "");
  const own = at < 0 ? [] : pythonFiles([...folders.slice(0, at), ...parts]);
  // The package's own name means its folder; a file of that name beside it may as well be the standard library's.
  const exact = parts.length > 1 ? own : own.filter((path) => path.endsWith("/__init__.py"));
  return { exact, endings: pythonFiles(parts), ifUnique: parts.length > 1 ? "exact" : "heuristic" };
}

function pythonFiles(parts: readonly string[]): string[] {
  const base = parts.join("/");
  return base === "" ? ["__init__.py"] : [`${base}.py`, `${base}.pyi`, `${base}/__init__.py`];
}

/** `crate::a::b` below the `src` the file is in, `super` and `self` from the file's own module. */
function rust(module: string, folder: string, path: string): ModuleCandidates {
  const [first = "", ...rest] = module.split("::");
  const own = ownRustModule(folder, path);
  if (first === "crate") {
    const root = /^(.*?(?:^|\/)src)(?:\/|$)/.exec(folder)?.[1];
    return root === undefined
      ? { ...NONE, endings: rustFiles(`src/${rest.join("/")}`) }
      : { ...NONE, exact: rustFiles([root, ...rest].join("/")) };
  }
  if (module === "self") return { ...NONE, exact: [path] };
  if (first === "self") return { ...NONE, exact: rustFiles([own, ...rest].join("/")) };
  if (first === "super") {
    let base = folderOf(own);
    let names = rest;
    while (names[0] === "super") {
      base = folderOf(base);
      names = names.slice(1);
    }
    return { ...NONE, exact: rustFiles([base, ...names].filter((part) => part !== "").join("/")) };
  }
  return {
    ...NONE,
    exact: first === "" ? [] : rustFiles([own, first, ...rest].join("/")),
    endings: rustFiles([`src`, ...rest].join("/")),
  };
}

/** The folder in which a file's submodules lie: `src/a.rs` has them in `src/a`, `src/lib.rs` and `src/a/mod.rs` beside them. */
function ownRustModule(folder: string, path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.rs$/, "");
  if (["lib", "main", "mod"].includes(name)) return folder;
  return folder === "" ? name : `${folder}/${name}`;
}

function rustFiles(base: string): string[] {
  return [`${base}.rs`, `${base}/mod.rs`, `${base}/lib.rs`, `${base}/main.rs`];
}

function present(paths: readonly (string | undefined)[]): string[] {
  return paths.filter((path): path is string => path !== undefined);
}

/** A path from a folder on; undefined when it leads out of the repository. */
function joined(folder: string, path: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
