import {
  chooseModule,
  declarationsNamed,
  filesNamed,
  folderOf,
  type GoModule,
  goModuleName,
  type ImportBinding,
  importBindings,
  type KnownPackages,
  knownPackages,
  type ModuleFile,
  type ModuleHome,
  manifestOf,
  moduleCandidates,
  moduleHome,
  NO_PACKAGES,
  pathFromFile,
  type SymbolFile,
} from "../code/index.js";
import { FileLookups } from "./file-lookups.js";
import type { SymbolIndex } from "./symbol-index.js";

/** How far names are followed through files that hand them on. */
const MOST_STEPS = 5;

/** Who imports: a file, with its language. */
type Importer = Pick<SymbolFile, "repo" | "path" | "language">;

/** A declared name, and the files that it may be declared in. */
export interface FoundModule {
  name: string;
  files: ModuleFile[];
}

/** Finds the files that modules are, each module and file looked up once. */
export class ModuleFinder {
  readonly #files = new Map<string, Promise<SymbolFile[]>>();
  readonly #bindings = new Map<string, Promise<ImportBinding[]>>();
  readonly #declared = new Map<string, Promise<boolean>>();
  readonly #followed = new Map<string, Promise<FoundModule>>();
  readonly #goModules = new Map<string, Promise<GoModule[]>>();
  readonly #packages = new Map<string, Promise<KnownPackages>>();

  readonly #lookups: FileLookups;

  constructor(private readonly index: SymbolIndex) {
    this.#lookups = new FileLookups(index);
  }

  /** The files that a module may be, as it is written in an importer; none when it is not of this repository. */
  async find(module: string, importer: Importer): Promise<{ file: SymbolFile; certainty: ModuleFile["certainty"] }[]> {
    const candidates = moduleCandidates(module, importer);
    const { exact, endings } = candidates;
    if (exact.length + endings.length === 0) return [];
    const names = endings.map((ending) => ending.slice(ending.lastIndexOf("/") + 1));
    const files = await this.#look(importer.repo, exact, names);
    const byPath = new Map(files.map((file) => [file.path, file]));
    // A file is no module of its own, but in Rust, where `crate::` and the `super::` of an inner module lead to it as well.
    const mayBeOwn = importer.language === "rust" && /^(?:crate|self|super)(?:::|$)/.test(module);
    const paths = [...byPath.keys()].filter((path) => mayBeOwn || path !== importer.path);
    const chosen = chooseModule(candidates, paths);
    // A file that the language leads to is meant; one whose path only ends alike is not, where the package is another's.
    const isGuess = chosen.some(({ path }) => !exact.includes(path));
    if (isGuess && (await this.home({ module, name: "" }, importer, "found")) !== "here or unknown") return [];
    return chosen.map(({ path, certainty }) => ({ file: byPath.get(path)!, certainty }));
  }

  /** Where a module lies, as it is written in an importer. */
  async home(
    { module, name }: Pick<ImportBinding, "module" | "name">,
    { repo, language }: Importer,
    found: "found" | "not found",
  ): Promise<ModuleHome> {
    const packages = await this.#packagesOf(repo, language);
    return moduleHome({ module, name, language, isFound: found === "found", packages });
  }

