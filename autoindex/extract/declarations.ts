import type { Node } from "web-tree-sitter";
import type { DeclarationKind } from "../../code/index.js";
import type { LanguageRules } from "../languages/rules.js";
import { cleanComment, cleanDocstring, commentAbove } from "./comments.js";
import { Enclosing } from "./enclosing.js";
import type { Findings, FoundDeclaration } from "./matches.js";
import type { Declaration } from "./model.js";
import { ownerName, qualify, type SplitName, splitName } from "./names.js";
import type { Positions } from "./positions.js";

const MAX_SIGNATURE = 400;

/** Containers whose variables are of no interest from outside. */
const CODE_KINDS: ReadonlySet<string> = new Set(["function", "method", "constructor", "test", "macro"]);
const DATA_KINDS: ReadonlySet<string> = new Set(["constant", "variable", "field", "property"]);
/** Containers whose functions are methods. */
const TYPE_KINDS: ReadonlySet<string> = new Set(["class", "struct", "interface", "trait", "enum", "scope"]);

/** A declaration with its whole range, still with its nodes. */
interface Placed extends FoundDeclaration {
  start: number;
  end: number;
  /** Where the signature begins: after decorators. */
  head: number;
}

/** A declaration that others may lie in. */
interface Open {
  kind: DeclarationKind | "scope";
  qualifiedName: string;
  end: number;
  node: Node;
}

/** Turns what a query found into declarations in the order of their places, outer before inner. */
export function buildDeclarations(findings: Findings, positions: Positions, rules: LanguageRules): Declaration[] {
  const prefixes = new PrefixIndex(findings.prefixes, positions.text, rules);
  const placed = findings.declarations.map((found) => withMacro(place(found, rules, prefixes), positions, rules));
  const open: Open[] = [];
  const declarations: Declaration[] = [];
  for (const found of withoutDoubles(placed)) {
    // A second name of the same node (`int a, b;`) lies in the first one's range without being part of it.
    while (open.length > 0 && (open.at(-1)!.end <= found.start || open.at(-1)!.node.id === found.node.id)) open.pop();
    const outer = open.at(-1);
    const kind = kindOf(found, outer, rules);
    if (kind === undefined) continue;
    const { owner, name } = nameOf(found, rules);
    const own = found.owner ? ownerName(found.owner.text) : owner;
    const qualifiedName = qualify(outer?.qualifiedName ?? "", own, name);
    open.push({ kind, qualifiedName, end: found.end, node: found.node });
    if (kind !== "scope") declarations.push(describe(found, { kind, name, qualifiedName }, positions, rules));
  }
  attachDocstrings(findings.docstrings, declarations);
  return declarations;
}

/** The whole range: wrappers around the node, attributes before it. */
function place(found: FoundDeclaration, rules: LanguageRules, prefixes: PrefixIndex): Placed {
  let node = found.node;
  let head = node.startIndex;
  for (let parent = node.parent; parent; parent = node.parent) {
    const sole = rules.soleWrappers.includes(parent.type) && parent.namedChildCount === 1;
    if (!sole && !rules.wrappers.includes(parent.type)) break;
    if (parent.type !== "decorated_definition") head = parent.startIndex;
    node = parent;
  }
  return { ...found, start: prefixes.startBefore(node.startIndex), end: node.endIndex, head };
}

/** A macro that was overwritten before parsing (see c-macros.ts) belongs to the declaration it stands before. */
function withMacro(found: Placed, positions: Positions, rules: LanguageRules): Placed {
  if (rules.macros === "none") return found;
  const lineStart = positions.lineStarts[positions.lineAt(found.start) - 1]!;
  const before = positions.text.slice(lineStart, found.start);
  if (before.length > 200 || !/^\s*(?:[A-Z][A-Z0-9_]*(?:\([^()]*\))?\s+)+$/.test(before)) return found;
  return { ...found, start: lineStart + before.length - before.trimStart().length };
}

/**
 * Sorted by place, one declaration a range. A second name for the same range (`int a, b;`) keeps its own name's range;
 * a second pattern for the same name (a constant that is a function) is dropped.
 */
function withoutDoubles(placed: Placed[]): Placed[] {
  const byRange = new Map<string, Placed>();
  for (const found of placed.sort((a, b) => a.pattern - b.pattern)) {
    const known = byRange.get(`${found.start}-${found.end}`);
    if (!known) byRange.set(`${found.start}-${found.end}`, found);
    else if (known.name.startIndex !== found.name.startIndex) {
      const { startIndex: start, endIndex: end } = found.name;
      if (!byRange.has(`${start}-${end}`)) byRange.set(`${start}-${end}`, { ...found, start, end, head: start });
    }
  }
  return [...byRange.values()].sort((a, b) => a.start - b.start || b.end - a.end || a.pattern - b.pattern);
}

/** What a declaration is where it stands; nothing for a local variable. */
function kindOf(
  found: Placed,
  outer: Open | undefined,
  rules: LanguageRules,
): Declaration["kind"] | "scope" | undefined {
  if (outer && CODE_KINDS.has(outer.kind) && DATA_KINDS.has(found.kind)) return undefined;
  const { owner, name } = nameOf(found, rules);
  if (rules.macros !== "none" && TEST_MACRO.test(found.name.text)) return "test";
  if (name === "_" || isTagOfTypedef(found, outer)) return undefined;
  const isMember = outer !== undefined && TYPE_KINDS.has(outer.kind);
  if (found.kind === "method" || found.kind === "function") {
    const belongs = isMember || found.owner !== undefined || owner !== "";
    const container = owner || outer?.qualifiedName || "";
    if (belongs && isConstructor(name, container, rules)) return "constructor";
    return belongs && found.kind === "function" ? "method" : found.kind;
  }
  if (found.kind === "variable" || found.kind === "field") {
    if (rules.capitalNames === "constant" && /^_*[A-Z][A-Z0-9_]+$/.test(name)) return "constant";
  }
  return found.kind;
}

