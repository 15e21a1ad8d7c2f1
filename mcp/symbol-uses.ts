import {
  containersIn,
  declarationsNamed,
  excludes,
  excludesGoPackage,
  folderOf,
  goPackageIs,
  goReceiver,
  type ImportBinding,
  importsWithin,
  isRustType,
  type Meaning,
  mayBindLocally,
  meaningsOf,
  moduleAlias,
  type Receiver,
  type ResolvedImport,
  receiverOf,
  type SymbolDeclaration,
  type SymbolReference,
  TYPE_KINDS,
  typesBefore,
  typesOfValue,
  type UseScope,
} from "../code/index.js";
import { groupBy } from "./group-by.js";
import type { SymbolIndex } from "./symbol-index.js";
import type { ModuleFinder } from "./symbol-modules.js";
import { DeclaredNames } from "./symbol-names.js";

/** One place where a name is used. */
export interface PlacedUse {
  reference: SymbolReference;
  line: number;
  /** The line as it is now. */
  text: string;
  /** Declaration around it, the innermost; undefined at top level. */
  enclosing: SymbolDeclaration | undefined;
  /** All around it, the outer ones first. */
  around: SymbolDeclaration[];
  receiver: Receiver;
}

/** A place with what its name may mean, the likeliest first. */
export interface ResolvedUse extends PlacedUse {
  meanings: Meaning[];
}

const NOTHING_BOUND: Pick<UseScope, "mayBind" | "typesOf"> = { mayBind: () => false, typesOf: () => [] };

/** A place that is the index's alone has nothing to be told by. */
const UNKNOWN: Receiver = { kind: "other" };

/** Finds out what uses of names mean: reads their lines, the declarations around them and the imports of their files. */
export class UseResolver {
  readonly #starts = new WeakMap<readonly string[], number[]>();
  readonly #names: DeclaredNames;

  constructor(
    private readonly index: SymbolIndex,
    private readonly modules: ModuleFinder,
  ) {
    this.#names = new DeclaredNames(index);
  }

