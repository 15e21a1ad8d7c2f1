import {
  type Certainty,
  containerOf,
  declarationsIn,
  declarationsNamed,
  folderOf,
  methodsNamed,
  type SymbolDeclaration,
  TYPE_KINDS,
} from "../code/index.js";
import { groupBy } from "./group-by.js";
import { type SymbolGraph, symbolKey } from "./symbol-graph.js";
import { type FoundUses, findUses } from "./symbol-references.js";

/** A type that inherits or implements another. */
export interface Heir {
  declaration: SymbolDeclaration;
  /** Key of what it inherits. */
  of: string;
  /** Steps from the type asked about, from 1. */
  depth: number;
  certainty: Certainty;
}

const MOST_HEIRS = 500;

/** What implements or inherits types, over any number of steps; of a method, the methods of its name in those types. */
export async function findImplementations(
  graph: SymbolGraph,
  symbols: readonly SymbolDeclaration[],
): Promise<{ heirs: Heir[]; cut: number }> {
  const methods = symbols.filter(({ kind }) => kind === "method");
  const types = symbols.filter(({ kind }) => TYPE_KINDS.has(kind));
  const found = await heirsOf(graph, types);
  const overriding = await Promise.all(methods.map((method) => overridesOf(graph, method)));
  return { heirs: [...found.heirs, ...overriding.flat()], cut: found.cut };
}

async function heirsOf(
  graph: SymbolGraph,
  types: readonly SymbolDeclaration[],
): Promise<{ heirs: Heir[]; cut: number }> {
  const heirs: Heir[] = [];
  const seen = new Set(types.map(symbolKey));
  let cut = 0;
  let level = [...types];
  for (let depth = 1; level.length > 0; depth++) {
    const direct = [...(await declaredHeirs(graph, level)), ...(await structuralHeirs(graph, level))];
    level = [];
    for (const { declaration, of, certainty } of direct) {
      const key = symbolKey(declaration);
      if (seen.has(key)) continue;
      if (seen.size >= MOST_HEIRS) {
        cut++;
        continue;
      }
      seen.add(key);
      heirs.push({ declaration, of, certainty, depth });
      level.push(declaration);
    }
  }
  return { heirs, cut };
}

type DirectHeir = Omit<Heir, "depth">;

/** Types that say so. */
async function declaredHeirs(graph: SymbolGraph, types: readonly SymbolDeclaration[]): Promise<DirectHeir[]> {
  const { uses } = await findUses(graph, types, ["inherit"]);
  const found = await Promise.all(uses.map((one) => heirOf(graph, one)));
  return found.flat();
}

async function heirOf({ index }: SymbolGraph, { use, meaning }: FoundUses["uses"][number]): Promise<DirectHeir[]> {
  const { reference, enclosing } = use;
  const of = symbolKey(meaning.declaration);
  if (enclosing && TYPE_KINDS.has(enclosing.kind))
    return [{ declaration: enclosing, of, certainty: meaning.certainty }];
  if (reference.enclosing === "") return [];
  // `impl Trait for Type` may stand in another file than the type.
  const named = await index.declarations(declarationsNamed([reference.enclosing], { repo: reference.repo }));
  const declared = named.filter((one) => TYPE_KINDS.has(one.kind) && one.language === reference.language);
  const inFile = declared.filter((one) => one.path === reference.path && one.qualifiedName === reference.enclosing);
  const [heir] = [...inFile, ...declared];
  if (heir === undefined) return [];
  return [{ declaration: heir, of, certainty: inFile.length > 0 ? meaning.certainty : "heuristic" }];
}

/** Go's types implement an interface by having its methods: those that have all names of its own text do so likely. */
async function structuralHeirs({ index }: SymbolGraph, types: readonly SymbolDeclaration[]): Promise<DirectHeir[]> {
  const found: DirectHeir[] = [];
  for (const type of types) {
    if (type.language !== "go" || type.kind !== "interface") continue;
    const members = (await index.declarations(declarationsIn(type.repo, [type.path]))).filter(
      (one) => one.kind === "method" && containerOf(one) === type.qualifiedName,
    );
    const wanted = new Set(members.map(({ name }) => name));
    if (wanted.size === 0) continue;
    const methods = await index.declarations(methodsNamed([...wanted], { repo: type.repo }));
    const owners = groupBy(
      methods.filter(({ language }) => language === "go"),
      (one) => `${folderOf(one.path)}\n${containerOf(one)}`,
    );
    const having = [...owners].filter(([, own]) => new Set(own.map(({ name }) => name)).size === wanted.size);
    const names = [...new Set(having.map(([key]) => key.split("\n")[1]!))];
    const declared = names.length === 0 ? [] : await index.declarations(declarationsNamed(names, { repo: type.repo }));
    for (const [key] of having) {
      const [folder, name] = key.split("\n");
      const heir = declared.find(
        (one) => one.qualifiedName === name && folderOf(one.path) === folder && TYPE_KINDS.has(one.kind),
      );
      if (!heir || heir.kind === "interface") continue;
      found.push({ declaration: heir, of: symbolKey(type), certainty: "heuristic" });
    }
  }
  return found;
}

/** Methods of the same name in the types that inherit from a method's own. */
async function overridesOf(graph: SymbolGraph, method: SymbolDeclaration): Promise<Heir[]> {
  const container = containerOf(method);
  const inFile = await graph.index.declarations(
    declarationsNamed([container], { repo: method.repo, paths: [method.path] }),
  );
  const owners = inFile.filter((one) => one.qualifiedName === container && TYPE_KINDS.has(one.kind));
  const { heirs } = await heirsOf(graph, owners);
  if (heirs.length === 0) return [];
  const methods = await graph.index.declarations(methodsNamed([method.name], { repo: method.repo }));
  return heirs.flatMap(({ declaration: heir, depth, certainty }) =>
    methods
      .filter((one) => containerOf(one) === heir.qualifiedName && folderOf(one.path) === folderOf(heir.path))
      .map((declaration) => ({ declaration, of: symbolKey(method), depth, certainty })),
  );
}
