import type { Node } from "web-tree-sitter";
import type { DeclarationKind } from "../../code/index.js";
import { type LanguageRules, NAMED_AS_CLASS } from "../languages/rules.js";
import { cleanComment, cleanDocstring, commentAbove } from "./comments.js";
import { Enclosing } from "./enclosing.js";
import type { Findings, FoundDeclaration } from "./matches.js";
import type { Declaration } from "./model.js";
import { ownerName, qualify, type SplitName, splitName } from "./names.js";
import { childOf } from "./node-fields.js";
import type { Positions } from "./positions.js";
import { routeName } from "./route-name.js";

const MAX_SIGNATURE = 400;

/** Containers whose variables are of no interest from outside. */
const CODE_KINDS: ReadonlySet<string> = new Set(["function", "method", "constructor", "test", "macro", "route"]);
const DATA_KINDS: ReadonlySet<string> = new Set(["constant", "variable", "field", "property"]);
/** Containers whose functions are methods. */
const TYPE_KINDS: ReadonlySet<string> = new Set(["class", "struct", "interface", "trait", "enum", "scope"]);

/** A declaration with its whole range, still with its nodes. */
interface Placed extends FoundDeclaration {
  start: number;
  end: number;
  /** Where the signature begins: after decorators. */
  head: number;
  /** Where the signature ends when the body stands beside it. */
  headEnd: number | undefined;
}

/** A declaration that others may lie in. */
interface Open {
  kind: DeclarationKind | "scope";
  qualifiedName: string;
  end: number;
  node: Node;
  /** What it became; nothing for a scope. */
  declaration: Declaration | undefined;
}

/** Turns what a query found into declarations in the order of their places, outer before inner. */
export function buildDeclarations(findings: Findings, positions: Positions, rules: LanguageRules): Declaration[] {
  const prefixes = new PrefixIndex(findings.prefixes, positions.text, rules);
  const suffixes = new SuffixIndex(findings.suffixes, positions.text);
  const placed = findings.declarations.map((found) => {
    return suffixes.extend(withMacro(place(found, rules, prefixes), positions, rules));
  });
  extendReaching(placed);
  const open: Open[] = [];
  const declarations: Declaration[] = [];
  for (const found of withoutDoubles(placed)) {
    let before: Open | undefined;
    // A second name of the same node (`int a, b;`) lies in the first one's range without being part of it.
    while (open.length > 0 && (open.at(-1)!.end <= found.start || open.at(-1)!.node.id === found.node.id)) {
      before = open.pop();
    }
    const outer = open.at(-1);
    const kind = kindOf(found, outer, rules);
    if (kind === undefined) continue;
    const { owner, name } = nameOf(found, rules);
    const own = found.owner ? ownerName(found.owner.text) : owner;
    const qualifiedName = qualify(outer?.qualifiedName ?? "", own, name);
    if (rules.clauses === "merge" && isClauseOf(before, kind, qualifiedName)) {
      const { declaration } = before;
      open.push({ kind, qualifiedName, end: found.end, node: found.node, declaration });
      declaration.end = trimEnd(positions.text, found);
      continue;
    }
    const declaration = kind === "scope" ? undefined : describe(found, { kind, name, qualifiedName }, positions, rules);
    open.push({ kind, qualifiedName, end: found.end, node: found.node, declaration });
    if (declaration) declarations.push(declaration);
  }
  attachDocstrings(findings.docstrings, declarations);
  return rules.maxMembers === Number.MAX_SAFE_INTEGER ? declarations : withoutLists(declarations, rules.maxMembers);
}

/** Members of containers that have too many of them are left out: their text is in the container, or in windows. */
function withoutLists(declarations: Declaration[], most: number): Declaration[] {
  const containerOf = (one: Declaration) => one.qualifiedName.slice(0, -one.name.length);
  const members = new Map<string, number>();
  for (const one of declarations) members.set(containerOf(one), (members.get(containerOf(one)) ?? 0) + 1);
  return declarations.filter((one) => members.get(containerOf(one))! <= most);
}