/** `TEST(Suite, Works) { ... }` is the test `Works` of `Suite`. */
const TEST_MACRO = /^(?:TYPED_)?TEST(?:_[A-Z]+)?$/;

function nameOf(found: Placed, rules: LanguageRules): SplitName {
  const written = found.name.text;
  if (rules.macros !== "none" && TEST_MACRO.test(written)) {
    const [, first, second] = /^\w+\(\s*(\w+)\s*(?:,\s*(\w+))?/.exec(found.node.text.slice(0, 400)) ?? [];
    if (first) return second ? { owner: first, name: second } : { owner: "", name: first };
  }
  return splitName(written);
}

/** `typedef struct node { ... } node;` declares one thing, not one inside the other. */
function isTagOfTypedef(found: Placed, outer: Open | undefined): boolean {
  if (outer?.node.type !== "type_definition" || outer.kind !== found.kind) return false;
  return found.node.parent?.id === outer.node.id && outer.qualifiedName.split(".").at(-1) === found.name.text;
}

function isConstructor(name: string, container: string, rules: LanguageRules): boolean {
  if (rules.constructors.includes(name)) return true;
  return rules.wrappers.includes("template_declaration") && container.split(".").at(-1) === name;
}

function describe(
  found: Placed,
  known: Pick<Declaration, "kind" | "name" | "qualifiedName">,
  positions: Positions,
  rules: LanguageRules,
): Declaration {
  const comment = commentAbove(positions, positions.lineAt(found.start), rules);
  const docstring = comment ? cleanComment(comment.raw, rules) : "";
  const isCall = found.node.type === "call_expression";
  const bodyAt = isCall ? testBody(found, positions.text) : bodyStart(found.node, positions.text);
  const end = Math.min(bodyAt ?? found.end, found.end);
  const signature = collapse(positions.text.slice(found.head, Math.max(end, found.name.endIndex)));
  return {
    ...known,
    signature,
    docstring,
    ...(comment && docstring !== "" && { comment }),
    start: found.start,
    end: trimEnd(positions.text, found),
  };
}

/** A range never ends in blank space: some grammars count the line feed. */
function trimEnd(text: string, found: Placed): number {
  let end = found.end;
  while (end > found.start && /\s/.test(text[end - 1]!)) end--;
  return end;
}

/** Where the body begins: the field of that name, of the node or of the value it is given, or a child that is one. */
function bodyStart(node: Node, text: string): number | undefined {
  const value = node.childForFieldName("value") ?? node.childForFieldName("right") ?? node.childForFieldName("type");
  const body = node.childForFieldName("body") ?? value?.childForFieldName("body") ?? lastBody(node);
  if (!body) return undefined;
  // A colon or an arrow before the body belongs to neither.
  const before = text.slice(Math.max(node.startIndex, body.startIndex - 40), body.startIndex);
  return body.startIndex - before.length + before.replace(/\s*(:|=>|=)?\s*$/, "").length;
}

/** A test is a call: its callback's text is the body. */
function testBody(found: Placed, text: string): number {
  const comma = text.indexOf(",", found.name.endIndex);
  return comma < 0 ? found.end : comma;
}

function lastBody(node: Node): Node | undefined {
  const last = node.lastNamedChild;
  return last && /(_body|^block|declaration_list|^body_statement)$/.test(last.type) && node.namedChildCount > 1
    ? last
    : undefined;
}

function collapse(text: string): string {
  return text
    .slice(0, MAX_SIGNATURE * 2)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_SIGNATURE);
}

/** A docstring belongs to the innermost declaration around it. */
function attachDocstrings(docstrings: Node[], declarations: Declaration[]): void {
  const enclosing = new Enclosing(declarations);
  for (const literal of docstrings.sort((a, b) => a.startIndex - b.startIndex)) {
    const innermost = enclosing.at(literal.startIndex);
    if (!innermost) continue;
    innermost.docstring = cleanDocstring(literal.text);
    delete innermost.comment;
  }
}

/** Finds the attributes that stand directly before a place, comments between them passed over. */
class PrefixIndex {
  /** Where the code after a prefix begins, and where that prefix begins. */
  readonly #starts = new Map<number, number>();

  constructor(prefixes: Node[], text: string, rules: LanguageRules) {
    for (const node of prefixes) {
      const next = skipBlank(text, node.endIndex, rules);
      if (!this.#starts.has(next)) this.#starts.set(next, node.startIndex);
    }
  }

  startBefore(index: number): number {
    let start = index;
    for (let found = this.#starts.get(start); found !== undefined; found = this.#starts.get(start)) start = found;
    return start;
  }
}

function skipBlank(text: string, from: number, rules: LanguageRules): number {
  const blank = /\s*/y;
  for (let at = from; ; ) {
    blank.lastIndex = at;
    at += blank.exec(text)![0].length;
    const isComment = rules.lineComments.some((mark) => text.startsWith(mark, at));
    if (!isComment) return at;
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end;
  }
}