  /** The places of references, each with the declaration around it; a place whose line does not have the name is left out. */
  async places(references: readonly SymbolReference[]): Promise<PlacedUse[]> {
    const around = await this.#around(references);
    const placed = await Promise.all(references.map((reference) => this.#placesOf(reference, around)));
    return placed.flat();
  }

  /** What each place means among declarations. */
  async resolve(places: readonly PlacedUse[], declared: readonly SymbolDeclaration[]): Promise<ResolvedUse[]> {
    const containers = await this.#containers(places.map(({ reference }) => reference));
    const byName = groupBy(declared, ({ name }) => name);
    const ownOf = ({ reference }: PlacedUse) => containers.get(fileKey(reference)) ?? [];
    const imported = await Promise.all(places.map((place) => this.#imports(place, ownOf(place))));
    const types = places.flatMap(({ reference, receiver }, at) =>
      typesBefore({ ...reference, receiver }, imported[at]!),
    );
    await this.#names.lookUp(new Set(types), declared);
    return Promise.all(
      places.map(async (place, at) => {
        const { reference, receiver } = place;
        const imports = imported[at]!;
        const names = new Set([
          reference.name,
          ...imports.filter(({ alias }) => alias === reference.name).map(({ name }) => name),
        ]);
        const candidates = [...names].flatMap((name) => byName.get(name) ?? []);
        const scope: UseScope = {
          imports,
          isModule: await this.#isModule(reference),
          containers: ownOf(place),
          declaredAs: (name) => this.#names.named(name),
          ...(await this.#binder(place)),
        };
        return { ...place, meanings: meaningsOf({ ...reference, receiver }, scope, candidates) };
      }),
    );
  }

  async #placesOf(reference: SymbolReference, around: Map<string, SymbolDeclaration[]>): Promise<PlacedUse[]> {
    const places = reference.lines.map(async (line, at): Promise<PlacedUse[]> => {
      const text = await this.index.lineWith(reference, line, reference.name.split(/[./:]/).at(-1)!);
      if (text === undefined) return [];
      const holding = (around.get(fileKey(reference)) ?? []).filter((one) => holds(one, line));
      const enclosing = holding.filter((one) => one.qualifiedName === reference.enclosing).at(-1);
      const column = await this.#column(reference, { line, byte: reference.startBytes[at] ?? 0, text });
      const own = reference.language === "go" && enclosing ? goReceiver(enclosing.signature) : undefined;
      const receiver = column < 0 ? UNKNOWN : receiverOf(text, column, own);
      return [{ reference, line, text, enclosing, around: holding, receiver }];
    });
    return (await Promise.all(places)).flat();
  }

  /** Where the name begins in its line, in UTF-16 units; -1 when it is not there. */
  async #column(reference: SymbolReference, place: { line: number; byte: number; text: string }): Promise<number> {
    const { line, byte, text } = place;
    const lines = await this.index.lines(reference);
    const from = lines === undefined ? -1 : byte - (this.#lineStarts(lines)[line - 1] ?? byte);
    const bytes = Buffer.from(text, "utf8");
    const column = from < 0 || from > bytes.length ? -1 : bytes.subarray(0, from).toString("utf8").length;
    return column >= 0 && text.startsWith(reference.name, column) ? column : text.indexOf(reference.name);
  }

  /** Whether a file has imports, or exports something in JavaScript's ways. */
  async #isModule(file: SymbolReference): Promise<boolean> {
    if ((await this.modules.bindings(file)).length > 0) return true;
    return ((await this.index.lines(file)) ?? []).some((line) => /^export\b|\bmodule\.exports\b|^exports\./.test(line));
  }

  #lineStarts(lines: readonly string[]): number[] {
    const known = this.#starts.get(lines);
    if (known) return known;
    let at = 0;
    const starts = lines.map((line) => {
      const start = at;
      at += Buffer.byteLength(line) + 1;
      return start;
    });
    this.#starts.set(lines, starts);
    return starts;
  }

  /** Declarations that lie around references, by file. */
  async #around(references: readonly SymbolReference[]): Promise<Map<string, SymbolDeclaration[]>> {
    const found = await Promise.all(
      byRepo(references).map(([repo, own]) => {
        const names = own.flatMap(({ enclosing }) => prefixesOf(enclosing));
        if (names.length === 0) return [];
        const paths = own.map(({ path }) => path);
        return this.index.declarations(declarationsNamed(distinct(names), { repo, paths: distinct(paths) }));
      }),
    );
    return groupBy(found.flat(), fileKey);
  }

  async #containers(references: readonly SymbolReference[]): Promise<Map<string, SymbolDeclaration[]>> {
    const needing = references.filter(({ language }) => language === "java" || language === "rust");
    const found = await Promise.all(
      byRepo(needing).map(([repo, own]) =>
        this.index.declarations(containersIn(repo, distinct(own.map(({ path }) => path)))),
      ),
    );
    return groupBy(found.flat(), fileKey);
  }