/** Whether a declaration only goes on with the one before it: a function's next clause. */
function isClauseOf(
  before: Open | undefined,
  kind: Open["kind"],
  qualifiedName: string,
): before is Open & { declaration: Declaration } {
  return before?.declaration !== undefined && before.kind === kind && before.qualifiedName === qualifiedName;
}

/** The whole range: wrappers around the node, attributes before it. */
function place(found: FoundDeclaration, rules: LanguageRules, prefixes: PrefixIndex): Placed {
  let node = found.node;
  let head = node.startIndex;
  // A route that is a decorator or an attribute stands in its declaration's range: it is neither the whole nor its prefix.
  if (found.kind === "route") return { start: head, end: node.endIndex, head, headEnd: undefined, ...found };
  if (rules.wrappers.length + rules.soleWrappers.length === 0) {
    return { start: prefixes.startBefore(head), end: node.endIndex, head, headEnd: undefined, ...found };
  }
  for (let parent = node.parent; parent; parent = node.parent) {
    const type = parent.type;
    const sole = rules.soleWrappers.includes(type) && parent.namedChildCount === 1;
    if (!sole && !rules.wrappers.includes(type)) break;
    if (type !== "decorated_definition") head = parent.startIndex;
    node = parent;
  }
  return { start: prefixes.startBefore(node.startIndex), end: node.endIndex, head, headEnd: undefined, ...found };
}

/** What has no end of its own ends where the next one beside it begins, or with what they stand in. */
function extendReaching(placed: Placed[]): void {
  const reaching = placed.filter(({ reaches }) => reaches).sort((a, b) => b.start - a.start);
  const next = new Map<number, number>();
  for (const found of reaching) {
    const { parent } = found.node;
    if (!parent) continue;
    found.headEnd = found.end;
    found.end = next.get(parent.id) ?? parent.endIndex;
    next.set(parent.id, found.start);
  }
}

/** A macro that was overwritten before parsing (see c-macros.ts) belongs to the declaration it stands before. */
function withMacro(found: Placed, positions: Positions, rules: LanguageRules): Placed {
  if (rules.macros !== "preprocessor") return found;
  const lineStart = positions.lineStarts[positions.lineAt(found.start) - 1]!;
  const before = positions.text.slice(lineStart, found.start);
  if (before.length > 200 || !/^\s*(?:[A-Z][A-Z0-9_]*(?:\([^()]*\))?\s+)+$/.test(before)) return found;
  found.start = lineStart + before.length - before.trimStart().length;
  return found;
}

/**
 * Sorted by place, one declaration a range. A second name for the same range (`int a, b;`) keeps its own name's range;
 * a second pattern for the same name (a constant that is a function) is dropped.
 */
function withoutDoubles(placed: Placed[]): Placed[] {
  const byRange = new Map<number, Placed>();
  for (const found of placed.sort((a, b) => a.pattern - b.pattern)) {
    const range = rangeKey(found.start, found.end);
    const known = byRange.get(range);
    if (!known) byRange.set(range, found);
    else if (known.name.startIndex !== found.name.startIndex) {
      const { startIndex: start, endIndex: end } = found.name;
      const own = rangeKey(start, end);
      if (!byRange.has(own)) byRange.set(own, Object.assign(found, { start, end, head: start }));
    }
  }
  return [...byRange.values()].sort((a, b) => a.start - b.start || b.end - a.end || a.pattern - b.pattern);
}

/** A range as a number: no text that is parsed is longer than 2^25. */
function rangeKey(start: number, end: number): number {
  return start * 2 ** 26 + end;
}

