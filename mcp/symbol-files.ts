import {
  type Certainty,
  filesBelow,
  filesImporting,
  folderOf,
  goPackageIs,
  type ImportBinding,
  outlineRequest,
  type SymbolDeclaration,
  type SymbolFile,
} from "../code/index.js";
import type { SymbolGraph } from "./symbol-graph.js";

/** A declaration of a file, with how deep it lies in others. */
export interface OutlineItem {
  declaration: SymbolDeclaration;
  depth: number;
}

/** What a file imports: a module as it is written, and the files that it is here. */
export interface ImportedModule {
  module: string;
  files: { path: string; certainty: Certainty }[];
}

/** A file that imports another. */
export interface Dependent {
  file: SymbolFile;
  module: string;
  certainty: Certainty;
}

/** Base names that stand for their folder. */
const FOLDER_FILES = /^(?:index|__init__|mod|lib|main)$/;

/** How a folder is imported from inside or below it, without its name. */
const FOLDER_IMPORTS = [".", "./", "..", "../", "../..", "../../"];

/** The declarations of a file in their order, and the sections of its prose. */
export async function outlineOf({ index }: SymbolGraph, file: SymbolFile): Promise<OutlineItem[]> {
  const declared = await index.declarations(outlineRequest(file.repo, file.path));
  const open: SymbolDeclaration[] = [];
  return declared.map((declaration) => {
    while (open.length > 0 && !isInside(declaration, open.at(-1)!)) open.pop();
    const depth = open.length;
    open.push(declaration);
    return { declaration, depth };
  });
}

function isInside(inner: SymbolDeclaration, outer: SymbolDeclaration): boolean {
  // A section ends where the next one begins, be it one below it.
  if (inner.kind === "section" && outer.kind === "section")
    return inner.qualifiedName.startsWith(`${outer.qualifiedName}.`);
  if (inner.endLine > outer.endLine || inner.startLine > outer.endLine) return false;
  return inner.startLine > outer.startLine || inner.qualifiedName.startsWith(`${outer.qualifiedName}.`);
}

/** What a file imports, by its text as it is now. */
export async function importsOfFile(graph: SymbolGraph, file: SymbolFile): Promise<ImportedModule[]> {
  const bindings = (await graph.modules.bindings(file)).filter(({ module }) => module !== "");
  const found = new Map<string, ImportedModule>();
  for (const binding of bindings) {
    const files = await filesOf(graph, binding, file);
    const module = /^\.+$/.test(binding.module) ? `${binding.module}${binding.name}` : binding.module;
    const known = found.get(module);
    if (!known) found.set(module, { module, files });
    else known.files.push(...files.filter(({ path }) => !known.files.some((one) => one.path === path)));
  }
  return [...found.values()];
}

/** The files that import a file. */
export async function dependentsOf(graph: SymbolGraph, file: SymbolFile): Promise<Dependent[]> {
  const stem = file.path.slice(file.path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  const folder = folderOf(file.path).split("/").at(-1)!;
  const isFolders = FOLDER_FILES.test(stem);
  const words = [stem, ...(isFolders || file.language === "go" ? [folder] : [])].filter((word) => word !== "");
  const importing = await graph.index.files(filesImporting(file.repo, words, isFolders ? FOLDER_IMPORTS : []));
  const naming = await graph.index.references({ repo: file.repo, names: [stem], kinds: ["import"] });
  const byPath = new Map<string, SymbolFile>();
  for (const one of [...importing, ...naming]) byPath.set(one.path, { imports: [], ...one });
  byPath.delete(file.path);
  const dependents: Dependent[] = [];
  for (const path of [...byPath.keys()].sort()) {
    const importer = byPath.get(path)!;
    const dependent = await importOf(graph, importer, file);
    if (dependent) dependents.push({ file: importer, ...dependent });
  }
  return dependents;
}

/** How one file imports another, the surest way; undefined when it does not. */
async function importOf(
  graph: SymbolGraph,
  importer: SymbolFile,
  file: SymbolFile,
): Promise<{ module: string; certainty: Certainty } | undefined> {
  let best: { module: string; certainty: Certainty } | undefined;
  for (const binding of await graph.modules.bindings(importer)) {
    if (binding.module === "") continue;
    const found = (await filesOf(graph, binding, importer, file)).find(({ path }) => path === file.path);
    if (!found || best?.certainty === "exact") continue;
    best = { module: binding.module, certainty: found.certainty };
  }
  return best;
}

/** The files that one import leads to, without those that hand names on to it. */
async function filesOf(
  graph: SymbolGraph,
  binding: ImportBinding,
  importer: SymbolFile,
  wanted?: SymbolFile,
): Promise<ImportedModule["files"]> {
  if (importer.language === "go") return goFiles(graph, binding, importer, wanted);
  return graph.modules.direct(binding, importer);
}

/** A Go package is all files of its folder. */
async function goFiles(
  { modules, index }: SymbolGraph,
  { module }: ImportBinding,
  importer: SymbolFile,
  wanted?: SymbolFile,
): Promise<ImportedModule["files"]> {
  const known = await modules.goModules(importer.repo);
  if (wanted) {
    const certainty = goPackageIs(module, folderOf(wanted.path), known);
    return certainty ? [{ path: wanted.path, certainty }] : [];
  }
  const home = known.find(({ name }) => module === name || module.startsWith(`${name}/`));
  if (!home) return [];
  const folder = [home.folder, module.slice(home.name.length + 1)].filter((part) => part !== "").join("/");
  const files = await index.files(filesBelow(importer.repo, folder));
  return files
    .filter(({ path, class: fileClass }) => folderOf(path) === folder && fileClass !== "test")
    .map(({ path }) => ({ path, certainty: "exact" as const }));
}
