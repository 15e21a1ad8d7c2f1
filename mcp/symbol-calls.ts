import { type Certainty, declarationsNamed, type FileVersion, type SymbolDeclaration } from "../code/index.js";
import { groupBy } from "./group-by.js";
import { type SymbolGraph, symbolKey } from "./symbol-graph.js";
import { findUses } from "./symbol-references.js";
import type { ResolvedUse } from "./symbol-uses.js";

/** Most symbols of one answer. */
export const MOST_NODES = 500;
/** A heuristic edge to a declaration that is not among the likeliest of its name is left out. */
const LIKELY = 3;
/** A name that may mean more declarations than this says nothing about which one is meant. */
const AMBIGUOUS = 8;
/** Deepest question. */
export const MOST_DEPTH = 20;

/** Who calls, or is called: a declaration, or the top level of a file. */
export interface CallNode {
  /** Undefined at the top level of a file. */
  declaration: SymbolDeclaration | undefined;
  file: FileVersion;
}

/** A call between two symbols. */
export interface CallEdge {
  node: CallNode;
  /** Key of the symbol that it calls, or that calls it. */
  of: string;
  /** Steps from the symbol asked about, from 1. */
  depth: number;
  certainty: Certainty;
  /** Declarations that the called name may mean. */
  among: number;
  /** Where the calls are written, with their texts. */
  lines: { line: number; text: string }[];
  /** Whether the symbol was met before, so that the way is not followed on from here. */
  isRepeated: boolean;
}

/** Calls found around a symbol. */
export interface Calls {
  edges: CallEdge[];
  /** What was not followed: symbols beyond the bound, unlikely meanings, declarations with references beyond what is read. */
  cut: { nodes: number; unlikely: number; unseen: number };
  /** Names called that lead to nothing in the index, which may declare them elsewhere; of callees alone. */
  external: string[];
}

/** What calls symbols, directly and over at most `depth` steps. */
export async function findCallers(
  graph: SymbolGraph,
  symbols: readonly SymbolDeclaration[],
  depth: number,
): Promise<Calls> {
  const found: Calls = { edges: [], cut: { nodes: 0, unlikely: 0, unseen: 0 }, external: [] };
  const seen = new Set(symbols.map(symbolKey));
  let level = [...symbols];
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const { uses, unseen } = await findUses(graph, level, ["call", "instantiate"]);
    found.cut.unseen += unseen;
    const likely = uses.filter(({ use: { meanings }, meaning }) => {
      return meanings.indexOf(meaning) < LIKELY && meanings.length <= AMBIGUOUS;
    });
    found.cut.unlikely += uses.length - likely.length;
    const groups = groupBy(likely, ({ use, meaning }) => `${nodeKey(use)}\n${symbolKey(meaning.declaration)}`);
    const next: SymbolDeclaration[] = [];
    for (const group of groups.values()) {
      const { use, meaning } = group.find((one) => one.meaning.certainty === "exact") ?? group[0]!;
      const key = nodeKey(use);
      const isRepeated = seen.has(key);
      if (!isRepeated && seen.size >= MOST_NODES) {
        found.cut.nodes++;
        continue;
      }
      seen.add(key);
      const { certainty } = meaning;
      const of = symbolKey(meaning.declaration);
      const node = { declaration: use.enclosing, file: use.reference };
      const lines = linesOf(group.map((one) => one.use));
      found.edges.push({ node, of, depth: step, certainty, among: use.meanings.length, lines, isRepeated });
      if (!isRepeated && use.enclosing) next.push(use.enclosing);
    }
    level = next;
  }
  return found;
}

/** What symbols call, directly and over at most `depth` steps. */
export async function findCallees(
  graph: SymbolGraph,
  symbols: readonly SymbolDeclaration[],
  depth: number,
): Promise<Calls> {
  const found: Calls = { edges: [], cut: { nodes: 0, unlikely: 0, unseen: 0 }, external: [] };
  const external = new Set<string>();
  const seen = new Set(symbols.map(symbolKey));
  let level = [...symbols];
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const next: SymbolDeclaration[] = [];
    const uses = await usesInside(graph, level);
    const groups = groupBy(uses, (use) => `${nodeKey(use)}\n${targetKey(use)}`);
    for (const group of groups.values()) {
      const use = group[0]!;
      const [meaning] = use.meanings;
      if (meaning === undefined) {
        external.add(use.reference.name);
        continue;
      }
      const { declaration, certainty } = meaning;
      const key = symbolKey(declaration);
      const isRepeated = seen.has(key);
      if (!isRepeated && seen.size >= MOST_NODES) {
        found.cut.nodes++;
        continue;
      }
      seen.add(key);
      const common = { node: { declaration, file: declaration }, of: nodeKey(use), depth: step, certainty };
      found.edges.push({ ...common, among: use.meanings.length, lines: linesOf(group), isRepeated });
      if (!isRepeated) next.push(declaration);
    }
    level = next;
  }
  return { ...found, external: [...external].sort() };
}

/** Calls written in declarations' own text. */
async function usesInside(
  { index, modules, uses }: SymbolGraph,
  around: readonly SymbolDeclaration[],
): Promise<ResolvedUse[]> {
  const found = await Promise.all(
    [...groupBy(around, ({ repo }) => repo)].map(([repo, own]) => {
      const paths = [...new Set(own.map(({ path }) => path))];
      const enclosing = [...new Set(own.map(({ qualifiedName }) => qualifiedName))];
      return index.references({ repo, paths, enclosing, kinds: ["call", "instantiate"] });
    }),
  );
  const wanted = new Set(around.map(symbolKey));
  const places = (await uses.places(found.flat())).filter(
    ({ enclosing }) => enclosing && wanted.has(symbolKey(enclosing)),
  );
  const names = new Set(places.map(({ reference }) => reference.name));
  for (const { reference } of places) {
    for (const { alias, name } of await modules.bindings(reference))
      if (names.has(alias) && name !== "") names.add(name);
  }
  if (names.size === 0) return [];
  return uses.resolve(places, await index.declarations(declarationsNamed([...names])));
}

function targetKey({ meanings, reference }: ResolvedUse): string {
  const [first] = meanings;
  return first ? symbolKey(first.declaration) : reference.name;
}

function nodeKey({ enclosing, reference }: ResolvedUse): string {
  return symbolKey(enclosing ?? { ...reference, qualifiedName: "" });
}

function linesOf(uses: readonly ResolvedUse[]): CallEdge["lines"] {
  const byLine = new Map(uses.map(({ line, text }) => [line, text]));
  return [...byLine].map(([line, text]) => ({ line, text })).sort((a, b) => a.line - b.line);
}
