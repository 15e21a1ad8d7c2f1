import type { Node, QueryMatch } from "web-tree-sitter";
import type { DeclarationKind, ReferenceDocument } from "../../code/index.js";

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
  reaches?: boolean;
  /** Patterns earlier in the query win where ranges are equal. */
  pattern: number;
}

/** A reference as its pattern found it. */
export interface FoundReference {
  /**
   * `imported`: a name taken out of a module that another reference names, an import as well; `none`: what stands there
   * is no reference, whatever other patterns say.
   */
  kind: ReferenceDocument["kind"] | "imported" | "none";
  node: Node;
}

/** All that a query found, by what it is. */
export interface Findings {
  declarations: FoundDeclaration[];
  references: FoundReference[];
  /** Names of declarations, which are no references to themselves. */
  names: Node[];
  docstrings: Node[];
  prefixes: Node[];
  /** Bodies that stand beside what they belong to. */
  suffixes: Node[];
  /** Texts in another language. */
  embedded: Node[];
  /** Whether the parser gave up on some part; a token it only had to imagine loses nothing. */
  hasErrors: boolean;
}

const DECLARATION_CAPTURES: ReadonlySet<string> = new Set<DeclarationKind | "scope">([
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

function isDeclarationCapture(name: string): name is DeclarationKind | "scope" {
  return DECLARATION_CAPTURES.has(name);
}

/** Sorts a query's matches by the meaning of their captures (see languages/rules.ts). */
export function readMatches(matches: QueryMatch[]): Findings {
  const findings: Findings = {
    declarations: [],
    references: [],
    names: [],
    docstrings: [],
    prefixes: [],
    suffixes: [],
    embedded: [],
    hasErrors: false,
  };
  for (const match of matches) readMatch(match, findings);
  return findings;
}

function readMatch(match: QueryMatch, findings: Findings): void {
  let found: { kind: DeclarationKind | "scope"; node: Node } | undefined;
  let name: Node | undefined;
  let owner: Node | undefined;
  let verb: Node | undefined;
  let base: Node | undefined;
  let reaches = false;
  for (const capture of match.captures) {
    if (capture.name === "name") name ??= capture.node;
    else if (capture.name === "owner") owner = capture.node;
    else if (capture.name === "verb") verb = capture.node;
    else if (capture.name === "base") base = capture.node;
    else if (capture.name === "reaches") reaches = true;
    else if (capture.name === "error") findings.hasErrors = true;
    else if (capture.name === "doc") findings.docstrings.push(capture.node);
    else if (capture.name === "prefix") findings.prefixes.push(capture.node);
    else if (capture.name === "suffix") findings.suffixes.push(capture.node);
    else if (capture.name === "embed") findings.embedded.push(capture.node);
    else if (capture.name.startsWith("ref.")) {
      findings.references.push({ kind: capture.name.slice(4) as FoundReference["kind"], node: capture.node });
    } else if (isDeclarationCapture(capture.name)) found = { kind: capture.name, node: capture.node };
  }
  if (found && name && found.kind !== "scope") findings.names.push(name);
  if (found && name)
    findings.declarations.push({ ...found, name, owner, verb, base, reaches, pattern: match.patternIndex });
}