/** What a declaration is where it stands; nothing for a local variable. */
function kindOf(
  found: Placed,
  outer: Open | undefined,
  rules: LanguageRules,
): Declaration["kind"] | "scope" | undefined {
  if (outer && CODE_KINDS.has(outer.kind) && DATA_KINDS.has(found.kind)) return undefined;
  const { owner, name } = nameOf(found, rules);
  if (rules.macros === "preprocessor" && TEST_MACRO.test(found.name.text)) return "test";
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
  if (found.kind === "route") {
    return { owner: "", name: routeName({ path: written, verb: found.verb?.text, base: found.base?.text }) };
  }
  if (rules.macros === "preprocessor" && TEST_MACRO.test(written)) {
    const [, first, second] = /^\w+\(\s*(\w+)\s*(?:,\s*(\w+))?/.exec(found.node.text.slice(0, 400)) ?? [];
    if (first) return second ? { owner: first, name: second } : { owner: "", name: first };
  }
  const split = splitName(written.replace(rules.nameMark, ""));
  const spelling = rules.spelling[found.node.type];
  return spelling ? { ...split, name: spelling.replace("$", () => split.name) } : split;
}

/** `typedef struct node { ... } node;` declares one thing, not one inside the other. */
function isTagOfTypedef(found: Placed, outer: Open | undefined): boolean {
  if (outer?.node.type !== "type_definition" || outer.kind !== found.kind) return false;
  return found.node.parent?.id === outer.node.id && outer.qualifiedName.split(".").at(-1) === found.name.text;
}

function isConstructor(name: string, container: string, rules: LanguageRules): boolean {
  if (rules.constructors.includes(name)) return true;
  return rules.constructors.includes(NAMED_AS_CLASS) && container.split(".").at(-1) === name;
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
  const bodyAt = found.headEnd ?? (isCall ? testBody(found, positions.text) : bodyStart(found.node, positions.text));
  const headEnd = Math.min(bodyAt ?? found.end, found.end);
  const written =
    found.kind === "route"
      ? lineAround(positions, found.start)
      : positions.text.slice(found.head, Math.max(headEnd, found.name.endIndex));
  const signature = collapse(written);
  const { kind, name, qualifiedName } = known;
  const end = trimEnd(positions.text, found);
  const declaration: Declaration = { kind, name, qualifiedName, signature, docstring, start: found.start, end };
  if (comment && docstring !== "") declaration.comment = comment;
  return declaration;
}

/** The rest of a route's chain is in its line, as is the method where that stands behind the path. */
function lineAround(positions: Positions, at: number): string {
  const line = positions.lineAt(at);
  const start = positions.lineStarts[line - 1]!;
  return positions.text.slice(at - start > MAX_SIGNATURE / 2 ? at : start, positions.endOfLine(line));
}

/** A range never ends in blank space: some grammars count the line feed. */
function trimEnd(text: string, found: Placed): number {
  let end = found.end;
  while (end > found.start && /\s/.test(text[end - 1]!)) end--;
  return end;
}

/** Where the body begins: the field of that name, of the node or of the value it is given, or a child that is one. */
function bodyStart(node: Node, text: string): number | undefined {
  const body = childOf(node, "body") ?? bodyOfValue(node) ?? lastBody(node);
  if (!body) return undefined;
  // A colon or an arrow before the body belongs to neither.
  const before = text.slice(Math.max(node.startIndex, body.startIndex - 40), body.startIndex);
  return body.startIndex - before.length + before.replace(/\s*(:|=>|=)?\s*$/, "").length;
}

function bodyOfValue(node: Node): Node | undefined {
  const value = childOf(node, "value") ?? childOf(node, "right") ?? childOf(node, "type");
  return value ? childOf(value, "body") : undefined;
}

/** A test is a call: its callback's text is the body. */
function testBody(found: Placed, text: string): number {
  const comma = text.indexOf(",", found.name.endIndex);
  return comma < 0 ? found.end : comma;
}

function lastBody(node: Node): Node | undefined {
  const last = node.lastNamedChild;
  return last &&
    /(_body|_block|^block|^body|declaration_list|^body_statement|compound_statement)$/.test(last.type) &&
    node.namedChildCount > 1
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

/** Finds the bodies that stand directly behind a signature. */
class SuffixIndex {
  /** Where the code before a body ends, and where that body ends. */
  readonly #ends = new Map<number, number>();

  constructor(suffixes: Node[], text: string) {
    for (const node of suffixes) {
      let before = node.startIndex;
      while (before > 0 && /\s/.test(text[before - 1]!)) before--;
      this.#ends.set(before, node.endIndex);
    }
  }

  extend(found: Placed): Placed {
    const end = this.#ends.get(found.end);
    if (end === undefined) return found;
    found.headEnd = found.end;
    found.end = end;
    return found;
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