  /** What the outermost function around a place binds, by its text behind its own name. */
  async #binder({ reference, enclosing, around }: PlacedUse): Promise<Pick<UseScope, "mayBind" | "typesOf">> {
    const lines = await this.index.lines(reference);
    const outermost = around
      .filter((one) => isPrefix(one.qualifiedName, reference.enclosing) && !TYPE_KINDS.has(one.kind))
      .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine)[0];
    if (enclosing === undefined || lines === undefined || outermost === undefined) return NOTHING_BOUND;
    const text = lines.slice(outermost.startLine - 1, outermost.endLine).join("\n");
    const named = text.indexOf(outermost.name);
    const code = named < 0 ? text : text.slice(named + outermost.name.length);
    const isGo = reference.language === "go";
    const receiver = isGo ? goReceiver(outermost.signature) : undefined;
    const order = isGo ? "behind names" : "before names";
    // Each of the meanings that a name may have asks for the types of the same receiver.
    const types = new Map<string, readonly string[]>();
    return {
      mayBind: (name) =>
        name === receiver || (!isRustType(reference.language, name) && mayBindLocally(code, name, order)),
      typesOf: (value) => {
        const found = types.get(value) ?? typesOfValue(code, value);
        types.set(value, found);
        return found;
      },
    };
  }

  async #imports(
    { reference, receiver }: PlacedUse,
    containers: readonly SymbolDeclaration[],
  ): Promise<ResolvedImport[]> {
    const wanted = new Set([reference.name, ...(receiver.kind === "name" ? prefixesOf(receiver.name) : [])]);
    const inFile = await this.modules.bindings(reference);
    const all = reference.language === "rust" ? importsWithin(inFile, moduleAround(reference, containers)) : inFile;
    const isImport = (name: string) => reference.kind === "import" && name === reference.name;
    const own = all.filter(
      ({ alias, name, module }) => module !== "" && (wanted.has(alias) || name === "*" || isImport(name)),
    );
    const bindings = [...own, ...this.#pathOf(reference, receiver, { own, all })];
    return Promise.all(bindings.map((binding) => this.#resolved(binding, reference)));
  }

  /** `crate::a::f()` and `a::f()` name a module where they are used, without importing it; `import a.b` binds `a` too. */
  #pathOf(
    { language }: SymbolReference,
    receiver: Receiver,
    { own, all }: { own: readonly ImportBinding[]; all: readonly ImportBinding[] },
  ): ImportBinding[] {
    if (receiver.kind === "module") {
      const { module } = receiver;
      return [{ module, name: "", alias: moduleAlias(module), isExported: false }];
    }
    if (language === "python" && receiver.kind === "name") {
      const [first = ""] = receiver.name.split(".");
      const isBound = own.some(({ alias }) => alias === first);
      const isPackage = all.some(({ name, alias, module }) => {
        return name === "" && alias === module && module.startsWith(`${first}.`);
      });
      return isPackage && !isBound ? [{ module: first, name: "", alias: first, isExported: false }] : [];
    }
    if (language !== "rust" || receiver.kind !== "name") return [];
    const { name: alias } = receiver;
    if (own.some((one) => one.alias === alias) || !/^[a-z]/.test(alias)) return [];
    const bound = own.find((one) => one.name !== "*" && alias.startsWith(`${one.alias}.`));
    const path = bound ? [bound.module, `${bound.name}${alias.slice(bound.alias.length)}`] : [alias];
    const module = path
      .filter((part) => part !== "")
      .join("::")
      .replaceAll(".", "::");
    return [{ module, name: "", alias, isExported: false }];
  }

  async #resolved(binding: ImportBinding, reference: SymbolReference): Promise<ResolvedImport> {
    const { repo, language } = reference;
    const alias = binding.name === "*" ? `${binding.module}::*` : binding.alias;
    if (language === "go") {
      const modules = await this.modules.goModules(repo);
      const isIn: ResolvedImport["isIn"] = (one) =>
        one.repo === repo ? goPackageIs(binding.module, folderOf(one.path), modules) : undefined;
      const isForeignTo: ResolvedImport["isForeignTo"] = (one) =>
        excludesGoPackage(binding.module, one, { repo, modules });
      return { alias, name: binding.name, isIn, isForeignTo };
    }
    const { name, files } = await this.modules.follow(binding, reference);
    const certainties = new Map(files.map(({ path, certainty }) => [path, certainty]));
    const home = await this.modules.home(binding, reference, files.length > 0 ? "found" : "not found");
    return {
      ...{ alias, name },
      isIn: (one) => (one.repo === repo ? certainties.get(one.path) : undefined),
      isForeignTo: (one) => !certainties.has(one.path) && excludes(home, { ...binding, language }, one),
    };
  }
}

function holds({ startLine, endLine }: SymbolDeclaration, line: number): boolean {
  return startLine <= line && line <= endLine;
}

/** The innermost module of the file around a use, empty for the file's own. */
function moduleAround({ enclosing }: SymbolReference, containers: readonly SymbolDeclaration[]): string {
  const modules = new Set(containers.filter(({ kind }) => kind === "module").map((one) => one.qualifiedName));
  return prefixesOf(enclosing).findLast((name) => modules.has(name)) ?? "";
}

function isPrefix(container: string, name: string): boolean {
  return name === container || name.startsWith(`${container}.`);
}

function prefixesOf(qualifiedName: string): string[] {
  const parts = qualifiedName === "" ? [] : qualifiedName.split(".");
  return parts.map((_, at) => parts.slice(0, at + 1).join("."));
}

function fileKey({ repo, path }: { repo: string; path: string }): string {
  return `${repo}\0${path}`;
}

function byRepo<T extends { repo: string }>(rows: readonly T[]): [string, T[]][] {
  return [...groupBy(rows, ({ repo }) => repo)];
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
