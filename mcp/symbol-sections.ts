import { type Meaning, printable, type SymbolDeclaration } from "../code/index.js";
import type { ItemSection } from "./section.js";
import { type CallEdge, type Calls, findCallees, findCallers } from "./symbol-calls.js";
import { type SymbolGraph, symbolKey } from "./symbol-graph.js";
import { certaintyNote } from "./symbol-json.js";
import { findReferences } from "./symbol-references.js";
import { findImplementations } from "./symbol-types.js";

/** Parts of an answer about a symbol, in their order; `definition` is no list and comes first. */
export const SYMBOL_SECTIONS = [
  "definition",
  "others",
  "callers",
  "callees",
  "implementations",
  "tests",
  "references",
] as const;

/** Name of a part. */
export type SymbolSectionName = (typeof SYMBOL_SECTIONS)[number];

/** A part that is a list. */
export interface SymbolSection extends ItemSection {
  name: SymbolSectionName;
}

/** What a list is about. */
export interface AboutSymbol {
  graph: SymbolGraph;
  /** The declaration meant, and all that are one symbol with it. */
  symbols: SymbolDeclaration[];
  /** What the name may mean as well. */
  others: readonly Meaning[];
  depth: number;
}

/** Makes one list. */
export function makeSection(
  name: Exclude<SymbolSectionName, "definition">,
  about: AboutSymbol,
): Promise<SymbolSection> {
  return MAKERS[name](about);
}

const MAKERS: Readonly<
  Record<Exclude<SymbolSectionName, "definition">, (about: AboutSymbol) => Promise<SymbolSection>>
> = {
  others: async ({ others }) => {
    const items = others.map(({ declaration }) => `${place(declaration)}: ${signature(declaration)}`);
    return { name: "others", title: `other declarations of the name: ${items.length}`, items };
  },
  callers: async ({ graph, symbols, depth }) => {
    const calls = await findCallers(graph, symbols, depth);
    return { name: "callers", title: titleOf("callers", calls, depth), ...itemsOf(calls, symbols) };
  },
  callees: async ({ graph, symbols, depth }) => {
    const calls = await findCallees(graph, symbols, depth);
    const external = calls.external.length === 0 ? [] : [`leads to nothing in the index: ${calls.external.join(", ")}`];
    const { items, subjects } = itemsOf(calls, symbols);
    return {
      ...{ name: "callees", title: titleOf("calls", calls, depth) },
      ...{ items: [...items, ...external], subjects: [...subjects, ...external] },
    };
  },
  implementations: async ({ graph, symbols }) => {
    const { heirs, cut } = await findImplementations(graph, symbols);
    const items = heirs.map(({ declaration, certainty, depth }) => {
      return `${place(declaration)}: ${signature(declaration)} (${certainty}${depth > 1 ? `, ${depth} steps` : ""})`;
    });
    const more = cut > 0 ? `, ${cut} more not followed` : "";
    return { name: "implementations", title: `implementations: ${items.length}${more}`, items };
  },
  tests: async ({ graph, symbols }) => {
    const { files } = await findReferences(graph, symbols, "without mentions");
    const tests = new Map<string, string>();
    for (const { file, lines } of files) {
      for (const { line, enclosing, isTest, kind, certainty, text } of lines) {
        const key = `${file.repo}\0${file.path}\0${enclosing}`;
        if (!isTest || kind === "import" || tests.has(key)) continue;
        tests.set(key, `${file.path}:${line}: ${enclosing === "" ? text.trim() : enclosing} (${certainty})`);
      }
    }
    return { name: "tests", title: `tests that mention it: ${tests.size}`, items: [...tests.values()] };
  },
  references: async ({ graph, symbols }) => {
    const { files, mentions, unseen } = await findReferences(graph, symbols);
    const lines = files.flatMap(({ file, lines: own }) => own.map((one) => ({ ...one, path: file.path })));
    const exact = lines.filter(({ certainty }) => certainty === "exact").length;
    const more = unseen > 0 ? `, ${unseen} declarations with more not looked at` : "";
    const title = `references: ${lines.length} lines in ${files.length} files, ${exact} exact${more}; text-only mentions: ${mentions.lines} lines`;
    const items = lines.map(({ path, line, text, certainty, among }) => {
      return `${path}:${line}: ${text.trim()}${certainty === "exact" ? "" : ` (${certaintyNote(certainty, among)})`}`;
    });
    return { name: "references", title, items };
  },
};

/** `path:line`, of a declaration. */
function place({ path, startLine }: SymbolDeclaration): string {
  return `${path}:${startLine}`;
}

/** A declaration on one line; a member with its container. */
export function signature({ kind, qualifiedName, signature: own }: SymbolDeclaration): string {
  if (own === "") return printable(`${kind} ${qualifiedName}`);
  return printable(qualifiedName.includes(".") && !own.includes(qualifiedName) ? `${qualifiedName}: ${own}` : own);
}

function titleOf(what: string, { edges, cut }: Calls, depth: number): string {
  const nodes = new Set(edges.map(subjectOf)).size;
  const left = cut.nodes + cut.unlikely + cut.unseen;
  const notes = [
    ...(depth > 1 ? [`to depth ${depth}`] : []),
    ...(left > 0
      ? [`left out: ${cut.nodes} symbols, ${cut.unlikely} unlikely places, ${cut.unseen} declarations with references`]
      : []),
  ];
  return `${what}: ${nodes}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

/** Who calls, or is called: the top level of a file counts as one. */
function subjectOf({ node: { declaration, file } }: CallEdge): string {
  return symbolKey(declaration ?? { ...file, qualifiedName: "" });
}

/** One line for each call between two symbols: a symbol that calls several of the others has several lines. */
function itemsOf({ edges }: Calls, symbols: readonly SymbolDeclaration[]): { items: string[]; subjects: string[] } {
  const roots = new Set(symbols.map(symbolKey));
  const items = edges.map((edge) => {
    const { node, certainty, among, lines, depth, of, isRepeated } = edge;
    const shown = node.declaration ? `${place(node.declaration)}: ${signature(node.declaration)}` : topLevel(edge);
    const notes = [
      certaintyNote(certainty, among),
      `at ${lines.map(({ line }) => line).join(", ")}`,
      ...(roots.has(of) ? [] : [`step ${depth}, by ${of.split("\0")[2] || "top level"}`]),
      ...(isRepeated ? ["again"] : []),
    ];
    return `${shown} (${notes.join("; ")})`;
  });
  return { items, subjects: edges.map(subjectOf) };
}

function topLevel({ node, lines }: CallEdge): string {
  return `${node.file.path}:${lines[0]?.line ?? 1}: top level`;
}
