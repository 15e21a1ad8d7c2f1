import type { Node, QueryMatch } from "web-tree-sitter";
import type { DeclarationKind, ReferenceKind } from "../../code/index.js";

/** A declaration as its pattern found it. */
export interface FoundDeclaration {
  kind: DeclarationKind | "scope";
  node: Node;
  name: Node;
  owner: Node | undefined;
  /** Of a route: what says its method, and the path that it goes on from. */
  verb: Node | undefined;
  base: Node | undefined;
  /** Whether it goes on to the next one that does, or to the end of what it stands in. */
  reaches: boolean;
  /** Patterns earlier in the query win where ranges are equal. */
  pattern: number;
}

/** A reference as its pattern found it. */
export interface FoundReference {
  /**
   * `imported`: a name taken out of a module that another reference names, an import as well; `none`: what stands there
   * is no reference, whatever other patterns say.
   */
  kind: ReferenceKind | "imported" | "none";
  start: number;
  end: number;
}

/** All that a query found, by what it is. */
export interface Findings {
  declarations: FoundDeclaration[];
  /** Names of declarations, which are no references to themselves, are among them. */
  references: FoundReference[];
  docstrings: Node[];
  prefixes: Node[];
  /** Bodies that stand beside what they belong to. */
  suffixes: Node[];
  /** Texts in another language. */
  embedded: Node[];
  /** Whether the parser gave up on some part; a token it only had to imagine loses nothing. */
  hasErrors: boolean;
}

const DECLARATION_CAPTURES: ReadonlySet<string> = new Set<FoundDeclaration["kind"]>([
  "class",
  "constant",
  "constructor",
  "enum",
  "field",
  "function",
  "interface",
  "macro",
  "method",
  "module",
  "namespace",
  "property",
  "route",
  "scope",
  "struct",
  "test",
  "trait",
  "type",
  "variable",
]);

/** What a capture means by its name. */
type Meaning =
  | { is: "declaration"; kind: FoundDeclaration["kind"] }
  | { is: "part"; part: "name" | "owner" | "verb" | "base" | "reaches" }
  | { is: "reference"; kind: FoundReference["kind"] }
  | { is: "list"; list: "docstrings" | "prefixes" | "suffixes" | "embedded" }
  | { is: "error" }
  | { is: "predicate" };

const LISTS: Readonly<Record<string, Extract<Meaning, { is: "list" }>["list"]>> = {
  doc: "docstrings",
  prefix: "prefixes",
  suffix: "suffixes",
  embed: "embedded",
};
const PARTS: ReadonlySet<string> = new Set(["name", "owner", "verb", "base", "reaches"]);

/** Names of captures are few, captures many. */
const meanings = new Map<string, Meaning>();

function meaningOf(name: string): Meaning {
  let meaning = meanings.get(name);
  if (!meaning) {
    meaning = readMeaning(name);
    meanings.set(name, meaning);
  }
  return meaning;
}

function readMeaning(name: string): Meaning {
  if (name.startsWith("ref.")) return { is: "reference", kind: name.slice(4) as FoundReference["kind"] };
  if (DECLARATION_CAPTURES.has(name)) return { is: "declaration", kind: name as FoundDeclaration["kind"] };
  const list = LISTS[name];
  if (list) return { is: "list", list };
  if (PARTS.has(name)) return { is: "part", part: name as "name" };
  return { is: name === "error" ? "error" : "predicate" };
}

/** Sorts a query's matches by the meaning of their captures (see languages/rules.ts). */
export function readMatches(matches: QueryMatch[]): Findings {
  const findings: Findings = {
    declarations: [],
    references: [],
    docstrings: [],
    prefixes: [],
    suffixes: [],
    embedded: [],
    hasErrors: false,
  };
  for (const match of matches) readMatch(match, findings);
  return findings;
}

function readMatch({ captures, patternIndex }: QueryMatch, findings: Findings): void {
  let parts: DeclarationParts | undefined;
  for (const { name, node } of captures) {
    const meaning = meaningOf(name);
    if (meaning.is === "reference") findings.references.push(referenceAt(node, meaning.kind));
    else if (meaning.is === "list") findings[meaning.list].push(node);
    else if (meaning.is === "error") findings.hasErrors = true;
    else if (meaning.is !== "predicate") {
      parts ??= noParts(patternIndex);
      addPart(parts, meaning, node);
    }
  }
  if (!parts || !isWhole(parts)) return;
  if (parts.kind !== "scope") findings.references.push(referenceAt(parts.name, "none"));
  findings.declarations.push(parts);
}

function referenceAt(node: Node, kind: FoundReference["kind"]): FoundReference {
  return { kind, start: node.startIndex, end: node.endIndex };
}

/** A declaration of which not all captures were read. */
type DeclarationParts = Omit<FoundDeclaration, "kind" | "node" | "name"> & {
  [part in "kind" | "node" | "name"]: FoundDeclaration[part] | undefined;
};

function noParts(pattern: number): DeclarationParts {
  return {
    kind: undefined,
    node: undefined,
    name: undefined,
    owner: undefined,
    verb: undefined,
    base: undefined,
    reaches: false,
    pattern,
  };
}

function isWhole(parts: DeclarationParts): parts is FoundDeclaration {
  return parts.kind !== undefined && parts.name !== undefined;
}

function addPart(parts: DeclarationParts, meaning: Extract<Meaning, { is: "declaration" | "part" }>, node: Node): void {
  if (meaning.is === "declaration") {
    parts.kind = meaning.kind;
    parts.node = node;
  } else if (meaning.part === "name") parts.name ??= node;
  else if (meaning.part === "reaches") parts.reaches = true;
  else parts[meaning.part] = node;
}
