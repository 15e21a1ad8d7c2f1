import type { DeclarationDocument } from "../../code/index.js";
import { Enclosing } from "./enclosing.js";
import type { Declaration, Outline, Reference } from "./model.js";

/** What a declaration refers to by its own text, as its document has it: sorted names, lists without a name left out. */
export type Edges = Pick<DeclarationDocument, "calls" | "uses" | "supers">;

const LIST_OF_KIND: Readonly<Record<Reference["kind"], "calls" | "uses">> = {
  call: "calls",
  instantiate: "calls",
  import: "uses",
  inherit: "uses",
  type: "uses",
};

/** Kinds that inherit. */
const CLASS_KINDS: ReadonlySet<string> = new Set([
  ...["class", "struct", "interface", "trait", "enum", "module", "namespace", "type"],
]);

/**
 * What each declaration, section and window refers to: a reference counts for the innermost one around it. What a type is
 * said to inherit outside its own text (`impl Trait for Type`) counts for the type, where the same file declares it.
 */
export function edgesOf({ declarations, references }: Outline): ReadonlyMap<Declaration, Edges> {
  const edges = new Map<Declaration, Edges>();
  const enclosing = new Enclosing(declarations);
  let types: Map<string, Declaration> | undefined;
  for (const { kind, name, start, enclosing: owner } of references) {
    const innermost = enclosing.at(start);
    if (innermost) addName(edgesFor(edges, innermost), LIST_OF_KIND[kind], name);
    if (kind !== "inherit") continue;
    types ??= new Map(declarations.filter(isClassLike).map((one) => [one.qualifiedName, one]));
    const heir =
      innermost && isClassLike(innermost) && innermost.qualifiedName === owner ? innermost : types.get(owner);
    if (heir) addName(edgesFor(edges, heir), "supers", name);
  }
  for (const lists of edges.values()) for (const names of Object.values(lists)) names.sort();
  return edges;
}

/** The modules that are imported, as they are written, sorted. */
export function importsOf(references: readonly Reference[]): string[] {
  const modules = references.filter(({ kind, names }) => kind === "import" && names !== "member");
  return [...new Set(modules.map(({ name }) => name))].sort();
}

function isClassLike({ kind }: Declaration): boolean {
  return CLASS_KINDS.has(kind);
}

function edgesFor(edges: Map<Declaration, Edges>, declaration: Declaration): Edges {
  const known = edges.get(declaration);
  if (known) return known;
  const made: Edges = {};
  edges.set(declaration, made);
  return made;
}

function addName(lists: Edges, list: keyof Edges, name: string): void {
  const names = lists[list];
  if (names === undefined) lists[list] = [name];
  else if (!names.includes(name)) names.push(name);
}