  #packagesOf(repo: string, language: string): Promise<KnownPackages> {
    const manifest = manifestOf(language);
    if (manifest === undefined) return Promise.resolve(NO_PACKAGES);
    return remember(this.#packages, `${repo}\0${manifest}`, async () => {
      const { files } = await this.index.filesUnchecked(filesNamed(repo, [manifest]));
      const texts = await Promise.all(files.map(async (file) => ((await this.index.lines(file)) ?? []).join("\n")));
      return knownPackages(texts, manifest);
    });
  }

  /** What a file imports, by its text as it is now. */
  bindings(file: SymbolFile | (Importer & Pick<SymbolFile, "blob" | "class">)): Promise<ImportBinding[]> {
    return remember(this.#bindings, `${file.repo}\0${file.path}\0${file.blob}`, async () => {
      const lines = await this.index.lines({ ...file });
      return lines === undefined ? [] : importBindings(file.language, lines.join("\n"));
    });
  }

  /**
   * Where a name that is taken out of a module is declared: the module's own files, or those that they hand it on from.
   * `""` as name: the module itself is meant.
   */
  follow(written: ImportBinding, importer: Importer, steps = MOST_STEPS): Promise<FoundModule> {
    const binding = fromFile(written);
    // Importers of one folder name a module alike.
    const from = importer.language === "rust" ? importer.path : folderOf(importer.path);
    const key = JSON.stringify([importer.repo, from, importer.language, binding.module, binding.name, steps]);
    return remember(this.#followed, key, () => this.#follow(binding, importer, steps));
  }

  async #follow(binding: ImportBinding, importer: Importer, steps: number): Promise<FoundModule> {
    const { module, name } = binding;
    const itself = await this.#submodule(binding, importer);
    if (itself) return itself;
    const found = module === "" ? [] : await this.find(module, importer);
    const files = found.map(pathOf);
    const [first] = found;
    if (name === "" || name === "*" || steps === 0 || first === undefined || found.length > 1) return { name, files };
    if (await this.#declares(first.file, name)) return { name, files };
    // What a file imports for itself alone, its own inner modules see as well.
    const isOwn = first.file.path === importer.path;
    const handed = (await this.bindings(first.file)).filter((one) => {
      return (isOwn || one.isExported) && one.within === undefined;
    });
    const onward = [
      ...handed.filter(({ alias }) => alias === name),
      ...handed.filter((one) => one.name === "*").map((one) => ({ ...one, name })),
    ];
    for (const next of onward.filter((one) => one.module !== "")) {
      const there = await this.follow(next, first.file, steps - 1);
      const [file] = there.files;
      if (file === undefined || !(await this.#declares({ ...first.file, path: file.path }, there.name))) continue;
      return first.certainty === "exact" ? there : { ...there, files: there.files.map(guessed) };
    }
    return { name, files };
  }

  /** The files that an import names itself. */
  async direct(written: ImportBinding, importer: Importer): Promise<ModuleFile[]> {
    const binding = fromFile(written);
    const itself = await this.#submodule(binding, importer);
    const files = itself?.files ?? (await this.#filesOf(binding, importer));
    return files.filter(({ path }) => path !== importer.path);
  }

  async #filesOf({ module }: ImportBinding, importer: Importer): Promise<ModuleFile[]> {
    return module === "" ? [] : (await this.find(module, importer)).map(pathOf);
  }

  /** The Go modules of a repository. */
  goModules(repo: string): Promise<GoModule[]> {
    return remember(this.#goModules, repo, async () => {
      const { files } = await this.index.filesUnchecked(filesNamed(repo, ["go.mod"]));
      const read = async (file: SymbolFile): Promise<GoModule[]> => {
        const name = goModuleName(((await this.index.lines(file)) ?? []).join("\n"));
        return name === undefined ? [] : [{ name, folder: file.path.replace(/\/?go\.mod$/, "") }];
      };
      return (await Promise.all(files.map(read))).flat();
    });
  }

  /** `from package import module`, `use crate::module`, `import package.Type`: the name is a file of its own. */
  async #submodule({ module, name }: ImportBinding, importer: Importer): Promise<FoundModule | undefined> {
    const between = { python: module.endsWith(".") ? "" : ".", rust: "::", java: ".", kotlin: "." }[importer.language];
    if (between === undefined || name === "" || name === "*") return undefined;
    const found = await this.find(module === "" ? name : `${module}${between}${name}`, importer);
    if (found.length === 0) return undefined;
    const files = found.map(pathOf);
    return { name: between === "." && importer.language !== "python" ? name : "", files };
  }

  #declares({ repo, path }: Pick<SymbolFile, "repo" | "path">, name: string): Promise<boolean> {
    return remember(this.#declared, `${repo}\0${path}\0${name}`, async () => {
      const declared = await this.index.declarations(declarationsNamed([name], { repo, paths: [path] }));
      return declared.some((one) => one.qualifiedName === name);
    });
  }

  #look(repo: string, paths: string[], names: string[]): Promise<SymbolFile[]> {
    return remember(this.#files, JSON.stringify([repo, paths, names]), () =>
      this.#lookups.find({ repo, paths, names }),
    );
  }
}

function pathOf({ file, certainty }: { file: SymbolFile; certainty: ModuleFile["certainty"] }): ModuleFile {
  return { path: file.path, certainty };
}

function fromFile(binding: ImportBinding): ImportBinding {
  return { ...binding, module: pathFromFile(binding.module, binding.within ?? "") };
}

function guessed({ path }: ModuleFile): ModuleFile {
  return { path, certainty: "heuristic" };
}

function remember<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
